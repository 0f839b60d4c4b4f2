//! The sections on why the rest cannot be identified, and on what is poorly observable.

use maud::{Markup, html};
use steiner_identifiability::{Analysis, Principle};

use crate::combination::long_minus;
use crate::family::Family;
use crate::formula::formula;
use crate::reasons::{reason_sentence, weak_sentence};
use crate::stories::{Story, principle_sentence, stories};
use crate::words::{count, number};

/// By principle, a story for all directions alike, with each of them inside.
pub(super) fn reasons(analysis: &Analysis) -> Markup {
    let all = stories(analysis);
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
                            ul { @for instance in &story.instances { li { (instance) } } }
                        }
                    }
                    ol {
                        @for vector in story.vectors.iter().map(|&k| &analysis.vectors[k]) {
                            li { (reason_sentence(analysis, vector)) code { (change(analysis, &vector.entries)) } } "\n"
                        }
                    }
                }
                "\n"
            }
        }
    }
}

/// Directions that noise may hide, with their relative singular values.
pub(super) fn weak_directions(analysis: &Analysis) -> Markup {
    html! {
        ul.weak {
            @for weak in &analysis.weak {
                li {
                    details {
                        summary { b { (number(weak.relative_singular_value, 2)) } " " (weak_sentence(analysis, weak)) }
                        code { (change(analysis, &weak.entries)) }
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
fn change(analysis: &Analysis, entries: &[(usize, f64)]) -> String {
    long_minus(&formula(&Family::default(), &analysis.names(), entries))
}
