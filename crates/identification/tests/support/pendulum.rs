//! The double pendulum of [matthew2016]: table II with bodies like those of a UR5, axes that may lie off x,
//! and what tables III and IV print.

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot, zoo};
use steiner_identification::{
    Estimator, Identification, MotionKind, Problem, SensorFaults, Settings, SimulatedContact, Simulation,
    identify, simulate,
};
use steiner_logs::Recording;
use steiner_robot::{PseudoInertia, Robot, Sensor, SensorSet};

/// A row of tables III and IV.
pub(crate) struct PaperRow {
    /// The parameter as the paper writes it.
    pub(crate) symbol: &'static str,
    /// Its label here: the paper's bodies 1, 2, 3 are base_link, link1, link2.
    pub(crate) label: &'static str,
    /// Table III: errors of the simplified and of the full model.
    pub(crate) simplified: f64,
    pub(crate) full: f64,
    /// Table IV: true value (kg, kg·m, kg·m²) and error.
    pub(crate) truth: f64,
    pub(crate) two_contacts: f64,
}

const fn row(symbol: &'static str, label: &'static str, printed: [f64; 4]) -> PaperRow {
    let [simplified, full, truth, two_contacts] = printed;
    PaperRow { symbol, label, simplified, full, truth, two_contacts }
}

/// Tables III and IV as printed.
pub(crate) const PRINTED: [PaperRow; 13] = [
    row("(m₁)_R", "base_link.m", [0.00, 0.00, 20.99, 0.00]),
    row("(m₁r_x1)_R", "base_link.mx", [0.32, -0.11, 1.33, 0.00]),
    row("(m₁r_y1)_R", "base_link.my", [-0.03, 0.00, 0.00, -0.01]),
    row("m₂r_y2", "link1.my", [-0.06, 0.14, 0.00, 0.00]),
    row("(m₂r_z2)_R", "link1.mz", [0.06, 0.02, 6.39, 0.01]),
    row("(I_xx2)_R", "link1.Ixx", [0.04, 0.02, 2.41, 0.08]),
    row("I_xy2", "link1.Ixy", [-1.17, 0.13, 0.00, -0.03]),
    row("(I_xz2)_R", "link1.Ixz", [-2.15, 0.15, -0.56, 0.01]),
    row("m₃r_y3", "link2.my", [-0.09, 0.02, 0.00, 0.00]),
    row("m₃r_z3", "link2.mz", [-0.10, 0.00, 2.66, 0.00]),
    row("I_xx3", "link2.Ixx", [0.04, 0.03, 0.41, -0.01]),
    row("I_xy3", "link2.Ixy", [-0.42, -0.10, 0.00, 0.00]),
    row("I_xz3", "link2.Ixz", [-0.55, 0.16, 0.00, 0.00]),
];

/// The off-axis products of inertia among the rows, which section VI speaks of.
pub(crate) const PRODUCTS: [usize; 4] = [6, 7, 11, 12];
/// Condition numbers of section VI (simplified, full) and of section VII.
pub(crate) const PRINTED_CONDITIONS: [f64; 3] = [38.1, 334.2, 36.5];
/// 4715 = 5 · 943 rows and 5658 = 6 · 943: about x no force along x arises, and its row was left out.
pub(crate) const SAMPLES: usize = 943;

/// Numbers in [0, 1) for a seed: where on a circle an axis leans, where a centre of mass lies.
pub(crate) struct Draws(u64);

impl Draws {
    pub(crate) fn new(seed: u64) -> Self {
        Draws(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }
}

/// An axis `degrees` off x, leaning towards y for `side` = 0 and towards z for `side` = π/2.
pub(crate) fn leaning(degrees: f64, side: f64) -> [f64; 3] {
    let (s, c) = degrees.to_radians().sin_cos();
    [c, s * side.cos(), s * side.sin()]
}

pub(crate) const ALONG_X: [f64; 3] = [1.0, 0.0, 0.0];

/// The zoo's pendulum (table II) about other axes.
pub(crate) fn pendulum(axes: [[f64; 3]; 2]) -> Robot {
    let mut text = zoo::find("double_pendulum").unwrap_or_else(|error| panic!("{error}")).text.to_owned();
    for axis in axes {
        text = text.replacen("axis = [1, 0, 0]", &format!("axis = {axis:?}"), 1);
    }
    let options = ReadOptions::default();
    let description =
        steiner_formats::parse_text(&text, "pendulum", steiner_formats::Format::Toml, None, &options);
    let description = description.unwrap_or_else(|error| panic!("{error}"));
    steiner_formats::assemble(description, &options).unwrap_or_else(|error| panic!("{error}"))
}

/// The same with centres of mass up to 5 cm beside the zoo's in x and y and a fifth higher or lower:
/// no product of inertia is zero.
pub(crate) fn with_other_bodies(robot: Robot, draws: &mut Draws) -> Robot {
    let mut robot = robot.into_parts();
    for body in &mut robot.bodies {
        let mut centred = body.inertia.centred();
        centred.com[0] += draws.between(-0.05, 0.05);
        centred.com[1] += draws.between(-0.05, 0.05);
        centred.com[2] *= draws.between(0.8, 1.2);
        body.inertia = PseudoInertia::from_centred(&centred);
    }
    Robot::from_parts(robot).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn moving(robot: Robot) -> Mechanism {
    Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}"))
}

/// A robot of the zoo as it is.
pub(crate) fn zoo_mechanism(name: &str) -> Mechanism {
    moving(read_robot(name, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}")))
}

/// The paper's excitation: noisy sinusoids of acceleration, integrated. Frequencies, amplitudes and rate are
/// not printed: 0.1–0.6 Hz within the joints' limits, 943 samples of 10 ms.
pub(crate) fn recorded(
    machine: &Mechanism,
    seed: u64,
    contacts: Vec<SimulatedContact>,
    faults: SensorFaults,
) -> Recording {
    let simulation = Simulation {
        seed,
        duration: SAMPLES as f64 / 100.0,
        rate: 100.0,
        motion: MotionKind::NoisySinusoids { noise: 0.05 },
        period: Some(10.0),
        harmonics: 6,
        base_wrench: true,
        drives: false,
        contacts,
        faults,
        ..Simulation::default()
    };
    simulate(machine, &simulation).unwrap_or_else(|error| panic!("{error}"))
}

/// Least squares as the paper has them: rows unweighted, joint torques unknown.
pub(crate) fn plain_settings() -> Settings {
    Settings {
        measure: SensorSet::new(vec![Sensor::BaseWrench]),
        drives: false,
        consistent: None,
        estimator: Estimator::Ordinary,
        ..Settings::default()
    }
}

/// With base parameters of the names of tables III and IV.
pub(crate) fn columns_of_the_tables() -> Settings {
    let keep = PRINTED.iter().map(|row| row.label.to_owned()).collect();
    Settings { keep, ..plain_settings() }
}

/// With the first independent columns in the order of φ, as a QR decomposition without pivoting finds them.
pub(crate) fn first_columns() -> Settings {
    let kinds = ["m", "mx", "my", "mz", "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"];
    let keep = ["base_link", "link1", "link2"]
        .iter()
        .flat_map(|body| kinds.iter().map(move |kind| format!("{body}.{kind}")))
        .collect::<Vec<_>>();
    // Of what is to be kept, the first of the list goes first where not all can stay.
    Settings { keep: keep.into_iter().rev().collect(), ..plain_settings() }
}

/// An identification with the truth of its own regrouping beside it: the model's
/// mechanism has the true bodies.
pub(crate) struct Evaluated {
    pub(crate) found: Identification,
    pub(crate) truth: Vec<f64>,
}

pub(crate) fn evaluated(model: &Mechanism, data: &Recording, settings: &Settings) -> Evaluated {
    let found = identify(model, data, settings).unwrap_or_else(|error| panic!("{error}"));
    let problem = Problem::new(model, settings).unwrap_or_else(|error| panic!("{error}"));
    let value = |label: &String| {
        let k = problem.labels().iter().position(|other| other == label).expect("a label of the problem");
        problem.prior()[k]
    };
    let truth = found
        .parameters
        .iter()
        .map(|parameter| parameter.terms.iter().map(|(label, factor)| factor * value(label)).sum())
        .collect();
    Evaluated { found, truth }
}

impl Evaluated {
    fn place(&self, label: &str) -> Option<usize> {
        self.found.parameters.iter().position(|parameter| parameter.name == label)
    }

    /// (true value, error, σ) in the order of the tables; `None` where the model has
    /// no base parameter of that name.
    pub(crate) fn rows(&self) -> Vec<Option<[f64; 3]>> {
        PRINTED
            .iter()
            .map(|row| {
                self.place(row.label).map(|k| {
                    let parameter = &self.found.parameters[k];
                    [self.truth[k], parameter.least_squares - self.truth[k], parameter.white_sigma]
                })
            })
            .collect()
    }

    /// Condition number of the base regressor as it is, in SI units.
    pub(crate) fn condition(&self) -> f64 {
        self.found.excitation.raw_condition_number
    }

    /// ε of (5): norm of what is left of all rows, and the same over the norm of the wrench.
    pub(crate) fn epsilon(&self) -> [f64; 2] {
        let left = &self.found.training.least_squares;
        let square: f64 = left.rows.iter().map(|row| row.count as f64 * row.rms * row.rms).sum();
        [square.sqrt(), left.total]
    }
}
