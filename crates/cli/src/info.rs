//! `steiner info`: what a robot file says, checked.

use std::fmt::Write;

use steiner::dynamics::Mechanism;
use steiner::formats::{read_robot, zoo};
use steiner::report::{InertiaFault, count, geometry_is_exact, inertia_remarks, info_json, info_notes};
use steiner::robot::{Body, Friction, JointKind, Limits, PARAMETERS, Robot};

use crate::arguments::InfoArguments;
use crate::output::{Failure, number, print, print_json, table};

pub(crate) fn run(arguments: &InfoArguments) -> Result<(), Failure> {
    let robot = read_robot(&arguments.robot.robot, &arguments.robot.options())?;
    let note = zoo::find(&arguments.robot.robot).ok().and_then(|entry| entry.note);
    let mechanism = Mechanism::new(robot)?;
    if arguments.json { print_json(&info_json(&mechanism, note)) } else { print(&page(&mechanism, note)) }
}

fn page(mechanism: &Mechanism, note: Option<&str>) -> String {
    let robot = mechanism.robot();
    let mut out = String::new();
    let [gx, gy, gz] = robot.gravity_vector().map(number);
    let _ = writeln!(
        out,
        "{}: {} of {} kg, mobility {}, gravity ({gx}, {gy}, {gz}) m/s²",
        robot.name,
        count(robot.bodies.len(), "moving body"),
        number(robot.bodies.iter().map(|body| body.inertia.mass).sum()),
        mechanism.dof(),
    );
    out += &bodies_table(robot);
    if !robot.loops.is_empty() || !robot.couplings.is_empty() {
        out += &closures(mechanism);
    }
    for body in robot.bodies.iter().filter(|body| !body.lumped.is_empty()) {
        let names: Vec<&str> = body.lumped.iter().map(|link| link.name.as_str()).collect();
        let _ = writeln!(out, "fixed to {}: {}", body.name, names.join(", "));
    }
    if !robot.ground.is_empty() {
        let names: Vec<&str> = robot.ground.iter().map(|link| link.name.as_str()).collect();
        let _ = writeln!(out, "fixed to the ground, without parameters: {}", names.join(", "));
    }
    if robot.snapped > 0 {
        let _ = writeln!(
            out,
            "{} read as the nearest multiple of 15° (--snap 0 keeps the printed digits)",
            count(robot.snapped, "printed angle")
        );
    }
    if !geometry_is_exact(robot) {
        out += "some angles or lengths have no exact counterpart in the prime field: exact arithmetic uses 110 digits of them\n";
    }
    out += &drives(robot);
    for note in info_notes(mechanism, note) {
        let _ = writeln!(out, "note: {note}");
    }
    out += &consistency(robot);
    out
}

fn range(limits: &Limits, unit: &str) -> String {
    match (limits.lower, limits.upper) {
        (None, None) => String::new(),
        (lower, upper) => {
            let show = |x: Option<f64>| x.map_or("…".to_owned(), number);
            format!("{} to {} {unit}", show(lower), show(upper))
        }
    }
}

fn bodies_table(robot: &Robot) -> String {
    let mut table = table(&["body", "parent", "joint", "kind", "range", "mass kg", "centre of mass m"], &[5]);
    for body in &robot.bodies {
        let parent = body.parent.map_or("base", |parent| &robot.bodies[parent.0].name);
        let unit = if matches!(body.joint.kind, JointKind::Prismatic) { "m" } else { "rad" };
        let inertia = body.inertia.centred();
        let com = if inertia.mass == 0.0 { String::new() } else { inertia.com.map(number).join(", ") };
        table.add_row(vec![
            body.name.clone(),
            parent.to_owned(),
            body.joint.name.clone(),
            body.joint.kind.name().to_owned(),
            range(&body.joint.limits, unit),
            number(inertia.mass),
            com,
        ]);
    }
    format!("{table}\n")
}

fn closures(mechanism: &Mechanism) -> String {
    let robot = mechanism.robot();
    let mut out = String::new();
    let side =
        |body: Option<steiner::robot::BodyIndex>| body.map_or("base", |body| &robot.bodies[body.0].name);
    for closure in &robot.loops {
        let _ = writeln!(
            out,
            "loop {}: {} between {} and {}",
            closure.name,
            closure.kind.name(),
            side(closure.predecessor.body),
            side(closure.successor.body),
        );
    }
    for coupling in &robot.couplings {
        let mut sum: Vec<String> = coupling
            .terms
            .iter()
            .map(|(term, factor)| format!("{factor}·{}", robot.coordinate_name(*term)))
            .collect();
        if !coupling.offset.is_zero() || sum.is_empty() {
            sum.push(coupling.offset.to_string());
        }
        let _ =
            writeln!(out, "coupling: {} = {}", robot.coordinate_name(coupling.coordinate), sum.join(" + "));
    }
    let _ = writeln!(
        out,
        "{} before loops and couplings; independent: {} (assembled to {:.0e})",
        count(mechanism.tree_dof(), "coordinate"),
        mechanism.independent_names().join(", "),
        mechanism.closure().residual(mechanism.reference_tree()),
    );
    out
}

/// Drives are kept with the robot; the rigid-body model doesn't contain them.
fn drives(robot: &Robot) -> String {
    let driven = robot
        .bodies
        .iter()
        .filter(|body| body.joint.rotor_inertia != 0.0 || body.joint.friction != Friction::default());
    let names: Vec<&str> = driven.map(|body| body.joint.name.as_str()).collect();
    if names.is_empty() {
        return String::new();
    }
    format!(
        "rotor inertia or friction given for {}: kept, but not part of the rigid-body model\n",
        names.join(", ")
    )
}

fn consistency(robot: &Robot) -> String {
    let parameters = robot.bodies.len() * PARAMETERS.len();
    let without = |body: &&Body| body.inertia == steiner::robot::PseudoInertia::ZERO;
    let empty = robot.bodies.iter().filter(without).count();
    let remarks = inertia_remarks(robot);
    let (wrong, unlikely): (Vec<_>, Vec<_>) =
        remarks.iter().partition(|remark| remark.kind == InertiaFault::Impossible);
    let mut out =
        format!("{} ({} for each body); ", count(parameters, "inertial parameter"), PARAMETERS.join(" "));
    if empty == robot.bodies.len() {
        out += "the file gives no inertias\n";
    } else if wrong.is_empty() {
        out += "all given inertias are physically consistent\n";
    } else {
        let _ = writeln!(out, "{} cannot belong to a real body:", count(wrong.len(), "inertia"));
        out.extend(wrong.iter().map(|remark| format!("  {}: {}\n", remark.body, remark.text)));
    }
    for remark in unlikely {
        let _ = writeln!(out, "{}: {}", remark.body, remark.text);
    }
    if empty > 0 && empty < robot.bodies.len() {
        let names = robot.bodies.iter().filter(without).map(|body| body.name.as_str());
        let _ = writeln!(out, "without inertia in the file: {}", names.collect::<Vec<_>>().join(", "));
    }
    out
}
