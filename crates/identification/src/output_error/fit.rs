//! Nonlinear least squares over windows: parameters that all share, and a start that each has for itself.
//!
//! Residuals e = simulated − recorded of positions, and of velocities where they were recorded, count by their noise.
//! With its variance estimated from the residuals, −log L is Σ_c N_c log ‖e_c‖ over the channels c, up to constants. It
//! is minimised by steps of Levenberg and Marquardt. A window's start is eliminated by a small triangle of its own,
//! \[J_start | J_β | −e\], whose lower part speaks of β alone.

use std::num::NonZeroUsize;

use steiner_linalg::in_parallel;
use steiner_linalg::triangle::Triangle;

use super::forward::Forward;
use super::window::Window;
use crate::estimate::values_only;
use crate::problem::Problem;

/// Steps, at most; ten are usual.
const MOST_STEPS: usize = 60;
/// An optimum is reached when the next step would move the estimate by less than this, in standard deviations…
const SETTLED: f64 = 1e-3;
/// …or, where rounding and steps of the simulation hide it, by less than this.
const TOLERATED: f64 = 0.05;
/// Damping to begin with, and where nothing helps any more.
const DAMPING: f64 = 1e-3;
const STUCK: f64 = 1e10;
/// No sensor is better than this part of what it shows.
const BEST_SENSOR: f64 = 1e-9;

/// Windows to be simulated with one set of parameters.
pub(super) struct Fit<'a> {
    pub(super) problem: &'a Problem,
    pub(super) windows: Vec<Window<'a>>,
    /// Steps of the simulation in one sample.
    pub(super) parts: usize,
    pub(super) threads: NonZeroUsize,
}

/// Parameters and starts, with what they leave.
#[derive(Clone)]
pub(super) struct Point {
    pub(super) base: Vec<f64>,
    pub(super) starts: Vec<Vec<f64>>,
    /// Σ e² of each channel.
    pub(super) squares: Vec<f64>,
}

/// What may change.
#[derive(Clone, Copy)]
pub(super) enum Free {
    /// The starts of the windows.
    Starts,
    /// Parameters as well.
    All,
}

/// Where the steps ended.
pub(super) struct Optimum {
    pub(super) point: Point,
    pub(super) steps: usize,
    /// How far the next step would go, in standard deviations.
    pub(super) distance: f64,
}

impl<'a> Fit<'a> {
    pub(super) fn dof(&self) -> usize {
        self.problem.mechanism().dof()
    }

    /// Positions, then velocities if they were recorded everywhere.
    pub(super) fn channels(&self) -> usize {
        let velocities = self.windows.iter().all(|window| window.stretch.has_velocities());
        self.dof() * if velocities { 2 } else { 1 }
    }

    /// Number of samples.
    pub(super) fn samples(&self) -> usize {
        self.windows.iter().map(|window| window.samples.len()).sum()
    }

    /// Simulated minus recorded.
    fn residual(window: &Window<'_>, sample: usize, state: &[f64], channel: usize) -> f64 {
        let dof = state.len() / 2;
        match channel.checked_sub(dof) {
            None => state[channel] - window.stretch.q(sample)[channel],
            Some(k) => state[channel] - window.stretch.qd(sample).map_or(0.0, |qd| qd[k]),
        }
    }

    /// What parameters and starts leave; `None` if a simulation does not reach its end.
    pub(super) fn point(&self, base: Vec<f64>, starts: Vec<Vec<f64>>) -> Option<Point> {
        let channels = self.channels();
        let of_window = |k: usize| {
            let (window, mut forward) = (&self.windows[k], Forward::new(self.problem)?);
            let mut squares = vec![0.0; channels];
            let done =
                window.simulate(&mut forward, (&base, &starts[k]), self.parts, false, |sample, x, _| {
                    let of = |c: usize| Self::residual(window, sample, x, c).powi(2);
                    squares.iter_mut().enumerate().for_each(|(c, sum)| *sum += of(c));
                });
            done.then_some(squares)
        };
        let all: Option<Vec<Vec<f64>>> =
            in_parallel(self.windows.len(), self.threads, of_window).into_iter().collect();
        let mut squares = vec![0.0; channels];
        all?.iter().for_each(|own| squares.iter_mut().zip(own).for_each(|(sum, x)| *sum += x));
        squares.iter().all(|x| x.is_finite()).then_some(Point { base, starts, squares })
    }

    /// Noise of each channel; parameters' share of freedom is taken off all alike.
    pub(super) fn noise(&self, point: &Point) -> Vec<f64> {
        let samples = self.samples() as f64;
        let unknown = point.base.len() + 2 * self.dof() * self.windows.len();
        let free = samples - unknown as f64 / point.squares.len() as f64;
        let of = |(c, square): (usize, &f64)| (square / free.max(1.0)).sqrt().max(self.least(c));
        point.squares.iter().enumerate().map(of).collect()
    }

    fn least(&self, channel: usize) -> f64 {
        let dof = self.dof();
        let size = |window: &Window<'_>| {
            let value = |sample: usize| match channel.checked_sub(dof) {
                None => window.stretch.q(sample)[channel],
                Some(k) => window.stretch.qd(sample).map_or(0.0, |qd| qd[k]),
            };
            window.samples.clone().map(|sample| value(sample).abs()).fold(0.0, f64::max)
        };
        BEST_SENSOR * self.windows.iter().map(size).fold(1e-3, f64::max)
    }

    /// −log L but for constants.
    fn minus_log(&self, point: &Point) -> f64 {
        let samples = self.samples() as f64;
        let floor = |c: usize| samples * self.least(c).powi(2);
        point.squares.iter().enumerate().map(|(c, s)| 0.5 * samples * s.max(floor(c)).ln()).sum()
    }

    /// For each window the rows \[J_start | J_β | −e\] in units of the noise, sample by sample: `take` makes of them
    /// what is wanted.
    pub(super) fn linearised<T: Send>(
        &self,
        point: &Point,
        noise: &[f64],
        take: impl Fn(usize, &[f64]) -> T + Sync,
    ) -> Option<Vec<T>> {
        let of_window = |k: usize| {
            let (window, mut forward) = (&self.windows[k], Forward::new(self.problem)?);
            let width = point.starts[k].len() + point.base.len();
            let mut rows: Vec<f64> = Vec::with_capacity(window.samples.len() * noise.len() * (width + 1));
            let at = (&point.base[..], &point.starts[k][..]);
            let done = window.simulate(&mut forward, at, self.parts, true, |sample, x, derivatives| {
                for (c, sigma) in noise.iter().enumerate() {
                    rows.extend(derivatives[c * width..][..width].iter().map(|x| x / sigma));
                    rows.push(-Self::residual(window, sample, x, c) / sigma);
                }
            });
            done.then(|| take(k, &rows))
        };
        in_parallel(self.windows.len(), self.threads, of_window).into_iter().collect()
    }

    /// The triangles of all windows.
    pub(super) fn triangles(&self, point: &Point, noise: &[f64]) -> Option<Vec<Triangle>> {
        let columns = 2 * self.dof() + point.base.len() + 1;
        self.linearised(point, noise, |_, rows| {
            let mut triangle = Triangle::new(columns);
            rows.chunks_exact(columns).for_each(|row| triangle.push(row));
            triangle.reduce();
            triangle
        })
    }

    /// Goes down from a point, with the starts alone or with parameters too; `working` is told each step and may stop.
    /// `None` where no step helps any more although the optimum is not reached.
    pub(super) fn descend<E>(
        &self,
        mut point: Point,
        free: Free,
        mut working: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<Option<Optimum>, E> {
        let mut value = self.minus_log(&point);
        let mut damping = DAMPING;
        let mut distance = f64::INFINITY;
        for steps in 0..MOST_STEPS {
            working(steps)?;
            let noise = self.noise(&point);
            let Some(triangles) = self.triangles(&point, &noise) else { return Ok(None) };
            distance = step(&triangles, &point, free, 0.0).2.sqrt();
            if distance < SETTLED {
                return Ok(Some(Optimum { point, steps, distance }));
            }
            loop {
                working(steps)?;
                let (base, starts, _) = step(&triangles, &point, free, damping);
                let next = self.point(base, starts).filter(|next| self.minus_log(next) < value);
                if let Some(next) = next {
                    value = self.minus_log(&next);
                    point = next;
                    damping = (0.1 * damping).max(1e-12);
                    break;
                }
                damping *= 10.0;
                if damping > STUCK {
                    let reached = distance < TOLERATED;
                    return Ok(reached.then_some(Optimum { point, steps, distance }));
                }
            }
        }
        Ok((distance < TOLERATED).then_some(Optimum { point, steps: MOST_STEPS, distance }))
    }
}

/// The triangle over β alone of the windows' triangles, with or without damped starts.
pub(super) fn shared(triangles: &[Triangle], states: usize) -> Triangle {
    let columns = triangles.first().map_or(states + 1, Triangle::columns);
    let mut all = Triangle::new(columns - states);
    for triangle in triangles {
        (states..columns).for_each(|k| all.push(&triangle.row(k)[states..]));
    }
    all.reduce();
    let rows = triangles.iter().map(Triangle::rows).sum();
    all.standing_for(rows)
}

/// Parameters and starts one step on, and by how much ‖e‖² would fall if all were linear.
fn step(triangles: &[Triangle], point: &Point, free: Free, damping: f64) -> (Vec<f64>, Vec<Vec<f64>>, f64) {
    let (states, p) = (point.starts.first().map_or(0, Vec::len), point.base.len());
    let damped = |triangle: &Triangle, first: usize, count: usize| {
        let mut triangle = triangle.clone();
        for k in (first..first + count).filter(|_| damping > 0.0) {
            let length = (0..=k).map(|r| triangle.entry(r, k).powi(2)).sum::<f64>().sqrt();
            let mut row = vec![0.0; triangle.columns()];
            row[k] = damping.sqrt() * length;
            triangle.push(&row);
        }
        triangle.reduce();
        triangle
    };
    let own: Vec<Triangle> = triangles.iter().map(|triangle| damped(triangle, 0, states)).collect();
    let all = damped(&shared(&own, states), 0, p);
    let change = match free {
        Free::Starts => vec![0.0; p],
        Free::All => values_only(&all, &vec![0.0; p]).0,
    };
    let left = |k: usize| {
        let predicted: f64 = (k..p).map(|c| all.entry(k, c) * change[c]).sum();
        (all.entry(k, p).powi(2), (all.entry(k, p) - predicted).powi(2))
    };
    let mut falls: f64 = (0..p).map(left).map(|(before, after)| before - after).sum();
    let mut starts = point.starts.clone();
    for (triangle, start) in own.iter().zip(&mut starts) {
        let mut moved = vec![0.0; states];
        for k in (0..states).rev() {
            let wanted = triangle.entry(k, states + p);
            let by_others = (k + 1..states).map(|c| triangle.entry(k, c) * moved[c]).sum::<f64>()
                + (0..p).map(|b| triangle.entry(k, states + b) * change[b]).sum::<f64>();
            moved[k] = (wanted - by_others) / triangle.entry(k, k);
            falls += wanted * wanted;
        }
        start.iter_mut().zip(moved).for_each(|(x, d)| *x += d);
    }
    let base = point.base.iter().zip(&change).map(|(x, d)| x + d).collect();
    (base, starts, falls.max(0.0))
}
