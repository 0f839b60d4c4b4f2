//! Coordinates in the plane as expressions, so that the names of a file survive.

use steiner_linalg::Vec3;
use steiner_robot::{Frame, Orientation, no_displacement};
use steiner_scalar::{Exact, Function, Node, Rational};

/// A rigid placement with exact entries: x ↦ R x + p.
#[derive(Clone, Debug)]
pub(crate) struct ExactPose {
    pub(crate) rotation: [[Exact; 3]; 3],
    pub(crate) translation: [Exact; 3],
}

fn identity() -> [[Exact; 3]; 3] {
    std::array::from_fn(|r| std::array::from_fn(|c| Exact::integer(i64::from(r == c))))
}

/// a·b, where a plain −1 is a sign and no factor.
fn product(a: &Exact, b: &Exact) -> Exact {
    let is_minus_one = |x: &Exact| matches!(x.node(), Node::Rational(r) if *r == Rational::from(-1));
    match () {
        _ if is_minus_one(a) => -b.clone(),
        _ if is_minus_one(b) => -a.clone(),
        _ => a.clone() * b.clone(),
    }
}

/// a + b, where a sign of b becomes a difference.
fn sum(a: Exact, b: Exact) -> Exact {
    match b.node() {
        Node::Negation(inner) if !matches!(a.node(), Node::Rational(r) if *r == Rational::ZERO) => {
            a - inner.clone()
        }
        _ => a + b,
    }
}

/// Σ a_k b_k.
pub(crate) fn dot(a: &[Exact], b: &[Exact]) -> Exact {
    a.iter().zip(b).fold(Exact::zero(), |total, (x, y)| sum(total, product(x, y)))
}

/// a − b, with what cancels cancelled.
pub(crate) fn difference(a: &Exact, b: &Exact) -> Exact {
    let mut terms = Vec::new();
    let mut constant = Rational::ZERO;
    collect(a, &Rational::ONE, &mut terms, &mut constant);
    collect(b, &-Rational::ONE, &mut terms, &mut constant);
    terms.retain(|(_, factor)| *factor != Rational::ZERO);
    let scaled = |(atom, factor): &(Exact, Rational)| product(&Exact::rational(factor.clone()), atom);
    let total = terms.iter().map(scaled).fold(Exact::zero(), sum);
    if constant == Rational::ZERO { total } else { sum(total, Exact::rational(constant)) }
}

/// Adds a multiple of an expression to a sum of multiples of expressions that are no sums.
fn collect(x: &Exact, factor: &Rational, terms: &mut Vec<(Exact, Rational)>, constant: &mut Rational) {
    let number = |x: &Exact| match x.node() {
        Node::Rational(r) => Some(r.clone()),
        _ => None,
    };
    match x.node() {
        Node::Rational(r) => *constant += r * factor,
        Node::Negation(a) => collect(a, &-factor.clone(), terms, constant),
        Node::Sum(a, b) => {
            collect(a, factor, terms, constant);
            collect(b, factor, terms, constant);
        }
        Node::Difference(a, b) => {
            collect(a, factor, terms, constant);
            collect(b, &-factor.clone(), terms, constant);
        }
        Node::Product(a, b) if number(a).is_some() => {
            collect(b, &(factor * number(a).unwrap_or(Rational::ONE)), terms, constant);
        }
        Node::Product(a, b) if number(b).is_some() => {
            collect(a, &(factor * number(b).unwrap_or(Rational::ONE)), terms, constant);
        }
        _ => match terms.iter_mut().find(|(atom, _)| atom == x) {
            Some((_, total)) => *total += factor,
            None => terms.push((x.clone(), factor.clone())),
        },
    }
}

fn matrix_product(a: &[[Exact; 3]; 3], b: &[[Exact; 3]; 3]) -> [[Exact; 3]; 3] {
    std::array::from_fn(|r| {
        std::array::from_fn(|c| dot(&a[r], &[b[0][c].clone(), b[1][c].clone(), b[2][c].clone()]))
    })
}

/// Sine and cosine; quarter turns are whole numbers.
fn sin_cos(angle: &Exact) -> (Exact, Exact) {
    if let Some(quarters) = angle.pi_multiple().map(|r| r * Rational::from(2)).filter(Rational::is_int) {
        let quarter = (0..4).find(|k| ((quarters.clone() - Rational::from(*k)) / Rational::from(4)).is_int());
        return match quarter {
            Some(1) => (Exact::one(), Exact::zero()),
            Some(2) => (Exact::zero(), Exact::integer(-1)),
            Some(3) => (Exact::integer(-1), Exact::zero()),
            _ => (Exact::zero(), Exact::one()),
        };
    }
    (angle.clone().call(Function::Sin), angle.clone().call(Function::Cos))
}

fn orientation_matrix(orientation: &Orientation) -> [[Exact; 3]; 3] {
    match orientation {
        Orientation::Matrix(m) => m.clone(),
        Orientation::RollPitchYaw(angles) => {
            let mut turned = identity();
            for (axis, angle) in angles.iter().enumerate().rev() {
                let (sin, cos) = sin_cos(angle);
                let mut about = identity();
                let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
                about[i][i] = cos.clone();
                about[j][j] = cos;
                about[i][j] = -sin.clone();
                about[j][i] = sin;
                turned = matrix_product(&turned, &about);
            }
            turned
        }
        Orientation::Quaternion([w, x, y, z]) => {
            let norm = [w, x, y, z].into_iter().fold(Exact::zero(), |s, a| s + a.clone() * a.clone());
            let two = |a: &Exact, b: &Exact| Exact::integer(2) * a.clone() * b.clone() / norm.clone();
            let one = Exact::one();
            [
                [one.clone() - two(y, y) - two(z, z), two(x, y) - two(w, z), two(x, z) + two(w, y)],
                [two(x, y) + two(w, z), one.clone() - two(x, x) - two(z, z), two(y, z) - two(w, x)],
                [two(x, z) - two(w, y), two(y, z) + two(w, x), one - two(x, x) - two(y, y)],
            ]
        }
    }
}

impl ExactPose {
    /// A frame with its displacements multiplied out.
    pub(crate) fn of(frame: &Frame) -> Self {
        let mut pose = ExactPose { rotation: identity(), translation: no_displacement() };
        for step in frame.steps() {
            let moved: [Exact; 3] =
                std::array::from_fn(|k| sum(pose.translation[k].clone(), dot(&pose.rotation[k], &step.xyz)));
            pose.rotation = matrix_product(&pose.rotation, &orientation_matrix(&step.orientation));
            pose.translation = moved;
        }
        pose
    }

    /// Where the outer frame's origin is in the inner frame: −Rᵀ p.
    pub(crate) fn outer_origin(&self) -> [Exact; 3] {
        self.backwards(&self.translation).map(|x| -x)
    }

    /// A direction of the outer frame in inner axes.
    pub(crate) fn backwards(&self, v: &[Exact; 3]) -> [Exact; 3] {
        let column = |c: usize| std::array::from_fn::<Exact, 3, _>(|r| self.rotation[r][c].clone());
        std::array::from_fn(|c| dot(&column(c), v))
    }

    /// A direction of the inner frame in outer axes.
    pub(crate) fn forwards(&self, v: &[Exact; 3]) -> [Exact; 3] {
        std::array::from_fn(|r| dot(&self.rotation[r], v))
    }
}

/// The coordinates of a vector along two axes of a plane.
pub(crate) fn in_plane(axes: &[Vec3<f64>; 2], v: &[Exact; 3]) -> [Exact; 2] {
    let exact = |x: f64| Exact::from_f64(x).unwrap_or_else(Exact::zero);
    axes.map(|axis| dot(&axis.0.map(exact), v))
}

/// The sign and the name of a coordinate that is a named length or the negative of one.
pub(crate) fn named(x: &Exact) -> Option<(bool, &str)> {
    match x.node() {
        Node::Symbol { name, .. } => Some((false, name)),
        Node::Negation(inner) => match inner.node() {
            Node::Symbol { name, .. } => Some((true, name)),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_quarter_turns() {
        let l = Exact::symbol("l", Exact::fraction(3, 10));
        let turned =
            Orientation::RollPitchYaw([Exact::zero(), Exact::zero(), Exact::pi() / Exact::integer(2)]);
        let frame = Frame::new([Exact::zero(), l.clone(), Exact::zero()], turned)
            .then(&Frame::translation([Exact::zero(), Exact::symbol("h", Exact::one()), Exact::zero()]));
        let pose = ExactPose::of(&frame);
        let names: Vec<_> = pose.translation.iter().map(named).collect();
        assert_eq!(names, [Some((true, "h")), Some((false, "l")), None]);
        assert!(pose.translation[2].is_zero());
    }

    #[test]
    fn what_cancels_is_cancelled() {
        let (l, u) = (Exact::symbol("l", Exact::one()), Exact::symbol("u", Exact::fraction(1, 3)));
        let left = difference(&(l.clone() - u.clone()), &-u.clone());
        assert_eq!(named(&left), Some((false, "l")));
        let less = difference(&(Exact::fraction(1, 2) - l.clone()), &Exact::fraction(1, 2));
        assert_eq!(named(&less), Some((true, "l")));
        let both = difference(&(Exact::integer(2) * l.clone() + u), &(l * Exact::integer(2)));
        assert_eq!(named(&both), Some((false, "u")));
        assert!(difference(&both, &both).is_zero());
    }

    #[test]
    fn exact_poses_agree_with_evaluated_ones() {
        let angle = |x: &str| Exact::parse(x).unwrap();
        let frame = Frame::new(
            [angle("0.3"), angle("-0.7"), angle("0.2")],
            Orientation::RollPitchYaw([angle("0.4"), angle("-1.1"), angle("2.3")]),
        )
        .then(&Frame::new(
            [angle("1.1"), angle("0.5"), angle("-0.9")],
            Orientation::Quaternion([angle("0.8"), angle("0.1"), angle("-0.5"), angle("0.7")]),
        ));
        let (exact, pose) = (ExactPose::of(&frame), frame.pose());
        for r in 0..3 {
            assert!((exact.translation[r].to_f64().unwrap() - pose.translation[r]).abs() < 1e-14);
            for c in 0..3 {
                assert!((exact.rotation[r][c].to_f64().unwrap() - pose.rotation.0[r][c]).abs() < 1e-14);
            }
        }
        let origin = pose.inverse().translation;
        let ours = exact.outer_origin().map(|x| x.to_f64().unwrap());
        assert!((0..3).all(|k| (ours[k] - origin[k]).abs() < 1e-14));
    }
}
