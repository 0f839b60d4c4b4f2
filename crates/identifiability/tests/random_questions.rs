//! Questions beyond the bodies of a robot and all its forces: drives, parameters known beforehand, several
//! sensors at once. Each against a regressor put together by hand in doubles.

mod random;

use std::cell::Cell;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestRunner;
use random::agreement::assert_unseen;
use random::forces::{Forces, with_sensor};
use random::linkages::planar_loops;
use random::machines::geared_loops;
use random::singular_values::clear_rank;
use random::trees::trees;
use random::{Noise, cases, mechanism};
use steiner_dynamics::{Feasible, Mechanism};
use steiner_identifiability::{Measurement, Nullspace, Question, structural_nullspace};
use steiner_linalg::elimination::Matrix;
use steiner_robot::Description;

/// Inertia, viscous friction, dry friction and offset of each joint with one freedom, seen
/// by each independent coordinate.
fn driven(robot: &Mechanism, state: &Feasible<f64>) -> Matrix<f64> {
    let bodies = robot.robot().bodies.iter().zip(robot.robot().velocity_offsets());
    let drives: Vec<usize> =
        bodies.filter(|(body, _)| body.joint.kind.dof() == 1).map(|(_, offset)| offset).collect();
    Matrix::from_fn(robot.dof(), 4 * drives.len(), |row, column| {
        let k = drives[column / 4];
        let share = match &state.reduction {
            Some(z) => z[(k, row)],
            None => f64::from(k == row),
        };
        let (rate, acceleration) = (state.velocity[k], state.acceleration[k]);
        let sign = if rate == 0.0 { 0.0 } else { rate.signum() };
        share * [acceleration, rate, sign, 1.0][column % 4]
    })
}

/// Rows over bodies and drives.
fn with_drives(robot: &Mechanism, reach: f64, seed: u64) -> Matrix<f64> {
    let forces = Forces { reach, ..Forces::all(robot) };
    let mut noise = Noise::new(seed);
    let mut rows: Option<Matrix<f64>> = None;
    for _ in 0..80 {
        let state = forces.state(&mut noise);
        let (bodies, drives) = (forces.at(&state), driven(robot, &state));
        let out = rows.get_or_insert_with(|| Matrix::zeros(0, bodies.columns() + drives.columns()));
        (0..bodies.rows()).for_each(|r| out.push_row(&[bodies.row(r), drives.row(r)].concat()));
    }
    rows.unwrap_or_else(|| Matrix::zeros(0, 0))
}

fn without_columns(rows: &Matrix<f64>, gone: &[usize]) -> Matrix<f64> {
    let kept: Vec<usize> = (0..rows.columns()).filter(|column| !gone.contains(column)).collect();
    Matrix::from_fn(rows.rows(), kept.len(), |r, c| rows[(r, kept[c])])
}

fn on_top_of_each_other(parts: &[Matrix<f64>]) -> Matrix<f64> {
    let mut out = Matrix::zeros(0, parts[0].columns());
    for part in parts {
        (0..part.rows()).for_each(|r| out.push_row(part.row(r)));
    }
    out
}

/// Asks, and compares with the rank of the rows where doubles show one; whether they did.
fn agrees(robot: &Mechanism, measurement: &Measurement, rows: &Matrix<f64>) -> bool {
    let found = certified(robot, measurement, rows);
    let Some(rank) = clear_rank(rows) else { return false };
    assert_eq!(found.identifiable(), rank, "{}: certified, and seen in doubles", measurement.set());
    true
}

fn certified(robot: &Mechanism, measurement: &Measurement, rows: &Matrix<f64>) -> Nullspace {
    let found = structural_nullspace(robot, measurement).unwrap_or_else(|error| panic!("{error}"));
    assert!(found.certificate.complete, "{:?}", found.certificate);
    assert_eq!(found.parameters, rows.columns(), "{}", measurement.set());
    found
}

/// Runs a comparison on random robots; nine of ten must be clear.
fn mostly_clear<T: std::fmt::Debug>(usual: u32, robots: impl Strategy<Value = T>, clear: impl Fn(T) -> bool) {
    let (all, unclear) = (Cell::new(0), Cell::new(0));
    let run = TestRunner::new(cases(usual)).run(&robots, |robot| {
        all.set(all.get() + 1);
        unclear.set(unclear.get() + u32::from(!clear(robot)));
        Ok(())
    });
    if let Err(error) = run {
        panic!("{error}");
    }
    println!("{} robots, {} unclear in doubles", all.get(), unclear.get());
    assert!(10 * unclear.get() <= all.get(), "{} of {} are unclear", unclear.get(), all.get());
}

/// Dry friction follows signs of velocities, which in a loop may only change far from where it
/// is drawn: there it is left out.
fn asked_with_drives(description: Description, reach: f64) -> bool {
    let robot = mechanism(description);
    let measurement = Measurement::all().with_drives(&robot).unwrap_or_else(|error| panic!("{error}"));
    let labels = measurement.labels(&robot);
    let is_left_out = |label: &String| !robot.robot().loops.is_empty() && label.ends_with(".fc");
    let gone: Vec<usize> = (0..labels.len()).filter(|&column| is_left_out(&labels[column])).collect();
    let known: Vec<(String, f64)> = gone.iter().map(|&column| (labels[column].clone(), 0.0)).collect();
    let measurement = measurement.with_known(&robot, &known).unwrap_or_else(|error| panic!("{error}"));
    let rows = |seed: u64| without_columns(&with_drives(&robot, reach, seed), &gone);
    if robot.robot().loops.is_empty() {
        return agrees(&robot, &measurement, &rows(17));
    }
    let (found, rows_here) = (certified(&robot, &measurement, &rows(17)), rows(17));
    let kept: Vec<Vec<f64>> = found
        .vectors
        .iter()
        .map(|vector| {
            let size = vector.entries.iter().map(|(_, x)| x * x).sum::<f64>().sqrt();
            let mut full = vec![0.0; labels.len()];
            vector.entries.iter().for_each(|&(column, x)| full[column] = x / size);
            (0..full.len()).filter(|column| !gone.contains(column)).map(|column| full[column]).collect()
        })
        .collect();
    assert_unseen(&kept, &rows_here, rows);
    // As many vectors as that vanish: what exceeds the rest is the rounding of states next to a singularity.
    let Some(rank) = clear_rank(&rows_here).filter(|&rank| rank <= found.identifiable()) else {
        return false;
    };
    assert_eq!(found.identifiable(), rank, "certified, and seen in doubles");
    true
}

#[test]
fn drives_of_trees_show_the_certified_rank() {
    mostly_clear(48, trees(5, any::<bool>(), false), |tree| asked_with_drives(tree.description(), 2.0));
}

#[test]
fn drives_of_geared_trees_show_the_certified_rank() {
    mostly_clear(48, trees(5, any::<bool>(), true), |tree| asked_with_drives(tree.description(), 2.0));
}

#[test]
fn drives_of_planar_loops_show_the_certified_rank() {
    mostly_clear(16, planar_loops(), |linkage| asked_with_drives(linkage.description(), 1.0));
}

#[test]
fn drives_of_geared_loops_show_the_certified_rank() {
    mostly_clear(16, geared_loops(), |machine| asked_with_drives(machine.description(), 1.0));
}

#[test]
fn what_is_known_is_a_column_less() {
    let known = proptest::collection::vec(any::<Index>(), 1..=12);
    mostly_clear(48, (trees(5, any::<bool>(), true), known, any::<bool>()), |(tree, known, drives)| {
        let robot = mechanism(tree.description());
        let rows = with_drives(&robot, 2.0, 11);
        let bodies = 10 * robot.robot().bodies.len();
        let columns = if drives { rows.columns() } else { bodies };
        let rows = Matrix::from_fn(rows.rows(), columns, |r, c| rows[(r, c)]);
        let mut gone: Vec<usize> = known.iter().map(|index| index.index(columns)).collect();
        gone.sort_unstable();
        gone.dedup();
        let question = Question { drives, ..Question::default() };
        let measurement = question.measurement(&robot).unwrap_or_else(|error| panic!("{error}"));
        let labels = measurement.labels(&robot);
        let named: Vec<(String, f64)> = gone.iter().map(|&column| (labels[column].clone(), 1.5)).collect();
        let measurement = measurement.with_known(&robot, &named).unwrap_or_else(|error| panic!("{error}"));
        let found = structural_nullspace(&robot, &measurement).unwrap_or_else(|error| panic!("{error}"));
        let mentioned =
            found.vectors.iter().flat_map(|vector| &vector.entries).any(|(c, _)| gone.contains(c));
        assert!(!mentioned, "what is known is in no vector");
        agrees(&robot, &measurement, &without_columns(&rows, &gone))
    });
}

/// Two sensors at once against the rows of each.
fn asked_with_several_sensors(
    description: Description,
    choose: impl Fn(usize) -> usize,
    which: usize,
) -> bool {
    let robot = mechanism(description.clone());
    let names = robot.independent_names();
    let chosen = choose(names.len());
    let joint = || Forces { rows: vec![chosen], ..Forces::all(&robot) }.stacked(3);
    let resting = || Forces { still: true, ..Forces::all(&robot) }.stacked(5);
    let bodies = &robot.robot().bodies;
    let carrier = bodies[choose(bodies.len())].name.clone();
    let cut = mechanism(with_sensor(description, Some(&carrier)));
    let wrench = || {
        let sensor = cut.robot().body_named("sensor").expect("a sensor").0;
        let named = cut.independent_names();
        let rows = (0..named.len()).filter(|&row| named[row].starts_with("sensor")).collect();
        let all = Forces::all(&cut);
        Forces { rows, frozen: Some(sensor), weightless: Some(sensor), ..all }.stacked(4)
    };
    let (text, rows) = match which {
        0 => (format!("joints:{}+static", names[chosen]), vec![joint(), resting()]),
        1 => (format!("wrench:{carrier}+joints:{}", names[chosen]), vec![wrench(), joint()]),
        _ => (format!("static+wrench:{carrier}"), vec![resting(), wrench()]),
    };
    let measurement = random::measurement(&text, &robot);
    agrees(&robot, &measurement, &on_top_of_each_other(&rows))
}

#[test]
fn several_sensors_show_what_each_of_them_shows() {
    mostly_clear(48, (trees(5, any::<bool>(), true), any::<Index>(), 0..3usize), |(tree, index, which)| {
        asked_with_several_sensors(tree.description(), |size| index.index(size), which)
    });
}

#[test]
fn a_wheel_that_rests_is_not_one_that_turns_slowly() {
    let wheels: Vec<String> = (0..4)
        .map(|k| format!("[[body]]\nname = \"b{k}\"\nparent = \"base\"\njoint = \"revolute\"\n"))
        .collect();
    let gears = "[[coupling]]\ncoordinate = \"b0\"\nterms = [[\"b1\", \"7/5\"], [\"b2\", 9]]\n\
                 [[coupling]]\ncoordinate = \"b2\"\nterms = [[\"b3\", \"-1/3\"]]\n";
    let description = random::description(&format!("gravity = [0, 0, -9.81]\n{}{gears}", wheels.concat()));
    // In doubles, b1 turns b2 by 1e-17.
    let robot = mechanism(description.clone());
    let still = [0.0; 2];
    let (z, _) = robot.closure().reduction(robot.plan(), robot.reference_tree(), &still).expect("regular");
    assert_eq!(robot.independent_names(), ["b1", "b3"]);
    assert!(z[(2, 0)].abs() < 1e-15);
    for which in 0..3 {
        assert!(asked_with_several_sensors(description.clone(), |_| 0, which));
    }
}
