//! Twenty questions to `steiner check` whose answers follow from mechanics, given beside each. All but those about a
//! log are answered in a tenth of a second on a quiet machine.

mod support;

use std::time::{Duration, Instant};

use support::checks::{GEARED, PENDULUM, SATELLITE, log_of_arm, verdicts};
use support::{ARM, Bench, text};

/// What an answer takes at most without a log, the start of the command included, where nothing else runs: times are
/// shown every day, and asked for by `STEINER_THOROUGH=1`.
const LIMIT: Duration = Duration::from_millis(100);
/// A question is asked so often before it is too slow.
const TRIES: usize = 5;

struct Asked {
    /// Why the answer is what it is.
    because: &'static str,
    line: &'static str,
    /// Verdicts, in order.
    found: &'static [&'static str],
}

const QUESTIONS: [Asked; 20] = [
    Asked {
        because: "axes 1 and 2 meet where links 1 and 2 begin, and later masses act through the link before them",
        line: "puma560 --want *.m",
        found: &[
            "link1.m no-effect",
            "link2.m no-effect",
            "link3.m combined",
            "link4.m combined",
            "link5.m combined",
            "link6.m combined",
        ],
    },
    Asked {
        because: "a sensor before the last link carries it alone",
        line: "puma560 --measure all+wrench:link6 --want link6.m,link6.mz,link6.Ixx,link6.Iyy",
        found: &["link6.m found", "link6.mz found", "link6.Ixx found", "link6.Iyy found"],
    },
    Asked {
        because: "weight is felt at rest, inertia is not",
        line: "puma560 --measure static --want link6.mx,link6.Izz",
        found: &["link6.mx found", "link6.Izz no-effect"],
    },
    Asked {
        because: "the last motor carries the last link alone",
        line: "puma560 --measure joints:link6 --want link5.mx,link6.mx",
        found: &["link5.mx no-effect", "link6.mx found"],
    },
    Asked {
        because: "(Iyy + Ia) a + g (mx cos q - mz sin q) + friction is all of a pendulum",
        line: "pendulum.toml --want bob.m,bob.mz,bob.Ixx,bob.Iyy,bob.Ia,bob.friction",
        found: &[
            "bob.m no-effect",
            "bob.mz found",
            "bob.Ixx no-effect",
            "bob.Iyy combined",
            "bob.Ia combined",
            "bob.fv found",
            "bob.fc found",
            "bob.offset found",
        ],
    },
    Asked {
        because: "a known rotor leaves the body's own inertia",
        line: "pendulum.toml --want bob.Iyy,bob.Ia --fix bob.Ia=0.001",
        found: &["bob.Iyy found", "bob.Ia known"],
    },
    Asked {
        because: "a force plate weighs the bob, and has no part of the rotor",
        line: "pendulum.toml --measure all+base-wrench --want bob.m,bob.Iyy,bob.Ia",
        found: &["bob.m found", "bob.Iyy found", "bob.Ia found"],
    },
    Asked {
        because: "a body on a vertical axis lifts nothing",
        line: "mast.toml --no-drives --want bob.mx,bob.Izz",
        found: &["bob.mx no-effect", "bob.Izz found"],
    },
    Asked {
        because: "an axis off the vertical by 1e-5 rad lifts too little",
        line: "tilted.toml --no-drives --want bob.mx,bob.Izz",
        found: &["bob.mx barely-visible", "bob.Izz found"],
    },
    Asked {
        because: "one slider twice as fast as the other: m1 + 4 m2 acts",
        line: "geared.toml --no-drives --want first.m,second.Ixx",
        found: &["first.m combined", "second.Ixx no-effect"],
    },
    Asked {
        because: "and m1 is left where m2 is known",
        line: "geared.toml --no-drives --fix second.m=2 --want first.m,second.m",
        found: &["first.m found", "second.m known"],
    },
    Asked {
        because: "bodies of a planar loop turn about one direction; b3.my is alone in the paper's table",
        line: "four_bar --no-drives --want b2.Ixx,b2.mz,b3.my,b3.Izz",
        found: &["b2.Ixx no-effect", "b2.mz no-effect", "b3.my found", "b3.Izz combined"],
    },
    Asked {
        because: "the platform of a Delta never turns, and rods share its mass",
        line: "delta --no-drives --want plat.m,plat.mx,plat.Izz",
        found: &["plat.m combined", "plat.mx no-effect", "plat.Izz no-effect"],
    },
    Asked {
        because: "a link at rest adds its weight to sums on the plate; its inertia never acts",
        line: "double_pendulum --no-drives --measure base-wrench --want base_link.m,base_link.Izz",
        found: &["base_link.m combined", "base_link.Izz no-effect"],
    },
    Asked {
        because: "joint torques say nothing of a link at rest",
        line: "double_pendulum --want base_link.m",
        found: &["base_link.m at-rest"],
    },
    Asked {
        because: "a body that floats shows all of itself",
        line: "satellite.toml --want hull.m,hull.mz,hull.Ixy,hull.Izz",
        found: &["hull.m found", "hull.mz found", "hull.Ixy found", "hull.Izz found"],
    },
    Asked {
        because: "every leg shares mass on its axes with what carries it, trunk included",
        line: "go2 --want *.m",
        found: &[
            "base_link.m combined",
            "FL_hip.m combined",
            "FL_thigh.m combined",
            "FL_calf.m combined",
            "FR_hip.m combined",
            "FR_thigh.m combined",
            "FR_calf.m combined",
            "RL_hip.m combined",
            "RL_thigh.m combined",
            "RL_calf.m combined",
            "RR_hip.m combined",
            "RR_thigh.m combined",
            "RR_calf.m combined",
        ],
    },
    Asked {
        because: "a load on a known arm moves in all directions",
        line: "panda --want payload:link7",
        found: &[
            "payload:link7.m found",
            "payload:link7.mx found",
            "payload:link7.my found",
            "payload:link7.mz found",
            "payload:link7.Ixx found",
            "payload:link7.Ixy found",
            "payload:link7.Iyy found",
            "payload:link7.Ixz found",
            "payload:link7.Iyz found",
            "payload:link7.Izz found",
        ],
    },
    Asked {
        because: "no motion separates a tool from the hand it is fixed to",
        line: "arm.urdf --want tool.m",
        found: &["tool fixed"],
    },
    Asked {
        because: "while j3 stands, its torque is whatever dry friction balances, and others tell sums of the hand",
        line: "arm.urdf motion.csv --want j1.fv,j2.fc,j3.fv,j3.fc,hand.Iyy",
        found: &[
            "j1.fv found",
            "j2.fc found",
            "j3.fv not-excited",
            "j3.fc not-excited",
            "hand.Iyy not-excited",
        ],
    },
];

fn files(bench: &Bench) {
    let mast = PENDULUM.replace("axis = [0, 1, 0]", "axis = [0, 0, 1]");
    bench.write("pendulum.toml", PENDULUM);
    bench.write("tilted.toml", mast.replace("[0, 0, -9.81]", "[0.0001, 0, -9.81]"));
    bench.write("mast.toml", mast);
    bench.write("geared.toml", GEARED);
    bench.write("satellite.toml", SATELLITE);
    bench.write("arm.urdf", ARM);
    log_of_arm(bench, "j3");
}

#[test]
fn twenty_questions_have_their_known_answers_at_once() {
    let bench = Bench::new("twenty-questions");
    files(&bench);
    let thorough = std::env::var_os("STEINER_THOROUGH").is_some();
    let mut slow = Vec::new();
    for (k, Asked { because, line, found }) in QUESTIONS.iter().enumerate() {
        let mut least = Duration::MAX;
        for _ in 0..TRIES {
            let start = Instant::now();
            let output = bench.steiner(&format!("check {line} --json"));
            least = least.min(start.elapsed());
            let document = serde_json::from_slice(&output.stdout);
            let document = document.unwrap_or_else(|_| panic!("{line}: {}", text(&output.stderr)));
            assert_eq!(verdicts(&document), *found, "{line}: {because}");
            let good = found.iter().all(|verdict| verdict.ends_with(" found") || verdict.ends_with(" known"));
            assert_eq!(output.status.code(), Some(if good { 0 } else { 1 }), "{line}: {because}");
            if least < LIMIT {
                break;
            }
        }
        println!("{:2}. {:6.1} ms  {line}", k + 1, 1e3 * least.as_secs_f64());
        if thorough && least > LIMIT && !line.contains(".csv") {
            slow.push(format!("{line}: {least:?}"));
        }
    }
    assert!(slow.is_empty() || cfg!(debug_assertions), "{slow:#?}");
}

#[test]
fn an_inertia_that_no_body_has_is_named_at_once() {
    let bench = Bench::new("twenty-questions-vendor");
    let right = r#"ixx="0.004" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02""#;
    let wrong = right.replace(r#"izz="0.02""#, r#"izz="0.2""#);
    bench.write("wrong.urdf", ARM.replacen(right, &wrong, 1));
    // 0.2 > 0.004 + 0.02: the largest moment of a body is at most the sum of the others.
    let output = bench.steiner("check wrong.urdf --json");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["file"][0]["body"], "fore");
    assert_eq!(document["file"][0]["kind"], "impossible");
    assert_eq!(output.status.code(), Some(0), "nothing was asked for");
}
