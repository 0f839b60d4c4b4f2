//! Rows of the regressor without the regressor: forces of unit parameters by the recursion of
//! Newton and Euler, at random states.

use steiner_dynamics::{Feasible, Mechanism, coupling_reduction};
use steiner_linalg::elimination::Matrix;
use steiner_robot::{Description, Frame, Joint, JointKind, Link, TreeJoint};

use super::Noise;
use super::rewriting::neutral;

/// A robot seen through the forces of some of its coordinates.
pub struct Forces<'m> {
    pub mechanism: &'m Mechanism,
    /// The rows that are measured.
    pub rows: Vec<usize>,
    /// A body whose joint never moves.
    pub frozen: Option<usize>,
    /// A body whose parameters are not asked for.
    pub weightless: Option<usize>,
    /// Whether nothing moves at all.
    pub still: bool,
    /// How far independent coordinates move, rad or m; in a geared tree, how far the slowest joints do that they
    /// turn: near one configuration doubles see too little of these.
    pub reach: f64,
}

impl<'m> Forces<'m> {
    /// Those of all independent coordinates.
    pub fn all(mechanism: &'m Mechanism) -> Self {
        let rows = (0..mechanism.dof()).collect();
        Forces { mechanism, rows, frozen: None, weightless: None, still: false, reach: 2.0 }
    }

    /// Rows at as many random states as any question about the parameters needs, and as many again.
    pub fn stacked(&self, seed: u64) -> Matrix<f64> {
        let mut noise = Noise::new(seed);
        let columns = self.columns().len();
        let mut out = Matrix::zeros(0, columns);
        let mut states = 0;
        while states < 40 || (out.rows() < 2 * columns && !self.rows.is_empty()) {
            states += 1;
            let rows = self.at(&self.state(&mut noise));
            (0..rows.rows()).for_each(|r| out.push_row(rows.row(r)));
        }
        out
    }

    /// The parameters asked for.
    fn columns(&self) -> Vec<usize> {
        let all = 0..self.mechanism.layout().columns();
        all.filter(|column| Some(column / 10) != self.weightless).collect()
    }

    /// The rows of a state.
    pub fn at(&self, state: &Feasible<f64>) -> Matrix<f64> {
        let mechanism = self.mechanism;
        let columns = self.columns();
        let mut out = Matrix::zeros(self.rows.len(), columns.len());
        for (c, &column) in columns.iter().enumerate() {
            let mut unit = vec![0.0; mechanism.layout().columns()];
            unit[column] = 1.0;
            let tau = mechanism.forces_at(&unit, state).expect("finite parameters");
            for (row, &k) in self.rows.iter().enumerate() {
                out[(row, c)] = tau[k];
            }
        }
        out
    }

    /// By how much an independent coordinate of a geared tree outruns the slowest hinge it turns.
    fn reduction_of(&self, j: usize) -> f64 {
        let mechanism = self.mechanism;
        if !mechanism.robot().loops.is_empty() || mechanism.takes_tree_configuration() {
            return 1.0;
        }
        // In exact numbers: in doubles, what rests may turn at a rounding, as if geared down by 1e17.
        let Ok(z) = coupling_reduction::<f64>(mechanism.robot(), mechanism.plan()) else { return 1.0 };
        let coordinates = mechanism.robot().coordinates();
        let turns = |k: usize| {
            let kind = &mechanism.robot().bodies[coordinates[k].body.0].joint.kind;
            matches!(kind, JointKind::Revolute | JointKind::Continuous | JointKind::Helical { .. })
        };
        let hinges = (0..coordinates.len()).filter(|&k| turns(k)).map(|k| z.value[(k, j)].abs());
        hinges.filter(|rate| *rate != 0.0).map(|rate| 1.0 / rate).fold(1.0, f64::max)
    }

    /// A random state.
    pub fn state(&self, noise: &mut Noise) -> Feasible<f64> {
        let mechanism = self.mechanism;
        let tree = mechanism.tree();
        let independent = &mechanism.plan().independent;
        let coordinates = mechanism.robot().coordinates();
        let moves: Vec<bool> =
            independent.iter().map(|&k| Some(coordinates[k].body.0) != self.frozen).collect();
        let slow: Vec<f64> = (0..independent.len()).map(|j| self.reduction_of(j)).collect();
        for attempt in 0..300 {
            let reach = self.reach * 0.97f64.powi(attempt);
            let mut delta = vec![0.0; tree.dof];
            for (j, (&k, _)) in independent.iter().zip(&moves).enumerate().filter(|(_, (_, moves))| **moves) {
                delta[k] = reach * slow[j] * noise.uniform();
            }
            let walks = !mechanism.robot().loops.is_empty() || mechanism.takes_tree_configuration();
            let q = if !walks {
                let q = mechanism.independent_part(&tree.displaced(mechanism.reference_tree(), &delta));
                mechanism.tree_configuration(&q).ok()
            } else {
                walked(mechanism, &independent.iter().map(|&k| delta[k]).collect::<Vec<_>>())
            };
            let Some(q) = q else { continue };
            let still = self.still;
            let mut rates = || -> Vec<f64> {
                moves.iter().map(|&moves| if moves && !still { noise.uniform() } else { 0.0 }).collect()
            };
            let (qd, qdd) = (rates(), rates());
            if let Ok(state) = mechanism.closure().feasible(mechanism.plan(), &q, &qd, &qdd) {
                return state;
            }
        }
        panic!("{}: no regular state in 300 tries", mechanism.robot().name)
    }
}

/// The configuration of the whole tree that a motion with constant independent velocities reaches in unit
/// time, through regular configurations: close to a singularity doubles have few digits left, and beyond it
/// another motion may begin, in which all velocities are different at once.
fn walked(mechanism: &Mechanism, velocity: &[f64]) -> Option<Vec<f64>> {
    const STEPS: usize = 60;
    let loops = !mechanism.robot().loops.is_empty();
    let least = 0.5 * mechanism.passive_pivot_ratio(mechanism.reference_tree()).min(1e-2);
    let still = vec![0.0; mechanism.dof()];
    let moving =
        |q: &[f64]| Some(mechanism.closure().feasible(mechanism.plan(), q, velocity, &still).ok()?.velocity);
    let mut q = mechanism.reference_tree().to_vec();
    let mut before = moving(&q)?;
    for _ in 0..STEPS {
        let step: Vec<f64> = before.iter().map(|x| x / STEPS as f64).collect();
        let next = mechanism.tree().displaced(&q, &step);
        q = match mechanism.takes_tree_configuration() {
            true => mechanism.tree_configuration(&next),
            false => mechanism.tree_configuration_from(&mechanism.independent_part(&next), &q),
        }
        .ok()?;
        let after = moving(&q)?;
        let most = before.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let smooth = before.iter().zip(&after).all(|(a, b)| (a - b).abs() <= 0.2 * most);
        if loops && (!smooth || mechanism.passive_pivot_ratio(&q) < least) {
            return None;
        }
        before = after;
    }
    (!loops || mechanism.passive_pivot_ratio(&q) > 2.0 * least).then_some(q)
}

/// The robot with a body `sensor` between a link and what carries it, on six freedoms that will
/// never move: the forces of these are what a sensor inside the joint feels. Without a link, between
/// the world and everything on it.
pub fn with_sensor(mut description: Description, link: Option<&str>) -> Description {
    let sensor = "sensor";
    let mut placement = Frame::identity();
    let mut parent = None;
    for joint in &mut description.joints {
        if link.map_or(joint.parent.is_none(), |link| link == joint.child) {
            if link.is_some() {
                placement = std::mem::take(&mut joint.joint.placement);
                parent = joint.parent.clone();
            }
            joint.parent = Some(sensor.to_owned());
        }
    }
    let joint = Joint { name: sensor.to_owned(), kind: JointKind::Floating, placement, ..neutral() };
    let place = description.place.clone();
    description.links.insert(
        0,
        Link { name: sensor.to_owned(), inertia: None, capsules: Vec::new(), place: place.clone() },
    );
    description.joints.insert(0, TreeJoint { joint, parent, child: sensor.to_owned(), place });
    description
}
