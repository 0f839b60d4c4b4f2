//! Where results go: nothing that was read is replaced, places are looked at before logs are read, and what
//! cannot be written costs no other result. What numbers in results mean: one σ everywhere, and residuals
//! relative to what was measured.

mod support;

use serde_json::Value;
use support::{ARM, Bench, text};

fn bench(name: &str) -> Bench {
    let bench = Bench::new(name);
    bench.write("arm.urdf", ARM);
    bench.done("simulate arm.urdf --rate 100 --duration 10 --noise 0.01 -o log.csv");
    bench
}

fn refused(bench: &Bench, line: &str, expected: &str) {
    let output = bench.steiner(line);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{line}: {message}");
    assert!(output.stdout.is_empty(), "{line}");
    assert!(message.starts_with("error: ") && message.contains(expected), "{line}: {message}");
    assert_eq!(message.trim_end().lines().count(), 1, "{line}: {message}");
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// A column of a CSV log.
fn column(bench: &Bench, file: &str, name: &str) -> Vec<f64> {
    let text = bench.read(file);
    let at =
        text.lines().next().and_then(|head| head.split(',').position(|own| own == name)).expect("a column");
    let cell = |line: &str| line.split(',').nth(at).and_then(|cell| cell.parse().ok()).expect("a number");
    text.lines().skip(1).map(cell).collect()
}

#[test]
fn no_result_replaces_what_it_is_made_from_nor_another_result() {
    let bench = bench("inputs-stay");
    bench.write("other.urdf", ARM);
    bench.write("map.toml", "[columns]\nq_j1 = { from = \"q_j1\" }\n");
    bench.write(
        "named.toml",
        "[[file]]\nname = \"a\"\npath = \"log.csv\"\n[columns]\nq_j1 = { from = \"q_j1\" }\n",
    );
    bench.done("simulate arm.urdf --rate 100 --duration 5 -o way.csv");
    std::fs::create_dir(bench.path("folder")).expect("a folder");
    std::fs::copy(bench.path("log.csv"), bench.path("folder/part.db3")).expect("a copy");
    let kept = ["arm.urdf", "other.urdf", "map.toml", "named.toml", "log.csv", "way.csv", "folder/part.db3"];
    let before = kept.map(|name| bench.read(name));
    let files = bench.files();
    for (line, expected) in [
        ("identify arm.urdf log.csv --table log.csv", "--table log.csv: this would replace the log log.csv"),
        ("identify arm.urdf log.csv --html log.csv", "--html log.csv: this would replace the log log.csv"),
        (
            "identify arm.urdf log.csv --table folder/../log.csv",
            "would replace the log log.csv; give another --table",
        ),
        (
            "identify arm.urdf log.csv --html arm.urdf",
            "--html arm.urdf: this would replace the robot arm.urdf",
        ),
        ("identify arm.urdf log.csv --table ./arm.urdf", "this would replace the robot arm.urdf"),
        ("identify arm.urdf log.csv --validate way.csv --table way.csv", "would replace the log way.csv"),
        (
            "identify arm.urdf log.csv --mapping map.toml -o map.toml",
            "-o map.toml: this would replace the mapping map.toml",
        ),
        ("identify arm.urdf named.toml --table log.csv", "would replace the log log.csv"),
        ("identify arm.urdf named.toml -o named.toml", "would replace the log named.toml"),
        ("identify arm.urdf folder --table folder/part.db3", "would replace the log folder"),
        (
            "identify arm.urdf log.csv --table new --html new",
            "--html new: this is the file of --table, too; give another --html",
        ),
        ("identify arm.urdf log.csv -o arm.urdf --html arm.urdf", "this would replace the robot arm.urdf"),
        ("identify arm.urdf log.csv -o new.toml --table folder/../new.toml", "this is the file of -o, too"),
        ("compare arm.urdf other.urdf log.csv --html other.urdf", "would replace the robot other.urdf"),
        ("compare arm.urdf other.urdf log.csv --html log.csv", "would replace the log log.csv"),
        (
            "simulate arm.urdf --trajectory way.csv -o way.csv",
            "-o way.csv: this would replace the log way.csv",
        ),
        ("simulate arm.urdf -o arm.urdf", "would replace the robot arm.urdf"),
        ("analyze arm.urdf --html arm.urdf", "--html arm.urdf: this would replace the robot arm.urdf"),
        ("analyze arm.urdf log.csv --html log.csv", "--html log.csv: this would replace the log log.csv"),
        ("model arm.urdf --save arm.urdf", "--save arm.urdf: this would replace the robot arm.urdf"),
        (
            "model arm.urdf --accuracy 1e-2 --profile way.csv --plot way.csv",
            "--plot way.csv: this would replace the profile way.csv",
        ),
    ] {
        refused(&bench, line, expected);
        assert_eq!(kept.map(|name| bench.read(name)), before, "{line}");
        assert_eq!(bench.files(), files, "{line}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("log.csv", bench.path("link.csv")).expect("a link");
        refused(&bench, "identify arm.urdf log.csv --table link.csv", "would replace the log log.csv");
        // Devices take whatever comes, and the robot's own file may be patched.
        bench.done("identify arm.urdf log.csv --table /dev/null --html /dev/null -o arm.urdf");
        assert_ne!(bench.read("arm.urdf"), ARM);
    }
}

#[test]
fn places_are_looked_at_before_any_log_is_read() {
    let bench = bench("places-first");
    // There is no such log: whoever read it first would say that.
    for (line, expected) in [
        (
            "identify arm.urdf gone.csv -o found.txt",
            "found.txt: its ending says no format; end it in .urdf or .toml",
        ),
        (
            "identify puma560 gone.csv -o found.urdf",
            "puma560 is no URDF that could be patched; write a .toml file",
        ),
        (
            "identify arm.urdf gone.csv -o away/found.urdf",
            "it cannot be written, for there is no folder away; give another -o",
        ),
        (
            "identify arm.urdf gone.csv --table away/found.csv",
            "there is no folder away; give another --table",
        ),
        (
            "identify arm.urdf gone.csv --html log.csv/page.html",
            "there is no folder log.csv; give another --html",
        ),
        ("identify arm.urdf gone.csv --html .", "--html .: this is no name of a file"),
        ("compare arm.urdf arm.urdf gone.csv --html away/page.html", "there is no folder away"),
        ("simulate arm.urdf --trajectory gone.csv -o away/new.csv", "there is no folder away"),
    ] {
        refused(&bench, line, expected);
    }
}

#[test]
#[cfg(unix)]
fn what_cannot_be_written_costs_no_other_result() {
    let bench = bench("one-fails");
    let output =
        bench.steiner("identify arm.urdf log.csv --table /dev/full -o found.urdf --html found.html --json");
    assert_eq!(output.status.code(), Some(1));
    let found: Value = serde_json::from_slice(&output.stdout).expect("the results all the same");
    assert!(number(&found["residual"]["train"]["total"]) < 0.02);
    let message = text(&output.stderr);
    let error = message.lines().last().unwrap_or_default();
    assert!(
        error.starts_with("error: /dev/full cannot be written") && error.ends_with("give another --table"),
        "{message}"
    );
    assert!(bench.read("found.html").contains("</html>") && bench.read("found.urdf").contains("</robot>"));
    let output = bench.steiner("compare arm.urdf found.urdf log.csv --html /dev/full");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("found.urdf"));
}

#[test]
fn sigma_is_one_number_in_every_result() {
    let bench = Bench::new("one-sigma");
    bench.write("arm.urdf", ARM);
    // Noise of states makes residuals of neighbours alike where velocities are derived: both kinds occur.
    bench.done("simulate arm.urdf --rate 100 --noise 0.01 --position-noise 1e-4 --positions-only -o log.csv");
    let found = bench.json("identify arm.urdf log.csv --table table.csv");
    let parameters = found["parameters"].as_array().expect("a list");
    let columns = ["sigma", "relative_sigma_percent", "white_sigma", "robust_sigma"]
        .map(|name| (name, column(&bench, "table.csv", name)));
    let mut from_blocks = 0;
    for (k, parameter) in parameters.iter().enumerate() {
        let [sigma, white, robust] =
            ["sigma", "white_sigma", "robust_sigma"].map(|key| number(&parameter[key]));
        assert!(sigma >= white.max(robust), "{parameter}");
        from_blocks += usize::from(robust > white);
        let relative = sigma / number(&parameter["value"]).abs();
        assert!((number(&parameter["relative_sigma"]) / relative - 1.0).abs() < 1e-12, "{parameter}");
        for (name, column) in &columns {
            // The JSON reader of this test may be off by a last digit.
            let ratio = column[k] / number(&parameter[name]);
            assert!((ratio - 1.0).abs() < 1e-15, "{name} of {parameter}: {}", column[k]);
        }
    }
    assert!(from_blocks > 0, "a log in which it makes no difference shows nothing");
}

#[test]
fn residuals_are_relative_to_what_was_measured_whatever_is_known() {
    let bench = bench("relative");
    bench.done("simulate arm.urdf --rate 100 --duration 10 --noise 0.01 --gain j1=4,j3=0.5 -o currents.csv");
    for (log, flags) in [
        ("log.csv", ""),
        ("log.csv", "--payload hand"),
        ("log.csv", "--fix upper.Izz=0.01,fore.m=2,j1.fc=0.4"),
        ("currents.csv", "--unknown-gain j1,j3"),
        ("currents.csv", "--unknown-gain j1,j3 --payload hand"),
        ("currents.csv", "--unknown-gain j1,j3 --fix j1.gain=4"),
    ] {
        let found = bench.json(&format!("identify arm.urdf {log} --hold-out 0 --rest 0 {flags}"));
        let train = &found["residual"]["train"];
        let (mut left, mut all) = (0.0, 0.0);
        for joint in ["j1", "j2", "j3"] {
            let gain = found["model"].get(format!("{joint}.gain")).map_or(1.0, number);
            let squares: f64 =
                column(&bench, log, &format!("tau_{joint}")).iter().map(|x| (gain * x).powi(2)).sum();
            for model in [train, &train["prior"], &train["least_squares"]] {
                let rest = number(&model["rms"][joint]).powi(2) * number(&train["counted"][joint]);
                let relative = (rest / squares).sqrt();
                let said = number(&model["joints"][joint]);
                assert!((said / relative - 1.0).abs() < 1e-6, "{flags} {joint}: {said}, but {relative}");
            }
            left += number(&train["rms"][joint]).powi(2) * number(&train["counted"][joint]);
            all += squares;
        }
        let total = number(&train["total"]);
        assert!((total / f64::sqrt(left / all) - 1.0).abs() < 1e-6, "{flags}: {total}");
        // One hundredth of noise stays one, however little is left to find.
        assert!((0.008..0.012).contains(&total), "{flags}: {total}");
    }
}
