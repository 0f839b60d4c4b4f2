//! Loops opened at revolute joints: section 3.1 of \[iriarte2015\].

use std::collections::VecDeque;

use super::linkage::{Linkage, Pair};
use super::note::PlanarNote;
use crate::error::IdentifiabilityError;

/// A mechanism made a tree.
#[derive(Clone, Debug)]
pub(crate) struct Opening {
    /// The joint towards the ground of each link; `None` for the link that plays the ground's neighbour
    /// in a chain that hangs nowhere.
    pub(crate) towards_ground: Vec<Option<usize>>,
    /// The links, from the ground outwards.
    pub(crate) order: Vec<usize>,
    /// The joints at which loops are open.
    pub(crate) cuts: Vec<usize>,
    /// What differs from the file.
    pub(crate) notes: Vec<PlanarNote>,
}

impl Opening {
    /// Opens the loops of a linkage at the file's loop joints where these are revolute, otherwise at the
    /// nearest revolute joint of the loop.
    pub(crate) fn new(linkage: &Linkage) -> Result<Self, IdentifiabilityError> {
        check_loops(linkage)?;
        let mut in_tree: Vec<bool> = linkage.joints.iter().map(|joint| !joint.closes).collect();
        let mut notes = Vec::new();
        let mut tree = Tree::new(linkage, &in_tree);
        for (cut, joint) in linkage.joints.iter().enumerate() {
            if !joint.closes || joint.pair == Pair::Revolute {
                continue;
            }
            // Nearest to a moving end first: so the frames of the chain on the other side stay optimal.
            let mut nearest = tree.around(linkage, cut);
            if joint.links[0].is_none() {
                nearest.reverse();
            }
            match nearest.into_iter().find(|&k| linkage.joints[k].pair == Pair::Revolute) {
                Some(revolute) => {
                    (in_tree[cut], in_tree[revolute]) = (true, false);
                    tree = Tree::new(linkage, &in_tree);
                    let (closing, opened) = (joint.name.clone(), linkage.joints[revolute].name.clone());
                    notes.push(PlanarNote::OpenedElsewhere { closing, opened });
                }
                None => notes.push(PlanarNote::OnlySlides { joint: joint.name.clone() }),
            }
        }
        let cuts = (0..linkage.joints.len()).filter(|&k| !in_tree[k]).collect();
        for link in (0..linkage.links.len()).filter(|&link| tree.towards_ground[link].is_none()) {
            notes.push(PlanarNote::HangsNowhere { link: linkage.links[link].clone() });
        }
        Ok(Opening { towards_ground: tree.towards_ground, order: tree.order, cuts, notes })
    }

    /// The joints of a link that do not lead towards the ground: those of links that hang on it, and cuts.
    pub(crate) fn outer(&self, linkage: &Linkage, link: usize) -> Vec<usize> {
        linkage.joints_of(link).filter(|&k| self.towards_ground[link] != Some(k)).collect()
    }
}

/// A spanning tree rooted in the ground.
struct Tree {
    towards_ground: Vec<Option<usize>>,
    order: Vec<usize>,
}

impl Tree {
    fn new(linkage: &Linkage, in_tree: &[bool]) -> Self {
        let links = linkage.links.len();
        let mut tree = Tree { towards_ground: vec![None; links], order: Vec::with_capacity(links) };
        let mut reached = vec![false; links];
        let mut queue: VecDeque<Option<usize>> = VecDeque::from([None]);
        loop {
            while let Some(here) = queue.pop_front() {
                for (k, joint) in linkage.joints.iter().enumerate().filter(|(k, _)| in_tree[*k]) {
                    let Some(side) = joint.links.iter().position(|link| *link == here) else { continue };
                    let Some(next) = joint.links[1 - side].filter(|&next| !reached[next]) else { continue };
                    (reached[next], tree.towards_ground[next]) = (true, Some(k));
                    tree.order.push(next);
                    queue.push_back(Some(next));
                }
            }
            // A chain that hangs nowhere starts with a link that is joined to one other at most.
            let is_end = |&link: &usize| !reached[link] && linkage.joints_of(link).count() <= 1;
            let Some(root) = (0..links).find(is_end).or_else(|| (0..links).find(|&k| !reached[k])) else {
                return tree;
            };
            reached[root] = true;
            tree.order.push(root);
            queue.push_back(Some(root));
        }
    }

    /// The joints from a link to the ground.
    fn descent(&self, linkage: &Linkage, from: Option<usize>) -> Vec<usize> {
        let mut joints = Vec::new();
        let mut here = from;
        while let Some((link, joint)) = here.and_then(|link| Some((link, self.towards_ground[link]?))) {
            joints.push(joint);
            here = linkage.joints[joint].other(link);
        }
        joints
    }

    /// The joints of the loop that a cut closes, from one of its ends to the other, without the cut.
    fn around(&self, linkage: &Linkage, cut: usize) -> Vec<usize> {
        let [mut down, mut up] = linkage.joints[cut].links.map(|end| self.descent(linkage, end));
        while !down.is_empty() && down.last() == up.last() {
            down.pop();
            up.pop();
        }
        down.extend(up.into_iter().rev());
        down
    }
}

/// Without the ground, links must form trees: then every loop is closed through it.
fn check_loops(linkage: &Linkage) -> Result<(), IdentifiabilityError> {
    let links = linkage.links.len();
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); links];
    let ordered =
        linkage.joints.iter().filter(|j| !j.closes).chain(linkage.joints.iter().filter(|j| j.closes));
    for joint in ordered {
        let [Some(a), Some(b)] = joint.links else { continue };
        if let Some(path) = path(&neighbours, a, b) {
            let names: Vec<&str> = path.iter().map(|&link| linkage.links[link].as_str()).collect();
            return Err(IdentifiabilityError::LoopAwayFromGround {
                robot: linkage.robot.clone(),
                closure: joint.name.clone(),
                links: names.join(", "),
            });
        }
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    Ok(())
}

fn path(neighbours: &[Vec<usize>], from: usize, to: usize) -> Option<Vec<usize>> {
    let mut came: Vec<Option<usize>> = vec![None; neighbours.len()];
    let mut queue = VecDeque::from([from]);
    came[from] = Some(from);
    while let Some(here) = queue.pop_front() {
        if here == to {
            let mut path = vec![to];
            let mut at = to;
            while at != from {
                at = came[at]?;
                path.push(at);
            }
            path.reverse();
            return Some(path);
        }
        for &next in &neighbours[here] {
            if came[next].is_none() {
                came[next] = Some(here);
                queue.push_back(next);
            }
        }
    }
    None
}
