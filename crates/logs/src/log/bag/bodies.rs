//! Joints of six degrees of freedom in bags: floating bases.
//!
//! Poses are those of the joint; twists and wrenches are taken as they stand, in body axes about the body's origin. A
//! message does not say in which axes its twists are: if they are the world's, the comparison with the poses says so
//! (`recording/rate_check`).

use super::cdr::MultiDofState;

/// Numbers of a pose, a twist and a wrench.
const WIDTHS: [usize; 3] = [7, 6, 6];

/// Joints of `sensor_msgs/msg/MultiDOFJointState`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bodies {
    names: Vec<String>,
    /// Which of pose, twist and wrench come with them.
    has: [bool; 3],
    /// The last quaternions: q and −q are the same, but nothing lies between them.
    last: Vec<[f64; 4]>,
}

impl Bodies {
    pub(super) fn of(state: &MultiDofState) -> Self {
        let lists = [&state.poses, &state.twists, &state.wrenches];
        let has = [0, 1, 2].map(|k| lists[k].len() == WIDTHS[k] * state.names.len());
        Bodies { last: vec![[0.0; 4]; state.names.len()], names: state.names.clone(), has }
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    pub(super) fn has_twists(&self) -> bool {
        self.has[1]
    }

    pub(super) fn columns(&self) -> Vec<String> {
        let families = ["q", "qd", "tau"].iter().zip(WIDTHS).zip(self.has).filter(|(_, has)| *has);
        families
            .flat_map(|((family, width), _)| {
                let of_body = move |name| (0..width).map(move |k| format!("{family}_{name}:{k}"));
                self.names.iter().flat_map(of_body)
            })
            .collect()
    }

    pub(super) fn width(&self) -> usize {
        self.names.len() * WIDTHS.iter().zip(self.has).filter(|(_, has)| *has).map(|(w, _)| w).sum::<usize>()
    }

    /// The columns' values in a message; `None` where it tells of other joints.
    pub(super) fn values(&mut self, state: &MultiDofState) -> Option<Vec<f64>> {
        let place = |name: &String| state.names.iter().position(|other| other == name);
        let places: Vec<usize> = self.names.iter().map(place).collect::<Option<_>>()?;
        let mut values = Vec::with_capacity(self.width());
        let lists = [&state.poses, &state.twists, &state.wrenches];
        for ((list, width), has) in lists.into_iter().zip(WIDTHS).zip(self.has) {
            for &place in places.iter().filter(|_| has) {
                match list.get(width * place..width * (place + 1)) {
                    Some(own) => values.extend_from_slice(own),
                    None => values.extend(std::iter::repeat_n(f64::NAN, width)),
                }
            }
        }
        if self.has[0] {
            for (pose, last) in values.chunks_exact_mut(WIDTHS[0]).zip(&mut self.last) {
                let quaternion = &mut pose[3..];
                if quaternion.iter().zip(&*last).map(|(a, b)| a * b).sum::<f64>() < 0.0 {
                    quaternion.iter_mut().for_each(|x| *x = -*x);
                }
                last.copy_from_slice(quaternion);
            }
        }
        Some(values)
    }
}

/// A body of `geometry_msgs/msg/TwistStamped`: the frame of the message.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Twist {
    body: String,
    asked: bool,
}

impl Twist {
    pub(super) fn of(frame: &str, asked: bool) -> Self {
        Twist { body: frame.trim_start_matches('/').to_owned(), asked }
    }

    pub(super) fn body(&self) -> &str {
        &self.body
    }

    /// Whether the user named its topic.
    pub(super) fn was_asked_for(&self) -> bool {
        self.asked
    }

    pub(super) fn columns(&self) -> Vec<String> {
        (0..6).map(|k| format!("qd_{}:{k}", self.body)).collect()
    }
}
