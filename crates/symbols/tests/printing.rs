//! The code, as a person reads it.

use steiner_scalar::{Scalar, Trigonometric};
use steiner_symbols::{Expression, Graph, Language, Precision, Printer, Traced, factor, trace};

fn example() -> (Graph, Vec<(String, Expression)>) {
    trace(|tracer| {
        let (x, y, q) = (tracer.input("x"), tracer.input("y"), tracer.input("q[0]"));
        let (s, c) = q.sin_cos();
        let shared = x * s - y * c;
        let results =
            [shared * shared + Traced::from_f64(0.1), -(shared * x), (x + y) / shared, (-(x + y)).sqrt()];
        let names = (0..).map(|k| format!("out[{k}]"));
        names.zip(results.map(Traced::expression)).collect()
    })
}

#[test]
fn c_declares_what_is_used_twice() {
    let (graph, outputs) = example();
    let code = Printer::new(Language::C, Precision::Double).statements(&graph, &outputs);
    let wanted = "    const double t0 = x * sin(q[0]) - y * cos(q[0]);
    out[0] = t0 * t0 + 0.1;
    out[1] = -x * t0;
    const double t1 = x + y;
    out[2] = t1 / t0;
    out[3] = sqrt(-t1);
";
    assert_eq!(code, wanted);
}

#[test]
fn single_precision_has_its_own_literals_and_functions() {
    let (graph, outputs) = example();
    let code = Printer::new(Language::C, Precision::Single).statements(&graph, &outputs);
    assert!(code.contains("const float t0 = x * sinf(q[0])") && code.contains("+ 0.1f;"), "{code}");
}

#[test]
fn rust_and_python_say_the_same() {
    let (graph, outputs) = example();
    let rust = Printer::new(Language::Rust, Precision::Double).statements(&graph, &outputs);
    assert!(rust.contains("    let t0 = x * (q[0]).sin() - y * (q[0]).cos();\n"), "{rust}");
    let python = Printer::new(Language::Python, Precision::Double).statements(&graph, &outputs);
    assert!(python.contains("    t0 = x * sin(q[0]) - y * cos(q[0])\n"), "{python}");
}

#[test]
fn signs_are_comparisons_without_branches() {
    let (graph, outputs) = trace(|tracer| {
        let (x, y) = (tracer.input("x"), tracer.input("y"));
        [x.sign(), y * (-x).sign(), (x + y).sign()].map(Traced::expression)
    });
    let named: Vec<_> = (0..).map(|k| format!("out[{k}]")).zip(outputs).collect();
    let c = Printer::new(Language::C, Precision::Double).statements(&graph, &named);
    let wanted = "    const double t0 = (double)((x > 0.0) - (x < 0.0));
    out[0] = t0;
    out[1] = -y * t0;
    const double t1 = x + y;
    out[2] = (double)((t1 > 0.0) - (t1 < 0.0));
";
    assert_eq!(c, wanted);
    let printed = |language, precision| Printer::new(language, precision).statements(&graph, &named[..1]);
    assert_eq!(printed(Language::C, Precision::Single), "    out[0] = (float)((x > 0.0f) - (x < 0.0f));\n");
    assert_eq!(
        printed(Language::Rust, Precision::Single),
        "    out[0] = f32::from(i8::from(x > 0.0) - i8::from(x < 0.0));\n"
    );
    assert_eq!(printed(Language::Python, Precision::Double), "    out[0] = float((x > 0.0) - (x < 0.0))\n");
}

#[test]
fn sines_that_are_there_already_are_used_by_name() {
    let (graph, outputs) = example();
    let angle = trace(|tracer| {
        tracer.input("x");
        tracer.input("y");
        tracer.input("q[0]").expression()
    })
    .1;
    let mut printer = Printer::new(Language::C, Precision::Double);
    printer.bind_sine(&graph, angle, "s[0]".to_owned());
    printer.bind_cosine(&graph, angle, "c[0]".to_owned());
    assert!(printer.statements(&graph, &outputs).starts_with("    const double t0 = x * s[0] - y * c[0];\n"));
}

#[test]
fn what_only_a_known_sine_needs_is_not_written() {
    let (graph, (angle, outputs)) = trace(|tracer| {
        let angle = Traced::from_f64(9.0) * tracer.input("q") + Traced::from_f64(0.1);
        let (s, c) = angle.sin_cos();
        (angle.expression(), [s + c, s - c].map(Traced::expression))
    });
    let mut printer = Printer::new(Language::C, Precision::Double);
    printer.bind_sine(&graph, angle, "s[0]".to_owned());
    printer.bind_cosine(&graph, angle, "c[0]".to_owned());
    let named: Vec<_> = (0..).map(|k| format!("y[{k}]")).zip(outputs).collect();
    assert_eq!(printer.statements(&graph, &named), "    y[0] = s[0] + c[0];\n    y[1] = s[0] - c[0];\n");
    assert_eq!(printer.inline(&graph, angle), "9.0 * q + 0.1");
}

#[test]
fn signs_and_parentheses_mean_what_the_graph_means() {
    let (graph, outputs) = trace(|tracer| {
        let [a, b, c] = ["a", "b", "c"].map(|name| tracer.input(name));
        [a - (b + c), -(a + b), c - a, a / (b * c), a * (b / c), -a * (b - c)].map(Traced::expression)
    });
    let named: Vec<_> = outputs.iter().map(|&e| ("y".to_owned(), e)).collect();
    let code = Printer::new(Language::C, Precision::Double).statements(&graph, &named);
    for line in [
        "y = a - (b + c);",
        "y = -a - b;",
        "y = c - a;",
        "y = a / (b * c);",
        "y = a * (b / c);",
        "y = a * (c - b);",
    ] {
        assert!(code.contains(line), "{line} in\n{code}");
    }
}

#[test]
fn common_factors_are_taken_out() {
    let (graph, outputs) = trace(|tracer| {
        let [a, b, c, x] = ["a", "b", "c", "x"].map(|name| tracer.input(name));
        vec![(a * x + b * x - c * x).expression()]
    });
    let (graph, outputs) = factor(&graph, &outputs);
    let code =
        Printer::new(Language::C, Precision::Double).statements(&graph, &[("y".to_owned(), outputs[0])]);
    assert_eq!(code, "    y = x * (a + b - c);\n");
}
