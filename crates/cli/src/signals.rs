//! What is done to recorded signals before anything is identified from them; the same for
//! every command that reads logs.

use clap::Args;
use steiner::logs::{Cutoff, Processing, Resample, Thinning, Trim};

use crate::parse::parse_part;

#[derive(Args, Debug)]
#[command(next_help_heading = "Signals")]
pub(crate) struct SignalArguments {
    /// Cut-off frequency of the zero-phase low-pass filter: auto (by cross-validation), off, or Hz.
    #[arg(long, value_name = "HZ", default_value = "auto")]
    cutoff: Cutoff,
    /// Order of that filter, for each direction.
    #[arg(long, value_name = "N", default_value_t = 4)]
    filter_order: usize,
    /// Leave forces and wrenches unfiltered.
    #[arg(long)]
    raw_forces: bool,
    /// Thinning of the samples: auto (keep as many as the cut-off needs), off, or a factor (10, or 5x5).
    #[arg(long, value_name = "HOW", default_value = "auto")]
    thin: Thinning,
    /// What is cut off at both ends, where filters have not settled: auto, or seconds.
    #[arg(long, value_name = "SECONDS", default_value = "auto")]
    trim: Trim,
    /// Whether uneven samples are made even: auto, never, or at this rate in Hz.
    #[arg(long, value_name = "HZ", default_value = "auto")]
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
    /// Leave out samples in which a joint with dry friction is slower than this part of its RMS speed; 0: none.
    #[arg(long, value_name = "PART", default_value_t = 0.02, value_parser = parse_part)]
    rest: f64,
}

impl SignalArguments {
    /// Whether ends were asked to be cut off.
    pub(crate) fn trims(&self) -> bool {
        match self.trim {
            Trim::Auto => false,
            Trim::Seconds(seconds) => seconds > 0.0,
            Trim::Samples(samples) => samples > 0,
        }
    }

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
