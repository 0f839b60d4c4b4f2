//! Who carries whom, for writing sums over whole branches shortly.

use steiner_dynamics::Mechanism;
use steiner_identifiability::Analysis;

/// The branches of a tree: each body with all bodies it carries. Where loops close there are none.
#[derive(Clone, Debug, Default)]
pub struct Family {
    /// For each analysed body, itself and all it carries, ascending.
    branches: Vec<Vec<usize>>,
}

impl Family {
    /// Of a mechanism's analysed bodies.
    pub fn new(mechanism: &Mechanism, analysis: &Analysis) -> Self {
        Self::of_bodies(mechanism, analysis.bodies.len())
    }

    /// Of so many bodies: some on the ground, then the moving ones.
    pub fn of_bodies(mechanism: &Mechanism, bodies: usize) -> Self {
        let robot = mechanism.robot();
        if !robot.loops.is_empty() {
            return Family::default();
        }
        let ground = bodies.saturating_sub(robot.bodies.len());
        let mut branches: Vec<Vec<usize>> = (0..bodies).map(|k| vec![k]).collect();
        for (k, body) in robot.bodies.iter().enumerate() {
            let mut carrier = body.parent;
            while let Some(parent) = carrier {
                branches[ground + parent.0].push(ground + k);
                carrier = robot.bodies[parent.0].parent;
            }
        }
        Family { branches }
    }

    /// The bodies of a branch of at least three; `None` for shorter ones.
    pub(crate) fn branch(&self, body: usize) -> Option<&[usize]> {
        self.branches.get(body).map(Vec::as_slice).filter(|branch| branch.len() > 2)
    }
}
