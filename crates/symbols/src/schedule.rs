//! The order of straight-line code: operands before what uses them, values used soon after they are made.

use crate::graph::{Expression, Graph, Node};

/// One step of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Compute this node.
    Compute(usize),
    /// Hand out the output of this index.
    Output(usize),
}

/// Orders the needed nodes depth first, output by output, so that a value is made when it is first needed; of two operands
/// the one that needs more values at a time comes first (Sethi and Ullman, for a graph as if it were a tree).
pub fn schedule(graph: &Graph, outputs: &[Expression]) -> Vec<Step> {
    let registers = registers(graph);
    let mut done: Vec<bool> =
        graph.nodes().iter().map(|node| matches!(node, Node::Constant(_) | Node::Input(_))).collect();
    let mut steps = Vec::new();
    // An explicit stack: a long recursion would be a deep one. The flag says whether the operands have been pushed.
    let mut stack: Vec<(usize, bool)> = Vec::new();
    for (place, output) in outputs.iter().enumerate() {
        stack.push((output.node(), false));
        while let Some((node, expanded)) = stack.pop() {
            if done[node] {
                continue;
            }
            if expanded {
                done[node] = true;
                steps.push(Step::Compute(node));
                continue;
            }
            stack.push((node, true));
            let mut operands: Vec<usize> = graph.nodes()[node].operands().map(Expression::node).collect();
            operands.sort_by_key(|&operand| registers[operand]);
            stack.extend(operands.into_iter().map(|operand| (operand, false)));
        }
        steps.push(Step::Output(place));
    }
    steps
}

/// How many values each node holds at once when computed by itself.
fn registers(graph: &Graph) -> Vec<u32> {
    let mut registers: Vec<u32> = Vec::with_capacity(graph.nodes().len());
    for node in graph.nodes() {
        let needs: Vec<u32> = node.operands().map(|operand| registers[operand.node()]).collect();
        registers.push(match needs[..] {
            [a, b] if a == b => a + 1,
            [a, b] => a.max(b),
            [a] => a,
            _ => 1,
        });
    }
    registers
}
