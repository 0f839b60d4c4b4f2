//! Pseudo-symbolic dynamic models of serial arms, after \[lloyd2021\]. A file per idea, in the order
//! of the derivation: `chain` → `base_parameters` → `joint_tables` → `energy` → `forces` → `model`;
//! then what a model is good for.

mod base_parameters;
mod chain;
mod derive;
mod energy;
mod equations;
mod evaluate;
mod file;
mod forces;
mod function;
mod joint_tables;
mod model;
mod monomial;
mod polynomial;
mod reduction;
mod search_space;
mod witnessed;

pub use derive::PsdmOptions;
pub use equations::Notation;
pub use evaluate::{CalibratedPsdm, Evaluator};
pub use function::{Acceleration, Function};
pub use model::{ModelJoint, ModelParameter, Psdm, ReductionMatrix};
pub use monomial::{JointMotion, Monomial};
pub use reduction::{Contribution, PsdmTask, ReducedPsdm, ReductionGoal, TradeOff, TradeOffPoint};
pub use search_space::SearchSpace;
