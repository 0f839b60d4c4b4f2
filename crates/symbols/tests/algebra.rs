//! Polynomials and rational functions against SymPy's (tests/data/algebra.py), differences and exact values.

use std::sync::Arc;

use steiner_linalg::Stream;
use steiner_scalar::{Exact, Field, Fp, Rational};
use steiner_symbols::algebra::{
    Names, Polynomial, Radical, RationalFunction, Variable, factorise, lift, lift_rational,
};

fn reference_names() -> Arc<Names> {
    Names::new(["a", "b", "c", "d"], [])
}

fn read(names: &Arc<Names>, text: &str) -> Polynomial {
    let mut sum = Polynomial::zero(names);
    for term in text.split(';') {
        let (coefficient, powers) = term.trim().split_once(' ').unwrap();
        let q: Rational = coefficient.parse().unwrap();
        let mut product = Polynomial::constant(names, q);
        for (k, e) in powers.split(',').enumerate() {
            product = &product * &Polynomial::variable(names, Variable::Length(k)).power(e.parse().unwrap());
        }
        sum = &sum + &product;
    }
    sum
}

/// The polynomials of all lines of a kind.
fn lines(kind: &str) -> Vec<Vec<Polynomial>> {
    let names = reference_names();
    let of_kind = |line: &'static str| line.strip_prefix(kind)?.strip_prefix(" | ");
    include_str!("data/algebra.txt")
        .lines()
        .filter_map(of_kind)
        .map(|rest| rest.split('|').map(|text| read(&names, text)).collect())
        .collect()
}

#[test]
fn products_are_sympys() {
    let lines = lines("product");
    assert!(lines.len() > 30);
    for line in lines {
        assert_eq!(&line[0] * &line[1], line[2]);
        assert_eq!(line[2].over(&line[0]), Some(line[1].clone()));
    }
}

#[test]
fn common_factors_are_cancelled_as_sympy_finds_them() {
    for line in lines("gcd") {
        let [p, q, common] = line.try_into().unwrap();
        let f = RationalFunction::new(p.clone(), q.clone()).unwrap();
        let left = p.over(&common).unwrap();
        assert_eq!(f.numerator().degree(), left.degree(), "{f}");
        assert_eq!(f.numerator() * &q, f.denominator() * &p);
        assert_eq!(f.denominator().degree(), q.over(&common).unwrap().degree());
    }
}

#[test]
fn derivatives_are_sympys() {
    for line in lines("derivative") {
        let [n, d, slope_n, slope_d] = line.try_into().unwrap();
        let slope = RationalFunction::new(n, d).unwrap().derivative_by_length(0);
        assert_eq!(slope, RationalFunction::new(slope_n, slope_d).unwrap());
    }
}

#[test]
fn factors_multiply_to_the_polynomial_and_none_is_torn() {
    let (mut found, mut there) = (0, 0);
    for line in lines("factors") {
        let (p, theirs) = line.split_first().unwrap();
        let ours = factorise(p, &[]);
        let mut product = Polynomial::constant(p.names(), ours.constant.clone());
        for (factor, e) in &ours.factors {
            product = &product * &factor.power(*e);
            // A factor of ours is a product of some of SymPy's, which cannot be split.
            let mut rest = factor.clone();
            for one in theirs {
                while let Some(quotient) = rest.over(one) {
                    rest = quotient;
                }
            }
            assert!(rest.to_constant().is_some(), "{factor} of {p}");
            found += *e as usize;
        }
        assert_eq!(product, *p);
        there += theirs.len();
    }
    eprintln!("{found} of {there} irreducible factors split off");
    assert!(10 * found > 9 * there);
}

#[test]
fn sines_and_cosines_have_one_form() {
    let names = Names::new(["l"], ["a", "b"]);
    let of = |variable| Polynomial::variable(&names, variable);
    let [s, c] = [of(Variable::Sine(0)), of(Variable::Cosine(0))];
    let [u, v] = [of(Variable::Sine(1)), of(Variable::Cosine(1))];
    // sin²(a − b) + cos²(a − b) = 1.
    let sine = &(&s * &v) - &(&c * &u);
    let cosine = &(&c * &v) + &(&s * &u);
    assert_eq!(&(&sine * &sine) + &(&cosine * &cosine), Polynomial::one(&names));
    // sin³ = sin − sin cos², and written as the shorter of the two.
    assert_eq!(s.power(3), &s - &(&s * &c.power(2)));
    assert_eq!(s.power(3).text(), "sin(a)³");
    assert_eq!(s.power(2).over(&s), Some(s.clone()));
    assert_eq!(s.over(&(&Polynomial::one(&names) + &c)), None);
    assert_eq!(s.power(2).over(&(&Polynomial::one(&names) + &c)).unwrap().text(), "-cos(a) + 1");
    assert_eq!(sine.derivative_by_angle(0), cosine);
}

#[test]
fn derivatives_are_limits_of_differences() {
    let names = Names::new(["l1", "l2"], ["a", "b"]);
    let of = |variable| Polynomial::variable(&names, variable);
    let [l, m] = [of(Variable::Length(0)), of(Variable::Length(1))];
    let [s, c] = [of(Variable::Sine(0)), of(Variable::Cosine(1))];
    let root = Polynomial::constant(&names, Radical::root(Rational::ONE, 3).unwrap());
    let f =
        RationalFunction::new(&(&l * &m) * &s, &(&l.power(2) + &(&m.power(2) * &c)) + &(&(&root * &l) * &m))
            .unwrap();
    let (lengths, angles) = ([0.7, 0.4], [0.3, 1.1]);
    let h = 1e-5;
    for k in 0..2 {
        let mut step = [0.0; 2];
        step[k] = h;
        let moved = |sign: f64, at: [f64; 2]| [at[0] + sign * step[0], at[1] + sign * step[1]];
        let by_length =
            f.evaluate(&moved(1.0, lengths), &angles) - f.evaluate(&moved(-1.0, lengths), &angles);
        let by_angle = f.evaluate(&lengths, &moved(1.0, angles)) - f.evaluate(&lengths, &moved(-1.0, angles));
        let exact =
            [f.derivative_by_length(k), f.derivative_by_angle(k)].map(|g| g.evaluate(&lengths, &angles));
        assert!((exact[0] - by_length / (2.0 * h)).abs() < 1e-9, "{exact:?}");
        assert!((exact[1] - by_angle / (2.0 * h)).abs() < 1e-9, "{exact:?}");
    }
}

#[test]
fn quotients_form_a_field() {
    let names = Names::new(["x", "y"], ["a"]);
    let mut stream = Stream::new(3);
    let mut small = || (stream.residue().residue() % 7) as i64 - 3;
    let of = |variable| Polynomial::variable(&names, variable);
    let mut random = || {
        let mut polynomial = || {
            [Variable::Length(0), Variable::Length(1), Variable::Sine(0), Variable::Cosine(0)]
                .iter()
                .fold(Polynomial::constant(&names, small()), |sum, &v| &sum + &of(v).scaled(&small().into()))
        };
        (polynomial(), polynomial())
    };
    let mut functions = Vec::new();
    while functions.len() < 12 {
        let (n, d) = random();
        functions.extend(RationalFunction::new(n, d).filter(|f| !f.is_zero()));
    }
    for f in functions.windows(3) {
        let [f, g, h] = f else { unreachable!() };
        assert_eq!(&(f + g) * h, &(f * h) + &(g * h));
        assert_eq!(&(&(f + g) - g), f);
        assert_eq!((f * g).over(g).as_ref(), Some(f));
        // Leibniz.
        let product = (f * g).derivative_by_angle(0);
        assert_eq!(product, &(&f.derivative_by_angle(0) * g) + &(f * &g.derivative_by_angle(0)));
    }
}

#[test]
fn evaluations_agree_in_all_fields() {
    let names = Names::new(["x"], ["a"]);
    let x = Polynomial::length(&names, "x").unwrap();
    let c = Polynomial::variable(&names, Variable::Cosine(0));
    let root = Radical::root(Rational::from(3), 2).unwrap();
    let f = RationalFunction::new(&x.scaled(&root) + &c, &x.power(2) + &Polynomial::one(&names)).unwrap();
    let [s, k] = [3, 4].map(|n| Rational::from(n) / Rational::from(5));
    let exact = f.evaluate_in(&[Radical::from(2)], &[(s.clone().into(), k.clone().into())]).unwrap();
    assert_eq!(exact.to_string(), "4/25 + 6/5*sqrt(2)".replace("4/25", "0.16").replace("6/5", "1.2"));
    let angle = f64::atan2(0.6, 0.8);
    assert!((f.evaluate(&[2.0], &[angle]) - exact.to_f64()).abs() < 1e-15);
    let pair = (Fp::from_rational(&s).unwrap(), Fp::from_rational(&k).unwrap());
    assert_eq!(f.evaluate_in(&[Fp::new(2)], &[pair]), exact.to_fp());
    assert_eq!(f.evaluate_fp(&[Fp::new(2)], &[pair]), exact.to_fp());
}

#[test]
fn radicals_are_numbers() {
    let of = |text: &str| Radical::from_exact(&Exact::parse(text).unwrap()).unwrap();
    assert_eq!(of("sqrt(6)*sqrt(10)"), of("2*sqrt(15)"));
    assert_eq!(of("1/(sqrt(2) + sqrt(3))"), of("sqrt(3) - sqrt(2)"));
    assert_eq!(of("sqrt(0.75)"), of("sqrt(3)/2"));
    let x = of("1/2 - 3*sqrt(5) + sqrt(42)/7");
    assert_eq!(x.clone() * x.try_inv().unwrap(), Radical::one());
    assert!(Radical::from_exact(&Exact::parse("sqrt(11)").unwrap()).is_none());
    assert!(Radical::from_exact(&Exact::pi()).is_none());
}

#[test]
fn residues_are_lifted_to_the_number_they_come_from() {
    for text in
        ["0", "-3/7", "12345/6789", "sqrt(3)/2", "-5/3*sqrt(14)", "1/2 - 3*sqrt(5)", "(7 + 2*sqrt(6))/5"]
    {
        let number = Radical::from_exact(&Exact::parse(text).unwrap()).unwrap();
        assert_eq!(lift(number.to_fp().unwrap(), 40), Some(number), "{text}");
    }
    // Random residues are taken for numbers as rarely as promised: fewer than one in a thousand.
    let mut stream = Stream::new(11);
    let mistaken = (0..2000).filter(|_| lift(stream.residue(), 40).is_some()).count();
    assert!(mistaken <= 1, "{mistaken} of 2000");
    assert!((0..2000).all(|_| lift_rational(stream.residue(), 30).is_none()));
}
