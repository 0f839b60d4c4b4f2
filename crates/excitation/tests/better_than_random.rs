//! Every criterion, purpose and family of motions is better served than by the best of a dozen random motions; and
//! a motion after another one mends what that left weak.

use std::num::NonZeroUsize;

use steiner_dynamics::Mechanism;
use steiner_excitation::{Criterion, Design, Designed, LimitChange, Purpose, Quantity, Shape, design};
use steiner_formats::{ReadOptions, read_robot};
use steiner_linalg::cholesky::Cholesky;
use steiner_linalg::elimination::Matrix;

fn mechanism(name: &str) -> Mechanism {
    Mechanism::new(read_robot(name, &ReadOptions::default()).unwrap()).unwrap()
}

fn wish() -> Design {
    let mut wish = Design { starts: Some(2), threads: NonZeroUsize::MIN, ..Design::default() };
    wish.question.drives = false;
    wish
}

/// How much a finished search gains over one that is stopped at its first step.
fn gain(mechanism: &Mechanism, wish: &Design) -> f64 {
    let found = design(mechanism, wish, &|_| false).unwrap();
    assert!(found.feasible, "{:?}", found.margins);
    let random = design(mechanism, wish, &|_| true).unwrap();
    assert!(random.stopped && !found.stopped);
    random.criterion.1 - found.criterion.1
}

#[test]
fn with_every_criterion() {
    let arm = mechanism("puma560");
    for criterion in [Criterion::D, Criterion::A, Criterion::E, Criterion::Condition] {
        let gained = gain(&arm, &Design { criterion, ..wish() });
        println!("{criterion:?}: {gained:.1}");
        // All are logarithms times the number of parameters, 36: a variance is halved at 25.
        assert!(gained > 25.0, "{criterion:?}: {gained}");
    }
}

#[test]
fn the_condition_number_is_least_where_it_is_asked_for() {
    let arm = mechanism("puma560");
    let of = |criterion: Criterion| design(&arm, &Design { criterion, ..wish() }, &|_| false).unwrap();
    let (d, condition) = (of(Criterion::D), of(Criterion::Condition));
    assert!(condition.condition_number < d.condition_number);
    assert!(condition.log_det < d.log_det);
}

#[test]
fn for_every_purpose() {
    let arm = mechanism("ur5");
    let everything = design(&arm, &wish(), &|_| false).unwrap();
    // log det of the covariance of all base parameters that a link is part of.
    let volume = |found: &Designed, link: &str| {
        let analysis = &found.analysis;
        let own: Vec<usize> = (0..found.deviations.len())
            .filter(|&k| {
                let terms = &analysis.regrouping.base[k].terms;
                terms.iter().any(|(column, _)| analysis.labels[*column].starts_with(link))
            })
            .collect();
        let inverse = Cholesky::new(found.information.clone()).unwrap().inverse();
        let part = Matrix::from_fn(own.len(), own.len(), |r, c| inverse[(own[r], own[c])]);
        Cholesky::new(part).unwrap().log_det()
    };
    for purpose in [Purpose::Payload, Purpose::Link("link3".to_owned()), Purpose::TorquePrediction] {
        let own = Design { purpose: purpose.clone(), ..wish() };
        let gained = gain(&arm, &own);
        println!("{purpose:?}: {gained:.1}");
        assert!(gained > 5.0, "{purpose:?}: {gained}");
        if purpose == Purpose::Payload {
            let own = Design { starts: Some(4), ..own };
            let found = design(&arm, &own, &|_| false).unwrap();
            let (before, after) = (volume(&everything, "link6."), volume(&found, "link6."));
            println!("link6: {before:.2} for everything, {after:.2} for the payload");
            assert!(after < before);
        }
    }
}

#[test]
fn with_every_family_of_motions() {
    let arm = mechanism("puma560");
    for shape in [Shape::Fourier { harmonics: 3, periods: 2 }, Shape::Spline { points: 8 }] {
        let gained = gain(&arm, &Design { shape, ..wish() });
        println!("{shape:?}: {gained:.1}");
        assert!(gained > 25.0, "{shape:?}: {gained}");
    }
    let mut poses = wish();
    poses.question.measure = "static".parse().unwrap();
    let gained = gain(&arm, &poses);
    println!("poses: {gained:.1}");
    assert!(gained > 2.0, "{gained}");
}

#[test]
fn a_short_motion_mends_what_a_poor_one_left_weak() {
    let arm = mechanism("panda");
    let narrow = |joint: &str, middle: f64| LimitChange {
        joint: joint.to_owned(),
        range: Some((middle - 0.01, middle + 0.01)),
        velocity: Some(0.02),
        ..LimitChange::default()
    };
    let poor =
        Design { starts: Some(1), limits: vec![narrow("link2", 0.2), narrow("link4", -1.5)], ..wish() };
    let before = design(&arm, &poor, &|_| false).unwrap();
    let next = Design { duration: 8.0, starts: Some(1), ..wish() };
    let factor = before.samples / next.samples();
    let n = before.information.rows();
    let known = Matrix::from_fn(n, n, |r, c| factor * before.information[(r, c)]);
    let next = Design { information: Some(known), analysis: Some(before.analysis.clone()), ..next };
    let after = design(&arm, &next, &|_| false).unwrap();
    println!("{:.2} s", after.seconds);
    let mut worst: Vec<usize> = (0..n).collect();
    worst.sort_by(|a, b| before.deviations[*b].sd.total_cmp(&before.deviations[*a].sd));
    for &k in &worst[..5] {
        let (was, is) = (before.deviations[k].sd, after.deviations[k].sd);
        println!("{}: {was:.2e} to {is:.2e}", before.deviations[k].name);
        assert!(is < 0.5 * was);
    }
    // What was known counts: nothing gets worse.
    assert!(before.deviations.iter().zip(&after.deviations).all(|(was, is)| is.sd <= was.sd * (1.0 + 1e-9)));
}

#[test]
fn a_limit_that_is_blamed_costs_what_is_said() {
    let arm = mechanism("two_link");
    let all = Design { starts: Some(12), ..wish() };
    let found = design(&arm, &all, &|_| false).unwrap();
    let blamed = &found.blame[0];
    assert_eq!(blamed.deviations.len(), found.deviations.len());
    let limits = found.limits.iter().find(|limits| limits.name == blamed.joint).unwrap();
    assert_eq!(blamed.quantity, Quantity::Velocity);
    let change = LimitChange {
        joint: blamed.joint.clone(),
        velocity: Some(1.1 * limits.velocity),
        ..LimitChange::default()
    };
    let wider = design(&arm, &Design { limits: vec![change], ..all }, &|_| false).unwrap();
    let gained = wider.log_det - found.log_det;
    println!("said {:.3}, gained {gained:.3}", blamed.gain);
    // The motion at hand is improved; a new search may find a better one.
    assert!(gained > 0.9 * blamed.gain && gained < 2.0 * blamed.gain);
    let helped = (0..found.deviations.len())
        .min_by(|a, b| blamed.deviations[*a].total_cmp(&blamed.deviations[*b]))
        .unwrap();
    let (said, seen) = (blamed.deviations[helped], wider.deviations[helped].sd / found.deviations[helped].sd);
    println!("{}: said {said:.3}, seen {seen:.3}", found.deviations[helped].name);
    assert!(said < 0.95 && seen < 0.5 * (1.0 + said));
}
