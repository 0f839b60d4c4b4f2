//! An analysis as one page: no network, no scripts, light and dark.

mod base_parameters;
mod fate_table;
mod further_questions;
mod header;
mod reasons;

use base_parameters::base_parameter_lists;
use maud::{Markup, html};
use steiner_dynamics::Mechanism;
use steiner_identifiability::{Analysis, Comparison, DRIVE_PARAMETERS};
use steiner_identification::Excitation;
use steiner_robot::PARAMETERS;

use crate::family::Family;
use crate::kinematic_graph::kinematic_graph;
use crate::mechanism_picture::mechanism_picture;
use crate::page::{page, section};
use crate::parameter_matrix::parameter_matrix;
use crate::symbolic::{SymbolicAnswer, symbolic_sections};
use crate::words::thousands;

pub(crate) use fate_table::fate_class;
use fate_table::fate_table;
use further_questions::{comparison_section, log_section};
use header::header;
use reasons::{reasons, weak_directions};

/// A self-contained page about an analysis: counts and certificate, what becomes of each
/// parameter, the mechanism, its graph, the base parameters, and why the rest cannot be
/// identified. The same input gives the same page.
pub fn analysis_html(mechanism: &Mechanism, analysis: &Analysis) -> String {
    analysis_html_with(mechanism, analysis, &FurtherAnswers::default())
}

/// What else was asked about a robot, for its page.
#[derive(Clone, Copy, Default)]
pub struct FurtherAnswers<'a> {
    /// The base parameters in symbols.
    pub symbolic: Option<&'a SymbolicAnswer<'a>>,
    /// What other sensors would add.
    pub comparison: &'a [Comparison],
    /// What logs excite, with notes about them.
    pub log: Option<(&'a Excitation, &'a [String])>,
}

/// The same with what else was asked.
pub fn analysis_html_with(
    mechanism: &Mechanism,
    analysis: &Analysis,
    further: &FurtherAnswers<'_>,
) -> String {
    let family = Family::new(mechanism, analysis);
    let far = |drawing: Markup| html! { div.wide.far { (drawing) } };
    let content = html! {
        (header(mechanism, analysis))
        @if let Some((excitation, notes)) = further.log {
            (log_section(analysis, excitation, notes))
        }
        (section("What becomes of each parameter", "", fate_table(analysis, &family)))
        (section("The mechanism", about_picture(!mechanism.robot().loops.is_empty()), mechanism_picture(mechanism, analysis)))
        (section("The kinematic graph", GRAPH, far(kinematic_graph(mechanism, analysis))))
        (section("Base parameters", "", base_parameter_lists(analysis, &family)))
        @if let Some(answer) = further.symbolic {
            // Branches are told by ten parameters per body.
            @if answer.formulas.labels == analysis.names() {
                (symbolic_sections(answer, "", &family, analysis.identifiable()))
            } @else {
                (symbolic_sections(answer, PLANE, &Family::default(), analysis.identifiable()))
            }
        }
        @if let Some(matrix) = parameter_matrix(analysis) {
            (section("Base parameters against parameters", about_matrix(), far(matrix)))
        }
        (section("Why the rest cannot be identified", "", reasons(analysis)))
        @if !analysis.weak.is_empty() {
            (section("Weakly identifiable", WEAK, weak_directions(analysis)))
        }
        @if !further.comparison.is_empty() {
            (comparison_section(analysis, further.comparison))
        }
        (footer())
    };
    page(&format!("{}: what can be identified", mechanism.robot().name), "", content)
}

/// Entries of a list that a person may want to read; the JSON document has all.
const MOST_LISTED: usize = 500;

/// Says that a list of so many entries was cut.
fn left_out(entries: usize) -> Markup {
    html! {
        @if entries > MOST_LISTED {
            p.about { "… and " (thousands(entries - MOST_LISTED)) " more: the JSON document has all of them." }
        }
    }
}

/// A page inside another one, as notebooks show it: kept apart from the styles around it.
pub fn framed(page: &str) -> String {
    let frame = html! {
        iframe sandbox title="What can be identified"
            style="width:100%;height:640px;border:0" srcdoc=(page) {}
    };
    frame.into_string()
}

const GRAPH: &str = "R revolute, P prismatic, H helical, C cylindrical, U universal, S spherical, E planar, \
    F free, W welded. Dashed: joints that close loops. Dotted: couplings.";
const PLANE: &str = "Four parameters of each link in its plane: the mass m, the first moments mx and my \
    along two axes of the plane, and the moment of inertia J about its normal. The other sections count ten \
    of each link; they may name other base parameters, which say the same.";
const WEAK: &str = "Only small misalignments make these combinations identifiable; expect noise to win.";

fn about_picture(loops: bool) -> Markup {
    html! {
        "The reference configuration. Each body has its colour. "
        @if loops { "Joints that close loops are drawn in violet. " }
        span.key.shared {} " axes and centres on which mass can belong to either of two bodies, "
        span.key.fixed {} " those that never move. Rest the pointer on a mark for its name."
    }
}

fn about_matrix() -> Markup {
    html! {
        "Each row is a base parameter, "
        span.key.own {} " the parameter it is named after with what is regrouped into it, "
        span.key.plus {} " added or " span.key.minus {} " subtracted; larger dots for larger coefficients. \
        In large matrices, rows of a single dot are left out. Shaded columns: "
        span.key.none {} " no effect, " span.key.known {} " known."
    }
}

fn footer() -> Markup {
    html! {
        footer {
            p {
                "SI units and radians. The parameters of a body are, in this order, " (PARAMETERS.join(", "))
                ": mass (kg), first moments (kg m) and moments of inertia (kg m²) about the origin of its \
                frame, in its axes; the frame is the one its joint carries. Drives add "
                (DRIVE_PARAMETERS.join(", "))
                ": inertia, viscous and Coulomb friction, offset. A null vector is a change of the \
                parameters that changes no measured force; base parameters are the combinations that no null \
                vector changes. In formulas, 0.5·(a + b).m stands for 0.5·a.m + 0.5·b.m and a… for a and all bodies it \
                carries; coefficients have six digits, the JSON document has all of them."
            }
        }
    }
}
