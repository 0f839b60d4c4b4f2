//! Where centres of mass can be: in a box, or within a link's shape.

use steiner::dynamics::Mechanism;
use steiner::files::did_you_mean;
use steiner::formats::body_shape;
use steiner::identification::{CentreBound, SettingNote, enclosing_sides};

use crate::arguments::RobotArguments;
use crate::output::Failure;
use crate::parse::numbers;

/// A bound on a centre of mass, as it was asked for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Centre {
    Box { lower: [f64; 3], upper: [f64; 3] },
    Mesh,
}

/// All links that have a shape.
const ALL: &str = "all";

pub(super) fn parse_centre(text: &str) -> Result<(String, Centre), String> {
    let corner = |text: &str| -> Option<[f64; 3]> { numbers(text)?.try_into().ok() };
    let parse = || {
        let (link, place) = text.split_once('=')?;
        let centre = match place.trim() {
            "mesh" => Centre::Mesh,
            corners => {
                let (lower, upper) = corners.split_once(':')?;
                Centre::Box { lower: corner(lower)?, upper: corner(upper)? }
            }
        };
        Some((link.trim().to_owned(), centre))
    };
    parse().ok_or(
        "write a link and two corners in m, as in link1=-0.1,-0.1,0:0.1,0.1,0.3, or link1=mesh".to_owned(),
    )
}

/// The bounds with shapes read; what was read goes to the notes.
pub(super) fn bounds(
    asked: &[(String, Centre)],
    mechanism: &Mechanism,
    robot: &RobotArguments,
    notes: &mut Vec<SettingNote>,
) -> Result<Vec<(String, CentreBound)>, Failure> {
    let bodies: Vec<&str> = mechanism.robot().bodies.iter().map(|body| body.name.as_str()).collect();
    let mut out = Vec::new();
    for (link, centre) in asked {
        match centre {
            Centre::Box { lower, upper } => {
                out.push((link.clone(), CentreBound::Box { lower: *lower, upper: *upper }));
            }
            Centre::Mesh if link == ALL && !bodies.contains(&ALL) => {
                let mut without = Vec::new();
                for body in &bodies {
                    match hull(mechanism, body, robot, notes)? {
                        Some(bound) => out.push(((*body).to_owned(), bound)),
                        None => without.push(*body),
                    }
                }
                if without.len() == bodies.len() {
                    return Err(no_shape(ALL, "any link", robot));
                }
                if !without.is_empty() {
                    let links = without.into_iter().map(str::to_owned).collect();
                    notes.push(SettingNote::NoShape { links });
                }
            }
            Centre::Mesh => {
                if !bodies.contains(&link.as_str()) {
                    let hint = did_you_mean(link, bodies.iter().copied());
                    return Err(Failure::Message(format!(
                        "--centre {link}=mesh: {} has no moving body `{link}`{hint}; `steiner info` lists them",
                        mechanism.robot().name
                    )));
                }
                let bound = hull(mechanism, link, robot, notes)?;
                out.push((link.clone(), bound.ok_or_else(|| no_shape(link, link, robot))?));
            }
        }
    }
    Ok(out)
}

fn no_shape(asked: &str, whose: &str, robot: &RobotArguments) -> Failure {
    Failure::Message(format!(
        "--centre {asked}=mesh: {} has no shape for {whose}; bound it by a box, as in link1=-0.1,-0.1,0:0.1,0.1,0.3",
        robot.robot
    ))
}

fn hull(
    mechanism: &Mechanism,
    body: &str,
    robot: &RobotArguments,
    notes: &mut Vec<SettingNote>,
) -> Result<Option<CentreBound>, Failure> {
    let Some(shape) = body_shape(mechanism.robot(), body, &robot.robot, &robot.options())? else {
        return Ok(None);
    };
    let (vertices, source) = (shape.points.len(), shape.source);
    let bound = CentreBound::Hull(shape.points);
    let CentreBound::Hull(points) = &bound else { return Ok(None) };
    match enclosing_sides(points) {
        Some(sides) => notes.push(SettingNote::WithinHull {
            link: body.to_owned(),
            shape: source,
            vertices,
            sides: sides.len(),
        }),
        None => {
            return Err(Failure::Message(format!(
                "--centre {body}=mesh: the {source} of {body} lies in a plane and has no inside; bound it by a box"
            )));
        }
    }
    Ok(Some(bound))
}

#[cfg(test)]
mod tests {
    use super::{Centre, parse_centre};

    #[test]
    fn boxes_and_meshes_are_told_apart() {
        let centre = Centre::Box { lower: [-0.1, -0.1, 0.0], upper: [0.1, 0.1, 0.3] };
        assert_eq!(parse_centre("link1=-0.1,-0.1,0:0.1,0.1,0.3"), Ok(("link1".to_owned(), centre)));
        assert_eq!(parse_centre("all=mesh"), Ok(("all".to_owned(), Centre::Mesh)));
        for wrong in ["link1", "link1=net", "link1=0,0:1,1,1", "link1=0,0,0"] {
            assert!(parse_centre(wrong).is_err(), "{wrong}");
        }
    }
}
