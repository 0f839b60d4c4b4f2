//! The answer: planar base parameters in symbols.

use steiner_linalg::elimination::Matrix;
use steiner_robot::Robot;
use steiner_scalar::{EvaluationError, Field};

use super::note::PlanarNote;
use super::parametrisation::{PlanarLength, PlanarSquare};
use super::product::{Lengths, PlanarWeight};
use super::recast::{LengthProductSum, add, back, moved, value};
use super::search::PlanarNumbers;
use super::view::PlanarView;

/// Base parameters φ_b = φ₁ + β φ₂ of a planar mechanism, (17) of
/// \[iriarte2015\], β being products of lengths.
///
/// Parameters of links are about the origins of the optimal parametrisation;
/// [`PlanarBaseParameters::in_file_parameters`] recasts them to the file's frames.
#[derive(Clone, Debug)]
pub struct PlanarBaseParameters {
    /// The plane, and which axes of it links call x and y.
    pub view: PlanarView,
    /// Labels of the 4 N parameters.
    pub labels: Vec<String>,
    /// φ₁: the parameters the base parameters are named after, ascending.
    pub base: Vec<usize>,
    /// φ₂: the parameters regrouped into them, ascending.
    pub dependent: Vec<usize>,
    /// β: for each of φ₁, its weights of φ₂.
    pub weights: Vec<Vec<PlanarWeight>>,
    /// λ, followed by the coordinates of origins that are not the file's.
    pub lengths: Vec<PlanarLength>,
    /// How many of the lengths are λ.
    pub searched: usize,
    /// Λ, where it is not the square of one length.
    pub squares: Vec<PlanarSquare>,
    /// For each link, the lengths that are the coordinates of its origin in the file's frame; `None` is zero.
    pub origins: Vec<[Option<usize>; 2]>,
    /// The joints at which loops were opened.
    pub opened_at: Vec<String>,
    /// The primes of the search and their common factor, m.
    pub primes: (Vec<u64>, f64),
    /// Functions of the class (21) that were compared, and the least relative
    /// distance between two of one dimension.
    pub candidates: (usize, f64),
    /// Absolute tolerance of the comparison.
    pub tolerance: f64,
    /// β in numbers at the prime lengths.
    pub numbers: PlanarNumbers,
    /// What transfers of mass and inertia say of it.
    pub transfers: TransferCheck,
    /// How visible the regrouped combinations are in the mechanism of the file, relative to their parts: zero
    /// but for rounding. `None` if not all weights were recognised.
    pub residual: Option<f64>,
    /// The base parameters at the lengths of the file, as weights of all 4 N parameters about
    /// the file's origins: from forces of the mechanism there, without the formulas. `None` if
    /// φ₁ cannot be distinguished there.
    pub at_file: Option<Matrix<f64>>,
    /// What the user should know.
    pub notes: Vec<PlanarNote>,
}

/// The independent check by (A.1) to (A.5), in exact numbers at random lengths.
#[derive(Clone, Debug, PartialEq)]
pub enum TransferCheck {
    /// All weights agree at so many sets of lengths.
    Agree {
        /// Sets of lengths.
        sets: usize,
    },
    /// The recognised weights agree at so many sets of lengths; others were not compared.
    AgreeInPart {
        /// Sets of lengths.
        sets: usize,
        /// Weights that were not recognised, and so not compared.
        left_out: usize,
    },
    /// These entries (row, column of β) differ.
    Differ {
        /// (base parameter, dependent parameter) of each entry that differs.
        entries: Vec<(usize, usize)>,
    },
    /// Transfers remove fewer or other parameters than φ₂ has.
    Incomplete {
        /// Independent transfers.
        independent: usize,
    },
}

impl PlanarBaseParameters {
    /// Whether every weight is zero or exactly one product of lengths.
    pub fn is_complete(&self) -> bool {
        self.unrecognised().is_empty()
    }

    /// The entries (row, column of β) that are not recognised.
    pub fn unrecognised(&self) -> Vec<(usize, usize)> {
        let entries = |(row, weights): (usize, &Vec<PlanarWeight>)| {
            let open = |weight: &PlanarWeight| {
                matches!(weight, PlanarWeight::Ambiguous { .. } | PlanarWeight::Outside { .. })
            };
            let columns = weights.iter().enumerate().filter(move |(_, weight)| open(weight));
            columns.map(|(column, _)| (row, column)).collect::<Vec<_>>()
        };
        self.weights.iter().enumerate().flat_map(entries).collect()
    }

    /// A weight in plain text. One that was not recognised is known at the prime lengths alone, and says so.
    pub fn text(&self, weight: &PlanarWeight) -> String {
        match weight {
            PlanarWeight::Zero => "0".to_owned(),
            PlanarWeight::Product(term) => term.text(&self.lengths, &self.squares),
            PlanarWeight::Ambiguous { value, candidates } => {
                let texts: Vec<String> =
                    candidates.iter().map(|c| c.text(&self.lengths, &self.squares)).collect();
                format!("({value} at prime lengths: {})", texts.join(" or "))
            }
            PlanarWeight::Outside { value } => format!("({value} at prime lengths)"),
        }
    }

    /// A base parameter in plain text: `b1.mx - 1/lx1*b1.J`.
    pub fn formula(&self, row: usize) -> String {
        let mut text = self.labels[self.base[row]].clone();
        for (weight, &column) in self.weights[row].iter().zip(&self.dependent) {
            let label = &self.labels[column];
            let factor = match weight {
                PlanarWeight::Zero => continue,
                other => self.text(other),
            };
            let (sign, factor) = match factor.strip_prefix('-') {
                Some(rest) => ('-', rest.to_owned()),
                None => ('+', factor),
            };
            match factor.as_str() {
                "1" => text.push_str(&format!(" {sign} {label}")),
                _ => text.push_str(&format!(" {sign} {factor}*{label}")),
            }
        }
        text
    }

    /// What the names of squares stand for: `l2^2 = lx2^2 + ly2^2`, and coordinates that
    /// are more than a name of the file.
    pub fn definitions(&self) -> Vec<String> {
        let squares = self.squares.iter().map(|square| {
            let [x, y] = square.lengths.map(|k| &self.lengths[k].name);
            format!("{}^2 = {x}^2 + {y}^2", square.name)
        });
        let named = |length: &&PlanarLength| super::coordinates::named(&length.coordinate).is_none();
        let coordinates = self.lengths.iter().filter(named).map(|length| {
            let sign = if length.negative { "-" } else { "" };
            let inner = length.coordinate.to_string();
            match (length.negative, inner.strip_prefix('-')) {
                (true, Some(rest)) if rest.chars().all(|c| c.is_ascii_digit() || c == '.') => {
                    format!("{} = {rest}", length.name)
                }
                (true, _) => format!("{} = {sign}({inner})", length.name),
                _ => format!("{} = {inner}", length.name),
            }
        });
        squares.chain(coordinates).collect()
    }

    /// The lengths, m, in a robot that is the same mechanism with other values for its named constants.
    pub fn lengths_of(&self, robot: &Robot) -> Result<Vec<f64>, EvaluationError> {
        let lookup = |name: &str| robot.constants.iter().find(|c| c.name == name).map(|c| c.value.clone());
        let length = |length: &PlanarLength| {
            let value = length.coordinate.with_symbols(&lookup).to_f64()?;
            Ok(if length.negative { -value } else { value })
        };
        self.lengths.iter().map(length).collect()
    }

    /// β at given lengths (m, in the order of `lengths`; those beyond `searched` may be left out), in any
    /// field. `None` if a weight was not recognised or divides by zero.
    pub fn evaluate<F: Field>(&self, lengths: &[F]) -> Option<Matrix<F>> {
        if lengths.len() < self.searched {
            return None;
        }
        let at = Lengths::new(lengths.to_vec(), &self.squares);
        let mut out = Matrix::zeros(self.base.len(), self.dependent.len());
        for (b, row) in self.weights.iter().enumerate() {
            for (d, weight) in row.iter().enumerate() {
                out[(b, d)] = match weight {
                    PlanarWeight::Zero => F::zero(),
                    PlanarWeight::Product(term) => at.value(term)?,
                    PlanarWeight::Ambiguous { .. } | PlanarWeight::Outside { .. } => return None,
                };
            }
        }
        Some(out)
    }

    /// The base parameters as combinations of all 4 N parameters about the file's origins; `None`
    /// if a weight was not recognised.
    pub fn in_file_parameters(&self) -> Option<Vec<Vec<LengthProductSum>>> {
        let mut out = Vec::with_capacity(self.base.len());
        for (row, weights) in self.base.iter().zip(&self.weights) {
            let mut sums: Vec<LengthProductSum> = vec![Vec::new(); self.labels.len()];
            let mut put = |column: usize, weight: &super::product::LengthProduct| {
                let (link, parameter) = (column / 4, column % 4);
                for (place, factor, term) in moved(parameter, &self.origins[link], &self.lengths) {
                    add(&mut sums[4 * link + place], factor, &term.times(weight));
                }
            };
            put(*row, &super::product::LengthProduct::one());
            for (weight, &column) in weights.iter().zip(&self.dependent) {
                match weight {
                    PlanarWeight::Zero => {}
                    PlanarWeight::Product(term) => put(column, term),
                    PlanarWeight::Ambiguous { .. } | PlanarWeight::Outside { .. } => return None,
                }
            }
            out.push(sums);
        }
        Some(out)
    }

    /// [`PlanarBaseParameters::in_file_parameters`] at given lengths, all of them: base parameters by 4 N.
    pub fn evaluate_in_file_parameters<F: Field>(&self, lengths: &[F]) -> Option<Matrix<F>> {
        let at = Lengths::new(lengths.to_vec(), &self.squares);
        let sums = self.in_file_parameters()?;
        let mut out = Matrix::zeros(self.base.len(), self.labels.len());
        for (b, row) in sums.iter().enumerate() {
            for (c, sum) in row.iter().enumerate() {
                out[(b, c)] = value(sum, &at)?;
            }
        }
        Some(out)
    }

    /// The combinations that φ_b does not change with, at given lengths (all of them), about the
    /// file's origins: one for each of φ₂.
    pub fn null_vectors(&self, lengths: &[f64]) -> Option<Vec<Vec<f64>>> {
        if lengths.len() < self.lengths.len() {
            return None;
        }
        let beta = self.evaluate(lengths)?;
        let origins = self.origins_at(lengths);
        let vector = |(d, &column): (usize, &usize)| {
            let mut v = vec![0.0; self.labels.len()];
            v[column] = 1.0;
            self.base.iter().enumerate().for_each(|(b, &row)| v[row] = -beta[(b, d)]);
            for (link, origin) in origins.iter().enumerate() {
                let change = [v[4 * link], v[4 * link + 1], v[4 * link + 2], v[4 * link + 3]];
                v[4 * link..4 * link + 4].copy_from_slice(&back(&change, *origin));
            }
            v
        };
        Some(self.dependent.iter().enumerate().map(vector).collect())
    }

    /// Where the origins of links are in the file's frames at given lengths, all of them, m.
    pub(crate) fn origins_at(&self, lengths: &[f64]) -> Vec<[f64; 2]> {
        let coordinate = |k: Option<usize>| match k {
            None => 0.0,
            Some(k) if self.lengths[k].negative => -lengths[k],
            Some(k) => lengths[k],
        };
        self.origins.iter().map(|origin| origin.map(coordinate)).collect()
    }
}
