//! Sines and cosines of all joint angles at once: which angles, and the code that evaluates them.
//!
//! Cody and Waite's reduction to |r| ≤ π/4, with π/2 in three parts whose products with a whole number are
//! exact, and the polynomials of fdlibm (Sun Microsystems 1993) in Estrin's order. Nothing branches on a
//! single angle, so compilers turn the loop into vector instructions; the quadrant is decided by selections.
//! Errors stay below one unit in the last place or little more. Angles beyond the range of the reduction
//! take the slow way, all together.

use steiner_symbols::{Expression, Graph, Language, Node, Precision};

/// The angles whose sine or cosine is needed, in the order of the graph.
pub(crate) fn angles(graph: &Graph, outputs: &[Expression]) -> Vec<Expression> {
    let needed = graph.needed(outputs);
    let mut angles = Vec::new();
    for (node, _) in graph.nodes().iter().zip(&needed).filter(|(_, needed)| **needed) {
        if let Node::Sine(a) | Node::Cosine(a) = *node
            && !angles.contains(&a)
        {
            angles.push(a);
        }
    }
    angles
}

/// Whole vectors of four doubles.
pub(crate) fn padded(count: usize) -> usize {
    count.next_multiple_of(4)
}

/// Numbers of the reduction and the polynomials for one precision.
struct Kernel {
    /// Largest angle.
    range: f64,
    /// Adding it rounds to whole numbers: 1.5 · 2^(digits − 1).
    rounding: f64,
    /// π/2 in three parts.
    half_pi: [f64; 3],
    sine: &'static [f64],
    cosine: &'static [f64],
}

const DOUBLE: Kernel = Kernel {
    range: 1e5,
    rounding: 6755399441055744.0,
    half_pi: [1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21],
    sine: &[
        -1.6666666666666632e-1,
        8.33333333332249e-3,
        -1.984126982985795e-4,
        2.7557313707070068e-6,
        -2.5050760253406863e-8,
        1.58969099521155e-10,
    ],
    cosine: &[
        4.16666666666666e-2,
        -1.388888888887411e-3,
        2.480158728947673e-5,
        -2.7557314351390663e-7,
        2.087572321298175e-9,
        -1.1359647557788195e-11,
    ],
};

/// Cephes' polynomials (Moshier 1992).
const SINGLE: Kernel = Kernel {
    range: 8000.0,
    rounding: 12582912.0,
    half_pi: [1.5703125, 4.837512969970703e-4, 7.549789954891882e-8],
    sine: &[-1.6666654611e-1, 8.3321608736e-3, -1.9515295891e-4],
    cosine: &[4.166664568298827e-2, -1.388731625493765e-3, 2.443315711809948e-5],
};

impl Kernel {
    fn of(precision: Precision) -> &'static Kernel {
        match precision {
            Precision::Double => &DOUBLE,
            Precision::Single => &SINGLE,
        }
    }
}

/// A polynomial in z, by Estrin: short chains of dependent operations. `z2` is z².
fn polynomial(coefficients: &[f64], literal: &dyn Fn(f64) -> String) -> String {
    let pairs: Vec<String> = coefficients
        .chunks(2)
        .map(|pair| match pair {
            [a, b] => format!("({} + z * {})", literal(*a), literal(*b)),
            _ => literal(pair[0]),
        })
        .collect();
    let mut text = String::new();
    for (k, pair) in pairs.iter().enumerate().rev() {
        text = match k + 1 == pairs.len() {
            true => pair.clone(),
            false => format!("({pair} + z2 * {text})"),
        };
    }
    text
}

/// The C function `<prefix>_sines_and_cosines(count, x, s, c)`.
pub(crate) fn c_function(prefix: &str, precision: Precision) -> String {
    let kernel = Kernel::of(precision);
    let number = precision.type_name(Language::C);
    let literal = |x: f64| precision.literal(Language::C, x);
    let suffix = if precision == Precision::Single { "f" } else { "" };
    let [p1, p2, p3] = kernel.half_pi.map(literal);
    let (range, rounding) = (literal(kernel.range), literal(kernel.rounding));
    let two_over_pi = literal(std::f64::consts::FRAC_2_PI);
    let (sine, cosine) = (polynomial(kernel.sine, &literal), polynomial(kernel.cosine, &literal));
    let (half, one, zero) = (literal(0.5), literal(1.0), literal(0.0));
    format!(
        "/* Sines and cosines of all angles together: reduced to |r| <= pi/4 without branches, so that the loop becomes vector
   instructions. Beyond {range} rad the library's functions take over, and where the compiler may not round as written. */
#if defined(__FAST_MATH__) || (defined(__FLT_EVAL_METHOD__) && (__FLT_EVAL_METHOD__ == 1 || __FLT_EVAL_METHOD__ == 2))
enum {{ {prefix}_rounds_as_written = 0 }};
#else
enum {{ {prefix}_rounds_as_written = 1 }};
#endif
static inline void {prefix}_sines_and_cosines(int count, const {number} *restrict x, {number} *restrict s, {number} *restrict c)
{{
    int far = !{prefix}_rounds_as_written;
    for (int k = 0; k < count; ++k) {{
        const {number} n = (x[k] * {two_over_pi} + {rounding}) - {rounding};
        const {number} r = ((x[k] - n * {p1}) - n * {p2}) - n * {p3};
        const {number} z = r * r;
        const {number} z2 = z * z;
        const {number} sine = r + r * z * {sine};
        const {number} cosine = {one} - (z * {half} - z2 * {cosine});
        /* The quadrant n mod 4 as -2..2 in numbers, not bits: comparisons vectorise everywhere. */
        const {number} turns = n * {quarter};
        const {number} quadrant = n - {four} * ((turns + {rounding}) - {rounding});
        const {number} size = quadrant * quadrant;
        const {number} a = size == {one} ? cosine : sine;
        const {number} b = size == {one} ? sine : cosine;
        s[k] = ((quadrant < {zero}) | (size == {four})) ? -a : a;
        c[k] = ((quadrant > {zero}) | (size == {four})) ? -b : b;
        far |= !((x[k] <= {range}) & (x[k] >= -{range}));
    }}
    if (far) {{
        for (int k = 0; k < count; ++k) {{
            s[k] = sin{suffix}(x[k]);
            c[k] = cos{suffix}(x[k]);
        }}
    }}
}}
",
        quarter = literal(0.25),
        four = literal(4.0),
    )
}

/// The Rust function `sines_and_cosines`. `core` has no sine to fall back on, so angles beyond
/// the range lose whole turns first.
pub(crate) fn rust_function(precision: Precision) -> String {
    let kernel = Kernel::of(precision);
    let number = precision.type_name(Language::Rust);
    let literal = |x: f64| precision.literal(Language::Rust, x);
    let [p1, p2, p3] = kernel.half_pi.map(literal);
    let (range, rounding) = (literal(kernel.range), literal(kernel.rounding));
    let two_over_pi = literal(std::f64::consts::FRAC_2_PI);
    let (sine, cosine) = (polynomial(kernel.sine, &literal), polynomial(kernel.cosine, &literal));
    format!(
        "/// Sines and cosines of all angles together: reduced to |r| <= pi/4 without branches, so that the loop becomes vector
/// instructions. Beyond {range} rad the nearest {number} to 2 pi stands for a turn.
#[inline(always)]
fn sines_and_cosines<const N: usize>(angles: &[{number}; N]) -> ([{number}; N], [{number}; N]) {{
    let mut x = *angles;
    if x.iter().any(|x| !(x.abs() <= {range})) {{
        x.iter_mut().for_each(|x| *x %= core::{number}::consts::TAU);
    }}
    let (mut s, mut c) = ([0.0; N], [0.0; N]);
    for k in 0..N {{
        let n = (x[k] * {two_over_pi} + {rounding}) - {rounding};
        let r = ((x[k] - n * {p1}) - n * {p2}) - n * {p3};
        let z = r * r;
        let z2 = z * z;
        let sine = r + r * z * {sine};
        let cosine = 1.0 - (z * 0.5 - z2 * {cosine});
        // The quadrant n mod 4 as -2..2.
        let quadrant = n - 4.0 * ((n * 0.25 + {rounding}) - {rounding});
        let size = quadrant * quadrant;
        let (a, b) = if size == 1.0 {{ (cosine, sine) }} else {{ (sine, cosine) }};
        s[k] = if (quadrant < 0.0) | (size == 4.0) {{ -a }} else {{ a }};
        c[k] = if (quadrant > 0.0) | (size == 4.0) {{ -b }} else {{ b }};
    }}
    (s, c)
}}
"
    )
}
