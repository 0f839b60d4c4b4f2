//! From the energies to the generalised forces, one acceleration function at a time.
//!
//! τ_i = Σ_k M_ik q̈_k + Σ_k (∂_k M_ik − ½ ∂_i M_kk) q̇_k² + Σ_{j<k} (∂_j M_ik + ∂_k M_ij
//! − ∂_i M_jk) q̇_j q̇_k + g ∂_i U
//!
//! These are (18) and (19), where the sign of the last derivative is misprinted. The functions of M are
//! closed under differentiation, so nothing about velocities needs to be searched or sampled.

use std::collections::HashMap;
use std::num::NonZeroUsize;

use steiner_linalg::in_parallel;

use super::energy::{Carrier, mass_entry, potential};
use super::function::Acceleration;
use super::joint_tables::ChainTables;
use super::model::ReductionMatrix;
use super::monomial::{JointMotion, Monomial};
use super::polynomial::{Polynomial, Term};
use super::witnessed::Witnessed;

/// The energies of an arm over its base parameters.
pub(crate) struct Energies<'a> {
    tables: &'a ChainTables,
    motions: &'a [JointMotion],
    /// Entries (j, k), j ≤ k, row by row of the upper triangle.
    mass: Vec<Polynomial>,
    potential: Polynomial,
}

/// What one acceleration function contributes to all forces: rows of E and of every P_i.
pub(crate) struct ForceBlock {
    pub(crate) functions: Vec<Monomial>,
    /// For each joint, its rows.
    pub(crate) reductions: Vec<ReductionMatrix>,
}

impl<'a> Energies<'a> {
    pub(crate) fn new(
        tables: &'a ChainTables,
        motions: &'a [JointMotion],
        base: &[Carrier],
        threads: NonZeroUsize,
    ) -> Self {
        let n = motions.len();
        let pairs: Vec<(usize, usize)> = (0..n).flat_map(|j| (j..n).map(move |k| (j, k))).collect();
        // The entries of the first joint are by far the largest and come first.
        let mass = in_parallel(pairs.len(), threads, |pair| {
            let (j, k) = pairs[pair];
            mass_entry(tables, base, j, k)
        });
        Energies { tables, motions, mass, potential: potential(tables, base) }
    }

    /// Coefficients of the mass matrix: what the size of the forces follows.
    pub(crate) fn coefficients(&self) -> usize {
        self.mass.iter().map(|entry| entry.0.len()).sum()
    }

    fn mass(&self, j: usize, k: usize) -> &Polynomial {
        let (j, k) = (j.min(k), j.max(k));
        &self.mass[j * self.motions.len() - j * (j + 1) / 2 + k]
    }

    /// The forces of all accelerations, in their order.
    pub(crate) fn forces(&self, threads: NonZeroUsize) -> Vec<(Acceleration, ForceBlock)> {
        let accelerations = Acceleration::all(self.motions.len());
        let blocks = in_parallel(accelerations.len(), threads, |at| {
            let forces =
                (0..self.motions.len()).map(|i| self.significant(self.force(accelerations[at], i))).collect();
            gather(forces)
        });
        accelerations.into_iter().zip(blocks).collect()
    }

    /// The factor of an acceleration function in τ_i.
    fn force(&self, acceleration: Acceleration, i: usize) -> Polynomial {
        let mut terms = Vec::new();
        let mut add = |factor: f64, by: usize, (j, k): (usize, usize)| {
            // M_jk doesn't change with the joints up to the inner one.
            if by > j.min(k) {
                let factor = Witnessed::exact(factor);
                self.mass(j, k).differentiate_into(&self.tables.joints[by], by, factor, &mut terms);
            }
        };
        match acceleration {
            Acceleration::Joint(k) => return self.mass(i, k).clone(),
            Acceleration::Centrifugal(k) => {
                add(1.0, k, (i, k));
                add(-0.5, i, (k, k));
            }
            Acceleration::Coriolis(j, k) => {
                add(1.0, j, (i, k));
                add(1.0, k, (i, j));
                add(-1.0, i, (j, k));
            }
            Acceleration::Gravity => {
                let one = Witnessed::exact(1.0);
                self.potential.differentiate_into(&self.tables.joints[i], i, one, &mut terms)
            }
        }
        Polynomial::collect(terms)
    }

    /// Rounding each angle by itself in F_p can undo an alignment that several make together. What is
    /// then left of a zero is lost in the rounding of the doubles: below 10⁻¹³ of the largest coefficient
    /// of the same parameter and unit.
    fn significant(&self, force: Polynomial) -> Polynomial {
        if !self.tables.rounded {
            return force;
        }
        let class = |term: &Term| {
            let displacement = |joint: usize| self.motions[joint].exponents(term.monomial().digit(joint))[0];
            let length: u8 = (0..self.motions.len()).map(displacement).sum();
            (term.parameter(), length)
        };
        let mut largest: HashMap<(usize, u8), f64> = HashMap::new();
        for term in &force.0 {
            let most = largest.entry(class(term)).or_default();
            *most = most.max(term.coefficient.value.abs());
        }
        let visible = |term: &Term| {
            let most = largest.get(&class(term)).copied().unwrap_or_default();
            term.coefficient.value.abs() > 1e-13 * most
        };
        Polynomial(force.0.into_iter().filter(visible).collect())
    }
}

/// One list of functions for all forces of an acceleration.
fn gather(forces: Vec<Polynomial>) -> ForceBlock {
    let mut functions: Vec<Monomial> = forces
        .iter()
        .flat_map(|force| force.0.chunk_by(|a, b| a.monomial() == b.monomial()))
        .map(|chunk| chunk[0].monomial())
        .collect();
    functions.sort_unstable();
    functions.dedup();
    let reductions = forces.into_iter().map(|force| {
        let mut reduction = ReductionMatrix::empty();
        let mut rest = force.0.into_iter().peekable();
        // Both lists ascend.
        for &function in &functions {
            let row = std::iter::from_fn(|| rest.next_if(|term| term.monomial() == function));
            reduction.push(row.map(|term| (term.parameter(), term.coefficient.value)));
        }
        reduction
    });
    ForceBlock { reductions: reductions.collect(), functions }
}
