//! Which inertial parameters can ever be identified?
//!
//! The generalised forces are τ = Y(q, q̇, q̈) π, so what no motion can tell is the structural nullspace
//!
//! 𝒩 = { δπ : Y(q, q̇, q̈) δπ = 0 for all feasible q, q̇, q̈ }.
//!
//! Its complement are the base parameters. For trees and couplings every decision about 𝒩 is taken in the
//! prime field F_p, where zero is zero. So it is for loops that close exactly in F_p at the file's configuration,
//! along curves through it (power series); for others in extended precision, where remainders must be at the
//! rounding of the arithmetic and the decision stands with twice the digits. Vectors that geometry explains come first (points that bodies share, points
//! that are fixed, bodies that only turn about one direction, never turn, or stay parallel); the rest on ever
//! larger supports, so that the basis is sparse.
//!
//! ```
//! use steiner_dynamics::Mechanism;
//! use steiner_identifiability::{Measurement, structural_nullspace};
//! use steiner_formats::{ReadOptions, read_robot};
//!
//! let puma = Mechanism::new(read_robot("puma560", &ReadOptions::default()).unwrap()).unwrap();
//! let nullspace = structural_nullspace(&puma, &Measurement::all()).unwrap();
//! assert_eq!((nullspace.identifiable(), nullspace.vectors.len()), (36, 24));
//! assert!(nullspace.certificate.complete);
//! ```

mod alignment;
mod analysis;
mod base_parameters;
mod carried;
mod certificate;
mod certify;
mod check;
mod compare;
mod completion;
mod drives;
mod drng;
mod error;
mod explanation;
mod field;
mod gravity;
mod known;
mod loops;
mod measure;
mod note;
mod nullspace;
mod numeric;
mod parts;
mod planar;
mod point_motions;
mod principles;
mod reached;
mod reason;
mod relations;
mod resolution;
mod rpna;
mod sampling;
mod sharpen;
mod solved_basis;
mod stack;
mod supports;
mod symbolic;
mod transfers;
mod trials;
mod wanted;
mod weak;

pub use alignment::{Misalignment, MisalignmentKind, Reference};
pub use analysis::{Analysis, Method, Question, analyze};
pub use base_parameters::{BaseParameter, Preference, Regrouping, regroup};
pub use certificate::{Arithmetic, Certificate, Verified};
pub use check::{Cure, Standing, StructuralVerdict, check_structure};
pub use compare::{Comparison, compare};
pub use completion::structural_nullspace;
pub use drives::DRIVE_PARAMETERS;
pub use drng::{JointVector, TetrahedralModel, drng, drng_nullspace};
pub use error::IdentifiabilityError;
pub use measure::{MeasuredRow, Measurement};
pub use note::AnalysisNote;
pub use nullspace::{NullVector, Nullspace};
pub use numeric::{Criteria, NumericNullspace, NumericOptions, criteria, numeric_nullspace};
pub use planar::{
    LengthFactor, LengthProduct, LengthProductSum, PlanarBaseParameters, PlanarLength, PlanarNote,
    PlanarNumbers, PlanarQuestion, PlanarSquare, PlanarView, PlanarWeight, TransferCheck,
    planar_base_parameters,
};
pub use reason::{Cause, Place, Principle, Reason, Site};
pub use rpna::{rpna, rpna_with_gravity_as_joint};
pub use sharpen::sharpen;
pub use symbolic::{
    FamilyVariable, SpecialMember, SpecialMembers, SpecialOutcome, SpecialSource, Symbolic, SymbolicNote,
    SymbolicParameter, Weight, special_members, symbolic,
};
pub use wanted::{Aim, Wanted, wanted};
pub use weak::{WeakDirection, WeakReason};
