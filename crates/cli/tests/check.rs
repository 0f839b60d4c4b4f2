//! `steiner check`: verdicts that follow from mechanics, advice that holds when it is followed, and the screen.

mod support;

use serde_json::Value;
use support::checks::{GEARED, PENDULUM, SATELLITE, log_of_arm, verdicts};
use support::{ARM, Bench, snapshot, text};

/// The document and the exit status of a check.
fn check(bench: &Bench, line: &str) -> (Value, Option<i32>) {
    let output = bench.steiner(&format!("check {line} --json"));
    let document = serde_json::from_slice(&output.stdout);
    (document.unwrap_or_else(|_| panic!("{line}: {}", text(&output.stderr))), output.status.code())
}

/// Asks, and expects these verdicts; the status is 0 if all are found, else 1.
fn expect(bench: &Bench, line: &str, wanted: &[&str]) -> Value {
    let (document, status) = check(bench, line);
    assert_eq!(verdicts(&document), wanted, "{line}");
    let good = wanted.iter().all(|verdict| verdict.ends_with(" found") || verdict.ends_with(" known"));
    assert_eq!(status, Some(if good { 0 } else { 1 }), "{line}");
    assert_eq!(document["ok"], good, "{line}");
    document
}

/// What is advised for an answer, under a key.
fn actions(document: &Value, answer: usize, key: &str) -> Vec<Value> {
    let actions = document["wanted"][answer]["actions"].as_array().expect("a list");
    actions.iter().filter(|action| !action[key].is_null()).map(|action| action[key].clone()).collect()
}

#[test]
fn not_one_link_mass_of_a_fixed_arm_is_found_alone() {
    let bench = Bench::new("check-masses");
    // Axes 1 and 2 of a Puma meet at the origins of links 1 and 2: masses there never move. Each later mass acts
    // through the link that carries it, whose own moments look the same.
    let document = expect(
        &bench,
        "puma560 --want *.m",
        &[
            "link1.m no-effect",
            "link2.m no-effect",
            "link3.m combined",
            "link4.m combined",
            "link5.m combined",
            "link6.m combined",
        ],
    );
    // A force-torque sensor carries the whole last link: its weight is its mass.
    assert_eq!(actions(&document, 5, "measure"), ["wrench:link6"]);
    expect(&bench, "puma560 --measure all+wrench:link6 --want link6.m", &["link6.m found"]);
    // Every advice about sensors holds when it is followed.
    for (k, label) in (1..=6).map(|k| (k - 1, format!("link{k}.m"))) {
        for set in actions(&document, k, "measure") {
            let line = format!("puma560 --measure all+{} --want {label}", set.as_str().expect("a set"));
            expect(&bench, &line, &[&format!("{label} found")]);
        }
    }
}

#[test]
fn a_pendulum_shows_its_moment_and_only_a_force_plate_its_mass() {
    let bench = Bench::new("check-pendulum");
    bench.write("pendulum.toml", PENDULUM);
    // τ = (Iyy + Ia) q̈ + g (mx cos q − mz sin q) + friction + offset: nothing else of the body is in it.
    let document = expect(
        &bench,
        "pendulum.toml --want bob.m,bob.mz,bob.Ixx,bob.Iyy,bob.Ia,bob.friction",
        &[
            "bob.m no-effect",
            "bob.mz found",
            "bob.Ixx no-effect",
            "bob.Iyy combined",
            "bob.Ia combined",
            "bob.fv found",
            "bob.fc found",
            "bob.offset found",
        ],
    );
    assert_eq!(actions(&document, 0, "measure"), ["base-wrench"]);
    // Of the body's moments about axes that it does not turn about, no sensor tells anything.
    assert!(actions(&document, 2, "measure").is_empty());
    assert_eq!(document["wanted"][4]["combination"].as_array().map(Vec::len), Some(2));
    // The wrench on the ground has no part of the rotor: it tells Iyy, and the torque then tells Ia.
    assert_eq!(actions(&document, 3, "measure"), ["base-wrench"]);
    assert_eq!(actions(&document, 3, "fix"), [serde_json::json!(["bob.Ia"])]);
    expect(&bench, "pendulum.toml --want bob.Iyy --fix bob.Ia=0", &["bob.Iyy found"]);
    expect(&bench, "pendulum.toml --want bob.Iyy --no-drives", &["bob.Iyy found"]);
    expect(
        &bench,
        "pendulum.toml --measure all+base-wrench --want bob.m,bob.Iyy,bob.Ia",
        &["bob.m found", "bob.Iyy found", "bob.Ia found"],
    );
}

#[test]
fn at_rest_weight_is_felt_and_inertia_is_not() {
    let bench = Bench::new("check-static");
    let document = expect(
        &bench,
        "puma560 --measure static --want link6.mx,link6.Izz",
        &["link6.mx found", "link6.Izz no-effect"],
    );
    let advised = actions(&document, 1, "measure");
    assert_eq!(advised, ["joints:link6"], "its own torque in motion is enough");
    expect(&bench, "puma560 --measure static+joints:link6 --want link6.Izz", &["link6.Izz found"]);
}

#[test]
fn a_torque_feels_only_the_bodies_behind_its_joint() {
    let bench = Bench::new("check-partial");
    let document = expect(
        &bench,
        "puma560 --measure joints:link6 --want link5.mx,link6.mx",
        &["link5.mx no-effect", "link6.mx found"],
    );
    assert_eq!(actions(&document, 0, "measure"), ["joints:link5"]);
    let why = document["wanted"][0]["why"].as_str().expect("a sentence");
    assert!(why.contains("No sensor measures a force that depends on link5"), "{why}");
}

#[test]
fn bodies_of_a_four_bar_turn_about_one_direction() {
    let bench = Bench::new("check-four-bar");
    // Planar: mz and the moments about other axes than z do nothing; b3.my is alone in the paper's table.
    let document = expect(
        &bench,
        "four_bar --no-drives --want b2.Ixx,b2.mz,b3.my,b3.Izz",
        &["b2.Ixx no-effect", "b2.mz no-effect", "b3.my found", "b3.Izz combined"],
    );
    assert_eq!(document["robot"]["loops"], 1);
}

#[test]
fn the_platform_of_a_delta_never_turns() {
    let bench = Bench::new("check-delta");
    // It only translates: of its ten parameters only the mass acts, and a share of each rod looks the same.
    let (document, status) = check(&bench, "delta --no-drives --want plat");
    assert_eq!(status, Some(1));
    let found = verdicts(&document);
    assert_eq!(found[0], "plat.m combined");
    assert!(found[1..].iter().all(|verdict| verdict.ends_with("no-effect")), "{found:?}");
}

#[test]
fn a_force_plate_weighs_the_sum() {
    let bench = Bench::new("check-plate");
    // A link at rest: its weight and two moments are part of sums; its inertia and height never act.
    let document = expect(
        &bench,
        "double_pendulum --no-drives --measure base-wrench --want base_link.m,base_link.Izz",
        &["base_link.m combined", "base_link.Izz no-effect"],
    );
    assert_eq!(document["identifiable"], 13, "table II of [matthew2016]");
    // Joint torques say nothing of a link that rests.
    expect(&bench, "double_pendulum --want base_link.m", &["base_link.m at-rest"]);
}

#[test]
fn a_free_body_shows_all_ten_parameters() {
    let bench = Bench::new("check-floating");
    bench.write("satellite.toml", SATELLITE);
    let (document, status) = check(&bench, "satellite.toml --want hull");
    assert_eq!((status, document["wanted"].as_array().map(Vec::len)), (Some(0), Some(10)));
    // A trunk shares mass on the hip axes with the hips.
    expect(&bench, "go2 --no-drives --want base_link.m", &["base_link.m combined"]);
}

#[test]
fn a_load_on_the_last_link_is_found_and_one_on_a_vertical_axis_hardly() {
    let bench = Bench::new("check-payload");
    let (document, status) = check(&bench, "panda --want payload:link7");
    assert_eq!(status, Some(0), "{document}");
    assert_eq!(document["wanted"][0]["parameter"], "payload:link7.m");
    // On link 1, which turns about the vertical, only the moment about that axis is felt.
    let (document, status) = check(&bench, "panda --want payload:link1");
    assert_eq!(status, Some(1));
    let found: Vec<String> =
        verdicts(&document).into_iter().filter(|verdict| verdict.ends_with(" found")).collect();
    assert_eq!(found, ["payload:link1.Izz found"]);
}

#[test]
fn what_only_a_tilt_of_a_ten_thousandth_shows_is_not_called_found() {
    let bench = Bench::new("check-tilt");
    // A mast on a vertical axis: its first moments are lifted only as far as the axis is not vertical.
    let mast = PENDULUM.replace("axis = [0, 1, 0]", "axis = [0, 0, 1]");
    bench.write("mast.toml", mast.replace("[0, 0, -9.81]", "[0.0001, 0, -9.81]"));
    expect(
        &bench,
        "mast.toml --no-drives --want bob.mx,bob.Izz",
        &["bob.mx barely-visible", "bob.Izz found"],
    );
    bench.write("mast.toml", mast);
    expect(&bench, "mast.toml --no-drives --want bob.mx,bob.Izz", &["bob.mx no-effect", "bob.Izz found"]);
}

#[test]
fn coupled_masses_are_found_as_a_sum() {
    let bench = Bench::new("check-geared");
    bench.write("geared.toml", GEARED);
    // Half of m₁ v² + m₂ (2 v)²: only m₁ + 4 m₂ acts.
    let document = expect(
        &bench,
        "geared.toml --no-drives --want first.m,second.Ixx",
        &["first.m combined", "second.Ixx no-effect"],
    );
    assert_eq!(
        document["wanted"][0]["combination"],
        serde_json::json!([["first.m", 1.0], ["second.m", 4.0]])
    );
    expect(&bench, "geared.toml --no-drives --fix second.m=2 --want first.m", &["first.m found"]);
}

#[test]
fn a_log_that_never_moves_a_joint_says_which_to_move() {
    let bench = Bench::new("check-still");
    bench.write("arm.urdf", ARM);
    log_of_arm(&bench, "j3");
    // While j3 stands, its torque is whatever dry friction balances: of the hand the other torques tell only sums.
    let document = expect(
        &bench,
        "arm.urdf motion.csv --want j1.fv,j2.fc,j3.fv,j3.fc,hand.Iyy",
        &["j1.fv found", "j2.fc found", "j3.fv not-excited", "j3.fc not-excited", "hand.Iyy not-excited"],
    );
    assert_eq!(document["log"]["still"], serde_json::json!(["j3"]));
    for answer in 2..5 {
        assert_eq!(actions(&document, answer, "move"), [serde_json::json!(["j3"])]);
    }
    log_of_arm(&bench, "none");
    let line = "arm.urdf motion.csv --want j1.fv,j2.fc,j3.fv,j3.fc,hand.Iyy --noise 0.01";
    let (document, status) = check(&bench, line);
    assert_eq!(status, Some(0), "{document:#}");
    assert_eq!(document["log"]["still"], serde_json::json!([]));
    let sigma = document["wanted"][2]["sigma"].as_f64().expect("a number");
    assert!(sigma > 0.0 && sigma < 0.01, "{sigma}");
}

#[test]
fn impossible_and_unlikely_inertias_of_the_file_are_named() {
    let bench = Bench::new("check-vendor");
    // No body has a moment larger than the sum of the two others; a forearm of a third of a metre has no radius of
    // gyration of three metres, and none of a tenth of a millimetre.
    for (wrong, kind) in [
        (r#"ixx="0.004" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.2""#, "impossible"),
        (r#"ixx="20" ixy="0" ixz="0" iyy="20" iyz="0" izz="20""#, "too-large"),
        (r#"ixx="1e-8" ixy="0" ixz="0" iyy="1e-8" iyz="0" izz="1e-8""#, "too-small"),
    ] {
        let right = r#"ixx="0.004" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02""#;
        assert!(ARM.contains(right));
        bench.write("arm.urdf", ARM.replacen(right, wrong, 1));
        let (document, status) = check(&bench, "arm.urdf");
        assert_eq!(status, Some(0), "nothing was asked for");
        let seen: Vec<_> = document["file"].as_array().expect("a list").iter().collect();
        assert_eq!(seen.len(), 1, "{seen:?}");
        assert_eq!((&seen[0]["body"], &seen[0]["kind"]), (&"fore".into(), &kind.into()));
    }
    bench.write("arm.urdf", ARM);
    assert_eq!(check(&bench, "arm.urdf").0["file"], serde_json::json!([]));
}

#[test]
fn a_fixed_link_is_part_of_the_one_that_carries_it() {
    let bench = Bench::new("check-fixed");
    bench.write("arm.urdf", ARM);
    let document = expect(&bench, "arm.urdf --want tool.m", &["tool fixed"]);
    assert!(document["wanted"][0]["remedies"][0].as_str().is_some_and(|text| text.contains("payload:tool")));
    // As a load it is found beside the hand.
    let (document, _) = check(&bench, "arm.urdf --want payload:tool");
    assert_eq!(document["wanted"][0]["parameter"], "payload:tool.m");
}

#[test]
fn names_that_do_not_exist_are_one_sentence() {
    let bench = Bench::new("check-names");
    bench.write("arm.urdf", ARM);
    for (want, said) in [
        ("hnd.m", "there is nothing called `hnd.m` (did you mean `hand.m`?)"),
        ("payload:hnd", "there is nothing called `payload:hnd` (did you mean `payload:hand`?)"),
        ("hand.friction", "there is nothing called `hand.friction` (did you mean `j3.friction`?)"),
        ("hand.mass", "there is nothing called `hand.mass` (did you mean `hand.m`?)"),
        ("tol.m", "there is nothing called `tol.m`"),
        ("*.mass", "there is nothing called `*.mass`"),
        ("j3.fv --no-drives", "`j3.fv` is about the drive of `j3`, and drives are left out"),
        ("hand.m --measure joints:j9", "there is no joint `j9`"),
    ] {
        let output = bench.steiner(&format!("check arm.urdf --json --want {want}"));
        assert_eq!(output.status.code(), Some(1), "{want}");
        assert!(output.stdout.is_empty(), "{want}: bad input has no document");
        let error = text(&output.stderr);
        assert!(error.contains(said), "{want}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    assert_eq!(bench.steiner("check arm.urdf --wnat hand.m").status.code(), Some(2));
}

#[test]
fn every_screen_fits() {
    let bench = Bench::new("check-screen");
    bench.write("arm.urdf", ARM);
    log_of_arm(&bench, "j3");
    for line in [
        "puma560",
        "puma560 --want *.m",
        "panda --want *",
        "go2",
        "go2 --want *.m",
        "delta --no-drives --want plat,arm0",
        "four_bar --no-drives",
        "arm.urdf motion.csv",
        "arm.urdf motion.csv --want hand,j3.friction,payload:tool",
    ] {
        let page = text(&bench.steiner(&format!("check {line}")).stdout);
        assert!(page.lines().count() <= 45, "{line}: {} lines\n{page}", page.lines().count());
        for row in page.lines() {
            assert!(row.chars().count() <= 100, "{line}: {row}");
        }
    }
}

#[test]
fn what_a_person_reads_does_not_change_by_accident() {
    let bench = Bench::new("check-words");
    bench.write("arm.urdf", ARM);
    log_of_arm(&bench, "j3");
    for (name, line) in [
        ("check_puma560.txt", "puma560"),
        ("check_puma560_masses.txt", "puma560 --want *.m"),
        ("check_delta.txt", "delta --no-drives --want plat"),
        ("check_arm_log.txt", "arm.urdf motion.csv --want hand,j3.friction,payload:tool"),
    ] {
        snapshot(name, &text(&bench.steiner(&format!("check {line}")).stdout));
    }
}

/// A crank that moves about its place in the file, or all the way round.
fn log_of_crank(bench: &Bench, arc: f64) {
    let mut rows = "t,q_b1\n".to_owned();
    for k in 0..4000 {
        let t = 0.005 * f64::from(k);
        rows += &format!("{t},{}\n", arc * ((1.3 * t).sin() + 0.3 * (2.9 * t).cos()));
    }
    bench.write("crank.csv", rows);
}

#[test]
fn what_a_crank_shows_on_its_way_round_is_found() {
    let bench = Bench::new("check-crank");
    // On an arc of 0.3 rad friction of the passive joints looks like the rocker's first moment, over a turn nothing does.
    expect(&bench, "four_bar --want b1.my,b3.my", &["b1.my found", "b3.my found"]);
    // A log is judged by what it excites: over a turn 0.006 kg·m at a noise of 0.001 N·m, on the arc nothing.
    let sigma = |arc: f64, verdict: &str| {
        log_of_crank(&bench, arc);
        let document = expect(&bench, "four_bar crank.csv --want b3.my --noise 0.001", &[verdict]);
        document["wanted"][0]["sigma"].as_f64()
    };
    let (half, round) = (sigma(1.5, "b3.my poorly-excited"), sigma(3.0, "b3.my poorly-excited"));
    assert!(round < half && round.is_some_and(|sigma| (0.001..0.01).contains(&sigma)), "{round:?} {half:?}");
    assert_eq!(sigma(0.15, "b3.my not-excited"), None);
}

#[test]
fn a_link_at_rest_is_weighed_by_a_plate_and_a_sensor_above_it() {
    let bench = Bench::new("check-rest");
    let document = expect(&bench, "double_pendulum --want base_link.m", &["base_link.m at-rest"]);
    let advised = actions(&document, 0, "measure");
    let sensors = advised[0].as_str().expect("sensors");
    assert!(sensors.starts_with("base-wrench+wrench:"), "{sensors}");
    expect(
        &bench,
        &format!("double_pendulum --want base_link.m --measure all+{sensors}"),
        &["base_link.m found"],
    );
}

#[test]
fn a_load_has_a_name_of_its_own() {
    let bench = Bench::new("check-load");
    bench.write("arm.urdf", ARM);
    let line = "arm.urdf --measure joints:j3 --want payload:hand";
    let (document, _) = check(&bench, line);
    // The axis is y: of moments across it gravity and rotation about it tell nothing but Iyy.
    let place = |label: &str| {
        let wanted = document["wanted"].as_array().expect("a list");
        wanted.iter().position(|answer| answer["parameter"] == label).expect("it was asked for")
    };
    let (own, other) = (place("payload:hand.Ixx"), "payload:hand.Izz");
    assert_eq!(document["wanted"][own]["verdict"], "combined");
    let combination = serde_json::json!([["payload:hand.Ixx", 1.0], [other, -1.0]]);
    assert_eq!(document["wanted"][own]["combination"], combination);
    assert_eq!(actions(&document, own, "fix"), [serde_json::json!([other])]);
    for answer in [own, place("payload:hand.m")] {
        let why = document["wanted"][answer]["why"].as_str().expect("a reason");
        assert!(why.starts_with("No force that is measured depends on") && !why.contains(" or "), "{why}");
    }
    let (followed, _) = check(&bench, &format!("{line} --fix {other}=0.1"));
    assert_eq!(followed["wanted"][own]["verdict"], "found");
    // What is known of the hand is not known of what it carries.
    let (robots, _) = check(&bench, &format!("{line} --fix hand.Izz=0.1"));
    assert_eq!(robots["wanted"][own]["verdict"], "combined");
    for (wrong, said) in [
        ("payload:hnd.m=1", "there is nothing called `payload:hnd` (did you mean `payload:hand`?)"),
        ("payload:hand.fv=1", "there is no parameter `payload:hand.fv`"),
    ] {
        let error = text(&bench.steiner(&format!("check {line} --fix {wrong}")).stderr);
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn a_combination_is_named_after_what_has_a_large_part_in_it() {
    let bench = Bench::new("check-part");
    for robot in ["kr6", "go2", "puma560"] {
        let (document, _) = check(&bench, &format!("{robot} --want *"));
        let mut others = 0;
        for answer in document["wanted"].as_array().expect("a list") {
            let Some(terms) = answer["combination"].as_array() else { continue };
            let own = terms.iter().find(|term| term[0] == answer["parameter"]);
            let own = own.unwrap_or_else(|| panic!("{answer:#}"))[1].as_f64().expect("a factor").abs();
            let largest =
                terms.iter().filter_map(|term| term[1].as_f64()).fold(0.0, |a: f64, x| a.max(x.abs()));
            assert_eq!(terms[0][1], 1.0, "{answer:#}");
            match terms[0][0] == answer["parameter"] {
                true => assert!(largest <= 10.0 * own, "{answer:#}"),
                false => {
                    others += 1;
                    assert!(10.0 * own < largest, "{answer:#}");
                }
            }
        }
        assert_eq!(others > 0, robot != "puma560", "{robot}");
    }
}

#[test]
fn the_reason_is_that_of_the_combination() {
    let bench = Bench::new("check-slide");
    bench.write(
        "slide.toml",
        "name = \"slide\"\n[[body]]\nname = \"cart\"\nparent = \"base\"\njoint = \"prismatic\"\naxis = [0, 0, 1]\n\
         inertia = { mass = 3, com = [0, 0, 0], tensor = [0.03, 0, 0.03, 0, 0, 0.002] }\n",
    );
    // m (a + g) + Ia a + offset: the rotor is accelerated as the cart is, and its offset holds it as weight does.
    let document = expect(&bench, "slide.toml --want cart.m", &["cart.m combined"]);
    assert_eq!(document["wanted"][0]["combination"], serde_json::json!([["cart.m", 1.0], ["cart.Ia", 1.0]]));
    let why = document["wanted"][0]["why"].as_str().expect("a reason");
    assert!(why.contains("accelerates with cart"), "{why}");
}

#[test]
fn a_screen_says_whose_noise_is_assumed() {
    let bench = Bench::new("check-noise");
    bench.write("arm.urdf", ARM);
    let mut rows = "t,q_j1,q_j2,q_j3,tau_j1,tau_j2,tau_j3\n".to_owned();
    for k in 0..2000u32 {
        let t = 0.005 * f64::from(k);
        let noise = |seed: u32| {
            f64::from((k.wrapping_mul(2_654_435_761) ^ seed).wrapping_mul(40_503) % 1000) / 1000.0
        };
        let q = [0.8 * (1.3 * t).sin(), 0.8 * (2.1 * t + 0.4).sin() + 0.2 * (6.5 * t).cos()];
        rows += &format!("{t},{},{},0.3,{},{},0\n", q[0], q[1], noise(7), noise(991));
    }
    bench.write("forces.csv", rows);
    let page = text(&bench.steiner("check arm.urdf forces.csv").stdout).replace("\n      ", " ");
    assert!(page.contains("(residuals of a first fit); of j3 1 N·m or N (assumed"), "{page}");
}

#[test]
fn noise_of_forces_takes_its_unit_and_never_another() {
    let bench = Bench::new("check-noise-unit");
    let written = |noise: &str| {
        bench.done(&format!("simulate two_link --duration 1 --rate 100 {noise} -o log.csv"));
        std::fs::read(bench.path("log.csv")).expect("a log")
    };
    assert_eq!(written("--noise 0.5Nm"), written("--force-noise 0.5"));
    assert_eq!(written("--noise 50%"), written("--noise 0.5"));
    assert_ne!(written("--noise 0.5Nm"), written("--noise 0.5"));
    for line in [
        "check two_link --noise 2%",
        "excite two_link -o m.csv --noise 2%",
        "excite two_link -o m.csv --noise link1=2%",
    ] {
        let output = bench.steiner(line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        let said = text(&output.stderr);
        assert!(
            said.contains("this is a part of each force; write a standard deviation in N·m or N"),
            "{said}"
        );
    }
    let both = text(&bench.steiner("simulate two_link --noise 1Nm --force-noise 1 -o log.csv").stderr);
    assert!(both.contains("give one of them"), "{both}");
}

#[test]
fn the_verdict_is_one_plain_sentence() {
    let bench = Bench::new("check-sentence");
    bench.write("arm.urdf", ARM);
    for (line, said) in [
        ("arm.urdf --want hand.mx", "YES: it can be found from these sensors."),
        (
            "arm.urdf --want hand.mx,hand.mz",
            "YES: all 2 parameters asked for can be found from these sensors.",
        ),
        ("arm.urdf --want hand.mx,hand.m,hand.Iyy", "NO: 1 of 3 parameters asked for cannot be found"),
        ("arm.urdf --want upper.m", "NO: it cannot be found from these sensors."),
        ("arm.urdf --want upper.m,hand.m", "NO: none of 2 parameters asked for can be found"),
    ] {
        let page = text(&bench.steiner(&format!("check {line}")).stdout);
        assert!(page.contains(said), "{page}");
    }
    // That nothing measured depends on it is the verdict; the reason is another.
    let document = expect(&bench, "arm.urdf --measure joints:j1 --want j3.fv", &["j3.fv no-effect"]);
    let why = document["wanted"][0]["why"].as_str().expect("a reason");
    assert!(why.contains("joint j3 is not measured") || why.contains("j3 is not measured"), "{why}");
}

#[test]
fn what_a_crank_of_three_millimetres_hardly_moves_is_not_blamed_on_axes() {
    let bench = Bench::new("check-short-crank");
    let body = |name: &str, parent: &str, xyz: &str| {
        format!("[[body]]\nname = \"{name}\"\nparent = \"{parent}\"\njoint = \"revolute\"\nxyz = {xyz}\n")
    };
    let bodies = [
        body("crank", "base", "[0, 0, 0]"),
        body("coupler", "crank", "[0.003, 0, 0]"),
        body("rocker", "coupler", "[0.997, -1.1, 0]"),
    ];
    bench.write(
        "short.toml",
        "name = \"short\"\nindependent = [\"crank\"]\ngravity = [0, -9.81, 0]\n".to_owned()
            + &bodies.concat()
            + "[[loop]]\nname = \"closure\"\njoint = \"revolute\"\npredecessor = { body = \"base\", xyz = [2.2, -0.6, 0] }\n\
               successor = { body = \"rocker\", xyz = [1.2, 0.5, 0] }\n",
    );
    let document = expect(&bench, "short.toml --want rocker.fv", &["rocker.fv barely-visible"]);
    let answer = &document["wanted"][0];
    assert!(answer["why"].as_str().is_some_and(|why| why.starts_with("The loops")), "{answer:#}");
    assert!(answer["remedies"][0].as_str().is_some_and(|text| text.contains("steiner excite")), "{answer:#}");
    let page = text(&bench.steiner("check short.toml --want rocker.fv").stdout);
    assert!(page.contains("hardly: in all motions others look almost like it"), "{page}");
}
