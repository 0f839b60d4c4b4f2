//! States in F_p: the exact rank of the regressor of trees and couplings.

#[path = "support/mod.rs"]
mod support;

use steiner_dynamics::{Mechanism, RationalStates, regressor};
use steiner_linalg::Stream;
use steiner_linalg::elimination::{Matrix, reduce};
use steiner_scalar::{Field, Fp};

/// The rank of the regressors of random states, stacked until it no longer grows.
fn exact_rank(mechanism: &Mechanism) -> usize {
    let states = RationalStates::<Fp>::new(mechanism.robot(), mechanism.plan()).unwrap().expect("no loops");
    assert!(!states.rounded);
    let mut stream = Stream::new(1);
    let mut draw = || stream.residue();
    let columns = mechanism.layout().columns();
    let mut rows = Matrix::zeros(0, columns);
    for _ in 0..columns.div_ceil(mechanism.dof()) + 8 {
        let state = states.state(&mut draw);
        let y = regressor(states.tree(), mechanism.layout(), &state);
        (0..y.rows()).for_each(|r| rows.push_row(y.row(r)));
    }
    reduce(rows, columns, 0.0).rank()
}

#[test]
fn the_exact_rank_of_every_reference_tree_is_the_recorded_one() {
    let Some(folder) = support::reference("mechanisms") else { return };
    let mut checked = 0;
    for path in support::files(&folder) {
        let robot = support::read(&path);
        if !robot.loops.is_empty() {
            continue;
        }
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let answer = std::fs::read_to_string(folder.join(format!("../nullspace/{name}.json"))).unwrap();
        let key = "\"identifiable\": ";
        let at = answer.find(key).unwrap() + key.len();
        let recorded: usize = answer[at..].split([',', '}']).next().unwrap().trim().parse().unwrap();
        assert_eq!(exact_rank(&Mechanism::new(robot).unwrap()), recorded, "{name}");
        checked += 1;
    }
    assert!(checked > 20);
}

#[test]
fn a_gear_whose_offset_is_a_quarter_turn_is_exact() {
    let mechanism = support::mechanism(
        "[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"revolute\"\naxis = [0, 1, 0]\n\
         [[body]]\nname = \"b\"\nparent = \"a\"\njoint = \"revolute\"\nxyz = [0.3, 0, 0.1]\naxis = [1, 0, 0]\n\
         [[coupling]]\ncoordinate = \"b\"\nterms = [[\"a\", -2.5]]\noffset = \"pi/2\"\n",
    );
    let states = RationalStates::<Fp>::new(mechanism.robot(), mechanism.plan()).unwrap().unwrap();
    assert!(!states.rounded);
    let mut n = 1;
    let state = states.state(|| {
        n += 1;
        Fp::new(n)
    });
    // θ_b = −5/2 θ_a + π/2 with θ_a = 2φ, tan(φ/2) = t: check sin θ_b = cos 5φ.
    let t = Fp::new(2);
    let norm = steiner_scalar::Scalar::inv(Fp::one() + t * t);
    let (s, c) = ((t + t) * norm, (Fp::one() - t * t) * norm);
    let (mut s5, mut c5) = (s, c);
    for _ in 0..4 {
        (s5, c5) = (s5 * c + c5 * s, c5 * c - s5 * s);
    }
    assert_eq!(state.poses[1].rotation.0[2][1], c5);
    assert_eq!(state.poses[1].rotation.0[1][1], s5);
}

#[test]
fn loops_have_no_rational_states() {
    let Some(folder) = support::reference("mechanisms") else { return };
    let mechanism = Mechanism::new(support::read(&folder.join("delta.toml"))).unwrap();
    assert!(RationalStates::<Fp>::new(mechanism.robot(), mechanism.plan()).unwrap().is_none());
}
