//! A weighted sum of the rows of the regressor in one pass through the tree.

use steiner_dynamics::{Mechanism, RationalStates, regressor, weighted_row};
use steiner_formats::{ReadOptions, read_robot};
use steiner_linalg::Stream;
use steiner_scalar::Fp;

#[test]
fn a_weighted_row_is_the_weighted_sum_of_the_rows() {
    for name in ["puma560", "go2", "double_pendulum"] {
        let robot = read_robot(name, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        let mechanism = Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}"));
        let states = RationalStates::<Fp>::new(mechanism.robot(), mechanism.plan())
            .unwrap_or_else(|error| panic!("{error}"));
        let states = states.unwrap_or_else(|| panic!("{name} is a tree"));
        let mut stream = Stream::new(4);
        let state = states.state(|| stream.residue());
        let weights: Vec<Fp> = state.velocity.iter().map(|_| stream.residue()).collect();
        let rows = regressor(states.tree(), mechanism.layout(), &state);
        let found = weighted_row(states.tree(), &state, &weights).concat();
        assert_eq!(found, rows.transpose().apply(&weights), "{name}");
    }
}
