//! The built-in robots: seed papers' examples, well-known machines and one of each kind of mechanism.

use steiner_files::did_you_mean;

use crate::error::FormatError;

/// A built-in robot: a native mechanism file inside the binary.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Name of the robot, as the command takes it.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// Text of the mechanism file (TOML).
    pub text: &'static str,
    /// The file with the inertias as published, where these cannot all belong to bodies.
    pub printed: Option<&'static str>,
    /// What a user should know about the inertias.
    pub note: Option<&'static str>,
}

/// An entry whose file is `zoo/NAME.toml`; with a note, the published table is `zoo/printed/NAME.toml`.
macro_rules! entry {
    ($name:literal, $about:literal) => {
        Entry {
            name: $name,
            about: $about,
            text: include_str!(concat!("../zoo/", $name, ".toml")),
            printed: None,
            note: None,
        }
    };
    ($name:literal, $about:literal, $note:literal) => {
        Entry {
            printed: Some(include_str!(concat!("../zoo/printed/", $name, ".toml"))),
            note: Some($note),
            ..entry!($name, $about)
        }
    };
}

/// All built-in robots, in the order of the list.
pub const ENTRIES: &[Entry] = &[
    entry!("two_link", "planar arm, 2 revolute joints, gravity in its plane: the example of the PSDM paper"),
    entry!(
        "double_pendulum",
        "double pendulum on a weighed base, 2 revolute joints: the example of the DIM paper"
    ),
    entry!(
        "puma560",
        "Unimation Puma 560, 6 revolute joints with drives: the most studied arm",
        "The published inertias of link1 (no mass) and link3 (triangle inequality violated) belong to no body: link1 is \
         completed without changing the motion, and link3 has the nearest consistent tensor."
    ),
    entry!(
        "kr6",
        "KUKA Agilus KR 6 R700 with a 3 kg tool, 6 revolute joints: benchmark of the PSDM paper",
        "The printed tensor of link5 is indefinite and belongs to no body: the nearest consistent one stands in for it."
    ),
    entry!(
        "lbr7",
        "KUKA LBR iiwa 7 with a 3 kg tool, 7 revolute joints: benchmark of the PSDM paper",
        "The printed tensors of link4 and link6 violate the triangle inequality and that of link2 is a lamina's: the \
         nearest strictly consistent ones stand in for them."
    ),
    entry!(
        "scara_sr6ia",
        "Fanuc SR-6iA SCARA, RRPR with parallel axes: benchmark of the PSDM paper",
        "The printed tensor of link3 is that of a rod without thickness: the nearest strictly consistent one stands in \
         for it."
    ),
    entry!("panda", "Franka Emika Panda without hand, 7 revolute joints: identified, consistent inertias"),
    entry!("ur5", "Universal Robots UR5, 6 revolute joints, three of them parallel"),
    entry!("go2", "Unitree Go2 quadruped, floating trunk and 12 revolute joints"),
    entry!("gantry", "gantry, 3 prismatic axes and a turning head: most parameters cannot be seen"),
    entry!(
        "four_bar",
        "four-bar, 1 degree of freedom, 1 loop: the example of the paper on planar mechanisms"
    ),
    entry!("five_bar", "planar five-bar, 2 degrees of freedom, 1 loop"),
    entry!("palletizer", "palletizing arm, 4 degrees of freedom, 3 parallelogram loops keep the wrist level"),
    entry!("pkm_2rru_1rrs", "parallel machine 2RRU-1RRS, 3 degrees of freedom, 2 spatial loops"),
    entry!("pkm_2prs_1psr", "parallel machine 2PRS-1PSR, 3 degrees of freedom, 2 spatial loops"),
    entry!("stewart", "Stewart platform 6-UPS, 6 degrees of freedom, 5 spatial loops"),
    entry!("delta", "Delta robot, 3 degrees of freedom, 5 loops: the platform only translates"),
];

/// The entry of a name.
pub fn find(name: &str) -> Result<&'static Entry, FormatError> {
    ENTRIES.iter().find(|entry| entry.name == name).ok_or_else(|| FormatError::UnknownZooName {
        name: name.to_owned(),
        hint: did_you_mean(name, ENTRIES.iter().map(|entry| entry.name)),
    })
}
