//! The motion in space: bodies as strokes, capsules and convex hulls with their poses over time, played by a short script
//! inside the page.

use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};
use steiner_excitation::{History, Obstacle};
use steiner_linalg::Vec3;
use steiner_robot::Pose;

use super::MotionReport;
use super::faces::faces;
use crate::skeleton::{Point, body_poses, length, skeleton};
use crate::svg::hue;
use crate::view::views;

/// Bodies whose ways are drawn at most.
const MOST_TIPS: usize = 8;

const SCRIPT: &str = include_str!("player.js");

/// A canvas with the controls of a player; `None` where the poses cannot be had.
pub(super) fn player(report: &MotionReport<'_>, history: &History) -> Option<Markup> {
    let data = data(report, history)?;
    // Nothing within strings may end the element early.
    let text = data.to_string().replace('<', "\\u003c");
    let most = history.t.len().saturating_sub(1);
    Some(html! {
        div.player {
            canvas.stage width="1100" height="620" role="img" tabindex="0"
                aria-label="The motion in space; drag to turn it" {}
            div.controls {
                button.play type="button" aria-label="play or stop" { "▶" }
                input.time type="range" min="0" max=(most) step="any" value="0" aria-label="time";
                output.clock { "0.0 s" }
                label { "speed "
                    select.speed {
                        option value="0.25" { "¼" } option value="0.5" { "½" }
                        option value="1" selected { "1" } option value="2" { "2" } option value="4" { "4" }
                    }
                }
                label { input.solid type="checkbox" checked; " shapes" }
            }
            noscript { p.remark { "The player needs scripts; the charts below do not." } }
            script type="application/json" { (PreEscaped(text)) }
        }
        script { (PreEscaped(SCRIPT)) }
    })
}

fn data(report: &MotionReport<'_>, history: &History) -> Option<Value> {
    let mechanism = report.mechanism;
    let robot = mechanism.robot();
    let reference = body_poses(mechanism);
    let skeleton = skeleton(mechanism);
    let local = |body: usize, p: Point| {
        let pose = &reference[body];
        rounded(pose.rotation.apply_transposed(p - pose.translation).0)
    };
    let mut bodies: Vec<Value> = Vec::new();
    for (k, mark) in skeleton.bodies.iter().enumerate() {
        let strokes: Vec<Value> = mark.strokes.iter().map(|ends| json!(ends.map(|p| local(k, p)))).collect();
        let plate: Vec<[f64; 3]> = mark.plate.iter().map(|&p| local(k, p)).collect();
        let capsules: Vec<Value> = report
            .design
            .capsules
            .iter()
            .filter(|own| own.body == Some(k) && own.hull.is_none())
            .map(|own| json!([rounded(own.capsule.from), rounded(own.capsule.to), own.capsule.radius]))
            .collect();
        let hulls: Vec<Value> = report
            .design
            .capsules
            .iter()
            .filter(|own| own.body == Some(k))
            .filter_map(|own| own.hull.as_ref())
            .map(|hull| {
                let points: Vec<[f64; 3]> = hull.points.iter().map(|p| rounded(*p)).collect();
                json!({"points": points, "faces": faces(&hull.points)})
            })
            .collect();
        bodies.push(json!({
            "name": robot.bodies[k].name, "hue": hue(k), "strokes": strokes, "plate": plate, "capsules": capsules,
            "hulls": hulls,
        }));
    }
    let tree_joints: Vec<Value> = skeleton
        .joints
        .iter()
        .filter(|joint| length(joint.centre).is_finite())
        .filter_map(|joint| Some(json!([joint.between[1]?, local(joint.between[1]?, joint.centre)])))
        .collect();
    let carries = |k: usize| robot.bodies.iter().any(|body| body.parent.map(|parent| parent.0) == Some(k));
    let tips: Vec<usize> = (0..robot.bodies.len()).filter(|&k| !carries(k)).take(MOST_TIPS).collect();
    let grounded = skeleton.joints.iter().filter(|joint| joint.between[0].is_none());
    let ground: Vec<[f64; 3]> = around(grounded.map(|joint| joint.centre).collect());
    let nq = mechanism.configuration_size();
    let mut frames: Vec<f64> = Vec::new();
    for q in history.q.chunks_exact(nq) {
        let tree = match mechanism.is_plain_tree() {
            true => q.to_vec(),
            false => mechanism.tree_configuration(q).ok()?,
        };
        let mut poses = Vec::new();
        mechanism.tree().poses_at(&tree, &mut poses);
        let world = mechanism.tree().world_poses(&poses);
        for &segment in &mechanism.tree().segment_of_body {
            frames.extend(twelve(&world[segment]).map(|x| (x * 1e4).round() / 1e4));
        }
    }
    let [(_, view), ..] = views(Vec3(robot.gravity_vector()));
    let obstacles: Vec<Value> = report
        .design
        .obstacles
        .iter()
        .map(|obstacle| match obstacle {
            Obstacle::Plane { normal, offset } => json!({"plane": normal, "offset": offset}),
            Obstacle::Box { from, to } => json!({"from": from, "to": to}),
        })
        .collect();
    Some(json!({
        "t": history.t.iter().map(|t| (t * 1e4).round() / 1e4).collect::<Vec<_>>(),
        "poses": report.designed.basis.is_static(),
        "bodies": bodies, "joints": tree_joints, "frames": frames, "tips": tips, "ground": ground, "obstacles": obstacles,
        "view": [view.right.0, view.up.0, view.toward.0],
        "up": crate::skeleton::unit(-Vec3(robot.gravity_vector())).unwrap_or(Vec3::unit(2)).0,
    }))
}

/// Points in order around their middle, as seen along the direction in which they spread least.
fn around(mut points: Vec<Point>) -> Vec<[f64; 3]> {
    points.retain(|p| length(*p).is_finite());
    let middle = points.iter().fold(Vec3::zero(), |sum, p| sum + *p).scale(1.0 / points.len().max(1) as f64);
    let Some(first) = points.first().map(|p| *p - middle) else { return Vec::new() };
    let normal = points.iter().map(|p| first.cross(*p - middle));
    let normal = normal.max_by(|a, b| length(*a).total_cmp(&length(*b))).unwrap_or(Vec3::unit(2));
    let side = normal.cross(first);
    let angle =
        |p: &Point| side.dot(*p - middle).atan2(length(side) * first.dot(*p - middle) / length(first));
    if length(normal) > 1e-12 {
        points.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    }
    points.into_iter().map(|p| rounded(p.0)).collect()
}

/// Rotation by rows, then the place.
fn twelve(pose: &Pose<f64>) -> [f64; 12] {
    let column = |k: usize| pose.rotation.apply(Vec3::unit(k));
    let (x, y, z) = (column(0), column(1), column(2));
    let t = pose.translation;
    [x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2], t[0], t[1], t[2]]
}

fn rounded(p: [f64; 3]) -> [f64; 3] {
    p.map(|x| (x * 1e5).round() / 1e5)
}
