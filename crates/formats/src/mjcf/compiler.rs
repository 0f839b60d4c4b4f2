//! `<compiler>`: how the numbers of a model are meant.

use steiner_scalar::{Exact, Rational};

use crate::error::FormatError;
use crate::snap::Snapper;
use crate::xml::Element;

/// Whether a body's inertia is computed from its geoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InertiaFromGeom {
    Never,
    Always,
    /// When the body has no `<inertial>`.
    WhenMissing,
}

/// One turn of an Euler sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EulerTurn {
    /// 0, 1, 2 for x, y, z.
    pub(super) axis: usize,
    /// About the axis as already turned (lower case), or as it was at the start (upper case).
    pub(super) moving: bool,
}

/// The settings that change geometry or inertia, with MuJoCo's defaults.
#[derive(Clone, Debug)]
pub(super) struct Compiler {
    degrees: bool,
    pub(super) euler_sequence: [EulerTurn; 3],
    pub(super) autolimits: bool,
    pub(super) inertia_from_geom: InertiaFromGeom,
    pub(super) balance_inertia: bool,
    pub(super) inertia_groups: [f64; 2],
    /// Least mass of a body, kg.
    pub(super) bound_mass: f64,
    /// Least principal moment of a body, kg·m².
    pub(super) bound_inertia: f64,
    /// What all bodies together shall weigh, kg.
    pub(super) total_mass: Option<f64>,
}

impl Compiler {
    /// Later sections override earlier ones, attribute by attribute.
    pub(super) fn read<'s, 'a: 's>(
        sections: impl Iterator<Item = &'s Element<'a>>,
    ) -> Result<Self, FormatError> {
        let turn = |axis| EulerTurn { axis, moving: true };
        let mut compiler = Compiler {
            degrees: true,
            euler_sequence: [turn(0), turn(1), turn(2)],
            autolimits: true,
            inertia_from_geom: InertiaFromGeom::WhenMissing,
            balance_inertia: false,
            inertia_groups: [0.0, 5.0],
            bound_mass: 0.0,
            bound_inertia: 0.0,
            total_mass: None,
        };
        for section in sections {
            compiler.apply(section)?;
        }
        Ok(compiler)
    }

    fn apply(&mut self, section: &Element<'_>) -> Result<(), FormatError> {
        let odd = |key: &str, value: &str, remedy: &str| section.wrong(format!("{key}=\"{value}\""), remedy);
        match section.attribute("angle") {
            None => {}
            Some("degree") => self.degrees = true,
            Some("radian") => self.degrees = false,
            Some(other) => return Err(odd("angle", other, "write \"degree\" or \"radian\"")),
        }
        if let Some(word) = section.attribute("eulerseq") {
            self.euler_sequence = euler_sequence(word)
                .ok_or_else(|| odd("eulerseq", word, "write three of the letters x y z X Y Z"))?;
        }
        match section.attribute("inertiafromgeom") {
            None => {}
            Some("false") => self.inertia_from_geom = InertiaFromGeom::Never,
            Some("true") => self.inertia_from_geom = InertiaFromGeom::Always,
            Some("auto") => self.inertia_from_geom = InertiaFromGeom::WhenMissing,
            Some(other) => {
                return Err(odd("inertiafromgeom", other, "write \"false\", \"true\" or \"auto\""));
            }
        }
        if section.attribute("coordinate") == Some("global") {
            return Err(odd("coordinate", "global", "use local coordinates; MuJoCo dropped global ones"));
        }
        self.autolimits = boolean(section, "autolimits")?.unwrap_or(self.autolimits);
        self.balance_inertia = boolean(section, "balanceinertia")?.unwrap_or(self.balance_inertia);
        self.bound_mass = section.double("boundmass")?.unwrap_or(self.bound_mass);
        self.bound_inertia = section.double("boundinertia")?.unwrap_or(self.bound_inertia);
        if let Some(total) = section.double("settotalmass")? {
            self.total_mass = (total > 0.0).then_some(total);
        }
        if let Some(range) = doubles(section, "inertiagrouprange")? {
            self.inertia_groups = <[f64; 2]>::try_from(range).map_err(|_| {
                let value = section.attribute("inertiagrouprange").unwrap_or("");
                odd("inertiagrouprange", value, "give two integers, the first and the last group")
            })?;
        }
        Ok(())
    }

    /// A printed angle as radians. Degrees are converted exactly: 90 is π/2 to all digits.
    pub(super) fn angle(&self, printed: Exact, snapper: &mut Snapper) -> Exact {
        if !self.degrees || printed.is_zero() {
            return snapper.angle(printed);
        }
        let radians = printed * Exact::fraction(1, 180) * Exact::pi();
        let twelfths = radians.pi_multiple().map(|turn| turn * Rational::from(12));
        if twelfths.is_none_or(|twelfths| twelfths.is_int()) {
            return radians;
        }
        // 89.9999 degrees stand for 90 as 1.5708 stands for π/2.
        let before = snapper.snapped;
        let rounded = radians.to_f64().ok().and_then(Exact::from_f64).map(|angle| snapper.angle(angle));
        rounded.filter(|_| snapper.snapped > before).unwrap_or(radians)
    }

    /// A printed angle as radians where digits don't matter, such as a limit.
    pub(super) fn rough_angle(&self, printed: f64) -> f64 {
        if self.degrees { printed.to_radians() } else { printed }
    }
}

fn euler_sequence(word: &str) -> Option<[EulerTurn; 3]> {
    let turns: Option<Vec<EulerTurn>> = word
        .chars()
        .map(|letter| {
            let axis = "xyz".find(letter.to_ascii_lowercase())?;
            Some(EulerTurn { axis, moving: letter.is_ascii_lowercase() })
        })
        .collect();
    turns?.try_into().ok()
}

/// A `true` or `false` attribute.
pub(super) fn boolean(element: &Element<'_>, key: &str) -> Result<Option<bool>, FormatError> {
    match element.attribute(key) {
        None => Ok(None),
        Some("true") => Ok(Some(true)),
        Some("false") => Ok(Some(false)),
        Some(other) => Err(element.wrong(format!("{key}=\"{other}\""), "write \"true\" or \"false\"")),
    }
}

/// Numbers separated by blanks, in doubles.
pub(super) fn doubles(element: &Element<'_>, key: &str) -> Result<Option<Vec<f64>>, FormatError> {
    let Some(exacts) = element.exacts(key)? else { return Ok(None) };
    let values: Result<Vec<f64>, _> = exacts.iter().map(Exact::to_f64).collect();
    values.map(Some).map_err(|error| element.number(format!("{key}: {error}")))
}
