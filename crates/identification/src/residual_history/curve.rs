//! A curve of any number of samples as a few hundred points that look the same: the extremes of each of many
//! short stretches of time.

/// Points (time, value) with NaN where the curve breaks.
pub type Curve = Vec<(f64, f64)>;

/// Pauses of up to this many buckets are bridged: nobody would see them.
const UNSEEN: i64 = 3;

/// A curve in the making.
#[derive(Clone, Debug)]
pub(super) struct Envelope {
    width: f64,
    bucket: i64,
    /// Lowest and highest point of the current bucket.
    extremes: Option<[(f64, f64); 2]>,
    points: Curve,
}

impl Envelope {
    /// Buckets of a width, s.
    pub(super) fn new(width: f64) -> Self {
        Envelope { width, bucket: 0, extremes: None, points: Vec::new() }
    }

    pub(super) fn push(&mut self, time: f64, value: f64) {
        let bucket = if self.width > 0.0 { (time / self.width).floor() as i64 } else { 0 };
        let point = (time, value);
        match &mut self.extremes {
            Some([low, high]) if self.width > 0.0 && bucket == self.bucket => {
                if value < low.1 {
                    *low = point;
                }
                if value > high.1 {
                    *high = point;
                }
            }
            _ => {
                self.flush();
                self.bucket = bucket;
                self.extremes = Some([point, point]);
            }
        }
    }

    /// The next point is not joined to the last.
    pub(super) fn interrupt(&mut self) {
        self.flush();
        if let Some(&(time, value)) = self.points.last()
            && !value.is_nan()
        {
            self.points.push((time, f64::NAN));
        }
    }

    /// There is no value at this time: the curve breaks, unless the pause is too short to be seen.
    pub(super) fn pause(&mut self, time: f64) {
        if self.width > 0.0 && (time / self.width).floor() as i64 > self.bucket + UNSEEN {
            self.interrupt();
        }
    }

    fn flush(&mut self) {
        let Some([low, high]) = self.extremes.take() else { return };
        let (first, second) = if low.0 <= high.0 { (low, high) } else { (high, low) };
        self.points.push(first);
        if second != first {
            self.points.push(second);
        }
    }

    pub(super) fn finish(mut self) -> Curve {
        self.flush();
        self.points
    }
}

/// The root mean square of a signal in each of many short stretches of time, in the making.
#[derive(Clone, Debug)]
pub(super) struct RunningSize {
    width: f64,
    bucket: i64,
    squares: f64,
    count: f64,
    points: Curve,
}

impl RunningSize {
    /// Stretches of a width, s.
    pub(super) fn new(width: f64) -> Self {
        RunningSize { width: width.max(1e-300), bucket: 0, squares: 0.0, count: 0.0, points: Vec::new() }
    }

    pub(super) fn push(&mut self, time: f64, value: f64) {
        let bucket = (time / self.width).floor() as i64;
        if bucket != self.bucket {
            self.flush();
            self.bucket = bucket;
        }
        self.squares += value * value;
        self.count += 1.0;
    }

    pub(super) fn interrupt(&mut self) {
        self.flush();
        if let Some(&(time, _)) = self.points.last() {
            self.points.push((time, f64::NAN));
        }
    }

    fn flush(&mut self) {
        if self.count > 0.0 {
            self.points.push(((self.bucket as f64 + 0.5) * self.width, (self.squares / self.count).sqrt()));
        }
        (self.squares, self.count) = (0.0, 0.0);
    }

    pub(super) fn finish(mut self) -> Curve {
        self.flush();
        self.points
    }
}

#[cfg(test)]
mod tests {
    use super::{Envelope, RunningSize};

    #[test]
    fn the_size_of_a_signal_is_its_root_mean_square() {
        let mut size = RunningSize::new(1.0);
        (0..30).for_each(|k| size.push(0.1 * f64::from(k) + 0.01, if k < 10 { 3.0 } else { -1.0 }));
        let curve = size.finish();
        assert_eq!(curve.iter().map(|p| p.1).collect::<Vec<_>>(), [3.0, 1.0, 1.0]);
        assert_eq!(curve[0].0, 0.5);
    }

    #[test]
    fn long_pauses_break_a_curve_and_short_ones_do_not() {
        let mut envelope = Envelope::new(0.1);
        for k in 0..1000 {
            let t = 0.001 * f64::from(k);
            match k {
                105..130 | 300..900 => envelope.pause(t),
                _ => envelope.push(t, 1.0),
            }
        }
        let curve = envelope.finish();
        assert_eq!(curve.iter().filter(|p| p.1.is_nan()).count(), 1);
        assert!(curve.iter().all(|p| p.0 < 0.3 || p.0 >= 0.9), "{curve:?}");
    }

    #[test]
    fn every_extreme_survives_and_breaks_stay_breaks() {
        let mut envelope = Envelope::new(0.1);
        for k in 0..1000 {
            let t = 0.001 * f64::from(k);
            if k == 500 {
                envelope.interrupt();
            }
            envelope.push(t, if k == 777 { 50.0 } else { (40.0 * t).sin() });
        }
        let curve = envelope.finish();
        assert!(curve.len() < 2 * 11 + 3, "{}", curve.len());
        assert!(curve.iter().any(|p| p.1 == 50.0));
        assert_eq!(curve.iter().filter(|p| p.1.is_nan()).count(), 1);
        assert!(curve.windows(2).all(|pair| pair[0].0 <= pair[1].0));
    }

    #[test]
    fn without_a_width_all_points_stay() {
        let mut envelope = Envelope::new(0.0);
        (0..10).for_each(|k| envelope.push(f64::from(k), 1.0));
        assert_eq!(envelope.finish().len(), 10);
    }
}
