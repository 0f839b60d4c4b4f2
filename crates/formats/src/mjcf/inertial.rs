//! The inertia of a body: as written under `<inertial>`, or from its geoms; then MuJoCo's corrections.

use steiner_linalg::Mat3;
use steiner_robot::{Capsule, CentredInertia, Inconsistency, PseudoInertia, RobotError, RobotNote, Tensor};

use super::compiler::{InertiaFromGeom, doubles};
use super::defaults::Styled;
use super::geoms::{Geom, GeomMass};
use super::orientation::{frame_of, orientation_specifier};
use super::tree::{Part, Reader};
use crate::error::FormatError;
use crate::snap::Snapper;

impl<'a> Reader<'_, 'a> {
    /// The inertia of a body in its frame, and its round geoms.
    pub(super) fn inertia_of(
        &mut self,
        parts: &[Part<'a>],
        name: &str,
    ) -> Result<(Option<PseudoInertia>, Vec<Capsule>), FormatError> {
        let of_tag = |tag: &'static str| parts.iter().filter(move |part| part.element.tag() == tag);
        let written = match of_tag("inertial").next() {
            Some(part) => Some(self.written_inertia(part)?),
            None => None,
        };
        if let Some(second) = of_tag("inertial").nth(1) {
            return Err(second.element.wrong("a body has one <inertial>", "remove the others"));
        }
        let [first, last] = self.compiler.inertia_groups;
        let mut capsules = Vec::new();
        let mut sum: Option<PseudoInertia> = None;
        let mut mesh = None;
        for part in of_tag("geom") {
            let geom = Geom::read(&self.styled(part)?, part, &self.compiler)?;
            capsules.extend(geom.capsule);
            if geom.group < first || geom.group > last {
                continue;
            }
            match geom.mass {
                GeomMass::Known(inertia) => {
                    sum = Some(sum.map_or(inertia, |sum| sum.plus(&inertia)));
                }
                GeomMass::Nothing => {}
                GeomMass::InMesh => mesh = mesh.or(Some(part)),
            }
        }
        let from_geoms = match self.compiler.inertia_from_geom {
            InertiaFromGeom::Never => false,
            InertiaFromGeom::Always => sum.is_some() || mesh.is_some(),
            InertiaFromGeom::WhenMissing => written.is_none(),
        };
        if !from_geoms {
            return Ok((self.corrected(written), capsules));
        }
        if let Some(part) = mesh {
            self.needs_meshes = true;
            self.note(RobotNote::InertiaInMesh { place: part.element.place(), body: name.to_owned() });
            return Ok((None, capsules));
        }
        Ok((self.corrected(sum), capsules))
    }

    fn written_inertia(&self, part: &Part<'a>) -> Result<PseudoInertia, FormatError> {
        let element = &part.element;
        element.required("pos")?;
        let mass = element.required_double("mass")?;
        if mass < 0.0 {
            return Err(element.inertia(format!("the mass {mass} kg is negative")));
        }
        let styled = Styled::plain(element.clone());
        let (diagonal, full) = (doubles(element, "diaginertia")?, doubles(element, "fullinertia")?);
        let tensor = match (diagonal.as_deref(), full.as_deref()) {
            (None, None) => [0.0; 6],
            (Some([xx, yy, zz]), None) => [*xx, 0.0, *yy, 0.0, 0.0, *zz],
            (None, Some([xx, yy, zz, xy, xz, yz])) => {
                if let Some(key) = orientation_specifier(&styled)? {
                    return Err(element
                        .wrong(format!("fullinertia and {key} cannot both be given"), "keep one of them"));
                }
                [*xx, *xy, *yy, *xz, *yz, *zz]
            }
            (Some(_), Some(_)) => {
                return Err(element.wrong("diaginertia and fullinertia are both given", "keep one of them"));
            }
            (Some(_), None) => return Err(element.wrong("diaginertia needs three numbers", "give them")),
            (None, Some(_)) => return Err(element.wrong("fullinertia needs six numbers", "give them")),
        };
        if [tensor[0], tensor[2], tensor[5]].iter().any(|moment| *moment < 0.0) {
            return Err(element.inertia("a moment of inertia is negative".to_owned()));
        }
        // A measurement, not geometry: its angles are not snapped.
        let own = frame_of(&styled, &self.compiler, &mut Snapper::new(0.0))?;
        let frame = part.frame.then(&own);
        let pose = frame.evaluate::<f64>().map_err(|error| element.number(error.to_string()))?.value;
        let centred = CentredInertia { mass, com: [0.0; 3], tensor };
        Ok(PseudoInertia::from_centred(&centred).moved(&pose.rotation, pose.translation.0))
    }

    /// `boundmass`, `boundinertia` and `balanceinertia`, which act on the principal moments.
    fn corrected(&self, inertia: Option<PseudoInertia>) -> Option<PseudoInertia> {
        let compiler = &self.compiler;
        if compiler.bound_mass <= 0.0 && compiler.bound_inertia <= 0.0 && !compiler.balance_inertia {
            return inertia;
        }
        let mut centred = inertia.unwrap_or(PseudoInertia::ZERO).centred();
        centred.mass = centred.mass.max(compiler.bound_mass);
        let (printed, axes) = principal_axes(centred.tensor);
        let mut moments = printed.map(|moment| moment.max(compiler.bound_inertia));
        let total: f64 = moments.iter().sum();
        let slack = 1e-12 * total;
        if compiler.balance_inertia && moments.iter().any(|moment| 2.0 * moment > total + slack) {
            moments = [total / 3.0; 3];
        }
        if moments != printed {
            let [a, b, c] = moments;
            let turned = axes * Mat3([[a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, c]]) * axes.transpose();
            let m = turned.0;
            centred.tensor = [m[0][0], m[0][1], m[1][1], m[0][2], m[1][2], m[2][2]];
        }
        let nothing = inertia.is_none() && centred.mass == 0.0 && moments == [0.0; 3];
        (!nothing).then(|| PseudoInertia::from_centred(&centred))
    }

    /// `settotalmass`, which needs all bodies; then no moment may have overflowed.
    pub(super) fn finish_inertia(&mut self) -> Result<(), FormatError> {
        if let Some(wanted) = self.compiler.total_mass {
            self.scale_to(wanted);
        }
        for link in &self.description.links {
            if link.inertia.is_some_and(|inertia| inertia.check() == Err(Inconsistency::NotFinite)) {
                return Err(RobotError::Inertia {
                    place: link.place.clone(),
                    element: format!("body `{}`", link.name),
                    reason: "its mass or moments overflow".to_owned(),
                }
                .into());
            }
        }
        Ok(())
    }

    fn scale_to(&mut self, total_mass: f64) {
        if self.needs_meshes {
            let place = self.description.place.clone();
            return self.note(RobotNote::TotalMassIgnored { place });
        }
        let inertias = || self.description.links.iter().filter_map(|link| link.inertia);
        let factor = total_mass / inertias().map(|inertia| inertia.mass).sum::<f64>();
        if factor.is_finite() && factor > 0.0 {
            for inertia in self.description.links.iter_mut().filter_map(|link| link.inertia.as_mut()) {
                *inertia = PseudoInertia::from_parameters(&inertia.parameters().map(|x| factor * x));
            }
        }
    }
}

/// Principal moments and axes (columns) of a symmetric tensor, by Jacobi rotations.
fn principal_axes([xx, xy, yy, xz, yz, zz]: Tensor) -> ([f64; 3], Mat3<f64>) {
    let mut tensor = Mat3([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]);
    let mut axes = Mat3::identity();
    for _ in 0..30 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off = tensor.0[p][q];
            if off == 0.0 || !off.is_finite() {
                continue;
            }
            let angle = 0.5 * f64::atan2(2.0 * off, tensor.0[q][q] - tensor.0[p][p]);
            let (sin, cos) = angle.sin_cos();
            let mut turn = Mat3::identity();
            (turn.0[p][p], turn.0[q][q], turn.0[p][q], turn.0[q][p]) = (cos, cos, sin, -sin);
            tensor = turn.transpose() * tensor * turn;
            (tensor.0[p][q], tensor.0[q][p]) = (0.0, 0.0);
            axes = axes * turn;
        }
    }
    ([tensor.0[0][0], tensor.0[1][1], tensor.0[2][2]], axes)
}
