//! The answer to: can these parameters be found from these sensors and this motion?

use std::ops::Range;

use steiner_identifiability::{
    Aim, Analysis, BaseParameter, Standing, StructuralVerdict, Wanted, WeakDirection, WeakReason,
};

use crate::alarm::Alarm;
use crate::information::LogInformation;
use crate::motion_trials::{MotionChange, MotionTrials};
use crate::recorded_logs::NoteOfLog;

/// Parameters with smaller entries, relative to the largest, have no part in a weak direction.
const SMALL_PART: f64 = 0.01;

/// What is asked, and what sensors and logs say to it.
#[derive(Clone, Debug)]
pub struct Check {
    /// The robot's own parameters first; then for each load that is asked for the load alone.
    pub parts: Vec<CheckedPart>,
    /// What was asked for, in words.
    pub wanted: Vec<Wanted>,
    /// An answer for every parameter that was asked for, in order.
    pub answers: Vec<Answer>,
    /// What is wrong with the logs.
    pub doubts: LogDoubts,
}

/// What an identification from the logs says about them.
#[derive(Clone, Debug, Default)]
pub struct LogDoubts {
    /// Its alarms; where the forces needed for one are missing, those that the notes of the logs raise.
    pub alarms: Vec<Alarm>,
    /// Why nothing is identified from these logs, where that is for another reason than forces missing.
    pub refusal: Option<String>,
}

impl LogDoubts {
    /// Whether nothing can be said of the logs before they are mended.
    pub fn must_be_mended(&self) -> bool {
        self.refusal.is_some() || !self.alarms.iter().all(Alarm::is_mild)
    }
}

/// One set of unknowns with what sensors and logs say about them.
#[derive(Clone, Debug)]
pub struct CheckedPart {
    /// The link whose load is unknown; `None` for the robot itself.
    pub payload: Option<String>,
    /// What the sensors can show, over all motions.
    pub analysis: Analysis,
    /// Whether each parameter that was asked for can be found.
    pub verdicts: Vec<StructuralVerdict>,
    /// What the logs show of it.
    pub log: Option<CheckedLog>,
}

/// What logs show.
#[derive(Clone, Debug)]
pub struct CheckedLog {
    /// Information and noise of the logs.
    pub found: LogInformation,
    /// What other motions would show; only as recorded where nothing is poorly excited.
    pub motion: MotionTrials,
    /// The parameters of the robot's file, by column.
    pub file_values: Vec<f64>,
    /// What was done to the logs.
    pub notes: Vec<NoteOfLog>,
}

/// The verdict about one parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It can be found alone; with a log: from this log.
    Found,
    /// It can be found alone, but this log has alarms that must be mended first.
    LogInDoubt,
    /// It can be found alone from other motions; this log does not excite it at all.
    NotExcited,
    /// It can be found alone from other motions; this log excites it poorly.
    PoorlyExcited,
    /// It can be found alone, but only because axes are not quite aligned, which no real log shows; or, where no log
    /// tells, loops make others look almost like it in all motions.
    BarelyVisible,
    /// Only a combination with others can be found.
    Combined,
    /// It has no effect on what is measured.
    NoEffect,
    /// It belongs to a link that rests on the ground.
    AtRest,
    /// It belongs to a link that is fixed to another.
    Fixed,
    /// It is known beforehand.
    Known,
}

impl Verdict {
    /// Whether the question is answered to the asker's content.
    pub fn is_good(self) -> bool {
        matches!(self, Verdict::Found | Verdict::Known)
    }
}

/// The answer about one parameter.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Which of the words asked for it.
    pub wanted: usize,
    /// Which of the parts it is in.
    pub part: usize,
    /// Its place among the verdicts of its part; `None` for links that are fixed to others.
    pub verdict_of_part: Option<usize>,
    /// The parameter or, of fixed links, the link.
    pub label: String,
    /// Whether it can be found.
    pub verdict: Verdict,
    /// The standard deviation to be expected from the log; infinite if it is not excited.
    pub sigma: Option<f64>,
    /// The value in the robot's file.
    pub file_value: Option<f64>,
    /// The change of the motion that helps most, and the part of the deviation that remains then.
    pub advice: Option<(MotionChange, f64)>,
}

impl Check {
    /// Puts together what was found about each part. `places` says for each of the words in which part, and at
    /// which of its verdicts, the answers are.
    pub fn new(
        parts: Vec<CheckedPart>,
        wanted: Vec<Wanted>,
        places: &[(usize, Range<usize>)],
        doubts: LogDoubts,
    ) -> Self {
        let mut answers = Vec::new();
        for (k, (word, (part, range))) in wanted.iter().zip(places).enumerate() {
            if let Aim::Fixed { link, .. } = &word.aim {
                answers.push(fixed(k, link.clone()));
            }
            answers.extend(range.clone().map(|v| answer(k, *part, v, &parts[*part])));
        }
        if doubts.must_be_mended() {
            answers.iter_mut().for_each(Answer::doubt);
        }
        Check { parts, wanted, answers, doubts }
    }

    /// Whether everything that was asked for can be found.
    pub fn all_found(&self) -> bool {
        self.answers.iter().all(|answer| answer.verdict.is_good())
    }

    /// The weak direction behind an answer that is barely visible, and the column of the parameter.
    pub fn weak_direction(&self, answer: &Answer) -> Option<(&WeakDirection, usize)> {
        let (analysis, structural) = self.structure(answer)?;
        let column = analysis.labels.iter().position(|label| *label == structural.label)?;
        Some((barely(analysis, column)?, column))
    }

    /// Whether a log excites the combination that can be found in place of a parameter poorly.
    pub fn combination_is_poorly_excited(&self, answer: &Answer) -> bool {
        let part = &self.parts[answer.part];
        let (Some(log), Some((analysis, structural))) = (&part.log, self.structure(answer)) else {
            return false;
        };
        let Standing::Combined(terms) = &structural.standing else { return false };
        let is_it = |base: &BaseParameter| {
            base.terms.len() == terms.len()
                && terms.iter().all(|(column, _)| base.terms.iter().any(|(other, _)| other == column))
        };
        let own = analysis.regrouping.base.iter().position(is_it);
        log.found.excitation.weak.iter().any(|weak| Some(weak.parameter) == own)
    }

    /// The structural verdict behind an answer, with the analysis it is about.
    pub fn structure(&self, answer: &Answer) -> Option<(&Analysis, &StructuralVerdict)> {
        let part = &self.parts[answer.part];
        answer.verdict_of_part.map(|k| (&part.analysis, &part.verdicts[k]))
    }
}

impl Answer {
    /// Takes back what rests on the numbers of a log. That a motion does not excite something at all stays true.
    fn doubt(&mut self) {
        if self.sigma.is_some() && matches!(self.verdict, Verdict::Found | Verdict::PoorlyExcited) {
            (self.verdict, self.advice) = (Verdict::LogInDoubt, None);
        }
        self.sigma = None;
    }
}

fn fixed(wanted: usize, label: String) -> Answer {
    Answer {
        wanted,
        part: 0,
        verdict_of_part: None,
        label,
        verdict: Verdict::Fixed,
        sigma: None,
        file_value: None,
        advice: None,
    }
}

fn answer(wanted: usize, part: usize, place: usize, of: &CheckedPart) -> Answer {
    let structural = &of.verdicts[place];
    let column = of.analysis.labels.iter().position(|label| *label == structural.label);
    let barely = column.and_then(|column| barely(&of.analysis, column));
    let base = column.and_then(|column| of.analysis.regrouping.base.iter().position(|b| b.column == column));
    let mut out = Answer {
        wanted,
        part,
        verdict_of_part: Some(place),
        label: structural.label.clone(),
        verdict: match structural.standing {
            Standing::Alone if barely.is_some() => Verdict::BarelyVisible,
            Standing::Alone => Verdict::Found,
            Standing::Combined(_) => Verdict::Combined,
            Standing::NoEffect => Verdict::NoEffect,
            Standing::AtRest => Verdict::AtRest,
            Standing::Known => Verdict::Known,
        },
        sigma: None,
        file_value: None,
        advice: None,
    };
    let (Some(log), Standing::Alone, Some(base)) = (&of.log, &structural.standing, base) else { return out };
    out.sigma = Some(log.found.sigma[base]);
    // A load has no value in the file.
    out.file_value = column.filter(|_| of.payload.is_none()).map(|column| log.file_values[column]);
    // The file's axes are not known to its last digits, whatever the log says; what loops hide it tells.
    if let Some(WeakDirection { reason: WeakReason::AlmostAligned { .. }, .. }) = barely {
        return out;
    }
    let weak = log.found.excitation.weak.iter().find(|weak| weak.parameter == base);
    out.verdict = match weak {
        None => Verdict::Found,
        Some(weak) if weak.inflation.is_infinite() => Verdict::NotExcited,
        Some(_) => Verdict::PoorlyExcited,
    };
    out.advice = weak.and_then(|_| log.motion.advice(base));
    out
}

/// The weak direction that a column has a part in.
fn barely(analysis: &Analysis, column: usize) -> Option<&WeakDirection> {
    let part = |weak: &WeakDirection| {
        let most = weak.entries.iter().fold(0.0, |most: f64, (_, x)| most.max(x.abs()));
        weak.entries.iter().any(|&(c, x)| c == column && x.abs() > SMALL_PART * most)
    };
    analysis.weak.iter().find(|weak| part(weak))
}
