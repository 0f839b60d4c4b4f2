//! What limits cost a motion, and what a motion violates: for reports and refusals.

use super::Objective;
use crate::blame::Blame;
use crate::criterion;
use crate::proof::Quantity;

impl Objective<'_> {
    /// For each limit of a joint what a tenth more of it would gain: Σ weight / slack × a tenth of the range.
    pub(crate) fn multipliers(&mut self, x: &[f64]) -> Vec<Blame> {
        let fine = Self::signals(&self.fine, x);
        let mut out = Vec::new();
        let sum = |weight: f64, values: &mut dyn Iterator<Item = f64>, (lower, upper): (f64, f64)| -> f64 {
            let tenth = 0.05 * (upper - lower);
            let least = 1e-5 * (upper - lower);
            let slack = |v: f64| 1.0 / (upper - v).max(least) + 1.0 / (v - lower).max(least);
            values.map(|v| weight * tenth * slack(v)).sum()
        };
        for (limits, signal) in self.task.limits.iter().zip(&fine) {
            let of = [Quantity::Position, Quantity::Velocity, Quantity::Acceleration, Quantity::Jerk];
            for (order, quantity) in of.into_iter().enumerate() {
                let Some(range) = limits.range(order) else { continue };
                let gain = sum(self.weight(&self.fine), &mut signal[order].iter().copied(), range);
                out.push(Blame { joint: limits.name.clone(), quantity, gain, deviations: Vec::new() });
            }
        }
        let Ok((motions, forward)) = self.forward(x) else { return out };
        for limits in &self.task.forces {
            let Some(effort) = limits.room() else { continue };
            let mut forces = (0..motions.count).map(|t| forward.forces[t * motions.dof + limits.velocity]);
            let gain = sum(self.weight(&self.grid), &mut forces, (-effort, effort));
            out.push(Blame {
                joint: limits.name.clone(),
                quantity: Quantity::Effort,
                gain,
                deviations: Vec::new(),
            });
        }
        out
    }

    /// What a motion violates first, in words.
    pub(crate) fn trouble(&mut self, x: &[f64]) -> String {
        let functions = self.grid.functions;
        let mut still = x.to_vec();
        if !self.task.basis.is_static() {
            still.chunks_exact_mut(functions).for_each(|own| own[1..].fill(0.0));
        }
        let signals = Self::signals(&self.grid, &still);
        for (limits, signal) in self.task.limits.iter().zip(&signals) {
            if signal[0].iter().any(|q| *q <= limits.lower || *q >= limits.upper) {
                return format!("joint '{}' cannot be where the motion begins", limits.name);
            }
        }
        for limit in &self.task.sums {
            let sum = limit.value(|k| signals[k][limit.order][0]);
            if sum <= limit.lower || sum >= limit.upper {
                return format!(
                    "the {} {} is {sum:.3} where the motion begins, and its range {:.3} to {:.3}",
                    if limit.quantity == Quantity::TurnSum { "sum of turns" } else { "position of joint" },
                    limit.name,
                    limit.lower,
                    limit.upper
                );
            }
        }
        let (motions, forward) = match self.forward(&still) {
            Ok(found) => found,
            Err(error) => return error.to_string(),
        };
        for limits in &self.task.forces {
            let force = forward.forces[limits.velocity];
            let force = force.abs() + limits.dry;
            if let Some(effort) = limits.effort.filter(|effort| force >= *effort) {
                return format!(
                    "holding joint '{}' at rest takes {} where it can give {} N·m or N",
                    limits.name,
                    three_digits(force),
                    three_digits(effort)
                );
            }
        }
        for (quantity, value) in self.task.quantities.iter().zip(&forward.loops) {
            if quantity.barrier(*value).is_none() {
                let margin = quantity.margin((*value, 0.0), (*value, 0.0));
                return format!(
                    "the {} of {} is {:.3} where the motion begins, and its limit {:.3}",
                    margin.quantity.name(),
                    margin.of,
                    margin.value,
                    margin.limit
                );
            }
        }
        if let Some(clearance) = &self.task.clearance {
            let nq = self.task.mechanism.configuration_size();
            let distances = clearance.distances(self.task.mechanism, &motions.q[..nq]);
            let least = (0..distances.len()).min_by(|a, b| distances[*a].total_cmp(&distances[*b]));
            if let Some(pair) = least.filter(|pair| distances[*pair] <= 0.0) {
                return format!(
                    "{} come within {:.1} mm of each other where the motion begins",
                    clearance.name(self.task.mechanism, pair),
                    1e3 * distances[pair]
                );
            }
        }
        let shown = self.forward(x).ok().and_then(|(_, forward)| {
            let total = self.task.total(&forward.information);
            criterion::evaluate(self.task.criterion, &self.task.interest, &total, false)
        });
        match shown {
            Some(_) => "no small motion keeps all limits".to_owned(),
            None => match self.task.unmoved() {
                Some(joint) => format!(
                    "joint '{joint}' has several freedoms and stands still, and so the motion does not show all base parameters"
                ),
                None if !self.task.held().is_empty() => format!(
                    "{} held still, and so the motion does not show all base parameters (nor the drives there)",
                    match self.task.held()[..] {
                        [one] => format!("joint '{one}' is"),
                        ref all => format!("joints '{}' are", all.join("', '")),
                    }
                ),
                None => "a random motion does not show all base parameters".to_owned(),
            },
        }
    }
}

/// A size with three digits: 4.27, 0.01, 3e-9.
fn three_digits(size: f64) -> String {
    match size {
        s if (1e-3..1e6).contains(&s) => {
            let decimals = (2 - s.log10().floor() as i32).max(0) as usize;
            let text = format!("{s:.decimals$}");
            if text.contains('.') {
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            } else {
                text
            }
        }
        s => format!("{s:.1e}"),
    }
}
