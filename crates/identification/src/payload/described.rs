//! A payload in the numbers people ask for, mass, centre of mass and inertia about it, with standard
//! deviations; and what of it the motion has not shown yet.

use steiner_linalg::Mat3;
use steiner_linalg::eigen::symmetric_eigen;
use steiner_linalg::square::Square;
use steiner_robot::{CentredInertia, PseudoInertia, Tensor};

use super::square_root::TEN;

/// A mass known to this part of itself is seen…
const KNOWN: f64 = 0.3;
/// …or to this part of the robot's, where there is hardly any.
const SMALL_MASS: f64 = 0.01;
/// A centre of mass is seen along a direction if it is known to this part of the robot's lengths.
const KNOWN_CENTRE: f64 = 0.25;
/// A mass within this many standard deviations of zero has no centre.
const NO_MASS: f64 = 3.0;
/// A moment is seen if it is known to `KNOWN` of the largest, or this part of the mass times a length
/// squared.
const SMALL_MOMENT: f64 = 0.01;

/// Names of the six moments about the centre of mass.
pub const MOMENTS: [&str; 6] = ["Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz"];

/// What is taken as large: a mass in kg and a length in m.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scales {
    pub(crate) mass: f64,
    pub(crate) length: f64,
}

impl Scales {
    /// Of each of the ten parameters.
    pub(crate) fn ten(self) -> [f64; TEN] {
        let Scales { mass, length } = self;
        std::array::from_fn(|k| mass * length.powi([0, 1, 1, 1, 2, 2, 2, 2, 2, 2][k]))
    }
}

/// What the motion has not shown of a payload.
#[derive(Clone, Debug, PartialEq)]
pub enum Unseen {
    /// Too few samples to say anything.
    Everything,
    /// The mass.
    Mass,
    /// The centre of mass in every direction; it has none where there is no mass.
    Centre {
        /// Whether there is a mass whose centre it would be.
        has_mass: bool,
    },
    /// The centre of mass along one direction.
    CentreAlong {
        /// Unit vector in the link's axes.
        direction: [f64; 3],
    },
    /// Moments of inertia about the centre of mass.
    Moments {
        /// Of [`MOMENTS`].
        names: Vec<&'static str>,
    },
}

/// What a link carries, in the link's frame. Standard deviations are infinite where nothing is seen; the
/// values there are a guess that keeps the body physically consistent.
#[derive(Clone, Debug, PartialEq)]
pub struct Payload {
    /// The link that carries it.
    pub link: String,
    /// Samples it was found in.
    pub samples: usize,
    /// Pseudo-inertia about the link's origin, physically consistent.
    pub inertia: PseudoInertia,
    /// Mass (kg), centre of mass (m) and inertia about it (kg·m²).
    pub centred: CentredInertia,
    /// Standard deviation of the mass, kg.
    pub mass_sigma: f64,
    /// Of the centre of mass, m.
    pub com_sigma: [f64; 3],
    /// Of the inertia about it, kg·m².
    pub tensor_sigma: Tensor,
    /// Covariance of `m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz` about the link's origin.
    pub covariance: Square<10>,
    /// Whether the standard deviations count the errors of the robot's own parameters; else they hold for a
    /// perfectly known robot.
    pub counts_arm: bool,
    /// What is not seen.
    pub unseen: Vec<Unseen>,
}

impl Payload {
    /// Of an inertia with a covariance in the link's frame.
    pub(crate) fn of(
        (link, samples): (String, usize),
        inertia: PseudoInertia,
        covariance: Square<TEN>,
        scales: Scales,
        counts_arm: bool,
    ) -> Self {
        let centred = inertia.centred();
        let mut payload = Payload {
            link,
            samples,
            inertia,
            centred,
            mass_sigma: f64::INFINITY,
            com_sigma: [f64::INFINITY; 3],
            tensor_sigma: [f64::INFINITY; 6],
            covariance,
            counts_arm,
            unseen: Vec::new(),
        };
        payload.see(scales);
        payload
    }

    /// Of which nothing is known.
    pub(crate) fn unknown(link: String, samples: usize, scales: Scales, counts_arm: bool) -> Self {
        let ten = scales.ten();
        let covariance =
            std::array::from_fn(|r| std::array::from_fn(|c| if r == c { ten[r] * ten[r] } else { 0.0 }));
        let mut payload = Self::of((link, samples), PseudoInertia::ZERO, covariance, scales, counts_arm);
        payload.unseen = vec![Unseen::Everything];
        payload
    }

    /// Fills in what is seen, and lists what is not.
    fn see(&mut self, scales: Scales) {
        let CentredInertia { mass, tensor, .. } = self.centred;
        let sigma = self.covariance[0][0].max(0.0).sqrt();
        if sigma > (KNOWN * mass.abs()).max(SMALL_MASS * scales.mass) {
            self.unseen.push(Unseen::Mass);
            return;
        }
        self.mass_sigma = sigma;
        if mass <= NO_MASS * sigma {
            self.unseen.push(Unseen::Centre { has_mass: false });
            return;
        }
        let of_centre = through(&centre_derivative(&self.inertia), &self.covariance);
        let (variances, directions) = symmetric_eigen(&of_centre);
        let limit = KNOWN_CENTRE * scales.length;
        let hidden: Vec<usize> = (0..3).filter(|&k| variances[k].max(0.0).sqrt() > limit).collect();
        match hidden[..] {
            [_, _, _] => self.unseen.push(Unseen::Centre { has_mass: true }),
            _ => self.unseen.extend(
                hidden
                    .iter()
                    .map(|&k| Unseen::CentreAlong { direction: pointing_up(Mat3(directions).column(k).0) }),
            ),
        }
        let seen = |variance: f64, limit: f64| match variance.max(0.0).sqrt() {
            sigma if sigma <= limit => sigma,
            _ => f64::INFINITY,
        };
        self.com_sigma = std::array::from_fn(|k| seen(of_centre[k][k], limit));
        let of_tensor = through(&tensor_derivative(&self.inertia), &self.covariance);
        let largest = [0, 2, 5].iter().fold(0.0, |most: f64, &k| most.max(tensor[k].abs()));
        let limit = (KNOWN * largest).max(SMALL_MOMENT * mass * scales.length.powi(2));
        self.tensor_sigma = std::array::from_fn(|k| seen(of_tensor[k][k], limit));
        let names: Vec<&str> =
            (0..6).filter(|&k| self.tensor_sigma[k].is_infinite()).map(|k| MOMENTS[k]).collect();
        if !names.is_empty() {
            self.unseen.push(Unseen::Moments { names });
        }
    }
}

/// A direction or its opposite, with its largest component positive.
fn pointing_up(direction: [f64; 3]) -> [f64; 3] {
    let largest = direction.iter().fold(0.0, |most: f64, x| if x.abs() > most.abs() { *x } else { most });
    direction.map(|x| x * largest.signum())
}

/// J C Jᵀ.
fn through<const N: usize>(derivative: &[[f64; TEN]; N], covariance: &Square<TEN>) -> Square<N> {
    let half: [[f64; TEN]; N] = std::array::from_fn(|r| {
        std::array::from_fn(|c| (0..TEN).map(|k| derivative[r][k] * covariance[k][c]).sum())
    });
    std::array::from_fn(|r| std::array::from_fn(|c| (0..TEN).map(|k| half[r][k] * derivative[c][k]).sum()))
}

/// Derivatives of the centre c = h/m with respect to the ten parameters.
fn centre_derivative(inertia: &PseudoInertia) -> [[f64; TEN]; 3] {
    let (m, com) = (inertia.mass, inertia.centred().com);
    std::array::from_fn(|k| {
        let mut row = [0.0; TEN];
        row[0] = -com[k] / m;
        row[1 + k] = 1.0 / m;
        row
    })
}

/// Derivatives of the inertia about the centre, I − (|h|² 1 − h hᵀ)/m.
fn tensor_derivative(inertia: &PseudoInertia) -> [[f64; TEN]; 6] {
    const PLACES: [(usize, usize); 6] = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)];
    let c = inertia.centred().com;
    let square: f64 = c.iter().map(|x| x * x).sum();
    let one = |r: usize, s: usize| f64::from(u8::from(r == s));
    std::array::from_fn(|k| {
        let (r, s) = PLACES[k];
        let mut row = [0.0; TEN];
        row[0] = square * one(r, s) - c[r] * c[s];
        for (j, x) in row[1..4].iter_mut().enumerate() {
            *x = one(r, j) * c[s] + one(s, j) * c[r] - 2.0 * c[j] * one(r, s);
        }
        row[4 + k] = 1.0;
        row
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_are_those_of_finite_differences() {
        let ten = [2.0, 0.1, -0.3, 0.4, 0.5, 0.02, 0.6, -0.03, 0.01, 0.4];
        let inertia = PseudoInertia::from_parameters(&ten);
        let (centre, tensor) = (centre_derivative(&inertia), tensor_derivative(&inertia));
        for k in 0..TEN {
            let at = |step: f64| {
                let mut moved = ten;
                moved[k] += step;
                PseudoInertia::from_parameters(&moved).centred()
            };
            let (up, down) = (at(1e-6), at(-1e-6));
            for (i, row) in centre.iter().enumerate() {
                assert!((row[k] - (up.com[i] - down.com[i]) / 2e-6).abs() < 1e-8, "centre {i}, {k}");
            }
            for (i, row) in tensor.iter().enumerate() {
                assert!((row[k] - (up.tensor[i] - down.tensor[i]) / 2e-6).abs() < 1e-8, "tensor {i}, {k}");
            }
        }
    }
}
