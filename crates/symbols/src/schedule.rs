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

/// Which of the possible orders to take. Neither is best for all graphs: measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// That of the algorithm that was recorded: good where it carries few values along, as a recursion does.
    #[default]
    Recorded,
    /// Depth first from the outputs, the oldest first, so that a value is made when it is first needed; of
    /// two operands the one that needs more values at a time comes first (Sethi and Ullman 1970, for a graph
    /// as if it were a tree). Good where there are many outputs.
    DepthFirst,
}

/// Orders the nodes that some outputs need. Every output is handed out as soon as it is there.
pub fn schedule(graph: &Graph, outputs: &[Expression], order: Order) -> Vec<Step> {
    let mut by_age: Vec<usize> = (0..outputs.len()).collect();
    by_age.sort_by_key(|&place| outputs[place].node());
    match order {
        Order::Recorded => recorded(graph, outputs, &by_age),
        Order::DepthFirst => depth_first(graph, outputs, &by_age),
    }
}

fn is_leaf(node: &Node) -> bool {
    matches!(node, Node::Constant(_) | Node::Input(_))
}

fn recorded(graph: &Graph, outputs: &[Expression], by_age: &[usize]) -> Vec<Step> {
    let needed = graph.needed(outputs);
    let mut steps = Vec::new();
    let mut waiting = by_age.iter().copied().peekable();
    for (index, node) in graph.nodes().iter().enumerate().filter(|(index, _)| needed[*index]) {
        if !is_leaf(node) {
            steps.push(Step::Compute(index));
        }
        while let Some(place) = waiting.next_if(|&place| outputs[place].node() == index) {
            steps.push(Step::Output(place));
        }
    }
    steps
}

fn depth_first(graph: &Graph, outputs: &[Expression], by_age: &[usize]) -> Vec<Step> {
    let registers = registers(graph);
    let mut done: Vec<bool> = graph.nodes().iter().map(is_leaf).collect();
    let mut steps = Vec::new();
    // An explicit stack: graphs are deep. The flag says whether the operands have been pushed.
    let mut stack: Vec<(usize, bool)> = Vec::new();
    for &place in by_age {
        stack.push((outputs[place].node(), false));
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
