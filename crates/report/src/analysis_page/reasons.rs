//! The sections on why the rest cannot be identified, and on what is poorly observable.

use maud::{Markup, html};
use steiner_identifiability::{Analysis, Principle};
use steiner_robot::Label;

use crate::combination::long_minus;
use crate::family::Family;
use crate::formula::formula;
use crate::reasons::{reason_sentence, weak_sentence};
use crate::stories::{Story, principle_sentence, stories};
use crate::words::{count, number};

use super::{MOST_LISTED, left_out};

/// By principle, a story for all directions alike, with each of them inside.
pub(super) fn reasons(analysis: &Analysis) -> Markup {
    let (all, names) = (stories(analysis), analysis.names());
    let mut principles: Vec<Principle> = all.iter().map(|story| story.principle).collect();
    principles.dedup();
    html! {
        @if all.is_empty() { p { "Every parameter is identifiable." } }
        @for principle in principles {
            @let own: Vec<&Story> = all.iter().filter(|story| story.principle == principle).collect();
            @let vectors: usize = own.iter().map(|story| story.vectors.len()).sum();
            h3 { (principle.name()) " " span { (count(vectors, "null vector")) } }
            p.about { (principle_sentence(principle)) }
            @for story in own {
                details {
                    summary {
                        b { (story.vectors.len()) } " " (story.text)
                        @if !story.instances.is_empty() {
                            ul { @for instance in story.instances.iter().take(MOST_LISTED) { li { (instance) } } }
                        }
                    }
                    ol {
                        @for vector in story.vectors.iter().take(MOST_LISTED).map(|&k| &analysis.vectors[k]) {
                            li { (reason_sentence(analysis, vector)) code { (change(&names, &vector.entries)) } } "\n"
                        }
                    }
                    (left_out(story.vectors.len()))
                }
                "\n"
            }
        }
    }
}

/// Directions that noise may hide, with their relative singular values.
pub(super) fn weak_directions(analysis: &Analysis) -> Markup {
    let names = analysis.names();
    html! {
        ul.weak {
            @for weak in &analysis.weak {
                li {
                    details {
                        summary { b { (number(weak.relative_singular_value, 2)) } " " (weak_sentence(analysis, weak)) }
                        code { (change(&names, &weak.entries)) }
                    }
                }
            }
        }
        p.about {
            "The number is the relative singular value: what the combination moves in the forces, \
            relative to what its parameters move by themselves."
        }
    }
}

/// A change of the parameters, term by term.
fn change(names: &[Label], entries: &[(usize, f64)]) -> String {
    long_minus(&formula(&Family::default(), names, entries))
}
