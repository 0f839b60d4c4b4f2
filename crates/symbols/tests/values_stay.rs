//! Whatever is simplified, factored or reordered: the values are the same.

use proptest::prelude::*;
use steiner_symbols::{Expression, Graph, Order, Step, count, factor, schedule};

const INPUTS: [f64; 4] = [0.7, -1.3, 2.1, 0.4];

fn input(name: &str) -> f64 {
    INPUTS[name[2..name.len() - 1].parse::<usize>().unwrap()]
}

/// Builds random expressions twice: as a graph and as numbers.
fn build(program: &[(u8, usize, usize)]) -> (Graph, Vec<Expression>, Vec<f64>) {
    let mut graph = Graph::new();
    let mut nodes: Vec<Expression> = (0..INPUTS.len()).map(|k| graph.input(&format!("x[{k}]"))).collect();
    let mut values = INPUTS.to_vec();
    for (k, c) in [0.5, -2.0, 1.0].into_iter().enumerate() {
        nodes.push(graph.constant(steiner_scalar::Scalar::from_f64(c)));
        values.push([0.5, -2.0, 1.0][k]);
    }
    for &(operation, a, b) in program {
        let (i, j) = (a % nodes.len(), b % nodes.len());
        let (a, b, x, y) = (nodes[i], nodes[j], values[i], values[j]);
        let (node, value) = match operation % 7 {
            0 | 1 => (graph.sum(a, b), x + y),
            2 => (graph.difference(a, b), x - y),
            3 => (graph.product(a, b), x * y),
            4 => (graph.sine(a), x.sin()),
            // Away from the jump: near it, rounding decides.
            5 if x.abs() > 1e-6 => (graph.sign(a), x.signum()),
            _ => (a.negated(), -x),
        };
        // Values that grow without bound would hide differences.
        if value.abs() < 1e3 {
            nodes.push(node);
            values.push(value);
        }
    }
    let keep = nodes.len().saturating_sub(8);
    (graph, nodes.split_off(keep), values.split_off(keep))
}

fn near(found: &[f64], wanted: &[f64]) -> bool {
    found.iter().zip(wanted).all(|(a, b)| (a - b).abs() <= 1e-9 * b.abs().max(1.0))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn simplification_and_factoring_keep_values(program in prop::collection::vec((any::<u8>(), any::<usize>(), any::<usize>()), 5..80)) {
        let (graph, outputs, values) = build(&program);
        prop_assert!(near(&graph.evaluate(&outputs, &input), &values));
        let (factored, moved) = factor(&graph, &outputs);
        prop_assert!(near(&factored.evaluate(&moved, &input), &values));
        let (before, after) = (count(&graph, &outputs), count(&factored, &moved));
        prop_assert!(after.multiplications + after.additions <= before.multiplications + before.additions);
    }

    #[test]
    fn schedules_compute_everything_needed_once_and_in_time(program in prop::collection::vec((any::<u8>(), any::<usize>(), any::<usize>()), 5..80)) {
        let (graph, outputs, _) = build(&program);
        let needed = graph.needed(&outputs);
        for order in [Order::Recorded, Order::DepthFirst] {
            let leaf = |k: usize| graph.nodes()[k].operands().next().is_none();
            let mut done: Vec<bool> = (0..needed.len()).map(leaf).collect();
            let mut handed_out = vec![false; outputs.len()];
            for step in schedule(&graph, &outputs, order) {
                match step {
                    Step::Compute(node) => {
                        prop_assert!(!done[node] && needed[node]);
                        prop_assert!(graph.nodes()[node].operands().all(|operand| done[operand.node()]));
                        done[node] = true;
                    }
                    Step::Output(place) => {
                        prop_assert!(done[outputs[place].node()] && !handed_out[place]);
                        handed_out[place] = true;
                    }
                }
            }
            prop_assert!(handed_out.into_iter().all(|out| out));
        }
    }
}
