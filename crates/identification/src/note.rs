//! What the user should know about an identification.

use std::path::PathBuf;

use steiner_identifiability::AnalysisNote;

use crate::friction_trials::FrictionTrials;
use crate::identified_file::FileNote;
use crate::payload::Payload;
use crate::recorded_logs::{CutoffTrials, NoteOfLog};
use crate::setting_note::{SettingNote, Spelling};

/// A remark about an identification. Documents write the words.
#[derive(Clone, Debug, PartialEq)]
pub enum IdentificationNote {
    /// What became of a setting.
    Setting {
        /// The note about a setting.
        note: SettingNote,
        /// How settings are spelt where the identification was asked for.
        spelling: Spelling,
    },
    /// What was done to the logs, or looks strange in them.
    Log(NoteOfLog),
    /// Held-out samples repeat the motion of the training samples.
    HeldOutRepeats {
        /// After which time, s.
        period: f64,
    },
    /// A log was recorded with a known load.
    KnownLoad {
        /// The log.
        log: PathBuf,
        /// The link that carried it.
        link: String,
        /// kg.
        mass: f64,
        /// Its centre of mass in the link's frame, m.
        com: [f64; 3],
    },
    /// A log was recorded with an unknown load; it was not identified from, and the identified robot weighs it.
    Weighed {
        /// The log.
        log: PathBuf,
        /// The load.
        payload: Box<Payload>,
    },
    /// What became of a written file.
    File(FileNote),
    /// What was remarked about the base parameters.
    Analysis(AnalysisNote),
    /// A parameter beside those of bodies and drives has no effect on what is measured.
    NoEffect {
        /// Label of the parameter, as in `link1.mx`.
        label: String,
    },
    /// A parameter beside those of bodies and drives cannot be separated from others.
    Regrouped {
        /// Label of the parameter, as in `link1.mx`.
        label: String,
        /// The labels of the base parameters that take it up.
        into: Vec<String>,
    },
    /// The file gives a body the inertia of a point: that of a ball stands for it where the log says nothing.
    Thickened {
        /// Name of the link.
        link: String,
    },
    /// The file gives no inertia that a body could have: a ball stands for it where the log says nothing.
    Replaced {
        /// Name of the link.
        link: String,
        /// Mass of the ball, kg.
        mass: f64,
    },
    /// Forces do not count while a joint with dry friction stands.
    Standing {
        /// Rows of which nothing counts: their joints never move.
        still: Vec<String>,
        /// Of the others: speeds below which rows do not count, rad/s or m/s, least and greatest.
        speed: (f64, f64),
        /// Share of the samples for training that this leaves out, least and greatest over the rows.
        training: Option<(f64, f64)>,
        /// Share of the samples held out for validation.
        validation: Option<(f64, f64)>,
    },
    /// Forces were shifted onto their motion.
    Aligned {
        /// Those whose own lag is not seen, and that are taken to be as late as the others.
        alike: Vec<String>,
        /// (joint, how much later than the motion its force was recorded, s).
        rows: Vec<(String, f64)>,
    },
    /// Cut-offs were tried on blocks left out.
    CutoffTried(CutoffTrials),
    /// Terms of friction were tried on blocks left out, and some chosen.
    FrictionChosen(FrictionTrials),
    /// Forces were filtered, but not the dry friction of these drives.
    FrictionNotFiltered {
        /// Joints of the drives.
        drives: Vec<String>,
    },
    /// Parameters were fitted by simulated motion.
    Simulated {
        /// How many windows were simulated.
        windows: usize,
        /// Their length, s.
        seconds: f64,
        /// Steps of the simulation per second.
        rate: f64,
        /// Steps towards the optimum.
        steps: usize,
        /// How far the next step would move the estimate, in standard deviations.
        distance: f64,
        /// For each joint the root mean square of simulated minus recorded position, rad or m, and that with the
        /// parameters of least squares (NaN if they lose the motion).
        deviations: Vec<(String, f64, f64)>,
    },
    /// The log shows some base parameters only; the others keep the file's values.
    PartlyShown {
        /// How many it shows.
        shown: usize,
        /// How many there are.
        of: usize,
    },
}

/// A remark about a comparison of two robots. Documents write the words.
#[derive(Clone, Debug, PartialEq)]
pub enum ComparisonNote {
    /// What became of a setting.
    Setting {
        /// The note about a setting.
        note: SettingNote,
        /// How settings are spelt where the comparison was asked for.
        spelling: Spelling,
    },
    /// What was done to the logs, or looks strange in them.
    Log(NoteOfLog),
    /// Only one of the robots has some measured rows: they are not compared.
    OnlyOneHas {
        /// What that robot is called.
        robot: String,
        /// Names of the measured rows.
        rows: Vec<String>,
    },
    /// Nothing of what is measured feels the drives: none were fitted.
    NoDrivesMeasured,
}
