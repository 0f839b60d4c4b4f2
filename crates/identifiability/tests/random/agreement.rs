//! Mechanisms with loops, certified in F_p or with many digits, and what doubles see of them at states of their own.

use std::cell::RefCell;
use std::fmt::Debug;
use steiner_linalg::elimination::Matrix;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use steiner_identifiability::{
    Arithmetic, IdentifiabilityError, Measurement, Nullspace, structural_nullspace,
};
use steiner_robot::Description;

use super::forces::Forces;
use super::singular_values::{clear_rank, independent};
use super::{cases, dense, mechanism};

/// The certified nullspace; `None` where the answer is that there is none: too few regular configurations are
/// found, or the digits do not suffice.
pub fn certified(description: &Description) -> Option<Nullspace> {
    let robot = mechanism(description.clone());
    let nullspace = match structural_nullspace(&robot, &Measurement::all()) {
        Err(IdentifiabilityError::TooFewConfigurations { .. }) => return None,
        answer => answer.unwrap_or_else(|error| panic!("{error}")),
    };
    if matches!(nullspace.certificate.arithmetic, Arithmetic::Extended { .. })
        && !nullspace.certificate.complete
    {
        return None;
    }
    assert!(nullspace.certificate.complete, "{:?}", nullspace.certificate);
    assert_eq!(independent(&dense(&nullspace)), nullspace.vectors.len());
    Some(nullspace)
}

/// How a comparison ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    Agreement,
    /// Doubles do not show a rank.
    Unclear,
    /// There is no certified answer.
    Refusal,
}

/// Asserts that vectors vanish on the rows of many states, or on those of others, by a seed.
pub fn assert_unseen(vectors: &[Vec<f64>], rows: &Matrix<f64>, others: impl Fn(u64) -> Matrix<f64>) {
    let seen = |rows: &Matrix<f64>, vector: &[f64]| {
        let largest = rows.entries().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        rows.apply(vector).iter().fold(0.0, |most: f64, x| most.max(x.abs())) / largest.max(f64::MIN_POSITIVE)
    };
    for vector in vectors {
        // What shows is seen by every set of states; rounding next to a singularity by the set that came near
        // it.
        let unseen = || [11, 13].iter().any(|&seed| seen(&others(seed), vector) < 1e-8);
        let share = seen(rows, vector);
        assert!(share < 1e-8 || unseen(), "a vector is seen: {share:e} of the largest force");
    }
}

/// Compares with the singular values of forces.
pub fn compared_with_doubles(description: &Description, reach: f64) -> Outcome {
    let Some(nullspace) = certified(description) else { return Outcome::Refusal };
    let robot = mechanism(description.clone());
    let forces = Forces { reach, ..Forces::all(&robot) };
    let rows = forces.stacked(7);
    assert_unseen(&dense(&nullspace), &rows, |seed| forces.stacked(seed));
    // As many vectors as that vanish: what exceeds the rest is the rounding of states next to a singularity.
    let Some(rank) = clear_rank(&rows).filter(|&rank| rank <= nullspace.certificate.rank) else {
        return Outcome::Unclear;
    };
    assert_eq!(nullspace.certificate.rank, rank, "certified, and seen in doubles");
    Outcome::Agreement
}

/// Of random mechanisms, moved by up to `reach` (rad or m), most must agree with doubles and none may
/// disagree; of a hundred, at most `refused` may have no answer.
pub fn mostly_agree<M: Debug>(
    usual: u32,
    mechanisms: impl Strategy<Value = M>,
    drawn: impl Fn(&M) -> Description,
    (reach, refused): (f64, usize),
) {
    let outcomes = RefCell::new(Vec::new());
    let run = TestRunner::new(cases(usual)).run(&mechanisms, |mechanism| {
        let outcome = compared_with_doubles(&drawn(&mechanism), reach);
        if outcome == Outcome::Refusal {
            println!("no answer:\n{mechanism:?}");
        }
        outcomes.borrow_mut().push(outcome);
        Ok(())
    });
    if let Err(error) = run {
        panic!("{error}");
    }
    let outcomes = outcomes.into_inner();
    let count = |outcome| outcomes.iter().filter(|other| **other == outcome).count();
    let (all, unclear, refusals) = (outcomes.len(), count(Outcome::Unclear), count(Outcome::Refusal));
    println!("{all} mechanisms: {unclear} unclear in doubles, {refusals} without an answer");
    assert!(100 * refusals <= refused * all, "{refusals} of {all} have no answer");
    assert!(10 * unclear <= 3 * all, "{unclear} of {all} are not clear in doubles");
}

/// Whether all that have an answer have the same.
pub fn same_nullity(descriptions: impl IntoIterator<Item = Description>) -> bool {
    let found: Vec<usize> =
        descriptions.into_iter().filter_map(|one| Some(certified(&one)?.vectors.len())).collect();
    found.windows(2).all(|pair| pair[0] == pair[1])
}
