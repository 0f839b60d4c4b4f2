//! Complaints about the expansion, told about the place where it was written.

use steiner_files::Place;
use steiner_robot::{Description, RobotError};

use crate::error::FormatError;

/// An expanded document.
pub(crate) struct Expansion {
    /// Plain URDF.
    pub(crate) text: String,
    /// Where each of its lines was written.
    pub(crate) lines: Vec<Place>,
}

impl Expansion {
    fn relocate(&self, place: &mut Place) {
        let index =
            place.line.and_then(|line| usize::try_from(line).ok()).and_then(|line| line.checked_sub(1));
        if let Some(origin) = index.and_then(|index| self.lines.get(index)) {
            *place = origin.clone();
        }
    }

    /// The places of a description read from the expansion.
    pub(crate) fn relocated(&self, mut description: Description) -> Description {
        let Description { links, joints, loops, couplings, independent, dependent, guess, .. } =
            &mut description;
        let places = links.iter_mut().map(|link| &mut link.place);
        let places = places.chain(joints.iter_mut().map(|joint| &mut joint.place));
        let places = places.chain(loops.iter_mut().map(|closure| &mut closure.place));
        let places = places.chain(couplings.iter_mut().map(|coupling| &mut coupling.place));
        let places = places.chain(independent.iter_mut().flatten().map(|mention| &mut mention.place));
        let places = places.chain(dependent.iter_mut().map(|mention| &mut mention.place));
        for place in places.chain(guess.iter_mut().map(|entry| &mut entry.place)) {
            self.relocate(place);
        }
        description
    }

    /// The place of an error found in the expansion.
    pub(crate) fn relocated_error(&self, mut error: FormatError) -> FormatError {
        match &mut error {
            FormatError::Syntax { place, .. }
            | FormatError::UnknownJointKind { place, .. }
            | FormatError::TwoRoots { place, .. } => self.relocate(place),
            FormatError::Robot(RobotError::Duplicate { place, first, .. }) => {
                let mut original = place.at_line(*first);
                self.relocate(&mut original);
                *first = original.line.unwrap_or(*first);
                self.relocate(place);
            }
            FormatError::Robot(error) => self.relocate(error.place_mut()),
            _ => {}
        }
        error
    }
}
