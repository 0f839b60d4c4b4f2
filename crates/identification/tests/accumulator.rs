//! Logs reduced one by one, merged and solved, say what one run over all of them says.

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot};
use steiner_identification::{
    Accumulator, BlockScores, Estimator, Identification, IdentificationError, SensorFaults, Settings,
    Simulation, Source, identify_from, simulate,
};
use steiner_logs::Recording;

/// Several recordings, one after the other.
struct Recordings<'a>(&'a [Recording]);

impl Source for Recordings<'_> {
    fn chunks(
        &mut self,
        each: &mut dyn FnMut(&Recording) -> Result<(), IdentificationError>,
    ) -> Result<(), IdentificationError> {
        self.0.iter().try_for_each(each)
    }
}

fn arm() -> Mechanism {
    Mechanism::new(read_robot("panda", &ReadOptions::default()).unwrap()).unwrap()
}

fn shards(arm: &Mechanism, count: u64) -> Vec<Recording> {
    let faults = SensorFaults { relative_force: 0.02, ..SensorFaults::default() };
    let simulation = |seed| Simulation { seed, duration: 4.0, rate: 100.0, faults, ..Simulation::default() };
    (1..=count).map(|seed| simulate(arm, &simulation(seed)).unwrap()).collect()
}

fn reduced(arm: &Mechanism, shard: &Recording) -> Accumulator {
    let mut own = Accumulator::new(arm, &Settings::default()).unwrap();
    own.absorb(&mut { shard }).unwrap();
    own
}

fn assert_same(one: &Identification, other: &Identification) {
    let scale = |of: &Identification, k: usize| of.parameters[k].sigma;
    for (k, (a, b)) in one.parameters.iter().zip(&other.parameters).enumerate() {
        assert!((a.value - b.value).abs() < 1e-6 * scale(one, k), "{}: {} {}", a.name, a.value, b.value);
        assert!((a.sigma / b.sigma - 1.0).abs() < 1e-8, "{}: {} {}", a.name, a.sigma, b.sigma);
    }
    let sizes = |of: &Identification| -> Vec<f64> { of.covariance.entries().to_vec() };
    let largest = sizes(one).into_iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    assert!(sizes(one).iter().zip(sizes(other)).all(|(a, b)| (a - b).abs() < 1e-9 * largest));
}

#[test]
fn shards_merged_in_any_order_give_the_parameters_and_covariances_of_one_run() {
    let arm = arm();
    let shards = shards(&arm, 5);
    let one_run = identify_from(&arm, &mut Recordings(&shards), &Settings::default()).unwrap();
    for order in [[0, 1, 2, 3, 4], [4, 2, 0, 1, 3]] {
        // A tree: ((a + b) + (c + d)) + e.
        let parts: Vec<Accumulator> = order.iter().map(|&k| reduced(&arm, &shards[k])).collect();
        let mut left = parts[0].clone();
        left.merge(&parts[1]).unwrap();
        let mut right = parts[2].clone();
        right.merge(&parts[3]).unwrap();
        left.merge(&right).unwrap();
        left.merge(&parts[4]).unwrap();
        let at = left.point().unwrap();
        let scores = order.iter().map(|&k| left.scores(&mut { &shards[k] }, &at).unwrap());
        let scores: BlockScores = scores
            .reduce(|mut all, more| {
                all.merge(&more).unwrap();
                all
            })
            .unwrap();
        assert_same(&one_run, &left.solve(Some(&scores)).unwrap());
    }
}

#[test]
fn the_state_of_a_seven_axis_arm_is_small_and_comes_back() {
    let arm = arm();
    let shard = &shards(&arm, 1)[0];
    let own = reduced(&arm, shard);
    let (numbers, labels) = own.state();
    assert!(8 * numbers.len() < 80_000, "{} bytes", 8 * numbers.len());
    let fresh = || Accumulator::new(&arm, &Settings::default()).unwrap();
    let back = fresh().with_state(&numbers, labels.clone()).unwrap();
    assert_eq!(back.state(), (numbers.clone(), labels.clone()));
    assert_eq!(back.samples(), own.samples());
    assert!(fresh().with_state(&numbers[1..], labels).is_err());
    let scores = own.scores(&mut { shard }, &own.point().unwrap()).unwrap();
    let (sizes, blocks, numbers) = scores.state();
    let back = BlockScores::of_state(sizes, &blocks, &numbers).unwrap();
    assert_eq!(back.state(), (sizes, blocks.clone(), numbers.clone()));
    assert!(BlockScores::of_state(sizes, &blocks, &numbers[1..]).is_none());
}

#[test]
fn what_takes_many_passes_and_what_does_not_fit_is_refused_with_a_sentence() {
    let arm = arm();
    for estimator in [
        Estimator::Huber { threshold: 1.345 },
        Estimator::Instrumental,
        Estimator::Simulation { window: 1.0 },
    ] {
        let refused = Accumulator::new(&arm, &Settings { estimator, ..Settings::default() }).unwrap_err();
        assert!(refused.to_string().contains("use weighted, ordinary or ridge"), "{refused}");
    }
    let empty = Accumulator::new(&arm, &Settings::default()).unwrap();
    assert!(matches!(empty.solve(None), Err(IdentificationError::TooFewSamples { samples: 0, .. })));
    let rigid = Accumulator::new(&arm, &Settings { drives: false, ..Settings::default() }).unwrap();
    let refused = empty.clone().merge(&rigid).unwrap_err();
    assert!(refused.to_string().contains("of another robot, or with other settings"), "{refused}");
}
