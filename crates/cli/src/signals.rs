//! What is done to recorded signals before anything is identified from them; the same for every command that reads logs.

use clap::Args;
use steiner_identification::signals::Decimation;
use steiner_identification::{Cutoff, Processing, Resample, Thinning, Trim};

use crate::parse::finite;

#[derive(Args, Debug)]
#[command(next_help_heading = "Signals")]
pub(crate) struct SignalArguments {
    /// End of the zero-phase low-pass filter: auto (from the spectra, where something must be derived), off, or Hz.
    #[arg(long, value_name = "HZ", default_value = "auto", value_parser = parse_cutoff)]
    cutoff: Cutoff,
    /// Order of that filter, for each direction.
    #[arg(long, value_name = "N", default_value_t = 4)]
    filter_order: usize,
    /// Leave forces and wrenches unfiltered.
    #[arg(long)]
    raw_forces: bool,
    /// Thinning of the samples: auto (with a filter, to what it leaves), off, or a factor (10, or 5x5 in two stages).
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = parse_thinning)]
    thin: Thinning,
    /// What is cut off at both ends, where filters have not settled: auto, or seconds.
    #[arg(long, value_name = "SECONDS", default_value = "auto", value_parser = parse_trim)]
    trim: Trim,
    /// Whether uneven samples are made even: auto, never, or at this rate in Hz.
    #[arg(long, value_name = "HZ", default_value = "auto", value_parser = parse_resample)]
    resample: Resample,
    /// Derive velocities and accelerations even where they are recorded.
    #[arg(long)]
    derive: bool,
    /// Only what was recorded from this time on, s.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    from: Option<f64>,
    /// Only what was recorded up to this time, s.
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    to: Option<f64>,
    /// Leave out rows with entries that are no numbers, instead of refusing the log.
    #[arg(long)]
    skip_bad_rows: bool,
    /// A joint with dry friction counts only while faster than this part of its usual speed (root mean square); 0 for always.
    #[arg(long, value_name = "PART", default_value_t = 0.02, value_parser = crate::parse::parse_part)]
    rest: f64,
}

impl SignalArguments {
    pub(crate) fn processing(&self) -> Processing {
        Processing {
            cutoff: self.cutoff,
            order: self.filter_order,
            filter_forces: !self.raw_forces,
            thinning: self.thin.clone(),
            trim: self.trim,
            resample: self.resample,
            derive: self.derive,
            from: self.from,
            to: self.to,
            skip_bad_rows: self.skip_bad_rows,
            rest: self.rest,
            ..Processing::default()
        }
    }
}

fn positive(text: &str) -> Option<f64> {
    finite(text).filter(|x| *x > 0.0)
}

fn parse_cutoff(text: &str) -> Result<Cutoff, String> {
    match text {
        "auto" => Ok(Cutoff::Auto),
        "off" => Ok(Cutoff::Off),
        _ => positive(text).map(Cutoff::Hertz).ok_or("use auto, off, or a frequency in Hz".to_owned()),
    }
}

fn parse_thinning(text: &str) -> Result<Thinning, String> {
    let factor = |text: &str| text.parse::<usize>().ok().filter(|factor| *factor > 0);
    match text {
        "auto" => Ok(Thinning::Auto),
        "off" => Ok(Thinning::Off),
        _ => {
            let stages: Option<Vec<usize>> = text.split('x').map(factor).collect();
            let stages = stages.ok_or("use auto, off, a factor such as 10, or stages such as 5x5")?;
            Ok(Thinning::By(stages.into_iter().map(|factor| (factor, Decimation::UnitChebyshev)).collect()))
        }
    }
}

fn parse_trim(text: &str) -> Result<Trim, String> {
    match text {
        "auto" => Ok(Trim::Auto),
        _ => finite(text)
            .filter(|seconds| *seconds >= 0.0)
            .map(Trim::Seconds)
            .ok_or("use auto, or seconds".to_owned()),
    }
}

fn parse_resample(text: &str) -> Result<Resample, String> {
    match text {
        "auto" => Ok(Resample::Auto),
        "never" => Ok(Resample::Never),
        _ => positive(text).map(Resample::Hertz).ok_or("use auto, never, or a rate in Hz".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_are_both_understood() {
        assert_eq!(parse_cutoff("40"), Ok(Cutoff::Hertz(40.0)));
        assert!(parse_cutoff("-3").is_err() && parse_cutoff("inf").is_err());
        let stages = vec![(5, Decimation::UnitChebyshev), (4, Decimation::UnitChebyshev)];
        assert_eq!(parse_thinning("5x4"), Ok(Thinning::By(stages)));
        assert!(parse_thinning("0").is_err() && parse_thinning("5x").is_err());
        assert_eq!(parse_trim("0.5"), Ok(Trim::Seconds(0.5)));
        assert_eq!(parse_resample("never"), Ok(Resample::Never));
    }
}
