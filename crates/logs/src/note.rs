//! What is said about a log: data, which others put into words.

use crate::rate_fault::RateDisagreement;

/// What was done to a log, or looks strange in it.
#[derive(Clone, Debug, PartialEq)]
pub enum LogNote {
    /// How a file was read.
    Reading(ReadingNote),
    /// What was done to the samples.
    Processing(ProcessingNote),
    /// Numbers that look strange, as of another unit.
    Suspicion(Suspicion),
}

impl LogNote {
    /// Whether it says itself which file it is about.
    pub fn names_file(&self) -> bool {
        matches!(self, LogNote::Reading(_))
    }
}

impl From<ReadingNote> for LogNote {
    fn from(note: ReadingNote) -> Self {
        LogNote::Reading(note)
    }
}

impl From<ProcessingNote> for LogNote {
    fn from(note: ProcessingNote) -> Self {
        LogNote::Processing(note)
    }
}

impl From<Suspicion> for LogNote {
    fn from(note: Suspicion) -> Self {
        LogNote::Suspicion(note)
    }
}

/// How a file was read.
#[derive(Clone, Debug, PartialEq)]
pub enum ReadingNote {
    /// The last line of a text file was cut short and left out.
    LastLineCut {
        /// Name of the file.
        file: String,
        /// Number of its last line.
        line: usize,
    },
    /// A file ends in the middle; what stands before was taken.
    EndsEarly {
        /// Name of the file.
        file: String,
        /// What is at its end.
        found: String,
    },
    /// A LeRobot dataset.
    Dataset {
        /// Its folder.
        file: String,
        /// Number of episodes, if it says so.
        episodes: Option<u64>,
        /// Frames per second.
        rate: f64,
        /// (feature, what it is read as: `q`, `qd`, `tau`).
        read_as: Vec<(String, &'static str)>,
    },
    /// A column of lists was left out.
    Lists {
        /// Name of the file.
        file: String,
        /// Name of the column.
        column: String,
    },
    /// Stamps of a column count from the first of them.
    FromFirstStamp {
        /// Name of the file.
        file: String,
        /// Name of the column.
        column: String,
    },
    /// An array without numbers was left out.
    ArrayLeftOut {
        /// Name of the file.
        file: String,
        /// Name of the array.
        array: String,
        /// What it is instead.
        holds: NoNumbers,
    },
    /// An array with a column per sample was read transposed.
    Transposed {
        /// Name of the file.
        file: String,
        /// Name of the array.
        array: String,
    },
    /// A topic was left out because another tells of the same joints.
    TopicLeftOut {
        /// Name of the bag.
        file: String,
        /// Name of the topic.
        topic: String,
        /// Name of the other file or topic.
        other: String,
    },
    /// A signal of a bag was interpolated onto the stamps of another topic.
    SignalInterpolated {
        /// Name of the bag.
        file: String,
        /// What the signal is.
        signal: BagSignal,
        /// Name of its topic.
        topic: String,
        /// Name of the other topic.
        onto: String,
    },
    /// Messages bear no stamps: the time of recording was taken.
    NoStamps {
        /// Name of the bag.
        file: String,
        /// Name of their topic.
        topic: String,
    },
    /// States of joints that come late in a bag were left out.
    LateJoints {
        /// Name of the bag.
        file: String,
        /// Name of their topic.
        topic: String,
        /// Names of the joints.
        joints: Vec<String>,
    },
    /// Rows were left out because a topic says nothing around their time.
    TopicSilent {
        /// Name of the bag.
        file: String,
        /// Name of the topic.
        topic: String,
        /// Number of rows left out.
        rows: u64,
    },
    /// Columns of joints whose unit the mapping converts were left out, since it does not mention them.
    NotMapped {
        /// Name of the file.
        file: String,
        /// Names of the columns.
        columns: Vec<String>,
    },
    /// A file with a clock of its own was interpolated onto the stamps of another.
    FileInterpolated {
        /// Name of the file.
        file: String,
        /// Name of the other file or topic.
        onto: String,
    },
    /// Rows were left out because a file says nothing around their time.
    FileSilent {
        /// Name of the file.
        file: String,
        /// Number of rows left out.
        rows: u64,
    },
    /// Columns of joints the robot does not have were not used.
    NotOfRobot {
        /// Name of the file.
        file: String,
        /// Names of the columns.
        columns: Vec<String>,
        /// Name of the robot.
        robot: String,
    },
    /// Joints with a motor have no force, though others have one.
    MissingForces {
        /// Name of the file.
        file: String,
        /// Names of the columns that are not there, each with one that is not used and has nearly its name.
        columns: Vec<(String, Option<String>)>,
    },
    /// Forces of joints that follow others were not used.
    DependentForces {
        /// Name of the file.
        file: String,
        /// Names of their columns.
        columns: Vec<String>,
        /// Names of the independent coordinates.
        independent: Vec<String>,
    },
    /// Rows with entries that are no numbers were left out.
    BadRows {
        /// Number of rows.
        rows: u64,
        /// Where the first is.
        first: String,
    },
    /// Rows with the time of the row before were left out.
    RepeatedTimes {
        /// Number of rows.
        rows: u64,
        /// Where the first is.
        first: String,
        /// Time of that row, s.
        time: f64,
    },
    /// Rows that repeat the one before, while the robot moved on, were left out.
    StaleRows {
        /// Number of rows.
        rows: u64,
        /// Time of the first, s.
        time: f64,
    },
    /// There is no clock: rows were taken as they come.
    NoClock {
        /// Name of the file.
        file: String,
    },
}

/// What was done to the samples of a log.
#[derive(Clone, Debug, PartialEq)]
pub enum ProcessingNote {
    /// Jumps of an angle by whole turns were undone.
    TurnsUndone {
        /// Name of its column.
        column: String,
    },
    /// The clock pauses: filters and derivatives start anew.
    Pauses {
        /// Number of pauses.
        times: usize,
        /// The longest pause, s.
        longest: f64,
        /// When that began, s.
        after: f64,
    },
    /// Stretches between gaps were too short to be filtered.
    ShortStretches {
        /// Number of stretches.
        stretches: usize,
        /// Samples of all of them.
        all: usize,
        /// Samples of the first.
        samples: usize,
        /// When that began, s.
        time: f64,
    },
    /// Samples were even but stamped late: the stamps were replaced by an even clock.
    LateStamps {
        /// Rate of the clock, Hz.
        rate: f64,
        /// How much later the latest stamp is than the earliest, s.
        latest: f64,
        /// How much smoother the positions are in its time.
        smoother: f64,
    },
    /// Samples were interpolated to even ones.
    Resampled {
        /// Rate of the even samples, Hz.
        rate: f64,
        /// What was wrong with the stamps; `None` where it was asked for.
        uneven: Option<UnevenStamps>,
    },
    /// The spectra show no noise worth filtering: derivatives were taken unfiltered.
    NoNoise,
    /// The log is too short to choose a cut-off: derivatives were taken unfiltered.
    TooShortForCutoff,
    /// Motion, and forces if so, were low-pass filtered.
    Filtered {
        /// Whether forces were as well.
        forces: bool,
        /// Cut-off frequency of the filter, Hz.
        cutoff: f64,
        /// Order of the filter in one pass.
        order: usize,
        /// Greatest expected error of accelerations relative to the motion's, where
        /// the spectra chose the cut-off.
        expected_error: Option<f64>,
    },
    /// The cut-off that was asked for is below the end of the motion.
    CutsMotion {
        /// Cut-off frequency of the filter, Hz.
        cutoff: f64,
        /// The coordinate that loses most.
        coordinate: String,
        /// The part of its acceleration (root mean square) that is lost, from 0 to 1.
        part: f64,
    },
    /// Velocities or accelerations were derived.
    Derived {
        /// Velocities or accelerations.
        what: DerivedQuantity,
        /// Of these coordinates; empty: of all.
        of: Vec<String>,
        /// Whether that was asked for; otherwise they were not recorded.
        asked: bool,
        /// Order of the central differences.
        differences: usize,
        /// Whether they come behind a filter.
        filtered: bool,
    },
    /// The borders, where the filter has not settled, were cut off.
    BordersCut {
        /// Seconds, at both ends.
        seconds: f64,
    },
    /// Samples were thinned out.
    Thinned {
        /// How many became one.
        factor: usize,
        /// Samples per second that are left, Hz.
        rate: f64,
    },
    /// A wrench was taken as what the sensor inside a joint measures, since that was asked for.
    WrenchOfSensor {
        /// The name of its columns.
        place: String,
        /// Name of the joint.
        joint: String,
        /// The link it could have acted on.
        link: String,
    },
    /// Wrenches with names of both links and joints were taken as what the environment exerts on the links.
    WrenchesOfLinks {
        /// Names that are both links and joints.
        places: Vec<String>,
    },
}

/// What looks strange in a log.
#[derive(Clone, Debug, PartialEq)]
pub enum Suspicion {
    /// Numbers are larger than they can be: of another unit?
    OtherUnit {
        /// Name of their column.
        column: String,
        /// How far they reach.
        reach: f64,
        /// The robot's limit, where it has one.
        limit: Option<f64>,
        /// What they may be.
        unit: LikelyUnit,
    },
    /// Joints never move.
    NeverMoves {
        /// Names of the joints.
        joints: Vec<String>,
    },
    /// A force is zero throughout.
    NoForce {
        /// Name of its column.
        column: String,
    },
    /// Positions jump between small steps.
    Jumps {
        /// Names of the columns that jump at the same times.
        columns: Vec<String>,
        /// How often.
        times: usize,
        /// The longest jump, rad or m.
        size: f64,
        /// When the first was, s.
        first: f64,
    },
    /// A force stands at one value while its joint moves.
    Frozen {
        /// Name of its column.
        column: String,
        /// For which part of the samples.
        share: f64,
    },
    /// A force stands at its greatest or least value again and again, as at a limit.
    Clipped {
        /// Name of its column.
        column: String,
        /// The value, N·m or N.
        at: f64,
        /// For which part of the samples.
        share: f64,
    },
    /// Recorded rates are not those of what was recorded with them.
    Rates(RateDisagreement),
    /// The clock goes in steps so long that they may be milliseconds.
    LongSteps {
        /// Interval between two stamps, s.
        interval: f64,
    },
}

/// Why an array is not part of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoNumbers {
    /// It is no array.
    NoArray,
    /// It holds records, not numbers.
    Records,
    /// It holds this kind of things, in NumPy's words.
    Kind(String),
}

/// A signal of a bag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BagSignal {
    /// The wrench of a contact.
    Wrench(String),
    /// States of joints.
    Joints(Vec<String>),
}

/// How far stamps are from even ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnevenStamps {
    /// Deviation, in intervals.
    pub jitter: f64,
    /// Single samples that are missing.
    pub missing: usize,
}

/// What is derived from positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum DerivedQuantity {
    Velocities,
    Accelerations,
}

/// The unit that numbers may have instead of the one of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum LikelyUnit {
    Degrees,
    Millimetres,
    DegreesPerSecond,
    MillimetresPerSecond,
    /// N·mm, or a current in mA.
    NewtonMillimetres,
    /// mN, or a current in mA.
    Millinewtons,
}
