//! The adjoint of the regressor against central differences of the regressor, on random trees of all joints.

#[path = "support/random_robot.rs"]
mod random_robot;
mod support;

use steiner_dynamics::{Mechanism, RegressorFunction, RegressorVisitor, Samples};
use steiner_scalar::Lanes;
use support::{Noise, random_configuration};

/// f = Σ over samples, blocks and slots of c y + y²/2, with random c.
struct Quadratic {
    factors: Vec<[f64; 10]>,
    value: f64,
}

impl RegressorFunction for Quadratic {
    #[inline(always)]
    fn adjoint<L: Lanes>(&mut self, _: usize, _: usize, blocks: &[[L; 10]], adjoints: &mut [[L; 10]]) {
        for (k, block) in blocks.iter().enumerate() {
            for slot in 0..10 {
                adjoints[k][slot] = L::from_f64(self.factors[k][slot]) + block[slot];
            }
        }
    }
}

impl RegressorVisitor for Quadratic {
    #[inline(always)]
    fn absorb<L: Lanes>(&mut self, _: usize, count: usize, blocks: &[[L; 10]]) {
        for (k, block) in blocks.iter().enumerate() {
            for slot in 0..10 {
                for lane in 0..count {
                    let y = block[slot].lane(lane);
                    self.value += self.factors[k][slot] * y + 0.5 * y * y;
                }
            }
        }
    }
}

fn value(mechanism: &Mechanism, function: &mut Quadratic, state: [&[f64]; 3]) -> f64 {
    function.value = 0.0;
    let samples = Samples { q: state[0], qd: state[1], qdd: state[2], count: 1 };
    mechanism.visit_regressors(&samples, function).unwrap();
    function.value
}

#[test]
fn the_adjoint_is_the_derivative_of_the_regressor() {
    let mut joints = 0;
    for seed in 0..24 {
        let mut noise = Noise::new(900 + seed);
        let robot = random_robot::random_tree(&mut noise, 3 + seed as usize % 6, seed % 3 == 0, 0);
        let mechanism = Mechanism::new(robot).unwrap();
        assert!(mechanism.is_plain_tree());
        let (nq, nv) = (mechanism.configuration_size(), mechanism.dof());
        joints += nv;
        // More samples than lanes, and not a multiple of them.
        let count = 11;
        let (mut q, mut qd, mut qdd) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..count {
            q.extend(random_configuration(&mechanism, &mut noise, 1.5));
            qd.extend(noise.vector(nv));
            qdd.extend(noise.vector(nv));
        }
        let factors =
            (0..mechanism.layout().blocks.len()).map(|_| std::array::from_fn(|_| noise.uniform())).collect();
        let mut function = Quadratic { factors, value: 0.0 };
        let mut gradient = vec![0.0; count * 3 * nv];
        let samples = Samples { q: &q, qd: &qd, qdd: &qdd, count };
        mechanism.regressor_gradients(&samples, &mut function, &mut gradient).unwrap();
        for k in 0..count {
            let (q, qd, qdd) =
                (&q[k * nq..(k + 1) * nq], &qd[k * nv..(k + 1) * nv], &qdd[k * nv..(k + 1) * nv]);
            let found = &gradient[k * 3 * nv..(k + 1) * 3 * nv];
            let size = found.iter().fold(1.0f64, |most, x| most.max(x.abs()));
            let step = 1e-5;
            for j in 0..nv {
                let along = |which: usize, sign: f64, function: &mut Quadratic| {
                    let mut moved = [q.to_vec(), qd.to_vec(), qdd.to_vec()];
                    if which == 0 {
                        let mut delta = vec![0.0; nv];
                        delta[j] = sign * step;
                        moved[0] = mechanism.tree().displaced(q, &delta);
                    } else {
                        moved[which][j] += sign * step;
                    }
                    value(&mechanism, function, [&moved[0], &moved[1], &moved[2]])
                };
                for which in 0..3 {
                    let difference =
                        (along(which, 1.0, &mut function) - along(which, -1.0, &mut function)) / (2.0 * step);
                    let adjoint = found[which * nv + j];
                    assert!(
                        (adjoint - difference).abs() < 1e-7 * size,
                        "seed {seed}, sample {k}, coordinate {j}, derivative {which}: {adjoint} against {difference}"
                    );
                }
            }
        }
    }
    assert!(joints > 100, "{joints}");
}
