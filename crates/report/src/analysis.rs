//! The document of an analysis, as programs read it.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};
use steiner_dynamics::Mechanism;
use steiner_identifiability::{
    Analysis, Arithmetic, BaseParameter, Certificate, Comparison, Reason, Verified,
};
use steiner_identification::Excitation;

use crate::identification::json::finite;
use crate::notes::analysis_notes;
use crate::reasons::{reason_sentence, weak_sentence};

/// The `robot` object that every document carries.
pub fn robot_json(mechanism: &Mechanism) -> Value {
    let robot = mechanism.robot();
    json!({
        "name": robot.name,
        "bodies": robot.bodies.iter().map(|body| &body.name).collect::<Vec<_>>(),
        "dof": mechanism.dof(),
        "tree_dof": mechanism.tree_dof(),
        "loops": robot.loops.len(),
        "mobility": mechanism.dof(),
    })
}

/// What is proven, about an answer with some number of bodies.
pub(crate) fn certificate_json(certificate: &Certificate, bodies: usize) -> Value {
    let geometry = if certificate.exact_geometry { "exact" } else { "rounded" };
    let (verified, null_digits) = match certificate.null_verified {
        Verified::PrimeField => ("F_p", None),
        Verified::Extended { digits } => ("extended", Some(digits)),
    };
    let mut document = match certificate.arithmetic {
        Arithmetic::PrimeField => json!({
            "kind": "probabilistic", "arithmetic": "F_p", "prime": certificate.prime.value(), "geometry": geometry,
            "rank": certificate.rank, "complete": certificate.complete, "null_verified": verified,
            "error_probability": certificate.error_probability(bodies),
        }),
        // Nothing at all beyond the last pivot is an infinite gap, which JSON cannot say.
        Arithmetic::Extended { digits, gap, visible } => json!({
            "kind": "numeric", "arithmetic": "extended", "digits": digits, "gap": gap.min(f64::MAX),
            "geometry": geometry, "rank": certificate.rank, "complete": certificate.complete,
            "null_verified": verified, "smallest_visible_effect": visible,
        }),
    };
    if let Some(digits) = null_digits {
        document["null_digits"] = json!(digits);
    }
    if let Some(digits) = certificate.digits_needed {
        document["digits_needed"] = json!(digits);
    }
    if certificate.from_below {
        document["null_near"] = json!("branch");
    }
    document
}

/// The JSON document of an analysis, to be written to a stream: the base parameters of a long chain have
/// millions of terms.
pub struct AnalysisDocument<'a> {
    /// All keys; that of the base parameters has no value yet.
    keys: Map<String, Value>,
    analysis: &'a Analysis,
}

const BASE_PARAMETERS: &str = "base_parameters";

impl AnalysisDocument<'_> {
    /// Adds what else was asked.
    pub fn insert(&mut self, key: &str, value: Value) {
        self.keys.insert(key.to_owned(), value);
    }
}

impl Serialize for AnalysisDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.keys.len()))?;
        for (key, value) in &self.keys {
            match key == BASE_PARAMETERS {
                true => map.serialize_entry(key, &BaseParameters(self.analysis))?,
                false => map.serialize_entry(key, value)?,
            }
        }
        map.end()
    }
}

struct BaseParameters<'a>(&'a Analysis);

impl Serialize for BaseParameters<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let base = self.0.regrouping.base.iter();
        serializer.collect_seq(base.map(|base| OneBaseParameter { analysis: self.0, base }))
    }
}

struct OneBaseParameter<'a> {
    analysis: &'a Analysis,
    base: &'a BaseParameter,
}

impl Serialize for OneBaseParameter<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("name", &self.analysis.labels[self.base.column])?;
        map.serialize_entry("terms", &Terms(self))?;
        map.end()
    }
}

struct Terms<'a>(&'a OneBaseParameter<'a>);

impl Serialize for Terms<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let labels = &self.0.analysis.labels;
        serializer.collect_seq(self.0.base.terms.iter().map(|&(column, x)| (&labels[column], x)))
    }
}

/// The JSON document of an analysis.
pub fn analysis_json(mechanism: &Mechanism, analysis: &Analysis) -> Value {
    // A document of strings and numbers has nothing that a value could not hold.
    serde_json::to_value(analysis_document(mechanism, analysis)).unwrap_or_default()
}

/// The same as something to be written.
pub fn analysis_document<'a>(mechanism: &Mechanism, analysis: &'a Analysis) -> AnalysisDocument<'a> {
    let label = |column: usize| &analysis.labels[column];
    let names = |columns: &[usize]| columns.iter().map(|&c| label(c)).collect::<Vec<_>>();
    let bodies = |bodies: &[usize]| bodies.iter().map(|&body| &analysis.bodies[body]).collect::<Vec<_>>();
    let vectors: Vec<Value> = analysis
        .vectors
        .iter()
        .map(|vector| {
            json!({
                "principle": vector.principle().name(), "joint": vector.joint(), "bodies": bodies(&vector.bodies),
                "text": reason_sentence(analysis, vector), "place": place_json(analysis, &vector.reason),
                "entries": vector.entries,
            })
        })
        .collect();
    let weak: Vec<Value> = analysis
        .weak
        .iter()
        .map(|weak| {
            json!({
                "text": weak_sentence(analysis, weak), "bodies": bodies(&weak.bodies), "entries": weak.entries,
                "relative_singular_value": weak.relative_singular_value,
            })
        })
        .collect();
    let fixed: Map<String, Value> =
        analysis.known.iter().map(|&(column, value)| (label(column).clone(), json!(value))).collect();
    let certificate = analysis.certificate.as_ref();
    let numeric = analysis.numeric.as_ref().map(|numeric| {
        json!({
            "samples": numeric.samples, "attempts": numeric.attempts, "gap": numeric.gap().min(f64::MAX),
            "rank_by_qr": numeric.rank_by_qr, "rank_by_singular_values": numeric.rank_by_singular_values,
            "diagonal": numeric.diagonal, "singular_values": numeric.singular_values,
        })
    });
    let document = json!({
        "robot": robot_json(mechanism),
        "method": analysis.method.name(),
        "measure": analysis.measure.to_string(),
        "labels": analysis.labels,
        "parameters": analysis.parameters(),
        "identifiable": analysis.identifiable(),
        "nullity": analysis.vectors.len(),
        "unexplained": analysis.unexplained(),
        "nullspace": vectors,
        BASE_PARAMETERS: null,
        "unidentifiable": names(&analysis.regrouping.unidentifiable),
        "alone": names(&analysis.regrouping.alone),
        "combined": names(&analysis.regrouping.combined),
        "fixed": fixed,
        "weak": weak,
        "certificate": certificate.map(|certificate| certificate_json(certificate, analysis.bodies.len())),
        "numeric": numeric,
        "notes": analysis_notes(analysis),
        "seconds": analysis.seconds,
    });
    let keys = match document {
        Value::Object(keys) => keys,
        _ => Map::new(),
    };
    AnalysisDocument { keys, analysis }
}

/// The point and the axis of a reason, with the body in whose frame they are; `null` for the base.
fn place_json(analysis: &Analysis, reason: &Reason) -> Value {
    let place = reason.place.as_ref();
    place.map_or(Value::Null, |place| {
        let frame = place.body.map(|body| &analysis.bodies[body]);
        json!({ "frame": frame, "point": place.point, "axis": place.axis })
    })
}

/// What other sensors would add.
pub fn comparison_json(comparison: &[Comparison]) -> Value {
    let one = |other: &Comparison| {
        json!({
            "measure": other.measure.to_string(), "parameters": other.alone.0, "identifiable": other.alone.1,
            "together": { "parameters": other.together.0, "identifiable": other.together.1 },
            "adds": other.added, "now_visible": other.now_visible, "now_alone": other.now_alone,
        })
    };
    comparison.iter().map(one).collect()
}

/// What logs excited of the base parameters of an analysis. What was not shown has no inflation.
pub fn excitation_json(analysis: &Analysis, excitation: &Excitation, notes: &[String]) -> Value {
    let name = |k: usize| &analysis.labels[analysis.regrouping.base[k].column];
    let base: Vec<Value> = excitation
        .inflation
        .iter()
        .enumerate()
        .map(|(k, &inflation)| {
            json!({ "name": name(k), "shown": inflation.is_finite(), "inflation": finite(inflation) })
        })
        .collect();
    let dominated: Vec<Value> =
        excitation.dominated_by.iter().map(|&(k, part)| json!([name(k), finite(part)])).collect();
    json!({
        "samples": excitation.samples, "held_out": excitation.held_out, "rank": excitation.rank,
        "condition_number": finite(excitation.condition_number),
        "raw_condition_number": finite(excitation.raw_condition_number),
        "dominated_by": dominated,
        "weakly_excited": excitation.weak.iter().map(|weak| name(weak.parameter)).collect::<Vec<_>>(),
        "base_parameters": base, "notes": notes,
    })
}
