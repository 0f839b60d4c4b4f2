//! Work by several threads.

use std::num::NonZeroUsize;

use steiner_linalg::{chunks_in_parallel, in_parallel, parts_in_parallel};

fn threads(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).expect("not zero")
}

#[test]
fn results_come_in_order_whoever_made_them() {
    for count in [0, 1, 2, 7, 100] {
        for workers in [1, 2, 5] {
            let wanted: Vec<usize> = (0..count).map(|k| k * k).collect();
            assert_eq!(in_parallel(count, threads(workers), |k| k * k), wanted);
            assert_eq!(parts_in_parallel(0..count.min(10), |k, part| k * part), wanted[..count.min(10)]);
        }
    }
}

#[test]
fn every_chunk_is_written_by_its_owner() {
    for count in [0, 1, 2, 7, 100] {
        let mut numbers = vec![0; count];
        let lengths = chunks_in_parallel(&mut numbers, threads(3), |first, chunk| {
            chunk.iter_mut().enumerate().for_each(|(k, x)| *x = first + k);
            chunk.len()
        });
        assert_eq!(numbers, (0..count).collect::<Vec<_>>());
        assert!(lengths.len() <= 3 && lengths.iter().sum::<usize>() == count);
    }
}

#[test]
#[should_panic(expected = "the seventh")]
fn a_panic_reaches_the_caller() {
    in_parallel(8, threads(3), |k| assert!(k != 7, "the seventh"));
}
