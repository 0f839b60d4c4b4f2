//! The tree of links: who hangs on whom, and in which order they are visited.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::description::{Description, SiblingOrder};
use crate::error::RobotError;

/// Who hangs on whom.
pub struct LinkTree {
    /// Index of the joint above each link.
    pub joint_above: Vec<usize>,
    /// Index of the parent link; `None` is the world.
    parent: Vec<Option<usize>>,
}

impl LinkTree {
    /// The tree that the joints of a description make; cycles and second parents are errors.
    pub fn new(d: &Description) -> Result<Self, RobotError> {
        let index: HashMap<&str, usize> =
            d.links.iter().enumerate().map(|(k, link)| (link.name.as_str(), k)).collect();
        let mut above: Vec<Option<usize>> = vec![None; d.links.len()];
        for (j, joint) in d.joints.iter().enumerate() {
            let child = index[joint.child.as_str()];
            if let Some(first) = above[child] {
                return Err(RobotError::TwoParents {
                    place: joint.place.clone(),
                    link: joint.child.clone(),
                    first: d.joints[first].joint.name.clone(),
                    second: joint.joint.name.clone(),
                });
            }
            above[child] = Some(j);
        }
        let mut joint_above = Vec::with_capacity(above.len());
        for (k, joint) in above.iter().enumerate() {
            joint_above.push(joint.ok_or_else(|| RobotError::Element {
                place: d.links[k].place.clone(),
                element: format!("link `{}`", d.links[k].name),
                problem: "no joint carries it".to_owned(),
                remedy: "join it to the robot".to_owned(),
            })?);
        }
        let parent =
            joint_above.iter().map(|&j| d.joints[j].parent.as_deref().map(|name| index[name])).collect();
        Ok(LinkTree { joint_above, parent })
    }

    /// The links, parents before children, in the description's order.
    pub fn visit(&self, d: &Description) -> Result<Vec<usize>, RobotError> {
        let count = d.links.len();
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut roots = Vec::new();
        for link in 0..count {
            match self.parent[link] {
                Some(parent) => children[parent].push(link),
                None => roots.push(link),
            }
        }
        let mut order = Vec::with_capacity(count);
        match d.order {
            SiblingOrder::DepthFirstByJointName => {
                let by_name = |links: &mut Vec<usize>| {
                    // Reversed: the stack hands out the last first.
                    links.sort_by(|&a, &b| {
                        let name = |link: usize| d.joints[self.joint_above[link]].joint.name.as_bytes();
                        name(b).cmp(name(a))
                    });
                };
                let mut stack = roots;
                by_name(&mut stack);
                while let Some(link) = stack.pop() {
                    order.push(link);
                    by_name(&mut children[link]);
                    stack.append(&mut children[link]);
                }
            }
            SiblingOrder::AsWritten => {
                // The file's order, a child that is written too early waiting for its parent.
                let mut waiting: BTreeSet<usize> = roots.into_iter().collect();
                while let Some(link) = waiting.pop_first() {
                    order.push(link);
                    waiting.extend(children[link].iter().copied());
                }
            }
        }
        if order.len() < count {
            let placed: HashSet<usize> = order.into_iter().collect();
            let stuck = (0..count).find(|link| !placed.contains(link)).unwrap_or(0);
            // Walk up until a link repeats: that one lies on the cycle.
            let mut seen = HashSet::new();
            let mut link = stuck;
            while seen.insert(link) {
                match self.parent[link] {
                    Some(parent) => link = parent,
                    None => break,
                }
            }
            return Err(RobotError::Cycle {
                place: d.joints[self.joint_above[link]].place.clone(),
                link: d.links[link].name.clone(),
            });
        }
        Ok(order)
    }
}
