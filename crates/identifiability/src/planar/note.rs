//! What the user should know about planar base parameters.

/// A remark about the base parameters of a planar mechanism. Documents write the words.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanarNote {
    /// A loop is opened at another joint than the file's, at one that turns.
    OpenedElsewhere {
        /// The file's loop joint.
        closing: String,
        /// The joint at which the loop is opened.
        opened: String,
    },
    /// No joint of a loop turns: its loop joint is taken for the redundant one.
    OnlySlides {
        /// Name of the loop joint.
        joint: String,
    },
    /// No joint leads from a link to the ground: it plays the link joined to it.
    HangsNowhere {
        /// Name of the link.
        link: String,
    },
    /// The file's frame of a link is not where the method wants it: the search moves it.
    FrameMoved {
        /// Name of the link.
        link: String,
    },
    /// The mass nearest to the ground of a chain stays a base parameter: weights
    /// may be no products of lengths.
    MassStays {
        /// Label of the parameter, as in `link1.mx`.
        label: String,
    },
    /// A parameter that should be eliminated stays.
    NotEliminated {
        /// Label of the parameter, as in `link1.mx`.
        label: String,
    },
    /// A parameter that should be kept is not.
    NotKept {
        /// Label of the parameter, as in `link1.mx`.
        label: String,
    },
    /// Weights are no single product of lengths.
    NotRecognised {
        /// Of each, the label of the parameter that is regrouped, and of the one it goes to.
        weights: Vec<[String; 2]>,
    },
    /// Transfers of mass and inertia were not compared with weights that were not recognised.
    TransfersNotCompared {
        /// Number of weights.
        weights: usize,
    },
    /// Weights differ from what transfers of mass and inertia give.
    TransfersDiffer {
        /// Number of weights.
        weights: usize,
    },
    /// Transfers of mass and inertia explain some invisible combinations only.
    TransfersIncomplete {
        /// How many they explain.
        explained: usize,
        /// How many there are.
        invisible: usize,
    },
}
