//! Base parameters in symbols: the regroupings of the literature, and every weight against
//! the analysis at other lengths.

mod support;

use std::sync::Arc;

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot};
use steiner_identifiability::{
    Analysis, Question, SpecialOutcome, Symbolic, Weight, analyze, special_members, symbolic,
};
use steiner_linalg::Stream;
use steiner_robot::Robot;
use steiner_scalar::Exact;
use steiner_symbols::algebra::{Names, RationalFunction};

fn zoo(name: &str) -> Robot {
    read_robot(name, &ReadOptions::default()).unwrap()
}

fn derived(robot: &Robot) -> (Analysis, Symbolic) {
    let (analysis, found) = symbolic(robot, &Question::default()).unwrap();
    assert_eq!(found.resisting(), 0, "{}", robot.name);
    (analysis, found)
}

fn parsed(names: &Arc<Names>, text: &str) -> RationalFunction {
    RationalFunction::parse(names, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Rows of B in base = B π, as functions.
fn rows(analysis: &Analysis, found: &Symbolic) -> Vec<(usize, Vec<RationalFunction>)> {
    let zero = RationalFunction::zero(&found.names);
    let row = |parameter: &steiner_identifiability::SymbolicParameter| {
        let mut row = vec![zero.clone(); analysis.labels.len()];
        row[parameter.column] = RationalFunction::constant(&found.names, 1);
        for (column, weight) in &parameter.terms {
            let Weight::Function(function) = weight else { panic!("a number") };
            row[*column] = function.clone();
        }
        (parameter.column, row)
    };
    found.parameters.iter().map(row).collect()
}

/// Asserts that a combination is one of base parameters for all lengths: base columns are columns of the
/// identity, so its entries there are the factors.
fn assert_identifiable(analysis: &Analysis, found: &Symbolic, what: &str, combination: &[RationalFunction]) {
    let mut rest = combination.to_vec();
    for (base, row) in rows(analysis, found) {
        let factor = combination[base].clone();
        if !factor.is_zero() {
            rest.iter_mut().zip(&row).for_each(|(x, y)| *x = &*x - &(&factor * y));
        }
    }
    for (column, x) in rest.iter().enumerate() {
        assert!(x.is_zero(), "{what}: {} is left of {}", x.text(), analysis.labels[column]);
    }
}

fn combination(analysis: &Analysis, found: &Symbolic, terms: &[(&str, &str)]) -> Vec<RationalFunction> {
    let mut out = vec![RationalFunction::zero(&found.names); analysis.labels.len()];
    for (label, weight) in terms {
        let column = analysis.labels.iter().position(|known| known == label);
        out[column.unwrap_or_else(|| panic!("{label}"))] = parsed(&found.names, weight);
    }
    out
}

#[test]
fn the_two_link_arm_has_the_four_parameters_of_example_3_and_two_for_lateral_centres() {
    let (analysis, found) = derived(&zoo("two_link"));
    assert_eq!(analysis.identifiable(), 6);
    // Example 3 of [lloyd2021] with moments about the origins: I + m (a + r)² = Izz + 2 a mx + a² m.
    for (what, terms) in [
        (
            "θ1,1",
            &[
                ("link1.Izz", "1"),
                ("link1.mx", "2*a1"),
                ("link1.m", "a1^2"),
                ("link2.Izz", "1"),
                ("link2.mx", "2*a2"),
                ("link2.m", "a2^2 + a1^2"),
            ][..],
        ),
        ("θ2,1", &[("link2.mx", "2*a1"), ("link2.m", "2*a1*a2")]),
        ("θ3,1", &[("link2.Izz", "1"), ("link2.mx", "2*a2"), ("link2.m", "a2^2")]),
        ("θ9,1", &[("link2.m", "a1"), ("link1.m", "a1"), ("link1.mx", "1")]),
        // What the example neglects.
        ("lateral 1", &[("link1.my", "1")]),
        ("lateral 2", &[("link2.my", "1")]),
    ] {
        assert_identifiable(&analysis, &found, what, &combination(&analysis, &found, terms));
    }
}

/// The regroupings of Khalil and Dombre's chapter on base parameters for revolute joints, from the last to
/// the first: YY, MZ and M of link j go into link j − 1 placed by Rx(α) Tx(d) Rz(θ) Tz(r).
fn khalil(names: &Arc<Names>, placements: &[(&str, i64, i64, &str)]) -> Vec<Vec<Vec<RationalFunction>>> {
    let bodies = placements.len();
    let (zero, one) = (RationalFunction::zero(names), RationalFunction::constant(names, 1));
    let unit = |column: usize| {
        let mut row = vec![zero.clone(); 10 * bodies];
        row[column] = one.clone();
        row
    };
    // m mx my mz Ixx Ixy Iyy Ixz Iyz Izz
    let mut links: Vec<Vec<Vec<RationalFunction>>> =
        (0..bodies).map(|body| (0..10).map(|k| unit(10 * body + k)).collect()).collect();
    for j in (0..bodies).rev() {
        let [m, mz, yy] = [0, 3, 6].map(|k| links[j][k].clone());
        let (xx, empty) = (links[j][4].clone(), vec![zero.clone(); 10 * bodies]);
        links[j][4] = xx.iter().zip(&yy).map(|(a, b)| a - b).collect();
        [0, 3, 6].into_iter().for_each(|k| links[j][k] = empty.clone());
        if j == 0 {
            break;
        }
        let (d, cos, sin, r) = placements[j];
        let (d, r) = (parsed(names, d), parsed(names, r));
        let number = |n: i64| RationalFunction::constant(names, n);
        let mut add = |place: usize, parts: [(&Vec<RationalFunction>, RationalFunction); 3]| {
            for (source, factor) in parts {
                let target = &mut links[j - 1][place];
                target.iter_mut().zip(source).for_each(|(x, y)| *x = &*x + &(&factor * y));
            }
        };
        let (dd, rr, dr) = (&d * &d, &r * &r, &d * &r);
        let two_r = &number(2) * &r;
        let times = |n: i64, f: &RationalFunction| &number(n) * f;
        add(4, [(&yy, number(1)), (&mz, two_r.clone()), (&m, rr.clone())]);
        add(5, [(&yy, number(0)), (&mz, times(sin, &d)), (&m, times(sin, &dr))]);
        add(7, [(&yy, number(0)), (&mz, times(-cos, &d)), (&m, times(-cos, &dr))]);
        add(
            6,
            [(&yy, number(cos * cos)), (&mz, times(cos * cos, &two_r)), (&m, &dd + &times(cos * cos, &rr))],
        );
        add(8, [(&yy, number(cos * sin)), (&mz, times(cos * sin, &two_r)), (&m, times(cos * sin, &rr))]);
        add(
            9,
            [(&yy, number(sin * sin)), (&mz, times(sin * sin, &two_r)), (&m, &dd + &times(sin * sin, &rr))],
        );
        add(1, [(&yy, number(0)), (&mz, number(0)), (&m, d.clone())]);
        add(2, [(&yy, number(0)), (&mz, number(-sin)), (&m, times(-sin, &r))]);
        add(3, [(&yy, number(0)), (&mz, number(cos)), (&m, times(cos, &r))]);
        add(0, [(&yy, number(0)), (&mz, number(0)), (&m, number(1))]);
    }
    links
}

#[test]
fn the_puma_has_khalils_regroupings_in_his_frames() {
    let robot = zoo("puma560").in_modified_frames().unwrap();
    let (analysis, found) = derived(&robot);
    assert_eq!(analysis.identifiable(), 36);
    // Rx(α) Tx(a) Rz(θ) Tz(d) at θ = 0; a name stands for the size of a length.
    let named = |name: String, value: f64| match value {
        0.0 => "0".to_owned(),
        x if x < 0.0 => format!("-{name}"),
        _ => name,
    };
    let placement = |(k, body): (usize, &steiner_robot::Body)| {
        let pose = body.joint.placement.pose();
        let (sin, cos) = (pose.rotation.0[2][1].round(), pose.rotation.0[2][2].round());
        let [x, y, z] = pose.translation.0;
        let number = k + 1;
        let (a, d) = (named(format!("a{number}"), x), named(format!("d{number}"), cos * z - sin * y));
        (a, cos as i64, sin as i64, d)
    };
    let placements: Vec<(String, i64, i64, String)> =
        robot.bodies.iter().enumerate().map(placement).collect();
    let sines: Vec<i64> = placements.iter().map(|(_, _, sin, _)| sin.abs()).collect();
    assert_eq!(sines, [0, 1, 0, 1, 1, 1]);
    let placements: Vec<(&str, i64, i64, &str)> =
        placements.iter().map(|(a, c, s, d)| (a.as_str(), *c, *s, d.as_str())).collect();
    let links = khalil(&found.names, &placements);
    let mut count = 0;
    for (body, link) in links.iter().enumerate() {
        for (k, row) in link.iter().enumerate() {
            // Only ZZ of link 1 shows; link 2 is regrouped like the others.
            let shows = if body == 0 { k == 9 } else { ![0, 3, 6].contains(&k) };
            if shows {
                count += 1;
                assert_identifiable(&analysis, &found, &analysis.labels[10 * body + k], row);
            }
        }
    }
    assert_eq!(count, 36);
}

/// The weights at other lengths, from the formulas and from an analysis of the robot with these lengths.
fn assert_weights_hold(robot: &Robot, sets: usize, seed: u64) {
    let (analysis, found) = derived(robot);
    let mut stream = Stream::new(seed);
    let mut done = 0;
    for _ in 0..20 * sets {
        let values: Vec<f64> = found
            .variables
            .iter()
            .map(|variable| (variable.value * (0.9 + 0.2 * stream.uniform()) * 1e6).round() / 1e6)
            .collect();
        let exact: Vec<Exact> = values.iter().map(|x| Exact::parse(&format!("{x:.6}")).unwrap()).collect();
        let member = found.member(&exact).unwrap();
        // Loops need not close with any lengths.
        let Ok(mechanism) = Mechanism::new(member) else { continue };
        let keep = found.parameters.iter().map(|p| analysis.labels[p.column].clone()).collect();
        let question = Question { keep, ..Question::default() };
        let there = analyze(&mechanism, &question).unwrap();
        assert_eq!(there.identifiable(), analysis.identifiable(), "{} at {values:?}", robot.name);
        let (lengths, angles) = values.split_at(found.names.lengths.len());
        for base in &there.regrouping.base {
            let own = found.parameters.iter().find(|parameter| parameter.column == base.column).unwrap();
            assert_eq!(base.terms.len(), own.terms.len() + 1, "{}", analysis.labels[base.column]);
            for (column, weight) in &own.terms {
                let Weight::Function(function) = weight else { panic!("a number") };
                let (_, wanted) = base.terms.iter().find(|(other, _)| other == column).unwrap();
                let value = function.evaluate(lengths, angles);
                assert!(
                    (value - wanted).abs() <= 1e-9 * wanted.abs().max(1.0),
                    "{}: {} of {}: {value} and {wanted}",
                    robot.name,
                    analysis.labels[*column],
                    analysis.labels[base.column]
                );
            }
        }
        done += 1;
        if done == sets {
            return;
        }
    }
    panic!("{}: {done} of {sets} sets of lengths assemble", robot.name);
}

#[test]
fn formulas_of_arms_and_legs_hold_at_random_lengths() {
    for name in ["two_link", "puma560", "kr6", "scara_sr6ia", "go2", "panda"] {
        assert_weights_hold(&zoo(name), 5, 11);
    }
    for name in ["kr6", "panda"] {
        assert_weights_hold(&zoo(name).in_modified_frames().unwrap(), 5, 12);
    }
}

#[test]
fn formulas_of_the_four_bar_hold_at_random_lengths() {
    assert_weights_hold(&zoo("four_bar"), 20, 13);
}

#[test]
fn spatial_loops_have_formulas() {
    assert_weights_hold(&zoo("pkm_2prs_1psr"), 3, 14);
    // Drawn with angles of 60°: weights with √3.
    let triangle = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/reference/mechanisms/3rps.toml");
    match triangle.is_file() {
        true => assert_weights_hold(&zoo(&triangle.to_string_lossy()), 3, 15),
        false => eprintln!("skipped: the reference mechanisms are not beside the project"),
    }
}

/// An arm in modified frames with these twists, and offsets of all kinds.
fn twisted(twists: &[f64], slides: usize) -> Robot {
    let mut text = String::from("name = \"twisted\"\ngravity = [0, 0, -9.81]\n[lengths]\n");
    let places = 2..twists.len() + 2;
    places.clone().for_each(|k| text += &format!("a{k} = 0.{k}1\nd{k} = 0.{k}7\n"));
    text += "[angles]\n";
    places.clone().zip(twists).for_each(|(k, twist)| text += &format!("t{k} = \"{twist}*pi/180\"\n"));
    text += "[[body]]\nname = \"k1\"\nparent = \"base\"\njoint = \"revolute\"\n";
    for k in places {
        let joint = if k == slides { "prismatic" } else { "revolute" };
        text += &format!(
            "[[body]]\nname = \"k{k}\"\nparent = \"k{}\"\njoint = \"{joint}\"\n\
             mdh = {{ a = \"a{k}\", alpha = \"t{k}\", d = \"d{k}\", theta = 0 }}\n",
            k - 1
        );
    }
    support::robot(&text)
}

#[test]
fn angles_of_any_size_have_formulas() {
    for degrees in [0.7, 3.3, 7.0, 20.0, 91.2, 133.0, 179.0, 179.99, 200.5, 271.3, 359.0] {
        assert_weights_hold(&twisted(&[degrees, 40.1], 0), 2, 16);
    }
    assert_weights_hold(&twisted(&[29.8, 36.1, 42.4], 0), 3, 17);
    assert_weights_hold(&twisted(&[29.8, 36.1, 42.4, 48.7], 3), 3, 18);
}

const FOUR_BAR: &str = r#"
name = "plain_four_bar"
gravity = [0, -9.81, 0]
[lengths]
l1 = 0.3
l2 = 0.9
l3 = 0.5
l4 = 0.8
[[body]]
name = "crank"
parent = "base"
joint = "revolute"
axis = [0, 0, 1]
[[body]]
name = "coupler"
parent = "crank"
joint = "revolute"
xyz = ["l1", 0, 0]
axis = [0, 0, 1]
[[body]]
name = "rocker"
parent = "coupler"
joint = "revolute"
xyz = ["l2", 0, 0]
axis = [0, 0, 1]
[[loop]]
name = "closure"
joint = "revolute"
predecessor = { body = "base", xyz = ["l4", 0, 0] }
successor = { body = "rocker", xyz = ["l3", 0, 0] }
axis = [0, 0, 1]
[guess]
crank = 1.2
coupler = -1.0
rocker = -1.8
"#;

#[test]
fn the_parallelogram_is_found_among_the_four_bars() {
    let robot = support::robot(FOUR_BAR);
    let (analysis, found) = derived(&robot);
    let special = special_members(&found, &Question::default(), &mut |_, _| {});
    let twin = special.members.iter().find(|m| m.condition == "l1 = l3 and l2 = l4").expect("tried");
    let SpecialOutcome::Identifiable(count) = twin.outcome else { panic!("{:?}", twin.outcome) };
    assert!(count < analysis.identifiable(), "{count}");
    assert!(twin.meaning.contains("parallelogram"), "{}", twin.meaning);
}

/// From a guess that closes crosswise the crossed twin is reached, which hides nothing; the
/// parallelogram is found beside it.
#[test]
fn the_parallelogram_is_found_from_a_crossed_four_bar() {
    let crossed = FOUR_BAR.replace("rocker = -1.8", "rocker = 1.8");
    assert_ne!(crossed, FOUR_BAR);
    let (analysis, found) = derived(&support::robot(&crossed));
    let special = special_members(&found, &Question::default(), &mut |_, _| {});
    let counts = special.members.iter().filter(|m| m.condition.starts_with("l1 = l3 and l2 = l4"));
    let counts: Vec<_> = counts.map(|m| m.outcome.clone()).collect();
    let hidden = |outcome: &SpecialOutcome| matches!(outcome, SpecialOutcome::Identifiable(n) if *n < analysis.identifiable());
    assert!(counts.iter().any(hidden), "{counts:?}");
}

/// Sums with sines and cosines are candidates like others.
#[test]
fn special_members_of_twisted_arms_are_examined() {
    let (analysis, found) = derived(&twisted(&[20.0, 40.1], 0));
    let special = special_members(&found, &Question::default(), &mut |_, _| {});
    let parallel = special.members.iter().find(|m| m.condition == "t2 = 0").expect("tried");
    let SpecialOutcome::Identifiable(count) = parallel.outcome else { panic!("{:?}", parallel.outcome) };
    assert!(count < analysis.identifiable(), "{count}");
}

/// Two four-bars one after the other: the ground of the first occurs in no weight, and makes
/// its parallelogram all the same.
#[test]
fn parallelograms_among_many_lengths_are_tried() {
    let six_bar = r#"
name = "watt2"
gravity = [0, -9.81, 0]
[lengths]
l0 = 0.8
l1 = 0.31
l2 = 0.82
l3 = 0.35
l4 = 0.28
l5 = 0.9
l6 = 0.42
l7 = 0.95
l8 = 0.11
[[body]]
name = "a"
parent = "base"
joint = "revolute"
axis = [0, 0, 1]
[[body]]
name = "b"
parent = "a"
joint = "revolute"
xyz = ["l1", 0, 0]
axis = [0, 0, 1]
[[body]]
name = "c"
parent = "base"
joint = "revolute"
xyz = ["l0", 0, 0]
axis = [0, 0, 1]
[[body]]
name = "d"
parent = "c"
joint = "revolute"
xyz = ["l4", "l8", 0]
axis = [0, 0, 1]
[[body]]
name = "e"
parent = "base"
joint = "revolute"
xyz = ["l0 + l7", 0, 0]
axis = [0, 0, 1]
[[loop]]
name = "first"
joint = "revolute"
axis = [0, 0, 1]
predecessor = { body = "b", xyz = ["l2", 0, 0] }
successor = { body = "c", xyz = ["l3", 0, 0] }
[[loop]]
name = "second"
joint = "revolute"
axis = [0, 0, 1]
predecessor = { body = "d", xyz = ["l5", 0, 0] }
successor = { body = "e", xyz = ["l6", 0, 0] }
[guess]
a = 1.2
b = -1.2
c = 1.2
d = -1.0
e = 1.2
"#;
    let (analysis, found) = derived(&support::robot(six_bar));
    let special = special_members(&found, &Question::default(), &mut |_, _| {});
    let twin = special.members.iter().find(|m| m.condition == "l0 = l2 and l1 = l3").expect("tried");
    assert!(
        matches!(twin.outcome, SpecialOutcome::Identifiable(n) if n < analysis.identifiable()),
        "{twin:?}"
    );
}

/// Without gravity only the offset of the second axis shows where the mass of the second link is.
const OFFSET: &str = r#"
name = "offset"
gravity = [0, 0, 0]
[lengths]
a = 0.2
[[body]]
name = "first"
parent = "base"
joint = "revolute"
axis = [0, 0, 1]
[[body]]
name = "second"
parent = "first"
joint = "revolute"
xyz = ["a", 0, 0]
axis = [0, 1, 0]
"#;

#[test]
fn an_axis_that_starts_to_intersect_hides_parameters() {
    let (analysis, found) = derived(&support::robot(OFFSET));
    let special = special_members(&found, &Question::default(), &mut |_, _| {});
    let [member] = special.members.as_slice() else { panic!("{:?}", special.members) };
    assert_eq!((member.condition.as_str(), member.values[0].1), ("a = 0", 0.0));
    assert_eq!(member.outcome, SpecialOutcome::Identifiable(analysis.identifiable() - 2));
    assert_eq!(member.meaning, "the axes of first and second intersect at a right angle");
}

/// Two parallel axes, one lies at x, y of the other.
fn beside(x: &str, y: &str) -> steiner_robot::Robot {
    support::robot(&format!(
        "name = \"beside\"\ngravity = [0, 0, 0]\n[lengths]\nx = {x}\ny = {y}\n\
         [[body]]\nname = \"p\"\nparent = \"base\"\njoint = \"revolute\"\naxis = [0, 0, 1]\n\
         [[body]]\nname = \"q\"\nparent = \"p\"\njoint = \"revolute\"\nxyz = [\"x\", \"y\", 0]\naxis = [0, 0, 1]\n"
    ))
}

#[test]
fn axes_that_coincide_once_two_lengths_vanish_are_found() {
    let (analysis, found) = derived(&beside("0.3", "0.2"));
    assert_eq!(analysis.identifiable(), 4);
    let special = special_members(&found, &Question::default(), &mut |_, _| {});
    let both = special.members.iter().find(|member| member.condition == "x = y = 0").expect("tried");
    assert_eq!(both.outcome, SpecialOutcome::Identifiable(2));
    assert_eq!(both.meaning, "the axes of p and q coincide");
    assert_eq!(both.values, [("x".to_owned(), 0.0), ("y".to_owned(), 0.0)]);
    assert!(special.unsolved.is_empty(), "{:?}", special.unsolved);
}

#[test]
fn lengths_of_either_sign_are_compared_by_size() {
    let conditions = |x: &str, y: &str| {
        let (_, found) = derived(&beside(x, y));
        let special = special_members(&found, &Question::default(), &mut |_, _| {});
        special.members.into_iter().map(|member| member.condition).collect::<Vec<_>>()
    };
    // The file itself is no special member of its family.
    assert_eq!(conditions("0.3", "-0.3"), ["x = y = 0", "x = 0", "y = 0"]);
    assert_eq!(conditions("0.3", "-0.2"), ["x = y = 0", "x = 0", "y = 0", "x = -y"]);
}
