//! A mechanism as one of a family: the same joints with other lengths and angles.

use std::sync::Arc;

use steiner_dynamics::Mechanism;
use steiner_robot::{Constant, ConstantKind, Robot};
use steiner_scalar::{Exact, Field, Function, QuadDouble, Rational, Real};
use steiner_symbols::algebra::{Names, Sample};

use crate::analysis::Question;
use crate::symbolic::note::SymbolicNote;
use crate::symbolic::weights::Split;

/// One length or angle of a family.
#[derive(Clone, Debug, PartialEq)]
pub struct FamilyVariable {
    /// Its name; of several that only vary together, the first.
    pub name: String,
    /// A length (m) or an angle (rad).
    pub kind: ConstantKind,
    /// Its value in the file.
    pub value: f64,
    /// Constants of the file that follow it: they have its value, with a sign.
    pub tied: Vec<(String, bool)>,
}

/// A robot whose named constants may vary.
#[derive(Clone, Debug)]
pub(crate) struct Family {
    robot: Robot,
    variables: Vec<FamilyVariable>,
    /// The values of the file, exactly or to thirty digits.
    centre: Sample,
}

/// Two values are one for the reader of a file.
const EQUAL: f64 = 1e-12;

impl Family {
    /// All free constants of a robot vary, each by itself.
    pub(crate) fn of(robot: &Robot) -> Self {
        let mut variables: Vec<FamilyVariable> = Vec::new();
        for kind in [ConstantKind::Length, ConstantKind::Angle] {
            let of_kind = robot.free_constants().into_iter().filter(|constant| constant.kind == kind);
            for constant in of_kind {
                let value = constant.value.to_f64().unwrap_or(0.0);
                variables.push(FamilyVariable { name: constant.name.clone(), kind, value, tied: Vec::new() });
            }
        }
        Family::with(robot.clone(), variables)
    }

    fn with(robot: Robot, variables: Vec<FamilyVariable>) -> Self {
        let value = |variable: &FamilyVariable| {
            let constant = robot.constants.iter().find(|constant| constant.name == variable.name);
            constant.map_or(Exact::zero(), |constant: &Constant| constant.value.clone())
        };
        let mut centre = Sample::default();
        for variable in &variables {
            match variable.kind {
                ConstantKind::Length => centre.lengths.push(rational(&value(variable))),
                ConstantKind::Angle => centre.tangents.push(half_angle_tangent(&value(variable))),
            }
        }
        Family { robot, variables, centre }
    }

    pub(crate) fn variables(&self) -> &[FamilyVariable] {
        &self.variables
    }

    pub(crate) fn centre(&self) -> &Sample {
        &self.centre
    }

    pub(crate) fn robot(&self) -> &Robot {
        &self.robot
    }

    /// Whether no loop has to be closed.
    pub(crate) fn is_tree(&self) -> bool {
        self.robot.loops.is_empty()
    }

    pub(crate) fn names(&self) -> Arc<Names> {
        let of = |kind: ConstantKind| {
            let of_kind = self.variables.iter().filter(move |variable| variable.kind == kind);
            of_kind.map(|variable| variable.name.clone())
        };
        Names::new(of(ConstantKind::Length), of(ConstantKind::Angle))
    }

    /// The member with these lengths and half-angle tangents; `None` if it doesn't assemble.
    pub(crate) fn member(&self, sample: &Sample) -> Option<Mechanism> {
        let lengths = sample.lengths.iter().map(|length| Exact::rational(length.clone()));
        let turned = |t: &Rational| Exact::integer(2) * Exact::rational(t.clone()).call(Function::Atan);
        let values = lengths.chain(sample.tangents.iter().map(turned));
        Mechanism::new(self.robot.with_constants(&given(&self.variables, values)).ok()?).ok()
    }

    /// Keeps what makes the mechanism what it is: constants that cannot vary alone without changing what is
    /// identifiable vary together with those of equal value, or not at all. Says what was kept.
    pub(crate) fn keep_relations(&mut self, question: &Question, split: &Split) -> Vec<SymbolicNote> {
        if self.is_free(question, split) {
            return Vec::new();
        }
        let mut notes = Vec::new();
        let all = self.variables.clone();
        let alone = |variable: &FamilyVariable| {
            Family::with(self.robot.clone(), vec![variable.clone()]).is_free(question, split)
        };
        let (free, bound): (Vec<_>, Vec<_>) = all.into_iter().partition(alone);
        let mut together: Vec<FamilyVariable> = Vec::new();
        for variable in bound {
            let twin = together.iter_mut().find(|first| {
                first.kind == variable.kind && (first.value.abs() - variable.value.abs()).abs() <= EQUAL
            });
            match twin {
                Some(first) => {
                    let is_opposite = (first.value - variable.value).abs() > EQUAL;
                    first.tied.push((variable.name, is_opposite));
                }
                None => together.push(variable),
            }
        }
        let (tied, stuck): (Vec<_>, Vec<_>) = together.into_iter().partition(|group| {
            Family::with(self.robot.clone(), vec![group.clone()]).is_free(question, split)
        });
        for group in &tied {
            let others = group.tied.iter().map(|(name, _)| name.clone()).collect();
            notes.push(SymbolicNote::VaryTogether { name: group.name.clone(), others });
        }
        let mut kept: Vec<String> = stuck.iter().map(|variable| variable.name.clone()).collect();
        let mut variables: Vec<FamilyVariable> = free.into_iter().chain(tied).collect();
        *self = Family::with(self.robot.clone(), variables.clone());
        // Constants that may each vary may still not vary together.
        while !self.is_free(question, split) {
            let Some(last) = variables.pop() else { break };
            kept.push(last.name);
            *self = Family::with(self.robot.clone(), variables.clone());
        }
        if !kept.is_empty() {
            notes.push(SymbolicNote::KeptAsNumbers { names: kept });
        }
        notes
    }

    /// Whether members near the file's show the same structure.
    fn is_free(&self, question: &Question, split: &Split) -> bool {
        let mut tried = 0;
        (0..6u64).filter_map(|seed| self.member(&self.near(seed))).take(2).all(|member| {
            tried += 1;
            split.holds(&member, question)
        }) && (tried > 0 || self.variables.is_empty())
    }

    /// A sample a few percent from the file's values.
    pub(crate) fn near(&self, seed: u64) -> Sample {
        let mut stream = steiner_linalg::Stream::new(97 + seed);
        let mut moved = |x: &Rational| {
            let factor = 1000 + (40.0 * stream.uniform()).round() as i64;
            let shift = if x.is_zero() { Rational::from(1) / Rational::from(50) } else { Rational::ZERO };
            x * Rational::from(factor) / Rational::from(1000) + shift
        };
        Sample {
            lengths: self.centre.lengths.iter().map(&mut moved).collect(),
            tangents: self.centre.tangents.iter().map(&mut moved).collect(),
        }
    }
}

/// Values for all constants of a file that belong to variables, from one for each variable.
pub(crate) fn given(
    variables: &[FamilyVariable],
    values: impl IntoIterator<Item = Exact>,
) -> Vec<(String, Exact)> {
    let mut given: Vec<(String, Exact)> = Vec::new();
    for (variable, value) in variables.iter().zip(values) {
        for (name, is_opposite) in &variable.tied {
            given.push((name.clone(), if *is_opposite { -value.clone() } else { value.clone() }));
        }
        given.push((variable.name.clone(), value));
    }
    given
}

fn rational(x: &Exact) -> Rational {
    x.to_rational().or_else(|| x.to_thirty_digits().ok()).unwrap_or(Rational::ZERO)
}

/// tan(θ/2) to nine places; angles near half a turn are looked at from a tenth of a degree away.
fn half_angle_tangent(angle: &Exact) -> Rational {
    let half = QuadDouble::evaluate(angle).map_or(0.0, |x| x.value.to_f64()) / 2.0;
    let tangent = half.tan().clamp(-1000.0, 1000.0);
    Rational::from((tangent * 1e9).round() as i64) / Rational::from(1_000_000_000)
}
