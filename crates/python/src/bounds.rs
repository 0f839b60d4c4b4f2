//! What bodies can be, as `steiner.identify` is told.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use steiner::files::did_you_mean;
use steiner::formats::body_shape;
use steiner::identification::{Bounds, CentreBound, Pull, convex_hull};

use crate::arrays::value_error;
use crate::failures::read_error;
use crate::keywords::{Keywords, shown};
use crate::robot::PyRobot;

/// What bodies can be; `None` where anything goes.
pub(crate) fn bounds(robot: &PyRobot, keywords: &mut Keywords<'_>) -> PyResult<Option<Bounds>> {
    let consistent = keywords.flag("consistent", true)?;
    let usual = Bounds::default();
    let pull = match keywords.take::<String>("pull", "\"log-det\", \"entropic\" or \"quadratic\"")?.as_deref()
    {
        None => usual.pull,
        Some("log-det") => Pull::LogDet { weight: 1.0 },
        Some("entropic") => Pull::Entropic { weight: 1.0 },
        Some("quadratic") => Pull::Quadratic { weight: 1.0 },
        Some(other) => {
            return Err(value_error(format!("pull is {other:?}; use log-det, entropic or quadratic")));
        }
    };
    let masses: Vec<(String, (f64, f64))> = keywords
        .pairs("mass", "a dict from links to least and greatest masses, as in {\"link1\": (3, 5)}")?;
    let total_mass = keywords.number("total_mass")?;
    let asked: Vec<(String, Bound<'_, PyAny>)> = keywords.pairs("centre", CENTRES)?;
    if !consistent {
        return match masses.is_empty() && total_mass.is_none() && asked.is_empty() {
            true => Ok(None),
            false => {
                let sentence =
                    "mass, total_mass and centre bound a consistent model; leave consistent=False out";
                Err(value_error(sentence))
            }
        };
    }
    let mut centres = Vec::new();
    for (link, place) in asked {
        let bound = centre(robot, &link, &place)?;
        centres.push((link, bound));
    }
    let masses = masses.into_iter().map(|(link, (least, most))| (link, least, most)).collect();
    Ok(Some(Bounds { pull, masses, total_mass, centres }))
}

const CENTRES: &str = "a dict from links to two corners of a box, to the points of a hull (m), or to \"mesh\", as in \
    {\"link1\": ((-0.1, -0.1, 0), (0.1, 0.1, 0.3))}";

/// Two corners, the points of a hull, or the shape that the robot's file has.
fn centre(robot: &PyRobot, link: &str, place: &Bound<'_, PyAny>) -> PyResult<CentreBound> {
    if let Ok(word) = place.extract::<String>() {
        return match word.as_str() {
            "mesh" => mesh(robot, link),
            _ => Err(value_error(format!("centre of {link} is {word:?}; give {CENTRES}"))),
        };
    }
    let points: Vec<[f64; 3]> = place
        .extract()
        .map_err(|_| PyTypeError::new_err(format!("centre of {link} is {}; give {CENTRES}", shown(place))))?;
    match points[..] {
        [lower, upper] => Ok(CentreBound::Box { lower, upper }),
        _ if convex_hull(&points).is_none() => Err(value_error(format!(
            "centre of {link}: {} points lie in a plane and have no inside; give two corners of a box, or more points",
            points.len()
        ))),
        _ => Ok(CentreBound::Hull(points)),
    }
}

fn mesh(robot: &PyRobot, link: &str) -> PyResult<CentreBound> {
    let (origin, bodies) = (robot.origin(), &robot.mechanism().robot().bodies);
    if !bodies.iter().any(|body| body.name == link) {
        let hint = did_you_mean(link, bodies.iter().map(|body| body.name.as_str()));
        return Err(value_error(format!(
            "centre: there is no moving body `{link}`{hint}; robot.bodies lists them"
        )));
    }
    let shape =
        body_shape(robot.mechanism().robot(), link, &origin.source, &origin.options).map_err(read_error)?;
    match shape {
        Some(shape) if convex_hull(&shape.points).is_some() => Ok(CentreBound::Hull(shape.points)),
        Some(shape) => Err(value_error(format!(
            "centre of {link}: its {} lies in a plane and has no inside; give two corners of a box",
            shape.source
        ))),
        None => Err(value_error(format!(
            "centre of {link}: {} has no shape for it; give two corners of a box",
            origin.source
        ))),
    }
}
