//! What is said about logs, in words.

use steiner_identification::NoteOfLog;
use steiner_logs::signals::significant;
use steiner_logs::{
    BagSignal, DerivedQuantity, LikelyUnit, LogNote, NoNumbers, ProcessingNote, RateDisagreement, RateFault,
    ReadingNote, Suspicion, UnevenStamps,
};

use crate::words::{count, number, percent};

/// Sentences about several logs; each names its log where that is not clear.
pub fn log_notes(notes: &[NoteOfLog]) -> Vec<String> {
    notes.iter().map(note_of_log).collect()
}

/// A sentence about one of several logs.
pub(crate) fn note_of_log(NoteOfLog { file, note }: &NoteOfLog) -> String {
    match file {
        Some(file) => format!("{}: {}", file.display(), log_note(note)),
        None => log_note(note),
    }
}

/// A sentence about a log.
pub fn log_note(note: &LogNote) -> String {
    match note {
        LogNote::Reading(note) => reading(note),
        LogNote::Processing(note) => processing(note),
        LogNote::Suspicion(note) => suspicion(note),
    }
}

/// About files, their columns and rows.
fn reading(note: &ReadingNote) -> String {
    match note {
        ReadingNote::LastLineCut { file, line } => {
            format!("{file}: the last line ({line}) is cut short and left out")
        }
        ReadingNote::EndsEarly { file, found } => {
            format!("{file} ends in the middle ({found}): what stands before is taken")
        }
        ReadingNote::Dataset { file, episodes, rate, read_as } => {
            let episodes = episodes.map_or(String::new(), |n| format!(" of {n} episodes"));
            let read: Vec<String> =
                read_as.iter().map(|(name, what)| format!("{name} is read as {what}")).collect();
            let read = if read.is_empty() { "no feature is read".to_owned() } else { read.join(", ") };
            let forces = match read_as.iter().any(|(_, what)| *what == "tau") {
                true => "",
                false => "; it has no torques",
            };
            format!("{file}: LeRobot dataset{episodes}, {rate} frames per second: {read}{forces}")
        }
        ReadingNote::Lists { file, column } => {
            format!(
                "{file}: `{column}` holds lists of lists, or too long ones, and is left out; write one column per number"
            )
        }
        ReadingNote::FromFirstStamp { file, column } => {
            format!("{file}: `{column}` counts from its first stamp")
        }
        ReadingNote::ArrayLeftOut { file, array, holds } => {
            let why = match holds {
                NoNumbers::NoArray => "is no array".to_owned(),
                NoNumbers::Records => "holds records, not numbers".to_owned(),
                NoNumbers::Kind(kind) => format!("holds `{kind}`, not real numbers"),
            };
            format!("{file}: `{array}` {why}, and is left out")
        }
        ReadingNote::Transposed { file, array } => {
            format!("{file}: `{array}` has a column per sample and is read transposed")
        }
        ReadingNote::TopicLeftOut { file, topic, other } => {
            format!("{file}: {topic} is left out, its joints are in {other} too")
        }
        ReadingNote::SignalInterpolated { file, signal, topic, onto } => {
            let what = match signal {
                BagSignal::Wrench(contact) => format!("the wrench of `{contact}`"),
                BagSignal::Joints(joints) => joints.join(", "),
            };
            format!("{file}: {what} ({topic}) is interpolated onto the stamps of {onto}")
        }
        ReadingNote::NoStamps { file, topic } => {
            format!("{file}: the messages of {topic} bear no stamps: the time of recording is taken")
        }
        ReadingNote::LateJoints { file, topic, joints } => {
            let joints = joints.join(", ");
            format!("{file}: joint states of {joints} in {topic} come late and are left out")
        }
        ReadingNote::TopicSilent { file, topic, rows } => {
            format!("{file}: {}", left_out(*rows, topic))
        }
        ReadingNote::NotMapped { file, columns } => format!(
            "{file}: {} is left out: the mapping converts the unit of these joints and does not mention it; add it to [columns] with its unit",
            some_of(columns)
        ),
        ReadingNote::FileInterpolated { file, onto } => {
            format!("{file} is interpolated onto the stamps of {onto}")
        }
        ReadingNote::FileSilent { file, rows } => left_out(*rows, file),
        ReadingNote::MissingForces { file, columns } => {
            let one = |(column, near): &(String, Option<String>)| match near {
                Some(near) => format!("{column} (did you mean {near}, which is not used?)"),
                None => column.clone(),
            };
            let (no, their) = match &columns[..] {
                [_] => ("no column", "this force is"),
                _ => ("no columns", "these forces are"),
            };
            let columns: Vec<String> = columns.iter().map(one).collect();
            format!("{file} has {no} {}: {their} taken as unknown", some_of(&columns))
        }
        ReadingNote::NotOfRobot { file, columns, robot } => {
            format!("{file}: {} is not of {robot} and not used", some_of(columns))
        }
        ReadingNote::DependentForces { file, columns, independent } => format!(
            "{file}: {} is not used: forces are taken at the independent coordinates {}",
            some_of(columns),
            independent.join(", ")
        ),
        ReadingNote::BadRows { rows, first } => {
            format!("{} with entries that are no numbers left out (first: {first})", rows_in_words(*rows))
        }
        ReadingNote::RepeatedTimes { rows, first, time } => {
            let rows = rows_in_words(*rows);
            format!("{rows} with the time of the row before left out (first: {first}, {time} s)")
        }
        ReadingNote::StaleRows { rows, time } => format!(
            "{} left out, which repeat the row before although the robot moved on (first at {} s): the recorder was not fed",
            rows_in_words(*rows),
            significant(*time, 6)
        ),
        ReadingNote::NoClock { file } => {
            format!("{file}: there is no column `t`: rows are taken as they come")
        }
    }
}

/// About what was done to samples.
fn processing(note: &ProcessingNote) -> String {
    match note {
        ProcessingNote::TurnsUndone { column } => format!("{column} jumps by whole turns: they are undone"),
        ProcessingNote::Pauses { times, longest, after } => {
            let times = if *times == 1 { "once".to_owned() } else { format!("{times} times") };
            let (longest, after) = (significant(*longest, 4), significant(*after, 6));
            format!(
                "the clock pauses {times} (longest {longest} s, after {after} s): filters and derivatives start anew there"
            )
        }
        ProcessingNote::ShortStretches { stretches, all, samples, time } => format!(
            "{stretches} stretches between gaps are too short to be filtered and left out, {all} samples together (the first, of {samples} samples, at {} s)",
            significant(*time, 6)
        ),
        ProcessingNote::LateStamps { rate, latest, smoother } => format!(
            "time stamps are up to {} ms later than an even clock of {} Hz, with which positions are {} times smoother: it takes their place",
            significant(1e3 * latest, 3),
            significant(*rate, 6),
            significant(*smoother, 2)
        ),
        ProcessingNote::Resampled { rate, uneven } => {
            let why = uneven.map_or_else(|| "as asked for".to_owned(), |stamps| unevenness(&stamps));
            format!("samples are interpolated to {} Hz: {why}", significant(*rate, 6))
        }
        ProcessingNote::NoNoise => {
            "the spectra show no noise worth filtering: derivatives are taken unfiltered".to_owned()
        }
        ProcessingNote::TooShortForCutoff => {
            "the log is too short to choose a cut-off: derivatives are taken unfiltered".to_owned()
        }
        ProcessingNote::Filtered { forces, cutoff, order, expected_error } => {
            let what = if *forces { "motion and forces are" } else { "the motion is" };
            let how = expected_error.map_or_else(String::new, |error| {
                format!(
                    ", above which the spectra of the accelerations show noise rather than motion (expected error of accelerations up to {:.2} %)",
                    100.0 * error
                )
            });
            format!(
                "{what} low-pass filtered at {cutoff} Hz (Butterworth, order {order}, forwards and backwards){how}"
            )
        }
        ProcessingNote::CutsMotion { cutoff, coordinate, part } => format!(
            "the cut-off of {cutoff} Hz is below the end of the motion: it takes {:.0} % off the acceleration of {coordinate}; what only fast motion shows is lost, so try a higher --cutoff, or none of your own",
            100.0 * part
        ),
        ProcessingNote::Derived { what, of, asked, differences, filtered } => {
            let what = match what {
                DerivedQuantity::Velocities => "velocities",
                DerivedQuantity::Accelerations => "accelerations",
            };
            let whose = if of.is_empty() { String::new() } else { format!(" of {}", of.join(", ")) };
            let why = if *asked { "derived as asked for" } else { "not recorded" };
            let how = match (filtered, differences) {
                (true, order) => format!("central differences of order {order} of the filtered signals"),
                (false, 2) => "central differences, unfiltered".to_owned(),
                (false, order) => format!("central differences of order {order}, unfiltered"),
            };
            format!("{what}{whose} are {why}: {how}")
        }
        ProcessingNote::BordersCut { seconds } => format!(
            "{} s are cut off at both ends, where the filter has not settled",
            significant(*seconds, 3)
        ),
        ProcessingNote::Thinned { factor, rate } => {
            format!("one sample of {factor} is kept ({} Hz)", significant(*rate, 6))
        }
        ProcessingNote::WrenchOfSensor { place, joint, link } => format!(
            "wrench_{place}_… is taken as what the sensor inside joint {joint} measures, for that is asked for, and not as a contact of link {link}"
        ),
        ProcessingNote::WrenchesOfLinks { places } => format!(
            "the wrenches of {} are taken as what the environment exerts on the links of that name; if a sensor inside the joint measured one, ask for it, as in all+wrench:{}",
            places.join(", "),
            places.first().map_or("joint", String::as_str)
        ),
    }
}

/// About numbers that look strange.
fn suspicion(note: &Suspicion) -> String {
    match note {
        Suspicion::OtherUnit { column, reach, limit, unit } => {
            let limit = limit.map_or_else(String::new, |limit| format!(", its limit is {limit}"));
            let unit = match unit {
                LikelyUnit::Degrees => "degrees",
                LikelyUnit::Millimetres => "millimetres",
                LikelyUnit::DegreesPerSecond => "degrees per second",
                LikelyUnit::MillimetresPerSecond => "millimetres per second",
                LikelyUnit::NewtonMillimetres => "N·mm, or a current in mA",
                LikelyUnit::Millinewtons => "mN, or a current in mA",
            };
            format!("{column} reaches {reach}{limit}: {unit}? a mapping file can give its unit")
        }
        Suspicion::NeverMoves { joints } => match &joints[..] {
            [joint] => format!(
                "q_{joint} never moves: parameters that only its motion excites are not identifiable from this log"
            ),
            _ => {
                format!(
                    "{} never move: parameters that only their motion excites are not identifiable from this log",
                    joints.join(", ")
                )
            }
        },
        Suspicion::Rates(disagreement) => rates(disagreement),
        Suspicion::Jumps { columns, times, size, first } => {
            let (verb, all) = match columns.len() {
                1 => ("jumps", ""),
                _ => ("jump", " together"),
            };
            let often = if *times == 1 {
                format!("at {} s", significant(*first, 6))
            } else {
                format!("{times} times (first at {} s)", significant(*first, 6))
            };
            format!(
                "{} {verb}{all} {often}, by up to {} between small steps: look for missing rows, positions that stood still, \
                 spikes, a slipping encoder; leave these samples out",
                some_of(columns),
                number(*size, 3)
            )
        }
        Suspicion::Frozen { column, share } => format!(
            "{column} stands at one value for {} of the samples while its joint moves: check the recording, or leave \
             these samples out",
            percent(*share)
        ),
        Suspicion::Clipped { column, at, share } => format!(
            "{column} stands at its limit, {}, for {} of the samples: if the drive was at its limit, all is well; if the \
             sensor was, leave these samples out or move more gently",
            number(*at, 4),
            percent(*share)
        ),
        Suspicion::NoForce { column } => {
            format!(
                "{column} is 0 throughout: was it recorded? If nothing drives the joint, mark it as passive in the robot file"
            )
        }
        Suspicion::LongSteps { interval } => {
            let unit = clock_unit(*interval);
            format!(
                "t goes in steps of {} s: {unit}? a mapping file can give its unit",
                significant(*interval, 4)
            )
        }
    }
}

/// About recorded rates that are none.
pub(crate) fn rates(
    RateDisagreement { columns, acceleration, relative, fault }: &RateDisagreement,
) -> String {
    let (what, of) = match acceleration {
        true => ("accelerations", "velocities"),
        false => ("velocities", "positions"),
    };
    let most = if columns.len() > 1 { "up to " } else { "" };
    let seen = format!(
        "{}: the recorded {what} differ from the rates of the {of} by {most}{}",
        some_of(columns),
        percent(*relative)
    );
    let derive = format!("have the {what} derived");
    match fault {
        RateFault::Late { seconds } => {
            let when = if *seconds > 0.0 { "late" } else { "early" };
            let milliseconds = significant(1000.0 * seconds.abs(), 2);
            format!(
                "{seen}; they come {most}{milliseconds} ms too {when}: look at filters and time stamps, or {derive}"
            )
        }
        RateFault::Factor { factor } => format!(
            "{seen}; they are {} times what they should be: give unit and sign in a mapping file, or {derive}",
            significant(*factor, 4)
        ),
        RateFault::WorldAxes => {
            format!("{seen}; they are in world axes: turn them into the axes of the body (Rᵀ), or {derive}")
        }
        RateFault::PointAcceleration => format!(
            "{seen}; they are Rᵀ p̈: take ω × v off, for the rate of the velocity in body axes, or {derive}"
        ),
        RateFault::Accelerometer { gravity } => format!(
            "{seen}; a constant of {} m/s² is in them, as in what an accelerometer measures: take gravity off, or {derive}",
            significant(*gravity, 3)
        ),
        RateFault::QuaternionOrder => {
            format!("{seen}, but not if the quaternion is read as w, x, y, z: write it as x, y, z, w")
        }
        RateFault::Unexplained => format!("{seen}: check columns, units and time stamps, or {derive}"),
    }
}

/// The unit in which steps of a clock would be nearest to the usual milliseconds.
fn clock_unit(interval: f64) -> &'static str {
    match interval {
        ..316.0 => "milliseconds",
        ..316e3 => "microseconds",
        _ => "nanoseconds",
    }
}

fn left_out(rows: u64, silent: &str) -> String {
    format!("{rows} rows are left out because {silent} has no samples around their time")
}

fn rows_in_words(rows: u64) -> String {
    count(usize::try_from(rows).unwrap_or(usize::MAX), "row")
}

fn unevenness(UnevenStamps { jitter, missing }: &UnevenStamps) -> String {
    let deviation = format!("the stamps deviate from even ones by {:.1} % of the interval", 100.0 * jitter);
    match missing {
        0 => deviation,
        _ => format!("{deviation} and {missing} single samples are missing"),
    }
}

/// The first of many names.
fn some_of(names: &[String]) -> String {
    match names.len() {
        0..=6 => names.join(", "),
        more => format!("{} and {} more", names[..6].join(", "), more - 6),
    }
}
