//! Reading, printing and evaluating exact numbers.

use proptest::prelude::*;
use steiner_scalar::{
    DoubleDouble, EvaluationError, Exact, F64x4, Field, Fp, Function, QuadDouble, Rational, Real, Scalar,
    parse_decimal,
};

fn exact(text: &str) -> Exact {
    Exact::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

fn value(text: &str) -> f64 {
    exact(text).to_f64().unwrap()
}

#[test]
fn a_printed_decimal_is_exact_in_every_scalar() {
    let source = exact("0.4318");
    let (numerator, denominator) = (4318, 10_000);
    assert_eq!(source.to_rational().unwrap(), Rational::from(numerator) / Rational::from(denominator));
    assert_eq!(source.to_f64().unwrap(), 0.4318);
    assert_eq!(F64x4::evaluate(&source).unwrap().value, F64x4::from_f64(0.4318));
    let ten_thousand = Fp::from_i64(denominator);
    assert_eq!(Fp::evaluate(&source).unwrap().value * ten_thousand, Fp::from_i64(numerator));
    let wide = QuadDouble::evaluate(&source).unwrap().value * QuadDouble::from_i64(denominator);
    assert!((wide - QuadDouble::from_i64(numerator)).abs().to_f64() < 1e-58);
    assert!(!Fp::evaluate(&source).unwrap().rounded);
}

#[test]
fn a_difference_of_decimals_is_the_double_nearest_to_the_exact_difference() {
    assert_eq!(value("0.45 - 0.31"), 0.14);
    assert_eq!(value("0.1 + 0.2"), 0.3);
    let symbolic = Exact::symbol("a", exact("0.45")) - Exact::symbol("b", exact("0.31"));
    assert_eq!(symbolic.to_f64().unwrap(), 0.14);
}

#[test]
fn operators_bind_as_in_mathematics() {
    for (text, expected) in [
        ("1 + 2*3", 7.0),
        ("(1 + 2)*3", 9.0),
        ("8 - 3 - 2", 3.0),
        ("16/4/2", 2.0),
        ("2*3^2", 18.0),
        ("-2^2", -4.0),
        ("(-2)^2", 4.0),
        ("2^-1", 0.5),
        ("2^3^2", 512.0),
        ("2^-2^2", 0.0625),
        ("--3", 3.0),
        ("+3 - -3", 6.0),
        ("2*-3", -6.0),
        (" 1.5e+2 ", 150.0),
        (".5 + 1.", 1.5),
        ("2E-3", 0.002),
        ("sqrt(16)/2", 2.0),
        ("sin(pi/2) + cos(0) + tan(0)", 2.0),
        ("atan(1)*4/π", 1.0),
        ("0^0", 1.0),
        ("pi^0", 1.0),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn a_named_constant_keeps_its_name_and_its_value() {
    let names = |name: &str| (name == "l1").then(|| Exact::symbol("l1", exact("0.3")));
    let sum = Exact::parse_with("2*l1 + 1", &names).unwrap();
    assert_eq!(sum.to_string(), "2*l1 + 1");
    assert_eq!(sum.to_f64().unwrap(), 1.6);
    assert_eq!(sum.to_rational().unwrap(), parse_decimal("1.6").unwrap());
}

#[test]
fn a_name_may_hide_pi_but_not_a_call() {
    let names = |name: &str| Some(Exact::symbol(name, exact("2")));
    assert_eq!(Exact::parse_with("pi + sin", &names).unwrap().to_f64().unwrap(), 4.0);
    assert_eq!(Exact::parse_with("sqrt(sqrt)", &names).unwrap().to_f64().unwrap(), 2f64.sqrt());
}

#[test]
fn angles_are_recognised_as_multiples_of_pi() {
    let third = Rational::from(1) / Rational::from(3);
    assert_eq!(exact("pi/3").pi_multiple().unwrap(), third);
    assert_eq!(exact("(pi/2 - pi/6)").pi_multiple().unwrap(), third);
    assert_eq!(exact("-2*(-pi)/6").pi_multiple().unwrap(), third);
    assert_eq!(exact("0").pi_multiple().unwrap(), Rational::ZERO);
    assert_eq!(exact("pi*pi").pi_multiple(), None);
    assert_eq!(exact("1.0471975512").pi_multiple(), None);
    assert_eq!(value("sin(1000001*pi)"), 0.0);
}

#[test]
fn zero_is_recognised_through_roots() {
    assert!(exact("sqrt(2)*sqrt(3) - sqrt(6)").is_zero());
    assert!(exact("sin(pi/3) - sqrt(3)/2").is_zero());
    assert!(!exact("1e-50").is_zero());
    assert!(!exact("sqrt(2) - 1.41421356237309504880168872420969807856967").is_zero());
}

#[test]
fn the_shortest_decimal_of_a_double_reads_back() {
    for x in [0.1, -1.5e-300, 1.7976931348623157e308, 5e-324, 0.0, 123456.789] {
        assert_eq!(Exact::from_f64(x).unwrap().to_f64().unwrap(), x);
    }
    assert_eq!(Exact::from_f64(0.1).unwrap().to_rational().unwrap(), parse_decimal("0.1").unwrap());
    assert!(Exact::from_f64(f64::NAN).is_none());
    assert!(Exact::from_f64(f64::NEG_INFINITY).is_none());
}

#[test]
fn a_bad_expression_is_refused_with_what_is_wrong() {
    for (text, fragment) in [
        ("", "its end"),
        ("1 +", "its end"),
        ("(1", "its end"),
        ("1)", "`)`"),
        ("2 3", "`3`"),
        ("2pi", "`pi`"),
        ("1..2", "`.2`"),
        (".", "not a number"),
        ("2**3", "`**3`"),
        ("1e", "`e`"),
        ("−1", "`−1`"),
        ("l9 + 1", "`l9`"),
        ("sqrt 2", "`sqrt`"),
        ("sqrt()", "`)`"),
        ("log(2)", "`log`"),
        ("nan", "not finite"),
        ("NaN", "not finite"),
        ("-inf", "not finite"),
        ("1e401", "exponent"),
        ("1e-99999999999999999999999", "exponent"),
        ("2^0.5", "power"),
        ("2^65", "power"),
        ("2^pi", "power"),
        ("2^(2^(2^64))", "power"),
        ("pi^(10^50)", "power"),
        ("\u{0}", "`\u{0}`"),
        ("1 / ", "its end"),
        ("💥", "`💥`"),
    ] {
        let error = Exact::parse(text).expect_err(text).to_string();
        assert!(error.contains(fragment), "{text}: {error}");
    }
}

#[test]
fn a_bad_decimal_is_refused() {
    for text in ["", "+", "1,5", "0x10", "1e5.5", "--1", "1 2", "e5", "٣"] {
        assert!(parse_decimal(text).is_err(), "{text}");
    }
    assert_eq!(parse_decimal(" -1.50 ").unwrap(), Rational::from(-3) / Rational::from(2));
}

#[test]
fn errors_quote_no_more_than_a_line() {
    let long = format!("2^({}1)", "9".repeat(3000));
    let message = Exact::parse(&long).unwrap_err().to_string();
    assert!(message.chars().count() < 400, "{}", message.len());
}

#[test]
fn deep_parentheses_are_refused_without_exhausting_the_stack() {
    for opening in ["(", "-", "sin(", "2^", "1-(", "+"] {
        let text = format!("{}1", opening.repeat(4000 / opening.len()));
        assert!(Exact::parse(&text).is_err(), "{opening}");
    }
    assert!(Exact::parse(&"(".repeat(1_000_000)).is_err());
    assert_eq!(value(&format!("{}1{}", "(".repeat(20), ")".repeat(20))), 1.0);
}

#[test]
fn the_longest_chain_of_terms_evaluates() {
    let text = format!("pi{}", "+pi".repeat(1000));
    assert_eq!(value(&text), 1001.0 * std::f64::consts::PI);
    assert!(Fp::evaluate(&exact(&text)).unwrap().rounded);
    let alternating = format!("sin(1){}", "*pi/pi".repeat(400));
    assert!((value(&alternating) - 1f64.sin()).abs() < 1e-15);
    assert_eq!(exact(&text).to_string().len(), text.len() + 2 * 1000);
}

#[test]
fn a_chain_of_names_too_deep_to_evaluate_is_refused() {
    let mut length = Exact::symbol("l", exact("pi"));
    let refused = (0..100_000).find_map(|_| {
        let names = |name: &str| (name == "l").then(|| length.clone());
        match Exact::parse_with("l + pi", &names) {
            Ok(longer) => {
                length = Exact::symbol("l", longer);
                None
            }
            Err(error) => Some(error),
        }
    });
    assert!(refused.is_some_and(|error| error.to_string().contains("too deeply nested")));
    assert!(length.to_f64().is_ok());
    assert!(Fp::evaluate(&length).is_ok());
    assert!(Exact::parse(&format!("pi{}", "+1".repeat(2000))).is_err());
}

#[test]
fn nested_powers_neither_hang_nor_fill_the_memory() {
    let nested = format!("{}2{}", "(".repeat(20), ")^64".repeat(20));
    assert!(matches!(exact(&nested).to_f64(), Err(EvaluationError::NotFinite { .. })));
    assert!(Fp::evaluate(&exact(&nested)).is_err());
    assert!(exact(&nested).to_rational().is_none());
    let of_pi = nested.replace('2', "pi");
    assert!(exact(&of_pi).to_f64().is_err());
    let tiny = nested.replace('2', "0.5");
    assert!(exact(&tiny).to_f64().is_ok_and(|x| x == 0.0));
}

#[test]
fn names_that_square_names_neither_hang_nor_fill_the_memory() {
    let mut value = Exact::symbol("l0", exact("1.000001"));
    for k in 1..60 {
        value = Exact::symbol(format!("l{k}"), value.clone() * value);
    }
    assert!(value.to_rational().is_none());
    // Readers see by its weight that an evaluation would never end.
    assert!(value.weight() > 1 << 40);
    let mut plain = exact("1e400");
    for _ in 0..60 {
        plain = plain.clone() * plain;
    }
    assert!(plain.to_rational().is_none());
}

#[test]
fn what_has_no_value_says_why() {
    let error = |text: &str| exact(text).to_f64().unwrap_err();
    assert!(matches!(error("1/0"), EvaluationError::DivisionByZero { .. }));
    assert!(matches!(error("pi/(pi - pi)"), EvaluationError::DivisionByZero { .. }));
    assert!(matches!(error("0^(-2)"), EvaluationError::DivisionByZero { .. }));
    assert!(matches!(error("tan(pi/2)"), EvaluationError::DivisionByZero { .. }));
    assert!(matches!(error("sqrt(-2)"), EvaluationError::Domain { function: Function::Sqrt, .. }));
    assert!(matches!(error("acos(1 + 1e-20)"), EvaluationError::Domain { function: Function::Acos, .. }));
    assert!(matches!(error("1e400"), EvaluationError::NotFinite { .. }));
    assert_eq!(error("1 + sqrt(-2)").to_string(), "`sqrt(-2)` takes sqrt of a number outside its domain");
}

#[test]
fn an_arc_of_one_is_in_the_domain() {
    assert_eq!(value("asin(1)"), std::f64::consts::FRAC_PI_2);
    assert_eq!(value("acos(-1)"), std::f64::consts::PI);
    assert_eq!(value("asin(sin(pi/3)^2 + 0.25)"), std::f64::consts::FRAC_PI_2);
    assert_eq!(value("acos(-sin(pi/3)^2 - cos(pi/3)^2)"), std::f64::consts::PI);
    assert!(value("sqrt(1 - sin(pi/3)^2 - cos(pi/3)^2)") < 1e-15);
    assert!(exact("sqrt(-1e-40)").to_f64().is_err());
}

#[test]
fn rationals_print_as_decimals_where_they_end() {
    for (text, printed) in [
        ("0.4318", "0.4318"),
        ("-1.50", "-1.5"),
        ("1/3", "1/3"),
        ("-0.001", "-0.001"),
        ("1e3", "1000"),
        ("sqrt(3)/2", "sqrt(3)/2"),
        ("-(pi/2)", "-pi/2"),
        ("pi - (pi - 1)", "pi - (pi - 1)"),
        ("(pi^2)^3", "(pi^2)^3"),
        ("pi^(-2)", "pi^(-2)"),
        ("(-pi)^2", "(-pi)^2"),
        ("pi/(pi*pi)", "pi/(pi*pi)"),
    ] {
        assert_eq!(exact(text).to_string(), printed);
    }
}

/// Trees over numbers, π and functions whose values are defined and moderate.
fn expression() -> impl Strategy<Value = Exact> {
    let leaf = prop_oneof![
        (-1000i64..1000).prop_map(Exact::integer),
        (-1000i64..1000, 1u64..1000).prop_map(|(n, d)| Exact::fraction(n, d)),
        (-1000i64..1000).prop_map(|n| Exact::fraction(n, 1000)),
        Just(Exact::pi()),
    ];
    leaf.prop_recursive(5, 40, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| a + b),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| a - b),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| a * b),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| a / b),
            inner.clone().prop_map(|a| -a),
            (inner.clone(), -3i32..4).prop_map(|(a, n)| a.pow(n)),
            (inner, prop::sample::select(Function::NAMES.to_vec())).prop_map(|(a, (_, f))| a.call(f)),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn what_is_printed_reads_back_as_the_same_number(x in expression()) {
        let printed = x.to_string();
        let again = Exact::parse(&printed);
        prop_assert!(again.is_ok(), "{}: {:?}", printed, again);
        let again = again.unwrap();
        match (QuadDouble::evaluate(&x), QuadDouble::evaluate(&again)) {
            (Ok(a), Ok(b)) => {
                let difference = (a.value - b.value).abs().to_f64();
                // Near the edge of a domain or a pole, the order of folding shows; a wrong reading is gross.
                prop_assert!(difference <= 1e-20 * (1.0 + a.value.to_f64().abs()), "{}: {}", printed, difference);
                prop_assert_eq!(Fp::evaluate(&x).unwrap().rounded, Fp::evaluate(&again).unwrap().rounded);
            }
            (a, b) => prop_assert_eq!(a.is_err(), b.is_err(), "{}", printed),
        }
    }

    #[test]
    fn an_expression_never_panics(x in expression()) {
        let _ = (x.to_f64(), Fp::evaluate(&x), Fp::evaluate_sin_cos(&x), DoubleDouble::evaluate(&x));
        let _ = (x.to_thirty_digits(), x.is_zero(), x.pi_multiple(), x.weight());
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[-+*/^()0-9.eE a-zπ_]{0,40}") {
        if let Ok(x) = Exact::parse(&text) {
            let _ = (x.to_f64(), Fp::evaluate(&x), x.to_string());
        }
        let _ = parse_decimal(&text);
    }

    #[test]
    fn decimals_are_read_to_the_nearest_double(x in any::<f64>().prop_filter("finite", |x| x.is_finite())) {
        prop_assert_eq!(exact(&format!("{x:e}")).to_f64().unwrap(), x);
    }
}

#[test]
fn the_least_integer_is_no_exponent() {
    for text in ["2^-9223372036854775808", "1e-9223372036854775808", "2^(-9223372036854775808)"] {
        assert!(Exact::parse(text).is_err(), "{text}");
    }
}
