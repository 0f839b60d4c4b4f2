//! The built-in robots: every file is read, every body is physically consistent, every
//! number that a paper prints is there.

use std::collections::BTreeSet;

use steiner_formats::zoo::{ENTRIES, Entry, find};
use steiner_formats::{Format, ReadOptions, assemble, parse_text, read_robot};
use steiner_linalg::{Mat3, Vec3};
use steiner_robot::{Inconsistency, LoopKind, Pose, PseudoInertia, Robot, evaluate_direction};

fn read(text: &str, name: &str) -> Robot {
    let options = ReadOptions::default();
    let description =
        parse_text(text, name, Format::Toml, None, &options).unwrap_or_else(|error| panic!("{error}"));
    assemble(description, &options).unwrap_or_else(|error| panic!("{error}"))
}

fn robot(name: &str) -> Robot {
    read_robot(name, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn printed(entry: &Entry) -> Robot {
    read(entry.printed.expect("a printed table"), entry.name)
}

fn mass(robot: &Robot) -> f64 {
    robot.bodies.iter().map(|body| body.inertia.mass).sum()
}

/// Second moments about the centre of mass, kg·m².
fn second_about_centre(inertia: &PseudoInertia) -> Mat3<f64> {
    let [xx, xy, yy, xz, yz, zz] = inertia.centred().tensor;
    let half = 0.5 * (xx + yy + zz);
    Mat3([[half - xx, -xy, -xz], [-xy, half - yy, -yz], [-xz, -yz, half - zz]])
}

/// Whether M + slack·1 is positive semidefinite, by Cholesky's pivots.
fn is_semidefinite(m: &Mat3<f64>, slack: f64) -> bool {
    let mut a = m.0;
    for k in 0..3 {
        a[k][k] += slack;
    }
    for k in 0..3 {
        if a[k][k] < 0.0 {
            return false;
        }
        for i in k + 1..3 {
            for j in k + 1..3 {
                if a[k][k] > 0.0 {
                    a[i][j] -= a[i][k] * a[k][j] / a[k][k];
                }
            }
        }
    }
    true
}

fn minus_multiple_of_identity(m: &Mat3<f64>, epsilon: f64) -> Mat3<f64> {
    let mut shifted = *m;
    for k in 0..3 {
        shifted.0[k][k] -= epsilon;
    }
    shifted
}

#[test]
fn names_are_unique_and_in_the_documented_order() {
    let names: Vec<&str> = ENTRIES.iter().map(|entry| entry.name).collect();
    let expected = "two_link double_pendulum puma560 kr6 lbr7 scara_sr6ia panda ur5 go2 gantry four_bar five_bar \
                    palletizer pkm_2rru_1rrs pkm_2prs_1psr stewart delta";
    assert_eq!(names, expected.split_whitespace().collect::<Vec<_>>());
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    for entry in ENTRIES {
        assert!(!entry.about.contains('\n') && !entry.about.is_empty());
        assert_eq!(entry.printed.is_some(), entry.note.is_some(), "{}", entry.name);
        assert_eq!(robot(entry.name).name, entry.name);
    }
}

#[test]
fn a_misspelt_name_gets_a_hint() {
    let error = find("puma650").expect_err("no such robot").to_string();
    assert!(error.contains("puma560"), "{error}");
}

#[test]
fn bodies_coordinates_and_loops_are_counted() {
    let counts = [
        ("two_link", 2, 2, 0),
        ("double_pendulum", 2, 2, 0),
        ("puma560", 6, 6, 0),
        ("kr6", 6, 6, 0),
        ("lbr7", 7, 7, 0),
        ("scara_sr6ia", 4, 4, 0),
        ("panda", 7, 7, 0),
        ("ur5", 6, 6, 0),
        ("go2", 13, 18, 0),
        ("gantry", 4, 4, 0),
        ("four_bar", 3, 3, 1),
        ("five_bar", 4, 4, 1),
        ("palletizer", 10, 10, 3),
        ("pkm_2rru_1rrs", 7, 8, 2),
        ("pkm_2prs_1psr", 7, 11, 2),
        ("stewart", 13, 21, 5),
        ("delta", 10, 18, 5),
    ];
    assert_eq!(counts.len(), ENTRIES.len());
    for (name, bodies, tree_dof, loops) in counts {
        let robot = robot(name);
        assert_eq!(
            (robot.body_count(), robot.tree_dof(), robot.loops.len()),
            (bodies, tree_dof, loops),
            "{name}"
        );
        assert_eq!(robot.snapped, 0, "{name}: angles are written exactly");
    }
}

#[test]
fn every_inertia_belongs_to_a_body_strictly() {
    for entry in ENTRIES {
        for body in &robot(entry.name).bodies {
            let (name, link) = (entry.name, &body.name);
            assert!(body.own_inertia.is_some(), "{name}, {link}: no inertia");
            assert_eq!(body.inertia.check(), Ok(()), "{name}, {link}");
            let second = second_about_centre(&body.inertia);
            let trace = second.0[0][0] + second.0[1][1] + second.0[2][2];
            let inside = minus_multiple_of_identity(&second, 1e-5 * trace);
            assert!(
                body.inertia.mass > 0.0 && is_semidefinite(&inside, 0.0),
                "{name}, {link} is on the boundary"
            );
        }
    }
}

#[test]
fn every_one_dof_joint_has_limits_and_every_driven_one_an_effort() {
    for entry in ENTRIES {
        let robot = robot(entry.name);
        for (index, body) in robot.bodies.iter().enumerate() {
            if body.joint.kind.dof() != 1 {
                continue;
            }
            let limits = &body.joint.limits;
            let what = format!("{}, {}", entry.name, body.name);
            let (lower, upper) = (limits.lower.expect(&what), limits.upper.expect(&what));
            assert!(lower < upper && limits.velocity.expect(&what) > 0.0, "{what}");
            let driven = match &robot.independent {
                Some(independent) => independent.iter().any(|coordinate| coordinate.body.0 == index),
                None => true,
            };
            assert_eq!(limits.effort.is_some(), driven, "{what}: effort");
            assert_eq!(limits.acceleration.is_some(), driven, "{what}: acceleration");
        }
    }
}

#[test]
fn loops_close_at_zero() {
    for entry in ENTRIES {
        let robot = robot(entry.name);
        assert!(robot.guessed.is_empty(), "{} needs no guess", entry.name);
        let poses = poses(&robot, |_| 0.0);
        for closure in &robot.loops {
            let side = |attachment: &steiner_robot::Attachment| {
                let body = attachment.body.map_or(Pose::identity(), |body| poses[body.0]);
                body.then(&attachment.frame.pose())
            };
            let (a, b) = (side(&closure.predecessor), side(&closure.successor));
            let what = format!("{}, {}", entry.name, closure.name);
            let gap = a.translation - b.translation;
            assert!(gap.0.iter().all(|x| x.abs() < 1e-15), "{what}: {gap:?}");
            let axis = evaluate_direction::<f64>(&closure.axis).expect("a direction").value;
            let (on_a, on_b) = (a.rotation.apply(axis), b.rotation.apply(axis));
            match &closure.kind {
                LoopKind::Revolute => {
                    assert!(on_a.0.iter().zip(on_b.0).all(|(x, y)| (x - y).abs() < 1e-15), "{what}");
                }
                LoopKind::Universal { axis2 } => {
                    let axis2 =
                        b.rotation.apply(evaluate_direction::<f64>(axis2).expect("a direction").value);
                    let dot: f64 = on_a.0.iter().zip(axis2.0).map(|(x, y)| x * y).sum();
                    assert!(dot.abs() < 1e-15, "{what}");
                }
                LoopKind::Spherical => {}
                other => panic!("{what}: {other:?} is not checked here"),
            }
        }
    }
}

#[test]
fn total_masses_are_those_of_the_sources() {
    let masses = [
        ("double_pendulum", 12.093 + 4.9009),
        ("puma560", 13.0 + 17.4 + 4.8 + 0.82 + 0.34 + 0.09),
        ("kr6", 24.24),
        ("lbr7", 23.31),
        ("scara_sr6ia", 17.24),
        ("panda", 16.062132),
        ("ur5", 17.0489),
        ("go2", 16.085),
    ];
    for (name, expected) in masses {
        let found = mass(&robot(name));
        assert!((found - expected).abs() < 1e-12, "{name}: {found}");
    }
    // Table IV of [matthew2016]: 20.99 kg with the base.
    let pendulum = robot("double_pendulum");
    let base = pendulum.ground[0].inertia.expect("the base's inertia").mass;
    assert!((mass(&pendulum) + base - 20.99).abs() < 0.005);
}

#[test]
fn the_puma_has_its_published_geometry() {
    let puma = robot("puma560");
    let names: Vec<&str> = puma.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["link1", "link2", "link3", "link4", "link5", "link6"]);
    assert_eq!(puma.gravity_vector(), [0.0, 0.0, -9.81]);
    // Modified DH: each body frame is at its own joint, a along the common normal and d
    // along the axis from the one before.
    let expected = [(0.0, 0.0), (0.0, 0.0), (0.4318, 0.15005), (0.0203, 0.4318), (0.0, 0.0), (0.0, 0.0)];
    for (body, (a, d)) in puma.bodies.iter().zip(expected) {
        assert_eq!(body.joint.body_frame.pose(), Pose::identity());
        let pose = body.joint.placement.pose();
        assert_eq!(
            (pose.translation[0], pose.rotation.column(2).dot(pose.translation)),
            (a, d),
            "{}",
            body.name
        );
    }
    // The arm of the zero configuration: the wrist lies at (a2 + a3, -d3, d4).
    let wrist = poses(&puma, |_| 0.0)[5].translation;
    for (found, expected) in wrist.0.iter().zip([0.4318 + 0.0203, -0.15005, 0.4318]) {
        assert!((found - expected).abs() < 1e-15, "{wrist:?}");
    }
    assert_eq!(puma.bodies[1].inertia.centred().mass, 17.4);
    // Completing link1 leaves the moment about its joint as published.
    assert!((puma.bodies[0].inertia.parameters()[9] - 0.35).abs() < 1e-15);
}

#[test]
fn the_go2_has_the_names_of_its_legs_and_lumps_feet_and_rotors() {
    let go2 = robot("go2");
    assert!(go2.is_floating());
    let mut names = vec!["base_link".to_owned()];
    for leg in ["FL", "FR", "RL", "RR"] {
        names.extend(["hip", "thigh", "calf"].map(|part| format!("{leg}_{part}")));
    }
    assert_eq!(go2.bodies.iter().map(|body| body.name.clone()).collect::<Vec<_>>(), names);
    assert_eq!(go2.bodies.iter().map(|body| body.lumped.len()).sum::<usize>(), 16);
}

#[test]
fn exactly_the_named_bodies_of_the_printed_tables_are_impossible() {
    #[derive(Debug, PartialEq)]
    enum Flaw {
        Indefinite,
        Triangle,
        Massless,
        Boundary,
    }
    let flaw = |inertia: &PseudoInertia| match inertia.check() {
        Err(Inconsistency::IndefiniteTensor { .. }) => Some(Flaw::Indefinite),
        Err(Inconsistency::TriangleInequality { .. }) => Some(Flaw::Triangle),
        Err(Inconsistency::MomentsWithoutMass) => Some(Flaw::Massless),
        Err(other) => panic!("{other}"),
        Ok(()) => {
            let [a, b, c] = inertia.principal_moments();
            (a + b - c <= 1e-9 * c).then_some(Flaw::Boundary)
        }
    };
    let expected = [
        ("puma560", vec![("link1", Flaw::Massless), ("link3", Flaw::Triangle)]),
        ("kr6", vec![("link5", Flaw::Indefinite)]),
        ("lbr7", vec![("link2", Flaw::Boundary), ("link4", Flaw::Triangle), ("link6", Flaw::Triangle)]),
        ("scara_sr6ia", vec![("link3", Flaw::Boundary)]),
    ];
    let with_table: Vec<&str> = ENTRIES.iter().filter(|e| e.printed.is_some()).map(|e| e.name).collect();
    assert_eq!(with_table, expected.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    for (name, flaws) in expected {
        let entry = find(name).expect("in the zoo");
        let table = printed(entry);
        let found: Vec<(&str, Flaw)> = table
            .bodies
            .iter()
            .filter_map(|body| flaw(&body.inertia).map(|flaw| (body.name.as_str(), flaw)))
            .collect();
        assert_eq!(found, flaws, "{name}");
        for (link, _) in &found {
            assert!(entry.note.expect("a note").contains(link), "{name}: the note is silent about {link}");
        }
    }
}

#[test]
fn the_default_set_is_the_printed_one_where_possible_and_the_nearest_elsewhere() {
    for entry in ENTRIES.iter().filter(|entry| entry.printed.is_some()) {
        let (default, table) = (robot(entry.name), printed(entry));
        for (chosen, source) in default.bodies.iter().zip(&table.bodies) {
            let what = format!("{}, {}", entry.name, chosen.name);
            assert_eq!(chosen.joint, source.joint, "{what}");
            if source.inertia.mass == 0.0 {
                continue;
            }
            let (centred, given) = (chosen.inertia.centred(), source.inertia.centred());
            assert_eq!((centred.mass, centred.com), (given.mass, given.com), "{what}");
            // Nearest in the cone S ⪰ ε1 means: the change is positive semidefinite and orthogonal to S − ε1.
            let (new, old) = (second_about_centre(&chosen.inertia), second_about_centre(&source.inertia));
            let change = Mat3(std::array::from_fn(|r| std::array::from_fn(|c| new.0[r][c] - old.0[r][c])));
            let size = new.0.iter().flatten().map(|x| x * x).sum::<f64>().sqrt();
            if change.0.iter().flatten().all(|x| x.abs() < 1e-12 * size) {
                assert_eq!(chosen.inertia, source.inertia, "{what}");
                continue;
            }
            let epsilon = 1e-3 * largest_eigenvalue(&old);
            let above = minus_multiple_of_identity(&new, epsilon);
            let printed_digits = 2e-7 * size;
            assert!(is_semidefinite(&above, printed_digits), "{what}: outside the cone");
            assert!(is_semidefinite(&change, printed_digits), "{what}: not the nearest");
            let inner: f64 =
                change.0.iter().flatten().zip(above.0.iter().flatten()).map(|(x, y)| x * y).sum();
            assert!(inner.abs() < 2e-7 * size * size, "{what}: not the nearest ({inner:e})");
        }
    }
}

/// By the power method on the shifted matrix.
fn largest_eigenvalue(m: &Mat3<f64>) -> f64 {
    let shift = m.0.iter().flatten().map(|x| x.abs()).sum::<f64>();
    let shifted = minus_multiple_of_identity(m, -shift);
    let mut v = Vec3([0.6, -0.5, 0.7]);
    let mut length = 0.0;
    for _ in 0..2000 {
        v = shifted.apply(v);
        length = v.0.iter().map(|x| x * x).sum::<f64>().sqrt();
        v = Vec3(v.0.map(|x| x / length));
    }
    length - shift
}

/// Poses of all bodies in the base frame; `angle` gives the coordinate of each
/// body's joint (revolute unless zero).
fn poses(robot: &Robot, angle: impl Fn(usize) -> f64) -> Vec<Pose<f64>> {
    let mut poses: Vec<Pose<f64>> = Vec::new();
    for (index, body) in robot.bodies.iter().enumerate() {
        let parent = body.parent.map_or(Pose::identity(), |parent| poses[parent.0]);
        let mut pose = parent.then(&body.joint.placement.pose());
        if angle(index) != 0.0 {
            let axis = evaluate_direction::<f64>(&body.joint.axis).expect("a direction").value;
            pose = pose.then(&Pose { rotation: turn(axis, angle(index)), translation: Vec3([0.0; 3]) });
        }
        poses.push(pose.then(&body.joint.body_frame.pose()));
    }
    poses
}

/// Rodrigues' formula.
fn turn(axis: Vec3<f64>, angle: f64) -> Mat3<f64> {
    let length = axis.0.iter().map(|x| x * x).sum::<f64>().sqrt();
    let k = Vec3(axis.0.map(|x| x / length)).skew();
    let k2 = k * k;
    Mat3(std::array::from_fn(|r| {
        std::array::from_fn(|c| {
            f64::from(r == c) + angle.sin() * k.0[r][c] + (1.0 - angle.cos()) * k2.0[r][c]
        })
    }))
}

/// Table I (modified DH, ten frames) and table II (poses and twists) of
/// [matthew2016], with the zoo's inertias.
fn double_pendulum_tables(t: [f64; 3]) -> [Robot; 2] {
    let zoo = robot("double_pendulum");
    let inertia = |inertia: &PseudoInertia| {
        let c = inertia.centred();
        format!("inertia = {{ mass = {:?}, com = {:?}, tensor = {:?} }}", c.mass, c.com, c.tensor)
    };
    let base = inertia(&zoo.ground[0].inertia.expect("the base's inertia"));
    let links: Vec<String> = zoo.bodies.iter().map(|body| inertia(&body.inertia)).collect();
    let lengths = format!("[lengths]\nTx = {:?}\nTy = {:?}\nTz = {:?}\nl1 = 0.4\n", t[0], t[1], t[2]);
    let (plus, minus) = ("pi/2", "-pi/2");
    // alpha, d, theta, r; frames 4 and 8 turn by θ1 and θ2.
    let rows = [
        (minus, "Tx", "0", "Ty"),
        (plus, "0", "0", "Tz"),
        ("0", "0", minus, "0"),
        (minus, "0", "0", "0"),
        (plus, "0", "0", "0"),
        ("0", "0", plus, "0"),
        ("0", "0", minus, "l1"),
        (minus, "0", "0", "0"),
        (plus, "0", "0", "0"),
        ("0", "0", plus, "0"),
    ];
    let mut first = lengths.clone();
    for (row, (alpha, d, theta, r)) in (1..).zip(rows) {
        let parent = if row == 1 { "base".to_owned() } else { format!("frame{}", row - 1) };
        let joint = if row == 4 || row == 8 { "revolute" } else { "fixed" };
        first += &format!("[[body]]\nname = \"frame{row}\"\nparent = \"{parent}\"\njoint = \"{joint}\"\n");
        first += &format!("mdh = {{ alpha = \"{alpha}\", a = \"{d}\", theta = \"{theta}\", d = \"{r}\" }}\n");
        first += match row {
            2 => &base,
            6 => &links[0],
            10 => &links[1],
            _ => "",
        };
        first += "\n";
    }
    let second = format!(
        "{lengths}
        [[body]]\nname = \"base_link\"\nparent = \"base\"\njoint = \"fixed\"\nxyz = [\"Tx\", \"Ty\", \"Tz\"]\n{base}
        [[body]]\nname = \"link1\"\nparent = \"base_link\"\njoint = \"revolute\"\naxis = [1, 0, 0]\n{}
        [[body]]\nname = \"link2\"\nparent = \"link1\"\njoint = \"revolute\"\nxyz = [0, 0, \"l1\"]\naxis = [1, 0, 0]\n{}",
        links[0], links[1]
    );
    [read(&first, "table I"), read(&second, "table II")]
}

/// Kinetic and potential energy: ½ tr(Ṫ N Ṫᵀ) and −g·h summed over the bodies.
fn energies(robot: &Robot, q: [f64; 2], qd: [f64; 2]) -> (f64, f64) {
    let at = |time: f64| poses(robot, |body| q[body] + time * qd[body]);
    let step = 1e-5;
    let (before, now, after) = (at(-step), at(0.0), at(step));
    let gravity = robot.gravity_vector();
    let (mut kinetic, mut potential) = (0.0, 0.0);
    for (index, body) in robot.bodies.iter().enumerate() {
        let n = body.inertia.matrix();
        for row in 0..3 {
            let entry = |pose: &Pose<f64>, c: usize| {
                if c < 3 { pose.rotation.0[row][c] } else { pose.translation.0[row] }
            };
            let rate: [f64; 4] =
                std::array::from_fn(|c| (entry(&after[index], c) - entry(&before[index], c)) / (2.0 * step));
            for r in 0..4 {
                kinetic += 0.5 * rate[r] * (0..4).map(|c| n[r][c] * rate[c]).sum::<f64>();
                potential -= gravity[row] * n[3][r] * entry(&now[index], r);
            }
        }
    }
    (kinetic, potential)
}

#[test]
fn tables_one_and_two_of_the_double_pendulum_have_the_same_energies_and_so_the_same_motion() {
    let [one, two] = double_pendulum_tables([0.3, -0.2, 0.5]);
    assert_eq!((one.body_count(), two.body_count()), (2, 2));
    // Both weigh the same base at the same place.
    let base = |robot: &Robot| {
        robot
            .ground
            .iter()
            .filter_map(|link| {
                let pose = link.frame.pose();
                link.inertia.map(|inertia| inertia.moved(&pose.rotation, pose.translation.0))
            })
            .fold(PseudoInertia::ZERO, |sum, inertia| sum.plus(&inertia))
    };
    for (a, b) in base(&one).parameters().iter().zip(base(&two).parameters()) {
        assert!((a - b).abs() < 1e-14);
    }
    for (q, qd) in [([0.4, -1.1], [0.7, 2.0]), ([2.5, 0.3], [-1.5, 0.4]), ([-0.9, 1.9], [0.2, -3.0])] {
        let ((kinetic, potential), expected) = (energies(&one, q, qd), energies(&two, q, qd));
        assert!((kinetic - expected.0).abs() < 1e-8 * expected.0, "{kinetic} {}", expected.0);
        assert!((potential - expected.1).abs() < 1e-12 * 100.0, "{potential} {}", expected.1);
    }
    // The zoo's file is table II with the base at the origin.
    let [_, at_origin] = double_pendulum_tables([0.0; 3]);
    let zoo = robot("double_pendulum");
    let (q, qd) = ([0.4, -1.1], [0.7, 2.0]);
    let (found, expected) = (energies(&zoo, q, qd), energies(&at_origin, q, qd));
    assert!((found.0 - expected.0).abs() < 1e-9 && (found.1 - expected.1).abs() < 1e-12);
}

#[test]
fn the_lengths_of_the_seed_papers_are_exact() {
    let two_link = robot("two_link");
    let reach: Vec<f64> =
        two_link.bodies.iter().map(|b| b.joint.body_frame.pose().translation.0[0]).collect();
    assert_eq!(reach, [1.2, 1.1]);
    let constants: Vec<(String, f64)> = robot("four_bar")
        .constants
        .iter()
        .map(|constant| (constant.name.clone(), constant.value.to_f64().expect("a length")))
        .collect();
    let expected = [("lx1", 0.3), ("lx2", 0.7), ("ly2", 1.1), ("lx3", 1.3)];
    assert_eq!(constants, expected.map(|(name, value)| (name.to_owned(), value)));
}
