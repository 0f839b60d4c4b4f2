//! What is said about settings, in words. They are spelt as whoever asked spells them.

use steiner_identification::{SettingNote, Spelling};

use crate::spelling::setting;
use crate::words::{count, number, thousands};

/// A sentence about what became of a setting.
pub fn setting_note(note: &SettingNote, spelling: Spelling) -> String {
    use SettingNote as N;
    let spelt = |name: &str| setting(spelling, name);
    match note {
        N::HeldOutByDefault { part } => {
            let change = format!(
                "{}, {} or {} change that",
                spelt("hold_out"),
                spelt("validate_from"),
                spelt("validate")
            );
            format!(
                "the last {} % of every log is held out for validation ({change})",
                number(100.0 * part, 3)
            )
        }
        N::Measured { sensors } => {
            format!("identified from what the logs measure: {sensors} ({} selects)", spelt("measure"))
        }
        N::NothingTrimmed { log } => {
            let [from, to] = spelling.cut;
            format!(
                "{} cuts nothing off {}: its signals are neither filtered nor derived, so no filter has to settle ({from} and {to} cut it)",
                spelt("trim"),
                log.display()
            )
        }
        N::NothingHeldOut => format!(
            "nothing was recorded between {} and {}: no samples are held out for validation",
            spelt("validate_from"),
            spelt("validate_to")
        ),
        N::WithinHull { link, shape, vertices, sides } => format!(
            "the centre of mass of {link} lies within the hull of its {shape}: {} vertices, {}",
            thousands(*vertices),
            count(*sides, "side")
        ),
        N::NotAligned => format!(
            "{} shifts forces that lag or lead onto their motion, if nothing else explains the lag",
            spelt("align")
        ),
        N::NoShape { links } => format!("{} without a shape: not bounded by one", links.join(", ")),
    }
}
