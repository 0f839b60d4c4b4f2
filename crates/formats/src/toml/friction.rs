//! `friction = { … }` of a body's joint.

use steiner_robot::{Friction, FurtherFriction, Stribeck};
use toml_edit::Item;

use super::{Reader, Section};
use crate::error::FormatError;

impl Reader<'_> {
    pub(super) fn friction(&self, section: &Section<'_>) -> Result<Friction, FormatError> {
        let Some(item) = section.table.get("friction") else { return Ok(Friction::default()) };
        let element = format!("{}, friction", section.element);
        let inner = self.section(item, &element, section.line)?;
        let keys = [
            "viscous",
            "coulomb",
            "offset",
            "load",
            "curve",
            "asymmetric",
            "stribeck",
            "harmonic",
            "harmonic2",
        ];
        self.known_keys(&inner, &keys)?;
        let number = |inner: &Section<'_>, key: &str| match inner.table.get(key) {
            Some(item) => self.double(item, &format!("{}.{key}", inner.element), inner.line),
            None => Ok(0.0),
        };
        let get = |key: &str| number(&inner, key);
        let pair = |key: &str| match inner.table.get(key) {
            Some(item) => self.doubles(item, &format!("{element}.{key}"), inner.line),
            None => Ok([0.0; 2]),
        };
        let stribeck = match inner.table.get("stribeck") {
            Some(item) => self.stribeck(item, &format!("{element}.stribeck"), inner.line, number)?,
            None => Stribeck::default(),
        };
        let further = FurtherFriction {
            load: get("load")?,
            root: get("curve")?,
            asymmetric: get("asymmetric")?,
            stribeck,
            harmonics: [pair("harmonic")?, pair("harmonic2")?],
        };
        Ok(Friction { further, ..Friction::simple(get("viscous")?, get("coulomb")?, get("offset")?) })
    }

    fn stribeck(
        &self,
        item: &Item,
        element: &str,
        line: u32,
        number: impl Fn(&Section<'_>, &str) -> Result<f64, FormatError>,
    ) -> Result<Stribeck, FormatError> {
        let inner = self.section(item, element, line)?;
        self.known_keys(&inner, &["force", "speed"])?;
        let stribeck = Stribeck { force: number(&inner, "force")?, speed: number(&inner, "speed")? };
        match stribeck.speed > 0.0 {
            true => Ok(stribeck),
            false => Err(self.wrong(
                inner.line,
                element,
                format!("its speed is {}", stribeck.speed),
                "write stribeck = { force = …, speed = … }, with a positive speed in rad/s or m/s",
            )),
        }
    }
}
