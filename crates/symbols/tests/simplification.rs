//! What disappears while a graph is built, and what is shared.

use steiner_linalg::{Mat3, Vec3};
use steiner_scalar::{DoubleDouble, Exact, Field, Scalar, Trigonometric};
use steiner_symbols::{Expression, Graph, Traced, count, trace};

fn operations(record: impl FnOnce(&steiner_symbols::Tracer) -> Vec<Traced>) -> (usize, usize) {
    let (graph, outputs) =
        trace(|tracer| record(tracer).into_iter().map(Traced::expression).collect::<Vec<_>>());
    let operations = count(&graph, &outputs);
    (operations.multiplications, operations.additions)
}

#[test]
fn zeros_ones_and_double_negatives_leave_nothing_behind() {
    let (_, outputs) = trace(|tracer| {
        let (x, zero, one) = (tracer.input("x"), Traced::zero(), Traced::one());
        [x + zero, x * one, -(-x), x * one + zero * x, one - (one - x), (x + x).half()].map(|y| y == x)
    });
    assert_eq!(outputs, [true; 6]);
}

#[test]
fn what_cancels_is_zero() {
    let (_, zeros) = trace(|tracer| {
        let (x, y) = (tracer.input("x"), tracer.input("y"));
        let two = Traced::from_i64(2);
        [x - x, x * y - y * x, (x + y) - (x - y) - two * y, (x - y) + (y - x), x * (-y) + y * x]
            .map(|e| e == Traced::zero())
    });
    assert_eq!(zeros, [true; 5]);
}

#[test]
fn differences_of_either_sign_are_one_node() {
    assert_eq!(
        operations(|t| {
            let (x, y) = (t.input("x"), t.input("y"));
            vec![x - y, y - x, (x - y) * (y - x)]
        }),
        (1, 1)
    );
}

#[test]
fn constants_are_collected_to_thirty_digits() {
    let (graph, outputs) = trace(|tracer| {
        let x = tracer.input("x");
        let tenth = Traced::evaluate(&Exact::parse("0.1").unwrap()).unwrap().value;
        let three_tenths = Traced::evaluate(&Exact::parse("0.3").unwrap()).unwrap().value;
        // In doubles 0.1 + 0.1 + 0.1 is not 0.3.
        let nothing = (tenth + tenth + tenth - three_tenths) * x;
        let cosine = Traced::evaluate(&Exact::parse("pi/2").unwrap()).unwrap().value.sin_cos().1;
        [nothing.expression(), cosine.expression(), (tenth * (tenth * x)).expression()]
    });
    assert_eq!(outputs[..2], [Expression::ZERO; 2]);
    assert_eq!(count(&graph, &outputs).multiplications, 1);
}

#[test]
fn a_rotation_about_an_axis_of_the_frame_costs_four_multiplications() {
    assert_eq!(
        operations(|t| {
            let (s, c) = t.input("q").sin_cos();
            let (o, l) = (Traced::zero(), Traced::one());
            let turn = Mat3([[c, -s, o], [s, c, o], [o, o, l]]);
            turn.apply(Vec3([t.input("x"), t.input("y"), t.input("z")])).0.to_vec()
        }),
        (4, 2)
    );
}

#[test]
fn constants_inside_a_multiple_join_those_outside() {
    // An offset turned by Rodrigues' formula: a − a (1 − cos q) = a cos q.
    let (graph, outputs) = trace(|tracer| {
        let (a, b) = (Traced::from_f64(0.4), Traced::from_f64(0.7));
        let (c, x) = (tracer.input("q").sin_cos().1, tracer.input("x"));
        assert!(a - a * (Traced::one() - c) == a * c);
        [(b - a * (Traced::one() - c)).expression(), (b + (x + b) * a).expression()]
    });
    let operations = count(&graph, &outputs);
    assert_eq!((operations.multiplications, operations.additions), (2, 2));
    let values = graph.evaluate(&outputs, &|name| if name == "q" { 0.3 } else { 2.0 });
    assert!((values[0] - (0.7 - 0.4 * (1.0 - 0.3f64.cos()))).abs() < 1e-15);
    assert!((values[1] - (0.7 + 2.7 * 0.4)).abs() < 1e-15);
}

#[test]
fn signs_see_through_factors_and_know_constants() {
    let (graph, outputs) = trace(|tracer| {
        let (x, sign) = (tracer.input("x"), tracer.input("x").sign());
        let (nine, none) = (Traced::from_f64(9.0), Traced::zero());
        assert!((nine * x).sign() == sign && (-x).sign() == -sign && (nine * -x).sign() == -sign);
        assert!(nine.sign() == Traced::one() && (-nine).sign() == -Traced::one() && none.sign() == none);
        [sign.expression(), (x + nine).sign().expression()]
    });
    for (x, signs) in [
        (-20.0, [-1.0, -1.0]),
        (-9.0, [-1.0, 0.0]),
        (-0.0, [0.0, 1.0]),
        (f64::NAN, [0.0, 0.0]),
        (1e-300, [1.0, 1.0]),
    ] {
        assert_eq!(graph.evaluate(&outputs, &|_| x), signs, "{x}");
    }
}

#[test]
fn a_graph_holds_equal_constants_once() {
    let mut graph = Graph::new();
    let before = graph.nodes().len();
    let half = graph.constant(DoubleDouble::from_f64(0.5));
    assert_eq!(graph.constant(DoubleDouble::from_f64(-0.5)), half.negated());
    assert_eq!(graph.nodes().len(), before + 1);
}

#[test]
#[should_panic(expected = "outside `trace`")]
fn traced_numbers_need_a_recording() {
    let _ = Traced::from_f64(2.0) + Traced::one();
}

#[test]
fn a_recording_that_panics_is_forgotten() {
    assert!(std::panic::catch_unwind(|| trace(|_| panic!("in the middle"))).is_err());
    assert_eq!(trace(|tracer| tracer.input("x")).0.input_names(), ["x"]);
}
