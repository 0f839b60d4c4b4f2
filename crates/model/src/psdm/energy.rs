//! The mass matrix and the potential energy of a serial arm as polynomials:
//! lemmas 3 and 4, made constructive.
//!
//! M_jk (j ≤ k) is the power of the momentum that joint k gives all bodies from k
//! on, with the velocity of joint j:
//!
//! M_jk = L_jᵀ(q_{j+1} … q_k) B_k · Σ_{i ≥ k} X_{k+1}(q_{k+1}) ⋯ X_i(q_i) φ_i,
//!
//! a row over the parameters φ_i of each body that grows outward by one joint at a time. No coordinate enters
//! twice, so coefficients are products, never sums over products of the same joint's functions: M_jk is of
//! order 1 in q_{j+1} … q_k, of order 2 beyond and free of all others, and the potential energy of order 1 in
//! all. Rows that are zero are not carried on.

use super::joint_tables::{ChainTables, JointTables, Sparse};
use super::monomial::Monomial;
use super::polynomial::{Polynomial, Term};
use super::witnessed::Witnessed;

/// Where a base parameter enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Carrier {
    /// One of the ten parameters of a body.
    Body { body: usize, slot: usize },
    /// The drive of a joint.
    Drive { joint: usize },
}

/// A row over N numbers per monomial.
type Rows<const N: usize> = Vec<(Monomial, [Witnessed; N])>;

/// Entry (j, k), j ≤ k, of the mass matrix over the base parameters.
pub(crate) fn mass_entry(tables: &ChainTables, base: &[Carrier], j: usize, k: usize) -> Polynomial {
    let joints = &tables.joints;
    let mut velocity: Rows<6> = vec![(Monomial::default(), joints[j].own)];
    for joint in j + 1..=k {
        velocity = grow(&velocity, joint, &joints[joint].velocity, from_the_right);
    }
    let meet = |(monomial, velocity): &(Monomial, [Witnessed; 6])| {
        (*monomial, from_the_left::<6, 10>(velocity, &joints[k].power))
    };
    let rows: Rows<10> = velocity.iter().map(meet).collect();
    let mut terms = spread(joints, base, rows, k);
    if j == k {
        // A drive turns with its joint alone, (52).
        let own = base.iter().position(|carrier| *carrier == Carrier::Drive { joint: k });
        terms.extend(own.map(|parameter| Term::new(Monomial::default(), parameter, Witnessed::exact(1.0))));
    }
    Polynomial::collect(terms)
}

/// The potential energy over |g|, (16), of all bodies.
pub(crate) fn potential(tables: &ChainTables, base: &[Carrier]) -> Polynomial {
    let mut row = [Witnessed::zero(); 10];
    for (place, g) in row[1..4].iter_mut().zip(tables.gravity) {
        *place = g.times(Witnessed::exact(-1.0));
    }
    let rows = vec![(Monomial::default(), row)];
    Polynomial::collect(spread(
        &tables.joints,
        base,
        grow(&rows, 0, &tables.joints[0].inertia, from_the_left),
        0,
    ))
}

/// Carries rows over the parameters of body `first` outward to all bodies, and
/// keeps the base parameters' entries.
fn spread(joints: &[JointTables], base: &[Carrier], mut rows: Rows<10>, first: usize) -> Vec<Term> {
    let mut terms = Vec::new();
    for body in first..joints.len() {
        if body > first {
            rows = grow(&rows, body, &joints[body].inertia, from_the_left);
        }
        for (parameter, carrier) in base.iter().enumerate() {
            let Carrier::Body { body: owner, slot } = *carrier else { continue };
            if owner == body {
                let entries = rows.iter().filter(|(_, row)| !row[slot].is_zero());
                terms.extend(entries.map(|(monomial, row)| Term::new(*monomial, parameter, row[slot])));
            }
        }
    }
    terms
}

/// Multiplies each row by each matrix of a joint.
fn grow<const N: usize>(
    rows: &Rows<N>,
    joint: usize,
    matrices: &[Sparse],
    multiply: impl Fn(&[Witnessed; N], &Sparse) -> [Witnessed; N],
) -> Rows<N> {
    let mut grown = Vec::with_capacity(rows.len() * matrices.len());
    for (monomial, row) in rows {
        for (digit, matrix) in matrices.iter().enumerate() {
            let row = multiply(row, matrix);
            if row.iter().any(|x| !x.is_zero()) {
                grown.push((monomial.times(joint, digit), row.map(Witnessed::settled)));
            }
        }
    }
    grown
}

/// rowᵀ M.
fn from_the_left<const N: usize, const M: usize>(row: &[Witnessed; N], matrix: &Sparse) -> [Witnessed; M] {
    let mut out = [Witnessed::zero(); M];
    for &(r, c, entry) in matrix {
        out[c as usize] = out[c as usize].plus_product(row[r as usize], entry);
    }
    out
}

/// M v.
fn from_the_right<const N: usize>(v: &[Witnessed; N], matrix: &Sparse) -> [Witnessed; N] {
    let mut out = [Witnessed::zero(); N];
    for &(r, c, entry) in matrix {
        out[r as usize] = out[r as usize].plus_product(v[c as usize], entry);
    }
    out
}
