//! Settings in words, as people write them: `auto`, `off`, `40`, `huber=1.345`.

use std::str::FromStr;

use crate::error::LogError;
use crate::recording::{Cutoff, Resample, Thinning, Trim};
use crate::signals::Decimation;

fn finite(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|x| x.is_finite())
}

fn positive(text: &str) -> Option<f64> {
    finite(text).filter(|x| *x > 0.0)
}

fn wrong(setting: &'static str, text: &str, remedy: &str) -> LogError {
    LogError::Setting { setting, problem: format!("`{text}` is none"), remedy: remedy.to_owned() }
}

/// `auto`, `off`, or a frequency in Hz.
impl FromStr for Cutoff {
    type Err = LogError;
    fn from_str(text: &str) -> Result<Self, LogError> {
        match text {
            "auto" => Ok(Cutoff::Auto),
            "off" => Ok(Cutoff::Off),
            _ => positive(text)
                .map(Cutoff::Hertz)
                .ok_or_else(|| wrong("cutoff", text, "use auto, off, or a frequency in Hz")),
        }
    }
}

/// `auto`, or seconds.
impl FromStr for Trim {
    type Err = LogError;
    fn from_str(text: &str) -> Result<Self, LogError> {
        match text {
            "auto" => Ok(Trim::Auto),
            _ => finite(text)
                .filter(|seconds| *seconds >= 0.0)
                .map(Trim::Seconds)
                .ok_or_else(|| wrong("trim", text, "use auto, or seconds")),
        }
    }
}

/// `auto`, `off`, a factor such as `10`, or stages such as `5x5`.
impl FromStr for Thinning {
    type Err = LogError;
    fn from_str(text: &str) -> Result<Self, LogError> {
        let factor = |text: &str| text.trim().parse::<usize>().ok().filter(|factor| *factor > 0);
        match text {
            "auto" => Ok(Thinning::Auto),
            "off" => Ok(Thinning::Off),
            _ => {
                let stages: Option<Vec<usize>> = text.split('x').map(factor).collect();
                let remedy = "use auto, off, a factor such as 10, or stages such as 5x5";
                let stages = stages.ok_or_else(|| wrong("thin", text, remedy))?;
                let stages = stages.into_iter().map(|factor| (factor, Decimation::UnitChebyshev));
                Ok(Thinning::By(stages.collect()))
            }
        }
    }
}

/// `auto`, `never`, or a rate in Hz.
impl FromStr for Resample {
    type Err = LogError;
    fn from_str(text: &str) -> Result<Self, LogError> {
        match text {
            "auto" => Ok(Resample::Auto),
            "never" => Ok(Resample::Never),
            _ => positive(text)
                .map(Resample::Hertz)
                .ok_or_else(|| wrong("resample", text, "use auto, never, or a rate in Hz")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_are_both_understood() {
        assert_eq!("40".parse(), Ok(Cutoff::Hertz(40.0)));
        assert_eq!("off".parse(), Ok(Cutoff::Off));
        let stages = vec![(5, Decimation::UnitChebyshev), (4, Decimation::UnitChebyshev)];
        assert_eq!("5x4".parse(), Ok(Thinning::By(stages)));
        assert_eq!("0.5".parse(), Ok(Trim::Seconds(0.5)));
        assert_eq!("never".parse(), Ok(Resample::Never));
    }

    #[test]
    fn what_means_nothing_is_refused() {
        let cutoffs = ["-3", "inf", "", "on"].map(|text| text.parse::<Cutoff>());
        assert!(cutoffs.iter().all(Result::is_err));
        assert!("0".parse::<Thinning>().is_err() && "5x".parse::<Thinning>().is_err());
        assert!("-1".parse::<Trim>().is_err() && "0".parse::<Resample>().is_err());
    }
}
