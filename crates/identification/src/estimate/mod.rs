//! From triangles to parameters: least squares in its forms, with uncertainties
//! and what they are dominated by.

mod covariance;
mod essential;
mod gains;
mod instrumental;
mod least_squares;
mod ridge;
mod scale;
mod weighted;

pub(crate) use covariance::{robust_covariance, sigma_of};
pub use essential::{Essential, essential_parameters};
pub(crate) use instrumental::{Projection, instrumental};
pub(crate) use least_squares::{LeastSquares, least_squares, values_only};
pub(crate) use ridge::ridge;
pub(crate) use scale::{BADLY, Rescaled, WELL, common_scale, judged, likelihood_of, rescaled, scale_by_file};
pub(crate) use weighted::{Noise, huber, ordinary, values_of, weighted};
