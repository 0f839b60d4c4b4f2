//! Formulas as they are read: text, LaTeX, code, common sums under names, special lengths.

use std::sync::Arc;

use steiner_symbols::algebra::{
    Inputs, Names, Notation, Polynomial, Radical, RationalFunction, Variable, abbreviate, factorise,
};
use steiner_symbols::{Graph, Language, Precision, Printer};

fn names() -> Arc<Names> {
    Names::new(["l1", "l2", "d_3"], ["alpha2"])
}

fn l(k: usize) -> Polynomial {
    Polynomial::variable(&names(), Variable::Length(k))
}

fn quotient(n: Polynomial, d: Polynomial) -> RationalFunction {
    RationalFunction::new(n, d).unwrap()
}

fn samples() -> Vec<RationalFunction> {
    let one = Polynomial::one(&names());
    let sine = Polynomial::variable(&names(), Variable::Sine(0));
    let cosine = Polynomial::variable(&names(), Variable::Cosine(0));
    let root =
        Radical::root(steiner_scalar::Rational::from(1) / steiner_scalar::Rational::from(2), 3).unwrap();
    vec![
        quotient(-&l(0).power(2), one.clone()),
        quotient(&l(0) + &l(1), one.scaled(&2.into())),
        quotient(-&(&l(0) + &l(1)), one.clone()),
        quotient(one.clone(), &(&l(0) * &l(1)) * &sine.power(2)),
        quotient(l(0).scaled(&root), &l(0).power(2) + &l(1).power(2)),
        quotient(&l(0).power(2) - &(&l(0) * &l(2)), (&l(0) + &cosine).power(2)),
        RationalFunction::zero(&names()),
        RationalFunction::constant(&names(), -3),
    ]
}

#[test]
fn formulas_are_written_as_they_are_read() {
    let written = |notation| samples().iter().map(|f| f.written(notation)).collect::<Vec<_>>();
    assert_eq!(
        written(Notation::Unicode),
        [
            "-l1²",
            "(l1 + l2)/2",
            "-(l1 + l2)",
            "1/(l1·l2·sin(alpha2)²)",
            "√3·l1/(2·(l1² + l2²))",
            "l1·(l1 - d_3)/(l1² + 2·l1·cos(alpha2) + cos(alpha2)²)",
            "0",
            "-3",
        ]
    );
    assert_eq!(written(Notation::Ascii)[4], "sqrt(3)*l1/(2*(l1^2 + l2^2))");
    assert_eq!(
        written(Notation::Latex),
        [
            "-l_{1}^{2}",
            "\\frac{l_{1} + l_{2}}{2}",
            "-\\left(l_{1} + l_{2}\\right)",
            "\\frac{1}{l_{1} l_{2} \\sin^{2} \\alpha_{2}}",
            "\\frac{\\sqrt{3} l_{1}}{2 \\left(l_{1}^{2} + l_{2}^{2}\\right)}",
            "\\frac{l_{1} \\left(l_{1} - d_{3}\\right)}{l_{1}^{2} + 2 l_{1} \\cos \\alpha_{2} + \\cos^{2} \\alpha_{2}}",
            "0",
            "-3",
        ]
    );
}

#[test]
fn code_has_the_values_of_formulas() {
    let (lengths, angles) = ([0.3, 0.5, 0.7], [1.2]);
    let mut graph = Graph::new();
    let length = |k: usize| format!("l[{k}]");
    let angle = |k: usize| format!("a[{k}]");
    let inputs = Inputs { length: &length, angle: &angle };
    let short = abbreviate(&samples(), &[]);
    let plain: Vec<_> = samples().iter().map(|f| f.expression(&mut graph, &inputs)).collect();
    let split: Vec<_> = short.formulas.iter().map(|f| f.expression(&mut graph, &inputs)).collect();
    let value = |name: &str| {
        let k: usize = name[2..3].parse().unwrap();
        if name.starts_with('l') { lengths[k] } else { angles[k] }
    };
    let (plain, split) = (graph.evaluate(&plain, &value), graph.evaluate(&split, &value));
    for (k, f) in samples().iter().enumerate() {
        let expected = f.evaluate(&lengths, &angles);
        assert!((plain[k] - expected).abs() < 1e-14 * (1.0 + expected.abs()), "{f}");
        assert!((split[k] - expected).abs() < 1e-13 * (1.0 + expected.abs()), "{f}");
    }
    let mut graph = Graph::new();
    let outputs: Vec<_> = samples()
        .iter()
        .enumerate()
        .map(|(k, f)| (format!("beta[{k}]"), f.expression(&mut graph, &inputs)))
        .collect();
    let code = Printer::new(Language::Rust, Precision::Double).statements(&graph, &outputs);
    assert!(code.contains("beta[7] = -3.0;"), "{code}");
}

#[test]
fn sums_that_occur_often_get_names() {
    let names = Names::new(["lx1", "ly1", "l2", "l3", "l4"], []);
    let of = |k: usize| Polynomial::variable(&names, Variable::Length(k));
    let squares = &of(0).power(2) + &of(1).power(2);
    let three = &(&of(2).power(2) + &(&of(3) * &of(4))) + &of(4).power(2);
    let functions = [
        quotient(&of(2) * &of(0), squares.clone()),
        quotient(&of(2) * &of(1), squares.power(2)),
        quotient(&of(2) * &three, squares.clone()),
        quotient(of(3), three.clone()),
        quotient(&of(2) - &of(3), of(4)),
    ];
    let short = abbreviate(&functions, &[]);
    let definitions: Vec<_> = short.definitions.iter().map(|d| d.written(Notation::Unicode)).collect();
    assert_eq!(definitions, ["l1² = lx1² + ly1²", "k1 = l2² + l3·l4 + l4²"]);
    let written: Vec<_> = (0..functions.len()).map(|k| short.written(k, Notation::Unicode)).collect();
    assert_eq!(written, ["lx1·l2/l1²", "ly1·l2/l1⁴", "l2·k1/l1²", "l3/k1", "(l2 - l3)/l4"]);
    for (formula, function) in short.formulas.iter().zip(&functions) {
        assert_eq!(formula.expanded(), *function);
    }
    assert_eq!(
        short.definitions[0].written(Notation::Latex),
        "l_{1}^{2} = \\mathrm{lx}_{1}^{2} + \\mathrm{ly}_{1}^{2}"
    );
}

#[test]
fn short_forms_multiply_out_to_the_formulas_with_angles() {
    let names = Names::new(["a", "b", "c", "d"], ["p", "q"]);
    let formulas = [
        "(a*cos(p) + b*sin(q)*cos(q))*(c*sin(p)*sin(q) + d*cos(q))/(a^2 + b^2 - 2*a*b*cos(p))",
        "(a - b*sin(p))^2*(1 - cos(q))/(a^2 + b^2 - 2*a*b*cos(p))^2",
        "(sin(p) - cos(p))*(sin(p) + cos(p))*(a - b)*(c - d)",
        "a*sin(p)^3/(b*(1 + cos(p))^2)",
    ];
    let functions = formulas.map(|text| RationalFunction::parse(&names, text).unwrap());
    let mut all = functions.to_vec();
    all.extend(functions.iter().flat_map(|f| [f.derivative_by_length(0), f.derivative_by_angle(0)]));
    let short = abbreviate(&all, &[]);
    for (formula, function) in short.formulas.iter().zip(&all) {
        assert_eq!(formula.expanded(), *function);
    }
    assert_eq!(short.definitions[0].written(Notation::Ascii), "k1 = a^2 - 2*a*b*cos(p) + b^2");
    for k in 0..all.len() {
        // What is written says the same when the names are replaced.
        let mut text = short.written(k, Notation::Ascii);
        for definition in &short.definitions {
            assert_eq!(definition.power, 1);
            text = text
                .replace(&definition.name, &format!("({})", definition.polynomial.written(Notation::Ascii)));
        }
        assert_eq!(RationalFunction::parse(&names, &text).as_ref(), Ok(&all[k]), "{text}");
    }
}

#[test]
fn special_lengths_are_seen_in_factors() {
    let names = Names::new(["l1", "l2", "l3", "l4"], ["a"]);
    let of = |k: usize| Polynomial::variable(&names, Variable::Length(k));
    let factors = |p: &Polynomial, catalogue: &[Polynomial]| -> Vec<String> {
        let found = factorise(p, catalogue);
        found.factors.iter().map(|(f, e)| if *e == 1 { f.text() } else { format!("({f})^{e}") }).collect()
    };
    // A four-bar folds where l1 + l2 = l3 + l4, a parallelogram has l1 = l3.
    let folding = &(&of(0) + &of(1)) - &(&of(2) + &of(3));
    let p = &(&folding * &(&of(0) - &of(2))) * &(&of(1) * &(&of(0).power(2) + &of(1).power(2)));
    assert_eq!(factors(&p, &[]), ["l2", "l1 - l3", "l1 + l2 - l3 - l4", "l1² + l2²"]);
    // Linear factors with other coefficients, by the discriminant.
    let q = &(&of(0).scaled(&2.into()) - &of(1).scaled(&3.into())) * &(&of(0) + &of(2).scaled(&5.into()));
    assert_eq!(factors(&q, &[]), ["2·l1 - 3·l2", "l1 + 5·l3"]);
    // Angles: aligned axes.
    let [s, c] = [Variable::Sine(0), Variable::Cosine(0)].map(|v| Polynomial::variable(&names, v));
    let r = &(&s.power(2) * &c) * &(&of(0).power(2) - &of(1).power(2));
    assert_eq!(factors(&r, &[]), ["cos(a)", "(sin(a))^2", "l1 + l2", "l1 - l2"]);
    let cube = &of(0).power(3) + &(&of(1) * &of(2).power(2));
    let other = &of(0).power(3) - &(&of(1).power(2) * &of(3));
    assert_eq!(factors(&(&cube * &other), std::slice::from_ref(&cube)).len(), 2);
    assert_eq!(factors(&cube.power(2), &[]), [format!("({cube})^2")]);
}

#[test]
fn formulas_are_read_back_from_what_is_written() {
    for f in samples() {
        assert_eq!(RationalFunction::parse(&names(), &f.written(Notation::Ascii)), Ok(f));
    }
    let read = |text: &str| RationalFunction::parse(&names(), text).map(|f| f.text());
    assert_eq!(read("l1*sin(alpha2 + pi/2)/cos(pi/6)").as_deref(), Ok("2·√3·l1·cos(alpha2)/3"));
    assert_eq!(read("tan(alpha2)*cos(alpha2)").as_deref(), Ok("sin(alpha2)"));
    assert_eq!(read("cos(alpha2 - alpha2)").as_deref(), Ok("1"));
    let message = |text: &str| read(text).unwrap_err().to_string();
    assert!(message("l1 + sqrt(l2)").contains("`sqrt(l2)` is not rational in the named lengths"));
    assert!(message("l1/(l2 - l2)").contains("is zero and divides"));
    assert!(message("l1 + l9").contains("l9"));
}

#[test]
fn sums_are_written_with_the_fewest_terms() {
    let names = Names::new(["l1", "l2", "rb", "re", "he"], ["alf", "b"]);
    for (formula, text) in [
        ("l1^2 - l2^2*cos(alf)^2 + l2^2", "l1² + l2²·sin(alf)²"),
        ("l1^2 + l2^2*cos(alf)^2", "l1² + l2²·cos(alf)²"),
        // Neither is shorter.
        ("l1^2 + 2*l2^2*cos(alf)^2 + l2^2", "l1² + 2·l2²·cos(alf)² + l2²"),
        ("l1 + l2*sin(alf)^4*sin(b)^2*cos(b)", "l1 + l2·sin(alf)⁴·cos(b)·sin(b)²"),
        ("rb^2 - 2*rb*re + re^2 + he^2", "(rb - re)² + he²"),
        ("3*he*(l1 - rb - re)^2 + l2^3", "3·he·(l1 - rb - re)² + l2³"),
        ("l1^2 + 2*l1*l2 + l2^2 - rb^2 - 2*rb*re - re^2 + he", "(l1 + l2)² - (rb + re)² + he"),
        // No square without its second end.
        ("l1^2 + l2^2 + 2*l1*rb", "l1² + 2·l1·rb + l2²"),
    ] {
        let function = RationalFunction::parse(&names, formula).unwrap();
        assert_eq!(function.text(), text);
        let ascii = RationalFunction::parse(&names, &function.written(Notation::Ascii)).unwrap();
        assert_eq!(ascii, function);
    }
}

#[test]
fn pages_have_indices_powers_and_fractions() {
    let names = Names::new(["lx2", "λ1"], ["alpha"]);
    let function = RationalFunction::parse(&names, "lx2^2*cos(alpha)/(λ1 + lx2)").unwrap();
    assert_eq!(
        function.written(Notation::Html),
        "<span class=\"fraction\"><span><var>lx</var><sub>2</sub><sup>2</sup>·cos(<var>α</var>)</span>\
         <span><var>lx</var><sub>2</sub> + <var>λ</var><sub>1</sub></span></span>"
    );
}

#[test]
fn letters_with_accents_stand_outside_of_latex_mathematics() {
    for (name, latex) in [
        ("größe", "\\text{größe}"),
        ("λ1", "\\lambda_{1}"),
        ("λx2", "\\lambda_{x2}"),
        ("Δ", "\\Delta"),
        ("l_länge", "l_{\\text{länge}}"),
        ("ö2", "\\text{ö}_{2}"),
        ("腕", "\\text{U+8155}"),
        ("alpha2", "\\alpha_{2}"),
    ] {
        assert_eq!(Notation::Latex.name(name), latex);
    }
}

#[test]
fn new_names_are_not_taken() {
    let names = Names::new(["a", "b"], []);
    let sum = "(a^2 + b^2)";
    let functions =
        [format!("a/{sum}"), format!("b/{sum}")].map(|text| RationalFunction::parse(&names, &text).unwrap());
    assert_eq!(abbreviate(&functions, &[]).definitions[0].name, "r1");
    assert_eq!(abbreviate(&functions, &["r1"]).definitions[0].name, "r2");
}
