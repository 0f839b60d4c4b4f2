//! Settings in words, as people write them: `fourier`, `huber=1.345`.

use std::str::FromStr;

use crate::failure::IdentificationError;
use crate::friction_term::{FrictionTerm, JointFriction};
use crate::settings::Estimator;
use crate::simulate::MotionKind;

fn positive(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|x| x.is_finite() && *x > 0.0)
}

/// Noise of the accelerations of sinusoids, relative to their amplitude.
const ACCELERATION_NOISE: f64 = 0.05;

/// `fourier`, or `sinusoids` with a twentieth of noise in their accelerations.
impl FromStr for MotionKind {
    type Err = IdentificationError;
    fn from_str(text: &str) -> Result<Self, IdentificationError> {
        match text {
            "fourier" => Ok(MotionKind::Fourier),
            "sinusoids" => Ok(MotionKind::NoisySinusoids { noise: ACCELERATION_NOISE }),
            _ => Err(IdentificationError::Setting {
                what: "motion".to_owned(),
                value: format!("`{text}`"),
                remedy: "use fourier or sinusoids".to_owned(),
            }),
        }
    }
}

/// Length of simulated windows, s.
const WINDOW: f64 = 1.0;

/// `weighted`, `ordinary`, `huber` (`huber=1.345`), `iv`, `simulation` (`simulation=1`) or
/// `ridge` (`ridge=1`).
impl FromStr for Estimator {
    type Err = IdentificationError;
    fn from_str(text: &str) -> Result<Self, IdentificationError> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, positive(value).map(Some)),
            None => (text, Some(None)),
        };
        match (name, value) {
            ("ordinary", Some(None)) => Ok(Estimator::Ordinary),
            ("weighted", Some(None)) => Ok(Estimator::Weighted),
            ("iv", Some(None)) => Ok(Estimator::Instrumental),
            ("simulation", Some(value)) => Ok(Estimator::Simulation { window: value.unwrap_or(WINDOW) }),
            ("huber", Some(value)) => Ok(Estimator::Huber { threshold: value.unwrap_or(1.345) }),
            ("ridge", Some(value)) => Ok(Estimator::Ridge { weight: value.unwrap_or(1.0) }),
            _ => Err(IdentificationError::Setting {
                what: "estimator".to_owned(),
                value: format!("`{text}`"),
                remedy: "use weighted, ordinary, huber (or huber=1.345), iv, simulation (or simulation=1, \
                         windows of 1 s) or ridge (or ridge=1)"
                    .to_owned(),
            }),
        }
    }
}

/// Friction beside viscous and Coulomb friction, as it is asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum FrictionWish {
    /// None.
    #[default]
    Simple,
    /// What blocks left out show to be of use, joint by joint.
    Auto,
    /// These terms.
    Terms(Vec<JointFriction>),
}

/// `simple`, `auto`, or terms such as `load,curve` (of all joints) and `joint2:stribeck=0.1`.
impl FromStr for FrictionWish {
    type Err = IdentificationError;
    fn from_str(text: &str) -> Result<Self, IdentificationError> {
        match text {
            "simple" => return Ok(FrictionWish::Simple),
            "auto" => return Ok(FrictionWish::Auto),
            _ => {}
        }
        let term = |text: &str| {
            let (joint, word) = match text.rsplit_once(':') {
                Some((joint, word)) => (Some(joint.to_owned()), word),
                None => (None, text),
            };
            let term = match word.split_once('=') {
                Some(("stribeck", speed)) => Some(FrictionTerm::Stribeck { speed: positive(speed)? }),
                Some(_) => None,
                None => FrictionTerm::named(word),
            }?;
            Some(JointFriction { joint, term })
        };
        let terms: Option<Vec<JointFriction>> = text.split(',').map(|word| term(word.trim())).collect();
        terms.map(FrictionWish::Terms).ok_or_else(|| IdentificationError::Setting {
            what: "friction".to_owned(),
            value: format!("`{text}`"),
            remedy: "use auto, simple, or some of load, curve, asymmetric, harmonic, harmonic2 and \
                     stribeck=SPEED, for one joint as in joint2:load"
                .to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_nothing_is_refused_with_a_remedy() {
        assert_eq!("huber=2".parse(), Ok(Estimator::Huber { threshold: 2.0 }));
        assert_eq!("ridge".parse(), Ok(Estimator::Ridge { weight: 1.0 }));
        let wrong = ["best", "weighted=2", "huber=", "huber=-1"].map(|text| text.parse::<Estimator>());
        assert!(wrong.iter().all(Result::is_err));
        let error = "best".parse::<Estimator>().map_err(|error| error.to_string());
        let sentence = "estimator is `best`; use weighted, ordinary, huber (or huber=1.345), iv, simulation \
                        (or simulation=1, windows of 1 s) or ridge (or ridge=1)";
        assert_eq!(error, Err(sentence.to_owned()));
    }
}
