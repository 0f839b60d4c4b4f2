//! The section on the links before and after: physical consistency, mass, centre, principal moments,
//! ellipsoids.

use maud::{Markup, html};
use steiner_dynamics::Mechanism;
use steiner_identification::Identification;
use steiner_linalg::Vec3;
use steiner_robot::{Pose, PseudoInertia, inertial_count, whole_of};

use super::knowledge::{ADJUSTED, NOT_ALONE, NOT_OBSERVABLE};
use super::link_summary::{Known, known};
use crate::ellipsoid::{Ellipsoid, Solid};
use crate::page::body_chip;
use crate::scene::Scene;
use crate::skeleton::{body_poses, skeleton};
use crate::svg::Drawing;
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
    /// Why it is not physically consistent, if so.
    pub(super) problem: Option<String>,
    pub(super) least_eigenvalue: f64,
    /// Links fixed to it.
    pub(super) lumped: Vec<String>,
    /// How far the log determines mass, centre of mass and principal moments.
    pub(super) observable: [Observable; 3],
}

/// How far the log determines a property of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Observable {
    /// By itself.
    Yes,
    /// Only in groups with other parameters: the file decides how a group is shared out.
    InGroups,
    /// Not at all: the value is the file's.
    No,
}

/// The bodies of an identification: those weighed on the ground, then the moving ones.
pub(super) fn links(mechanism: &Mechanism, identification: &Identification) -> Vec<Link> {
    let robot = mechanism.robot();
    let one = |(body, link): (usize, &steiner_identification::LinkConsistency)| {
        let parts = robot.lump(&link.link).unwrap_or_default();
        Link {
            name: link.link.clone(),
            prior: whole_of(&parts),
            identified: link.inertia,
            problem: link.problem.clone(),
            least_eigenvalue: link.least_eigenvalue,
            lumped: parts.iter().skip(1).map(|part| part.link.clone()).collect(),
            // Mass; mass and first moments; all ten.
            observable: [1, 4, 10].map(|columns| observable(identification, body, columns)),
        }
    };
    identification.consistency.iter().enumerate().map(one).collect()
}

/// Of a property that takes the first few of a body's ten parameters.
fn observable(identification: &Identification, body: usize, columns: usize) -> Observable {
    let first = inertial_count(body);
    let needed: Vec<Known> = (first..first + columns).map(|column| known(identification, column)).collect();
    match needed.iter().all(|known| matches!(known, Known::Given | Known::Alone(_))) {
        true => Observable::Yes,
        false if needed.iter().any(|known| matches!(known, Known::Alone(_) | Known::InGroups)) => {
            Observable::InGroups
        }
        false => Observable::No,
    }
}

/// The picture of all, then a table with a line for each.
pub(super) fn link_section(mechanism: &Mechanism, identification: &Identification) -> Markup {
    let links = links(mechanism, identification);
    let names: Vec<String> = links.iter().map(|link| link.name.clone()).collect();
    let pairs: Vec<(&PseudoInertia, &PseudoInertia)> =
        links.iter().map(|l| (&l.prior, &l.identified)).collect();
    html! {
        (solids_picture(mechanism, &names, ["the file's", "identified"], &pairs))
        (link_table(&links))
    }
}

/// The mechanism with two inertias of each body as solids: (dashed, filled). Bodies on the ground come first
/// and are not drawn.
pub(crate) fn solids_picture(
    mechanism: &Mechanism,
    names: &[String],
    whose: [&str; 2],
    pairs: &[(&PseudoInertia, &PseudoInertia)],
) -> Markup {
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

fn link_table(links: &[Link]) -> Markup {
    html! {
        div.wide {
            table.links {
                caption { "Links before and after" }
                thead {
                    tr {
                        th scope="col" { "link" }
                        th scope="col" {}
                        th.n scope="col" { "mass, kg" }
                        th.n scope="col" { "centre of mass, m" }
                        th.n scope="col" { "principal moments about it, kg m²" }
                        @for plane in ["xy", "xz", "yz"] { th scope="col" { (plane) } }
                    }
                }
                @for (k, link) in links.iter().enumerate() { (link_rows(link, k)) "\n" }
            }
        }
    }
}

/// A line for the file's inertia and one for the identified one.
fn link_rows(link: &Link, body: usize) -> Markup {
    html! {
        tbody {
            tr {
                th scope="rowgroup" rowspan="2" {
                    (body_chip(body)) (link.name)
                    @if !link.lumped.is_empty() { span.muted { "with " (link.lumped.join(", ")) } }
                    @match &link.problem {
                        None => span.can { "consistent" },
                        Some(problem) => span.cannot { "not consistent: " (problem) },
                    }
                }
                th scope="row" { "file" }
                (inertia_cells(&link.prior, None, [Observable::Yes; 3]))
                @for view in plane_views(link, body) { td rowspan="2" { (view) } }
            }
            tr {
                th scope="row" { "identified" }
                (inertia_cells(&link.identified, Some(&link.prior), link.observable))
            }
        }
    }
}

/// Mass, centre, principal moments. What the log determines and changed is bold, what it does not determine
/// grey.
fn inertia_cells(
    inertia: &PseudoInertia,
    before: Option<&PseudoInertia>,
    observable: [Observable; 3],
) -> Markup {
    let values = |inertia: &PseudoInertia| -> [Vec<f64>; 3] {
        let centred = inertia.centred();
        [vec![centred.mass], centred.com.to_vec(), inertia.principal_moments().to_vec()]
    };
    let old = before.map(values);
    html! {
        @for (cell, (now, digits)) in values(inertia).into_iter().zip([4, 3, 3]).enumerate() {
            @let scale = now.iter().fold(1e-300f64, |most, x| most.max(x.abs()));
            @let before = old.as_ref().map(|old| &old[cell][..]);
            @let remark = match observable[cell] {
                Observable::Yes => None,
                Observable::InGroups => Some(NOT_ALONE),
                Observable::No => Some(unobservable_remark(&now, before)),
            };
            td.n.unobservable[observable[cell] != Observable::Yes] {
                @for (k, &x) in now.iter().enumerate() {
                    // What rounding leaves of a zero is a zero.
                    @let x = if x.abs() < 1e-9 * scale { 0.0 } else { x };
                    @let text = number(x, digits).replace('-', "−");
                    @let changed = before.is_some_and(|before| (before[k] - x).abs() > 1e-3 * scale);
                    @if k > 0 { ", " }
                    @if changed { b { (text) } } @else { (text) }
                }
                @if let Some(remark) = remark { small { (remark) } }
            }
        }
    }
}

/// What to remark about numbers that the log says nothing about.
fn unobservable_remark(now: &[f64], before: Option<&[f64]>) -> &'static str {
    let scale = now.iter().fold(1e-300f64, |most, x| most.max(x.abs()));
    let differs = |(x, y): (&f64, &f64)| (x - y).abs() > 1e-3 * scale;
    match before.is_some_and(|before| before.iter().zip(now).any(differs)) {
        true => ADJUSTED,
        false => NOT_OBSERVABLE,
    }
}

/// The two ellipsoids in the planes of the link frame, to one scale, with the frame's origin.
fn plane_views(link: &Link, body: usize) -> [Markup; 3] {
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
