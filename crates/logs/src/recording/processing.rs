//! What is done to a log before it is a recording, and what the defaults became.

use crate::error::LogError;
use crate::friction::FrictionModel;
use crate::signals::Decimation;

/// Where the low-pass filter ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cutoff {
    /// Chosen from the spectra where something must be derived
    /// ([`crate::signals::choose_cutoff`]); no filter otherwise.
    Auto,
    /// So many times what the spectra suggest: what trials with a model made of [`Cutoff::Auto`].
    Scaled(f64),
    /// No filter.
    Off,
    /// Hz.
    Hertz(f64),
}

/// How much is cut off at the borders of each stretch without gaps, where filters have not settled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trim {
    /// Two and a half periods of the cut-off, after which 0.3 % of what the border disturbs is left;
    /// at most a twentieth of the log.
    Auto,
    /// Samples, at each end.
    Samples(usize),
    /// Seconds, at each end.
    Seconds(f64),
}

/// How samples are thinned out.
#[derive(Clone, Debug, PartialEq)]
pub enum Thinning {
    /// With a filter: until the cut-off is 0.8 of the new Nyquist frequency, so that what is left of noise is
    /// nearly white. Without: not at all.
    Auto,
    /// With a filter: until the cut-off is this part of the new Nyquist frequency. Without: not at all.
    To(f64),
    /// Not at all.
    Off,
    /// In stages of these factors.
    By(Vec<(usize, Decimation)>),
}

/// Whether uneven samples are made even.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Resample {
    /// Where the stamps deviate from even ones by more than a hundredth of the interval, or single samples
    /// are missing, and something must be filtered or derived.
    Auto,
    /// Never; derivatives of uneven samples are those of parabolas.
    Never,
    /// Always, at this rate in Hz.
    Hertz(f64),
}

/// What is done to a log before it is a [`Recording`](crate::Recording).
#[derive(Clone, Debug, PartialEq)]
pub struct Processing {
    /// The low-pass filter's end; default [`Cutoff::Auto`].
    pub cutoff: Cutoff,
    /// Its order in one pass (it runs forwards and backwards); default 4.
    pub order: usize,
    /// Samples reflected at each end before filtering; default `None`: as many as the filter remembers.
    pub padding: Option<usize>,
    /// Whether forces and wrenches are filtered with the motion, and dry friction with them; default yes.
    /// Without, dry friction follows from the velocities as they become, filtered and thinned out.
    pub filter_forces: bool,
    /// The dry friction whose signals are filtered and thinned out with the forces
    /// ([`Recording::friction`](crate::Recording::friction)); default sign(q̇) of every
    /// joint whose force was recorded.
    pub friction: FrictionModel,
    /// Order of central differences, 2, 4, 6 or 8; default 8.
    pub differences: usize,
    /// Derive velocities and accelerations even where they are recorded; default no.
    pub derive: bool,
    /// What is cut off at the borders; default [`Trim::Auto`].
    pub trim: Trim,
    /// How samples are thinned out; default [`Thinning::Auto`].
    pub thinning: Thinning,
    /// Whether uneven samples are made even; default [`Resample::Auto`].
    pub resample: Resample,
    /// Only what was recorded from this time on, s.
    pub from: Option<f64>,
    /// Only what was recorded up to this time, s.
    pub to: Option<f64>,
    /// Leave out rows with entries that are no finite numbers, with a note, instead
    /// of refusing the log; default no.
    pub skip_bad_rows: bool,
    /// A joint slower than this part of its usual speed (root mean square) counts as standing; default 0.02,
    /// 0 for never. One that stays within [`STILL`](crate::STILL) stands. See
    /// [`Recording::rest`](crate::Recording::rest).
    pub rest: f64,
}

impl Default for Processing {
    fn default() -> Self {
        Processing {
            cutoff: Cutoff::Auto,
            order: 4,
            padding: None,
            filter_forces: true,
            friction: FrictionModel::default(),
            differences: 8,
            derive: false,
            trim: Trim::Auto,
            thinning: Thinning::Auto,
            resample: Resample::Auto,
            from: None,
            to: None,
            skip_bad_rows: false,
            rest: 0.02,
        }
    }
}

impl Cutoff {
    /// Whether spectra decide.
    pub fn is_from_spectra(self) -> bool {
        matches!(self, Cutoff::Auto | Cutoff::Scaled(_))
    }
}

impl Processing {
    /// Nothing filtered, resampled or thinned out: what is not recorded comes from
    /// parabolas through three samples each.
    pub fn as_recorded() -> Self {
        Processing {
            cutoff: Cutoff::Off,
            differences: 2,
            trim: Trim::Samples(0),
            thinning: Thinning::Off,
            resample: Resample::Never,
            rest: 0.0,
            ..Processing::default()
        }
    }

    /// " in the time that is wanted", if not all is.
    pub(crate) fn window_in_words(&self) -> String {
        match (self.from, self.to) {
            (None, None) => String::new(),
            _ => " in the time that is wanted".to_owned(),
        }
    }

    pub(crate) fn check(&self) -> Result<(), LogError> {
        let wrong = |setting, problem: String, remedy: &str| {
            Err(LogError::Setting { setting, problem, remedy: remedy.to_owned() })
        };
        if let Cutoff::Hertz(cutoff) = self.cutoff
            && !(cutoff.is_finite() && cutoff > 0.0)
        {
            return wrong("cutoff", format!("{cutoff} Hz is no cut-off"), "give a positive frequency");
        }
        if let Cutoff::Scaled(times) = self.cutoff
            && !(times.is_finite() && times > 0.0)
        {
            return wrong(
                "cutoff",
                format!("{times} times the usual cut-off is none"),
                "give a positive number",
            );
        }
        if !(1..=20).contains(&self.order) {
            return wrong(
                "order",
                format!("a filter of order {} is not of use", self.order),
                "choose 1 to 20",
            );
        }
        if !matches!(self.differences, 2 | 4 | 6 | 8) {
            return wrong(
                "differences",
                format!("there is no order {}", self.differences),
                "choose 2, 4, 6 or 8",
            );
        }
        if let Trim::Seconds(seconds) = self.trim
            && !(seconds.is_finite() && seconds >= 0.0)
        {
            return wrong("trim", format!("{seconds} s cannot be cut off"), "give 0 or more");
        }
        if let Thinning::By(stages) = &self.thinning
            && stages.iter().any(|(factor, _)| *factor == 0)
        {
            return wrong("decimate", "a factor of 0 leaves nothing".to_owned(), "choose 1 or more");
        }
        if let Resample::Hertz(rate) = self.resample
            && !(rate.is_finite() && rate > 0.0)
        {
            return wrong("resample", format!("{rate} Hz is no rate"), "give samples per second");
        }
        if !(0.0..1.0).contains(&self.rest) {
            return wrong(
                "rest",
                format!("{} is no part of a joint's usual speed", self.rest),
                "choose 0 to below 1",
            );
        }
        if let (Some(from), Some(to)) = (self.from, self.to)
            && from >= to
        {
            return wrong("from", format!("{from} s is not before {to} s"), "swap them");
        }
        Ok(())
    }
}

/// What the settings became for one log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settled {
    /// Samples per second before thinning out, Hz; `None` without a clock.
    pub rate: Option<f64>,
    /// The low-pass filter's end, Hz.
    pub cutoff: Option<f64>,
    /// Whether the samples were made even by interpolation.
    pub resampled: bool,
    /// How long the longest stretch without a gap lasts among the rows that decide, s; 0 if nobody asked.
    pub longest_stretch: f64,
    /// Samples cut off at each end of each stretch.
    pub trim: usize,
    /// How samples were thinned out.
    pub stages: Vec<(usize, Decimation)>,
    /// Coordinates whose velocity was derived.
    pub derived_velocities: Vec<String>,
    /// Coordinates whose acceleration was derived.
    pub derived_accelerations: Vec<String>,
    /// For each independent coordinate the speed below which it stands, rad/s or
    /// m/s; 0 where that is not known.
    pub rest: Vec<f64>,
}

impl Settled {
    /// How many samples become one.
    pub fn factor(&self) -> usize {
        self.stages.iter().map(|(factor, _)| factor).product()
    }
}
