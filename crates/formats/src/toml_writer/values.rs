//! Values of TOML as text: strings, lists, tables on one line, exact numbers.

use std::fmt::Write;

use steiner_robot::{Capsule, Friction, PseudoInertia, Stribeck};
use steiner_scalar::{Exact, Node};

use crate::decimal::{printable, shortest};

/// What `inertia =` says.
pub(crate) fn inertia_entry(inertia: &PseudoInertia) -> String {
    let printed = printable(inertia);
    let mut entries = vec![("mass", shortest(printed.mass))];
    if printed.com != [0.0; 3] {
        entries.push(("com", list(printed.com.map(shortest))));
    }
    if printed.tensor != [0.0; 6] {
        entries.push(("tensor", list(printed.tensor.map(shortest))));
    }
    inline(entries)
}

/// What `friction =` says.
pub(crate) fn friction_entry(friction: &Friction) -> String {
    let further = &friction.further;
    let numbers = [
        ("viscous", friction.viscous),
        ("coulomb", friction.coulomb),
        ("offset", friction.offset),
        ("load", further.load),
        ("curve", further.root),
        ("asymmetric", further.asymmetric),
    ];
    let numbers = numbers.into_iter().filter(|(_, x)| *x != 0.0).map(|(key, x)| (key, shortest(x)));
    let Stribeck { force, speed } = further.stribeck;
    let stribeck = (force != 0.0)
        .then(|| ("stribeck", inline(vec![("force", shortest(force)), ("speed", shortest(speed))])));
    let harmonics = ["harmonic", "harmonic2"].into_iter().zip(further.harmonics);
    let harmonics = harmonics.filter(|(_, pair)| *pair != [0.0; 2]);
    let harmonics = harmonics.map(|(key, pair)| (key, list(pair.map(shortest))));
    inline(numbers.chain(stribeck).chain(harmonics).collect())
}

pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out + "\""
}

pub(super) fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if bare { name.to_owned() } else { quoted(name) }
}

pub(super) fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(", "))
}

pub(super) fn inline(entries: Vec<(&'static str, String)>) -> String {
    let pairs: Vec<String> = entries.into_iter().map(|(key, value)| format!("{key} = {value}")).collect();
    format!("{{ {} }}", pairs.join(", "))
}

/// A plain decimal, or an expression in quotes.
pub(super) fn number(x: &Exact) -> String {
    let text = x.to_string();
    if !matches!(x.node(), Node::Rational(_)) {
        return quoted(&text);
    }
    if text.parse::<i64>().is_ok() || (text.len() < 24 && text.contains('.')) {
        return text;
    }
    // Very large and very small numbers are shorter with an exponent, if a double is all they are.
    match x.to_f64() {
        Ok(double) if Exact::from_f64(double).as_ref() == Some(x) => format!("{double:e}"),
        _ => quoted(&text),
    }
}

pub(super) fn numbers(vector: &[Exact; 3]) -> String {
    list(vector.iter().map(number))
}

pub(super) fn capsule(capsule: &Capsule) -> String {
    let point = |p: [f64; 3]| list(p.map(shortest));
    inline(vec![
        ("from", point(capsule.from)),
        ("to", point(capsule.to)),
        ("radius", shortest(capsule.radius)),
    ])
}
