//! Positions and orientations: `pos` with `quat`, `euler`, `axisangle`, `xyaxes` or `zaxis`, exactly.

use steiner_robot::{Frame, Orientation, Step, no_displacement, quaternion_of};
use steiner_scalar::Exact;

use super::compiler::Compiler;
use super::defaults::Styled;
use crate::error::FormatError;
use crate::snap::Snapper;
use crate::xml::Element;

/// In the order of precedence MuJoCo has when a class and its parent differ.
const SPECIFIERS: [&str; 5] = ["axisangle", "xyaxes", "zaxis", "euler", "quat"];

/// The frame an element stands in, relative to its parent.
pub(super) fn frame_of(
    styled: &Styled<'_>,
    compiler: &Compiler,
    snapper: &mut Snapper,
) -> Result<Frame, FormatError> {
    let position = styled.source("pos").vector("pos")?.unwrap_or_else(no_displacement);
    let turns = orientation_of(styled, compiler, snapper)?;
    let mut turns = turns.into_iter();
    let first = turns.next().unwrap_or_else(Orientation::identity);
    let frame = Frame::new(position, first);
    Ok(turns.fold(frame, |frame, turn| frame.then(&Frame::new(no_displacement(), turn))))
}

/// The specifier that counts: the element's own, else that of its class.
pub(super) fn orientation_specifier(styled: &Styled<'_>) -> Result<Option<&'static str>, FormatError> {
    let own: Vec<&'static str> =
        SPECIFIERS.into_iter().filter(|key| styled.own.attribute(key).is_some()).collect();
    match own[..] {
        [] => Ok(SPECIFIERS.into_iter().find(|key| styled.attribute(key).is_some())),
        [only] => Ok(Some(only)),
        _ => Err(styled
            .own
            .wrong(format!("{} orient it more than once", own.join(" and ")), "keep one of them")),
    }
}

/// The rotations to apply in sequence, outermost first.
fn orientation_of(
    styled: &Styled<'_>,
    compiler: &Compiler,
    snapper: &mut Snapper,
) -> Result<Vec<Orientation>, FormatError> {
    let Some(key) = orientation_specifier(styled)? else { return Ok(Vec::new()) };
    let element = styled.source(key);
    let zero = |what: &str| element.wrong(format!("{key}: the {what} is zero"), "give its direction");
    let orientation = match key {
        "quat" => {
            let quaternion: [Exact; 4] = numbers(element, key)?;
            if quaternion.iter().all(Exact::is_zero) {
                return Err(zero("quaternion"));
            }
            snapper.orientation(Orientation::Quaternion(quaternion))
        }
        "euler" => {
            let angles: [Exact; 3] = numbers(element, key)?;
            return Ok(euler(angles.map(|angle| compiler.angle(angle, snapper)), compiler));
        }
        "axisangle" => {
            let [x, y, z, angle]: [Exact; 4] = numbers(element, key)?;
            let angle = compiler.angle(angle, snapper);
            let turned = Orientation::about(&[x, y, z], angle).ok_or_else(|| zero("axis"))?;
            snapped(turned, snapper)
        }
        "xyaxes" => {
            let [x0, x1, x2, y0, y1, y2]: [Exact; 6] = numbers(element, key)?;
            let matrix = from_two_axes([x0, x1, x2], [y0, y1, y2]).ok_or_else(|| {
                element.wrong("xyaxes: the axes are zero or parallel", "give two directions")
            })?;
            snapped(matrix, snapper)
        }
        _ => {
            let axis: [Exact; 3] = numbers(element, key)?;
            snapped(from_z_axis(&axis).ok_or_else(|| zero("axis"))?, snapper)
        }
    };
    Ok(vec![orientation])
}

/// Exactly `N` numbers.
pub(super) fn numbers<const N: usize>(element: &Element<'_>, key: &str) -> Result<[Exact; N], FormatError> {
    let values = element.exacts(key)?.unwrap_or_default();
    let found = values.len();
    <[Exact; N]>::try_from(values).map_err(|_| {
        let printed = element.attribute(key).unwrap_or("");
        element.wrong(
            format!("{key}=\"{printed}\" has {found} numbers"),
            format!("give {N}, separated by blanks"),
        )
    })
}

fn euler(angles: [Exact; 3], compiler: &Compiler) -> Vec<Orientation> {
    let mut turns: Vec<(usize, Exact)> = Vec::with_capacity(3);
    for (turn, angle) in compiler.euler_sequence.iter().zip(angles) {
        if angle.is_zero() {
            continue;
        }
        // About a moving axis a turn comes after the others, about a fixed one before them.
        let at = if turn.moving { turns.len() } else { 0 };
        turns.insert(at, (turn.axis, angle));
    }
    // Rz Ry Rx is one orientation; anything else is a chain of them.
    let mut chain: Vec<[Exact; 3]> = Vec::new();
    let mut last = 0;
    for (axis, angle) in turns {
        if chain.is_empty() || axis >= last {
            chain.push(no_displacement());
        }
        if let Some(angles) = chain.last_mut() {
            angles[axis] = angle;
        }
        last = axis;
    }
    chain.into_iter().map(Orientation::RollPitchYaw).collect()
}

fn norm(v: &[Exact; 3]) -> Exact {
    v.iter().cloned().fold(Exact::zero(), |sum, x| sum + x.clone() * x).sqrt()
}

fn is_zero(v: &[Exact; 3]) -> bool {
    v.iter().all(Exact::is_zero)
}

/// The unit vector, unless the vector is zero.
pub(super) fn direction(v: &[Exact; 3]) -> Option<[Exact; 3]> {
    if is_zero(v) {
        return None;
    }
    let length = norm(v);
    Some(v.clone().map(|x| x / length.clone()))
}

/// x as given, y made orthogonal to it, z completing them.
fn from_two_axes(x: [Exact; 3], y: [Exact; 3]) -> Option<Orientation> {
    let x = direction(&x)?;
    let along = (0..3).fold(Exact::zero(), |sum, k| sum + x[k].clone() * y[k].clone());
    let y = direction(&std::array::from_fn(|k| y[k].clone() - along.clone() * x[k].clone()))?;
    let z: [Exact; 3] = std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        x[i].clone() * y[j].clone() - x[j].clone() * y[i].clone()
    });
    Some(Orientation::Matrix(std::array::from_fn(|row| [x[row].clone(), y[row].clone(), z[row].clone()])))
}

/// The smallest turn that takes z to the given direction.
fn from_z_axis(axis: &[Exact; 3]) -> Option<Orientation> {
    if is_zero(axis) {
        return None;
    }
    let [x, y, z] = axis;
    if x.is_zero() && y.is_zero() {
        let upward = z.to_f64().is_ok_and(|z| z > 0.0);
        let roll = if upward { Exact::zero() } else { Exact::pi() };
        return Some(Orientation::RollPitchYaw([roll, Exact::zero(), Exact::zero()]));
    }
    Some(Orientation::Quaternion([norm(axis) + z.clone(), -y.clone(), x.clone(), Exact::zero()]))
}

/// An orientation made of printed numbers, as the multiples of 15° it stands for if it is near them.
fn snapped(orientation: Orientation, snapper: &mut Snapper) -> Orientation {
    if matches!(orientation, Orientation::RollPitchYaw(_)) {
        return orientation;
    }
    let Ok(rotation) = orientation.evaluate::<f64>() else { return orientation };
    let [w, x, y, z] = quaternion_of(&rotation.value).map(Exact::from_f64);
    let (Some(w), Some(x), Some(y), Some(z)) = (w, x, y, z) else { return orientation };
    match snapper.orientation(Orientation::Quaternion([w, x, y, z])) {
        multiples @ Orientation::RollPitchYaw(_) => multiples,
        _ => orientation,
    }
}

/// The parent seen from a frame, exactly: each displacement undone, in reverse.
pub(super) fn inverse(frame: &Frame) -> Frame {
    let turn = |orientation| Frame::new(no_displacement(), orientation);
    let mut undone = Frame::identity();
    for Step { xyz, orientation } in frame.steps().iter().rev() {
        match orientation {
            // (Rz Ry Rx)⁻¹ = Rx⁻¹ Ry⁻¹ Rz⁻¹, one turn at a time.
            Orientation::RollPitchYaw(angles) => {
                for (axis, angle) in angles.iter().enumerate().filter(|(_, angle)| !angle.is_zero()) {
                    let mut back = no_displacement();
                    back[axis] = -angle.clone();
                    undone = undone.then(&turn(Orientation::RollPitchYaw(back)));
                }
            }
            Orientation::Quaternion([w, x, y, z]) => {
                let back = [w.clone(), -x.clone(), -y.clone(), -z.clone()];
                undone = undone.then(&turn(Orientation::Quaternion(back)));
            }
            Orientation::Matrix(rows) => {
                let back = std::array::from_fn(|r| std::array::from_fn(|c| rows[c][r].clone()));
                undone = undone.then(&turn(Orientation::Matrix(back)));
            }
        }
        if !is_zero(xyz) {
            undone = undone.then(&Frame::translation(xyz.clone().map(|x| -x)));
        }
    }
    undone
}
