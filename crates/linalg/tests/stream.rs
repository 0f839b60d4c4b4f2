//! Random streams: the numbers they are known by, and their moments.

use steiner_linalg::Stream;

/// Computed by another implementation.
const FIRST_OF_SEED_ZERO: [f64; 3] = [-0.13694400590298006, -0.9471324568148045, 0.941763956307657];
const FIRST_OF_LOG_ZERO: [f64; 3] = [0.4833481342839381, 0.8691389606829488, 0.7022433404894405];

#[test]
fn a_seed_means_the_same_numbers_for_ever() {
    let mut stream = Stream::new(0);
    let mut log = Stream::of_synthetic_log(0);
    let first: Vec<f64> = (0..3).map(|_| stream.uniform()).collect();
    let drawn: Vec<f64> = (0..3).map(|_| log.fraction()).collect();
    assert_eq!(first, FIRST_OF_SEED_ZERO);
    assert_eq!(drawn, FIRST_OF_LOG_ZERO);
}

#[test]
fn moments_are_those_of_the_distributions() {
    for mut stream in [Stream::new(3), Stream::of_synthetic_log(3)] {
        let count = 100_000;
        let mut sums = [0.0; 5];
        for _ in 0..count {
            let (u, f, n) = (stream.uniform(), stream.fraction(), stream.normal());
            assert!((-1.0..1.0).contains(&u) && (0.0..1.0).contains(&f));
            [u, u * u, f, n, n * n].iter().zip(&mut sums).for_each(|(x, sum)| *sum += x / f64::from(count));
        }
        for (mean, wanted) in sums.iter().zip([0.0, 1.0 / 3.0, 0.5, 0.0, 1.0]) {
            assert!((mean - wanted).abs() < 0.02, "{sums:?}");
        }
        let mut counts = [0; 7];
        (0..7000).for_each(|_| counts[stream.below(7)] += 1);
        assert!(counts.iter().all(|&count| (850..1150).contains(&count)), "{counts:?}");
    }
}
