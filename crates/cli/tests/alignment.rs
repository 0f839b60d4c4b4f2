//! Forces that were recorded late, and `--align`.

#[allow(dead_code)]
mod support;

use support::Bench;

/// A CSV log with some columns as they were so many rows before.
fn late(text: &str, is_late: impl Fn(&str) -> bool, rows: usize) -> String {
    let cells: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let line = |k: usize| {
        let before = k.saturating_sub(rows).max(1);
        let cell = |c: usize| if is_late(cells[0][c]) { cells[before][c] } else { cells[k][c] };
        (0..cells[0].len()).map(cell).collect::<Vec<_>>().join(",")
    };
    let lines: Vec<String> = std::iter::once(cells[0].join(",")).chain((1..cells.len()).map(line)).collect();
    lines.join("\n") + "\n"
}

/// Names and (value − truth) / σ of the base parameters; the truth is what the log was simulated with.
fn z_scores(found: &serde_json::Value, sigma: &str) -> Vec<(String, f64)> {
    let parameters = found["parameters"].as_array().expect("a list").iter();
    let z = |p: &serde_json::Value| {
        let of = |key: &str| p[key].as_f64().expect("a number");
        (p["name"].to_string(), (of("least_squares") - of("prior")) / of(sigma))
    };
    parameters.map(z).collect()
}

#[test]
fn late_forces_are_aligned() {
    let bench = Bench::new("aligned");
    bench.done("simulate ur5 --noise 0.02 --rate 250 --duration 30 --seed 3 -o log.csv");
    let text = late(&bench.read("log.csv"), |name| name.starts_with("tau_"), 1);
    bench.write("late.csv", text);
    let plain = bench.json("identify ur5 late.csv");
    let worst = |sigma: &str| z_scores(&plain, sigma).iter().fold(0.0f64, |most, z| most.max(z.1.abs()));
    // Noise alone does not explain where the lag moves the parameters; their uncertainty knows.
    assert!(worst("robust_sigma") > 6.0, "{:?}", z_scores(&plain, "robust_sigma"));
    assert!(worst("sigma") < 3.5, "{:?}", z_scores(&plain, "sigma"));
    let found = bench.json("identify ur5 late.csv --align");
    for joint in 1..=6 {
        let lag = found["aligned"][format!("link{joint}")].as_f64().expect("a lag");
        assert!((lag - 0.004).abs() < 3e-4, "link{joint}: {lag}");
    }
    let scores = z_scores(&found, "sigma");
    let beyond: Vec<_> = scores.iter().filter(|(_, z)| z.abs() > 3.0).collect();
    assert!(beyond.is_empty(), "{beyond:?}");
    let notes = found["notes"].to_string();
    assert!(notes.contains("forces were shifted onto their motion before the estimate: link1 "), "{notes}");
    assert!(found["alarms"].as_array().expect("a list").is_empty(), "{}", found["alarms"]);
    // The page shows the shifted forces.
    bench.done("identify ur5 late.csv --align --html page.html");
}

#[test]
fn one_late_force_is_shifted_and_the_others_stay() {
    let bench = Bench::new("one-late");
    bench.done("simulate ur5 --noise 0.02 --rate 500 --duration 30 --seed 4 -o log.csv");
    bench.write("late.csv", late(&bench.read("log.csv"), |name| name == "tau_link4", 3));
    let found = bench.json("identify ur5 late.csv --align");
    let aligned = found["aligned"].as_object().expect("an object");
    let lag = |joint: &str| aligned.get(joint).map_or(0.0, |lag| lag.as_f64().expect("a lag"));
    assert!((lag("link4") - 0.006).abs() < 3e-4, "{aligned:?}");
    for joint in ["link1", "link2", "link3", "link5", "link6"] {
        assert!(lag(joint).abs() < 5e-4, "{aligned:?}");
    }
}

#[test]
fn nothing_is_shifted_without_need_and_the_flag_is_named() {
    let bench = Bench::new("not-late");
    bench.done("simulate ur5 --noise 0.02 --rate 200 --duration 30 -o log.csv");
    let (plain, aligned) = (bench.json("identify ur5 log.csv"), bench.json("identify ur5 log.csv --align"));
    assert_eq!(aligned["aligned"], serde_json::json!({}));
    assert_eq!(plain["parameters"], aligned["parameters"]);
    bench.write("late.csv", late(&bench.read("log.csv"), |name| name.starts_with("tau_"), 6));
    let notes = bench.json("identify ur5 late.csv")["notes"].to_string();
    assert!(notes.contains("--align shifts forces that lag or lead onto their motion"), "{notes}");
}
