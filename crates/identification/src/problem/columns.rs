//! The columns: what the file says of each parameter, what is known of it, and parameters
//! beyond bodies and simple drives.

use steiner_dynamics::Mechanism;
use steiner_files::did_you_mean;
use steiner_identifiability::Measurement;
use steiner_logs::SpeedShape;
use steiner_robot::{Actuation, Label, ParameterKind, inertial_body, whole_of};

use crate::failure::IdentificationError;
use crate::friction_term::FrictionTerm;
use crate::settings::Settings;

/// A column that depends on velocities or currents alone.
#[derive(Clone, Debug)]
pub(crate) struct Extra {
    pub(crate) label: Label,
    pub(crate) kind: ExtraKind,
    /// What to take where nothing is seen.
    pub(crate) prior: f64,
    pub(crate) cannot_be_negative: bool,
}

/// What multiplies the parameter.
#[derive(Clone, Debug)]
pub(crate) enum ExtraKind {
    /// A term of friction on a velocity of the tree, whose position is this number of its configuration; which
    /// of the term's parameters.
    Friction { velocity: usize, position: usize, term: FrictionTerm, which: usize },
    /// A motor that turns with Σ factor · velocity of the tree.
    Coupled { term: DriveTerm, joints: Vec<(usize, f64)>, crosswise: bool },
    /// The recorded current of an independent coordinate, moved to the left.
    Gain { row: usize },
}

/// Which term of a drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DriveTerm {
    Inertia,
    Viscous,
    Coulomb,
}

impl DriveTerm {
    /// The same term of a drive of its own.
    pub(crate) fn kind(self) -> ParameterKind {
        match self {
            DriveTerm::Inertia => ParameterKind::Ia,
            DriveTerm::Viscous => ParameterKind::Fv,
            DriveTerm::Coulomb => ParameterKind::Fc,
        }
    }
}

impl Extra {
    /// Which term of a coupled drive it is.
    pub(crate) fn drive_term(&self) -> Option<DriveTerm> {
        match self.kind {
            ExtraKind::Coupled { term, .. } => Some(term),
            _ => None,
        }
    }

    pub(crate) fn is_gain_of(&self, independent: usize) -> bool {
        matches!(self.kind, ExtraKind::Gain { row } if row == independent)
    }

    pub(crate) fn is_gain(&self) -> bool {
        matches!(self.kind, ExtraKind::Gain { .. })
    }

    /// Whether it is dry friction.
    pub(crate) fn is_dry_friction(&self) -> bool {
        match self.kind {
            ExtraKind::Friction { term, .. } => term.shape().is_some() || term == FrictionTerm::Load,
            ExtraKind::Coupled { term, .. } => term == DriveTerm::Coulomb,
            ExtraKind::Gain { .. } => false,
        }
    }

    /// How its dry friction changes with speed.
    pub(crate) fn shape(&self) -> SpeedShape {
        match self.kind {
            ExtraKind::Friction { term, .. } => term.shape().unwrap_or_default(),
            _ => SpeedShape::Constant,
        }
    }

    /// The term of friction it belongs to.
    pub(crate) fn friction_term(&self) -> Option<FrictionTerm> {
        match self.kind {
            ExtraKind::Friction { term, .. } => Some(term),
            _ => None,
        }
    }

    /// The same, and which of the term's parameters.
    pub(crate) fn friction_parameter(&self) -> Option<(FrictionTerm, usize)> {
        match self.kind {
            ExtraKind::Friction { term, which, .. } => Some((term, which)),
            _ => None,
        }
    }

    /// Whether it depends on what the other parameters are.
    pub(crate) fn depends_on_load(&self) -> bool {
        matches!(self.kind, ExtraKind::Friction { term: FrictionTerm::Load, .. })
    }

    /// The speed of its drive: (velocity of the tree, factor).
    pub(crate) fn speed(&self) -> Vec<(usize, f64)> {
        match &self.kind {
            ExtraKind::Friction { velocity, .. } => vec![(*velocity, 1.0)],
            ExtraKind::Coupled { joints, .. } => joints.clone(),
            ExtraKind::Gain { .. } => Vec::new(),
        }
    }

    /// The tree velocities it acts on.
    pub(crate) fn velocities(&self) -> Vec<usize> {
        self.speed().into_iter().map(|(k, _)| k).collect()
    }

    /// Its force on each tree velocity per unit of the parameter; `friction` is its dry friction at a speed of
    /// its drive, `load` what inertia and gravity ask of the joint, where that is known.
    pub(crate) fn forces(
        &self,
        motion: TreeMotion<'_>,
        friction: impl Fn(f64) -> f64,
        load: f64,
        mut each: impl FnMut(usize, f64),
    ) {
        let TreeMotion { q, velocity, acceleration } = motion;
        match &self.kind {
            ExtraKind::Friction { velocity: k, position, term, which } => {
                let speed = velocity[*k];
                let force = match term {
                    FrictionTerm::Stribeck { .. } | FrictionTerm::Root => friction(speed),
                    FrictionTerm::Asymmetric => speed.abs(),
                    FrictionTerm::Load => friction(speed) * load.abs(),
                    FrictionTerm::Harmonic { multiple } => {
                        let angle = f64::from(*multiple) * q[*position];
                        if *which == 0 { angle.sin() } else { angle.cos() }
                    }
                };
                each(*k, force);
            }
            ExtraKind::Coupled { term, joints, crosswise } => {
                let of = |values: &[f64]| joints.iter().map(|&(k, c)| c * values[k]).sum::<f64>();
                for &(k, c) in joints {
                    let own = if *crosswise { c } else { 0.0 };
                    each(
                        k,
                        c * match term {
                            DriveTerm::Inertia => of(acceleration) - own * acceleration[k],
                            DriveTerm::Viscous => of(velocity) - own * velocity[k],
                            DriveTerm::Coulomb => friction(of(velocity)),
                        },
                    );
                }
            }
            ExtraKind::Gain { .. } => {}
        }
    }
}

/// A state of the tree.
#[derive(Clone, Copy)]
pub(crate) struct TreeMotion<'a> {
    pub(crate) q: &'a [f64],
    pub(crate) velocity: &'a [f64],
    pub(crate) acceleration: &'a [f64],
}

/// What the file says of all parameters of bodies and drives.
pub(crate) fn prior(mechanism: &Mechanism, measurement: &Measurement) -> Vec<f64> {
    let robot = mechanism.robot();
    let names = measurement.bodies(mechanism);
    let mut out = Vec::with_capacity(measurement.columns(mechanism));
    for name in &names[..measurement.ground_count()] {
        let parts = robot.lump(name).unwrap_or_default();
        out.extend(whole_of(&parts).parameters());
    }
    out.extend(robot.parameters());
    for (joint, _) in measurement.driven() {
        let found = robot.bodies.iter().find(|body| body.joint.name == joint).map(|body| &body.joint);
        out.extend(found.map_or([0.0; 4], |joint| {
            [joint.rotor_inertia, joint.friction.viscous, joint.friction.coulomb, joint.friction.offset]
        }));
    }
    out
}

/// What is known of bodies and drives: what the user says, that joints without a motor have no rotor and no
/// offset but the file's, and in payload mode all but the payload.
pub(crate) fn known(
    mechanism: &Mechanism,
    settings: &Settings,
    measurement: &Measurement,
    prior: &[f64],
) -> Result<Vec<(String, f64)>, IdentificationError> {
    let labels = measurement.labels(mechanism);
    let extras = extra_labels(settings, measurement);
    let extra = |label: &String| extras.contains(label);
    let mut known: Vec<(String, f64)> =
        settings.known.iter().filter(|(label, _)| !extra(label)).cloned().collect();
    let is_passive = |joint: &str| {
        let own = mechanism.robot().bodies.iter().find(|body| body.joint.name == joint);
        own.is_some_and(|body| body.joint.actuation == Actuation::Passive)
    };
    for (joint, _) in measurement.driven().into_iter().filter(|(joint, _)| is_passive(joint)) {
        for parameter in [ParameterKind::Ia, ParameterKind::Offset] {
            let label = format!("{joint}.{}", parameter.name());
            let column = labels.iter().position(|other| *other == label);
            let said = known.iter().any(|(other, _)| *other == label);
            known.extend(column.filter(|_| !said).map(|c| (label, prior[c])));
        }
    }
    let Some(payload) = &settings.payload else { return Ok(known) };
    let (body, _) = super::payload_place(mechanism, measurement, payload)?;
    for (c, label) in labels.iter().enumerate() {
        if inertial_body(c) != body && !known.iter().any(|(other, _)| other == label) {
            known.push((label.clone(), prior[c]));
        }
    }
    Ok(known)
}

/// Labels of the further columns, in order.
fn extra_labels(settings: &Settings, measurement: &Measurement) -> Vec<String> {
    let friction = settings.friction_terms.iter().flat_map(|of| {
        let joints = measurement.driven().into_iter().filter(|(joint, _)| of.is_of(joint));
        joints.flat_map(|(joint, _)| of.term.parameters().iter().map(move |p| format!("{joint}.{p}")))
    });
    let coupled = settings
        .coupled_drives
        .iter()
        .flat_map(|drive| ["Ia", "fv", "fc"].map(|p| format!("{}.{p}", drive.name)));
    friction
        .chain(coupled)
        .chain(settings.unknown_gains.iter().map(|joint| format!("{joint}.gain")))
        .collect()
}

/// Columns, and which of them are known with which value.
type Extras = (Vec<Extra>, Vec<(usize, f64)>);

/// The further columns, and which of them are known.
pub(crate) fn extras(
    mechanism: &Mechanism,
    measurement: &Measurement,
    settings: &Settings,
) -> Result<Extras, IdentificationError> {
    let mut out = Vec::new();
    let robot = mechanism.robot();
    for of in &settings.friction_terms {
        if let Some(joint) = &of.joint {
            velocity_of(mechanism, joint, "the friction term")?;
        }
        for (joint, velocity) in measurement.driven().into_iter().filter(|(joint, _)| of.is_of(joint)) {
            let body = robot.bodies.iter().position(|body| body.joint.name == joint);
            let position = body.map_or(0, |body| robot.configuration_offsets()[body]);
            for (which, parameter) in of.term.parameters().iter().enumerate() {
                let further = body.map(|body| robot.bodies[body].joint.friction.further).unwrap_or_default();
                out.push(Extra {
                    label: Label { owner: joint.to_owned(), parameter },
                    kind: ExtraKind::Friction { velocity, position, term: of.term, which },
                    prior: of.term.value(further, which),
                    cannot_be_negative: of.term == FrictionTerm::Load,
                });
            }
        }
    }
    for drive in &settings.coupled_drives {
        let what = format!("the coupled drive `{}`", drive.name);
        let joints = drive
            .joints
            .iter()
            .map(|(joint, factor)| Ok((velocity_of(mechanism, joint, &what)?, *factor)))
            .collect::<Result<Vec<_>, IdentificationError>>()?;
        for term in [DriveTerm::Inertia, DriveTerm::Viscous, DriveTerm::Coulomb] {
            out.push(Extra {
                label: Label { owner: drive.name.clone(), parameter: term.kind().name() },
                kind: ExtraKind::Coupled { term, joints: joints.clone(), crosswise: drive.crosswise },
                prior: 0.0,
                cannot_be_negative: !drive.crosswise || term == DriveTerm::Coulomb,
            });
        }
    }
    for joint in &settings.unknown_gains {
        let what = "the unknown gain";
        let velocity = velocity_of(mechanism, joint, what)?;
        let row = mechanism.plan().independent.iter().position(|&k| k == velocity).ok_or_else(|| {
            IdentificationError::NotOneCoordinate {
                robot: mechanism.robot().name.clone(),
                joint: joint.clone(),
                what: what.to_owned(),
            }
        })?;
        let (label, kind) = (Label { owner: joint.clone(), parameter: "gain" }, ExtraKind::Gain { row });
        out.push(Extra { label, kind, prior: 1.0, cannot_be_negative: true });
    }
    let known = |extra: &Extra| {
        let said = settings.known.iter().find(|(label, _)| *label == extra.label.to_string());
        // Where a payload alone is unknown, friction is the file's.
        let is_own = settings.payload.is_some() && extra.friction_term().is_some();
        said.map(|(_, value)| *value).or(is_own.then_some(extra.prior))
    };
    let known = out.iter().enumerate().filter_map(|(k, extra)| Some((k, known(extra)?))).collect();
    Ok((out, known))
}

/// The tree velocity of a joint with one degree of freedom.
pub(crate) fn velocity_of(
    mechanism: &Mechanism,
    joint: &str,
    what: &str,
) -> Result<usize, IdentificationError> {
    let robot = mechanism.robot();
    let found = robot.coordinates_named(joint).ok_or_else(|| IdentificationError::UnknownJoint {
        robot: robot.name.clone(),
        joint: joint.to_owned(),
        hint: did_you_mean(joint, robot.bodies.iter().map(|body| body.joint.name.as_str())),
        what: what.to_owned(),
    })?;
    match found[..] {
        [coordinate] => Ok(robot.velocity_offsets()[coordinate.body.0] + coordinate.component),
        _ => Err(IdentificationError::NotOneCoordinate {
            robot: robot.name.clone(),
            joint: joint.to_owned(),
            what: what.to_owned(),
        }),
    }
}
