//! What is said beside formulas.

use steiner_formats::{Format, ReadOptions, assemble, parse_text, read_robot};
use steiner_identifiability::{PlanarNote, PlanarView, SymbolicNote};
use steiner_report::{modified_frames, planar_axes, planar_note, symbolic_note};

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn notes_of_formulas_name_what_does_not_vary() {
    let together = SymbolicNote::VaryTogether { name: "l1".to_owned(), others: owned(&["l3", "l5"]) };
    assert_eq!(
        symbolic_note(&together),
        "l1 and l3, l5 vary together: apart, another number of parameters would be identifiable"
    );
    let kept = SymbolicNote::KeptAsNumbers { names: owned(&["a", "b"]) };
    assert_eq!(
        symbolic_note(&kept),
        "a, b kept as numbers: with other values the mechanism does not assemble, or has another nullity"
    );
}

#[test]
fn notes_of_planar_parameters_name_joints_links_and_weights() {
    let (link, label, joint) = ("b2".to_owned(), "b1.m".to_owned(), "guide".to_owned());
    let weights = |count: usize| vec![["c.J".to_owned(), "e.m".to_owned()]; count];
    let said = [
        (
            PlanarNote::OpenedElsewhere { closing: joint.clone(), opened: "rod".to_owned() },
            "the loop of `guide` is opened at `rod`, which turns",
        ),
        (
            PlanarNote::OnlySlides { joint },
            "the loop of `guide` only slides: its joints forbid turning once too often, and `guide` is taken for the redundant one",
        ),
        (
            PlanarNote::HangsNowhere { link: link.clone() },
            "no joint leads from `b2` to the ground: it plays the link joined to it",
        ),
        (
            PlanarNote::FrameMoved { link },
            "the file's frame of `b2` is not optimal (at its revolute joint towards the ground); the search moves it, and results are recast to the file's",
        ),
        (
            PlanarNote::MassStays { label: label.clone() },
            "b1.m stays a base parameter, though it is the mass nearest to the ground of its chain: weights may be no products of lengths",
        ),
        (PlanarNote::NotEliminated { label: label.clone() }, "b1.m cannot be eliminated beside the others"),
        (PlanarNote::NotKept { label }, "b1.m cannot be kept beside the others"),
        (
            PlanarNote::NotRecognised { weights: weights(1) },
            "1 of the weights are no single product of lengths (c.J in e.m); they are known at the prime lengths of the search alone",
        ),
        (
            PlanarNote::NotRecognised { weights: weights(5) },
            "5 of the weights are no single product of lengths (c.J in e.m, c.J in e.m, c.J in e.m, c.J in e.m, …); they are known at the prime lengths of the search alone",
        ),
        (
            PlanarNote::TransfersNotCompared { weights: 4 },
            "transfers of mass and inertia were not compared with 4 weights that were not recognised",
        ),
        (
            PlanarNote::TransfersDiffer { weights: 2 },
            "2 weights differ from what transfers of mass and inertia give",
        ),
        (
            PlanarNote::TransfersIncomplete { explained: 3, invisible: 4 },
            "transfers of mass and inertia explain 3 of 4 null vectors",
        ),
    ];
    for (note, sentence) in said {
        assert_eq!(planar_note(&note), sentence);
    }
}

const UPRIGHT: &str = "
[[body]]
name = \"one\"
parent = \"base\"
joint = \"revolute\"
axis = [0, 1, 0]

[[body]]
name = \"two\"
parent = \"one\"
joint = \"revolute\"
axis = [0, 1, 0]
xyz = [0.4, 0, 0]
";

#[test]
fn the_axes_of_a_plane_are_named_where_they_are_not_x_and_y() {
    let options = ReadOptions::default();
    let flat = read_robot("four_bar", &options).unwrap();
    assert_eq!(planar_axes(&PlanarView::new(&flat).unwrap()), None);
    let upright = parse_text(UPRIGHT, "upright.toml", Format::Toml, None, &options).unwrap();
    let upright = assemble(upright, &options).unwrap();
    assert_eq!(
        planar_axes(&PlanarView::new(&upright).unwrap()).as_deref(),
        Some("in the frames of the file, of every link mx lies along z and my along x")
    );
}

#[test]
fn modified_frames_are_placed_by_angles_in_degrees_and_lengths() {
    let puma = read_robot("puma560", &ReadOptions::default()).unwrap().in_modified_frames().unwrap();
    assert_eq!(
        modified_frames(&puma),
        "frames by the rules of Khalil and Kleinfinger: link2 in link1: α = 90°; \
         link3 in link2: a = 0.4318, d = 0.15005; link4 in link3: α = -90°, a = 0.0203, d = 0.4318; \
         link5 in link4: α = 90°; link6 in link5: α = -90°"
    );
    let named = modified_frames(&puma.with_named_constants());
    assert!(
        named.contains("link3 in link2: a = a3, d = d3; link4 in link3: α = -90°, a = a4, d = d4;"),
        "{named}"
    );
}
