//! The links before and after: can they exist, mass, centre, principal moments, and their ellipsoids.

use std::fmt::Write;

use steiner_dynamics::Mechanism;
use steiner_identification::Identification;
use steiner_linalg::Vec3;
use steiner_robot::{Pose, PseudoInertia, whole_of};

use crate::ellipsoid::{Ellipsoid, Solid};
use crate::scene::Scene;
use crate::skeleton::{body_poses, skeleton};
use crate::svg::{Drawing, escaped, hue};
use crate::view::View;
use crate::words::number;

/// Side of the small views, px.
const SIDE: f64 = 92.0;

/// A body before and after.
pub(super) struct Link {
    pub(super) name: String,
    /// The file's inertia, with all that is fixed to the link.
    pub(super) prior: PseudoInertia,
    pub(super) identified: PseudoInertia,
    /// Why it cannot exist as identified, if so.
    pub(super) problem: Option<String>,
    pub(super) least_eigenvalue: f64,
    /// Links fixed to it.
    pub(super) lumped: Vec<String>,
}

/// The bodies of an identification: those weighed on the ground, then the moving ones.
pub(super) fn links(mechanism: &Mechanism, identification: &Identification) -> Vec<Link> {
    let robot = mechanism.robot();
    let one = |link: &steiner_identification::LinkConsistency| {
        let parts = robot.lump(&link.link).unwrap_or_default();
        Link {
            name: link.link.clone(),
            prior: whole_of(&parts),
            identified: link.inertia,
            problem: link.problem.clone(),
            least_eigenvalue: link.least_eigenvalue,
            lumped: parts.iter().skip(1).map(|part| part.link.clone()).collect(),
        }
    };
    identification.consistency.iter().map(one).collect()
}

/// The picture of all, then a table with a line for each.
pub(super) fn link_section(mechanism: &Mechanism, identification: &Identification) -> String {
    let links = links(mechanism, identification);
    let names: Vec<String> = links.iter().map(|link| link.name.clone()).collect();
    let pairs: Vec<(&PseudoInertia, &PseudoInertia)> =
        links.iter().map(|l| (&l.prior, &l.identified)).collect();
    let mut out = solids_picture(mechanism, &names, ["the file's", "identified"], &pairs);
    out += &table(&links);
    out
}

/// The mechanism with two inertias of each body as solids: (dashed, filled). Bodies on the ground come first and are not drawn.
pub(crate) fn solids_picture(
    mechanism: &Mechanism,
    names: &[String],
    whose: [&str; 2],
    pairs: &[(&PseudoInertia, &PseudoInertia)],
) -> String {
    let poses = body_poses(mechanism);
    let ground = names.len().saturating_sub(poses.len());
    let mut scene = Scene::new(mechanism, skeleton(mechanism), names);
    for (k, pose) in poses.iter().enumerate() {
        let (prior, identified) = pairs[ground + k];
        for (inertia, is_prior, whose) in [(prior, true, whose[0]), (identified, false, whose[1])] {
            let ellipsoid = Ellipsoid::of(inertia, pose);
            let whose = whose.to_owned();
            scene.solids.extend(ellipsoid.map(|ellipsoid| Solid {
                body: ground + k,
                ellipsoid,
                is_prior,
                whose,
            }));
        }
    }
    scene.pictures()
}

fn table(links: &[Link]) -> String {
    let mut out = String::from(
        "<div class=\"wide\"><table class=\"links\"><caption>Links before and after</caption><thead><tr><th scope=\"col\">link</th><th scope=\"col\"></th>\
         <th scope=\"col\" class=\"n\">mass, kg</th><th scope=\"col\" class=\"n\">centre of mass, m</th><th scope=\"col\" class=\"n\">principal moments about it, kg m²</th>\
         <th scope=\"col\">xy</th><th scope=\"col\">xz</th><th scope=\"col\">yz</th></tr></thead>\n",
    );
    for (k, link) in links.iter().enumerate() {
        let state = match &link.problem {
            None => "<span class=\"can\">can exist</span>".to_owned(),
            Some(problem) => format!("<span class=\"cannot\">cannot exist: {}</span>", escaped(problem)),
        };
        let lumped = match link.lumped.len() {
            0 => String::new(),
            _ => format!("<span class=\"muted\">with {}</span>", escaped(&link.lumped.join(", "))),
        };
        let views: String =
            plane_views(link, k).iter().map(|view| format!("<td rowspan=\"2\">{view}</td>")).collect();
        let _ = writeln!(
            out,
            "<tbody><tr><th scope=\"rowgroup\" rowspan=\"2\"><i class=\"chip\" style=\"--h:{}\"></i>{}{lumped}{state}</th><th scope=\"row\">file</th>{}{views}</tr>\
             <tr><th scope=\"row\">identified</th>{}</tr></tbody>",
            hue(k),
            escaped(&link.name),
            cells(&link.prior, None),
            cells(&link.identified, Some(&link.prior)),
        );
    }
    out += "</table></div>\n";
    out
}

/// Mass, centre, principal moments; those that changed are set off.
fn cells(inertia: &PseudoInertia, before: Option<&PseudoInertia>) -> String {
    let values = |inertia: &PseudoInertia| -> [Vec<f64>; 3] {
        let centred = inertia.centred();
        [vec![centred.mass], centred.com.to_vec(), inertia.principal_moments().to_vec()]
    };
    let old = before.map(values);
    let cell = |now: &[f64], old: Option<&Vec<f64>>, digits: usize| {
        let scale = now.iter().fold(1e-300f64, |most, x| most.max(x.abs()));
        let words: Vec<String> = now
            .iter()
            .enumerate()
            .map(|(k, &x)| {
                // What rounding leaves of a zero is a zero.
                let x = if x.abs() < 1e-9 * scale { 0.0 } else { x };
                let text = number(x, digits).replace('-', "−");
                match old {
                    Some(old) if (old[k] - x).abs() > 1e-3 * scale => format!("<b>{text}</b>"),
                    _ => text,
                }
            })
            .collect();
        format!("<td class=\"n\">{}</td>", words.join(", "))
    };
    let digits = [4, 3, 3];
    let cells = values(inertia).into_iter().zip(digits).enumerate();
    cells.map(|(k, (now, digits))| cell(&now, old.as_ref().map(|old| &old[k]), digits)).collect()
}

/// The two ellipsoids in the planes of the link frame, to one scale, with the frame's origin.
fn plane_views(link: &Link, body: usize) -> [String; 3] {
    let here = Pose::identity();
    let solids: Vec<Solid> = [(&link.prior, true), (&link.identified, false)]
        .into_iter()
        .filter_map(|(inertia, is_prior)| {
            let ellipsoid = Ellipsoid::of(inertia, &here)?;
            Some(Solid { body, ellipsoid, is_prior, whose: String::new() })
        })
        .collect();
    let mut points: Vec<_> = solids.iter().flat_map(|solid| solid.ellipsoid.extremes()).collect();
    points.push(Vec3::zero());
    // A cube around everything gives the three views one scale.
    let bound = |k: usize, more: fn(f64, f64) -> f64| points.iter().map(|p| p[k]).fold(points[0][k], more);
    let (low, high): ([f64; 3], [f64; 3]) =
        (std::array::from_fn(|k| bound(k, f64::min)), std::array::from_fn(|k| bound(k, f64::max)));
    let half = (0..3).map(|k| 0.5 * (high[k] - low[k])).fold(1e-9, f64::max);
    let middle = Vec3(std::array::from_fn(|k| 0.5 * (low[k] + high[k])));
    let diagonal = Vec3([half; 3]);
    let corners = [middle - diagonal, middle + diagonal];
    [(0, 1, "xy"), (0, 2, "xz"), (1, 2, "yz")].map(|(right, up, name)| {
        let (right, up) = (Vec3::unit(right), Vec3::unit(up));
        let view = View { right, up, toward: right.cross(up) };
        let camera = view.camera(&corners, (SIDE, SIDE), 7.0);
        let mut drawing = Drawing::default();
        let (x, y) = camera.at(Vec3::zero());
        drawing.line("origin", (x, y), (x + 12.0, y));
        drawing.line("origin", (x, y), (x, y - 12.0));
        drawing.open_body(body);
        solids.iter().for_each(|solid| solid.draw(&mut drawing, &camera, 2.4));
        drawing.close();
        drawing.finish("plane", &format!("{}, {name} plane, before and after", link.name), (SIDE, SIDE))
    })
}
