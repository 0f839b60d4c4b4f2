//! Friction of a joint: viscous and Coulomb friction and an offset, and what real joints have beside them,
//!
//! τ_f = fv q̇ + fc s + offset + fl s |τ_load| + fr s √|q̇| + fa |q̇| + fs s exp(−(q̇/speed)²)
//!       + Σₙ sₙ sin(n q) + cₙ cos(n q), with s = sign(q̇).
//!
//! τ_load is what inertia and gravity of the links ask of the joint; the inertia of a rotor counts only where no
//! force tells it from that of its link, as in the first joint of an arm.

/// Friction of a joint, N·m or N.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Friction {
    /// Viscous coefficient, per rad/s or m/s.
    pub viscous: f64,
    /// Coulomb friction.
    pub coulomb: f64,
    /// Constant offset.
    pub offset: f64,
    /// What else there is.
    pub further: FurtherFriction,
}

impl Friction {
    /// Viscous and Coulomb friction and an offset alone.
    pub fn simple(viscous: f64, coulomb: f64, offset: f64) -> Self {
        Friction { viscous, coulomb, offset, further: FurtherFriction::default() }
    }

    /// Whether all its numbers are finite, and the speeds among them positive.
    pub fn is_valid(&self) -> bool {
        let FurtherFriction { load, root, asymmetric, stribeck, harmonics } = self.further;
        let numbers = [self.viscous, self.coulomb, self.offset, load, root, asymmetric, stribeck.force];
        let stribeck = stribeck.force == 0.0 || (stribeck.speed > 0.0 && stribeck.speed.is_finite());
        numbers.into_iter().chain(harmonics.into_iter().flatten()).all(f64::is_finite) && stribeck
    }
}

/// Friction beside viscous and Coulomb friction; zero where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct FurtherFriction {
    /// `fl`, without unit: sign(q̇) |τ_load|.
    pub load: f64,
    /// `fr`, N·m/√(rad/s) or N/√(m/s): sign(q̇) √|q̇|.
    pub root: f64,
    /// `fa`, N·m·s/rad or N·s/m: |q̇|.
    pub asymmetric: f64,
    /// `fs`: sign(q̇) exp(−(q̇/speed)²).
    pub stribeck: Stribeck,
    /// `s1`, `c1` and `s2`, `c2`, N·m or N: sin and cos of q, and of 2 q.
    pub harmonics: [[f64; 2]; 2],
}

/// More friction near rest.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Stribeck {
    /// `fs`, N·m or N.
    pub force: f64,
    /// Where it has fallen to 1/e, rad/s or m/s.
    pub speed: f64,
}

/// Where exp(−x) is nothing.
const FADED: f64 = 200.0;

impl FurtherFriction {
    /// Whether there is none.
    pub fn is_none(&self) -> bool {
        self.load == 0.0 && self.is_load_alone()
    }

    /// Whether there is nothing but what depends on load.
    pub fn is_load_alone(&self) -> bool {
        let FurtherFriction { root, asymmetric, stribeck, harmonics, .. } = *self;
        root == 0.0 && asymmetric == 0.0 && stribeck.force == 0.0 && harmonics == [[0.0; 2]; 2]
    }

    /// Its force at a position and a speed, all but what depends on load, N·m or N; `sign` is that of the
    /// speed, or what stands for it.
    pub fn force(&self, position: f64, speed: f64, sign: f64) -> f64 {
        let mut force = self.asymmetric * speed.abs() + sign * self.root * speed.abs().sqrt();
        if self.stribeck.force != 0.0 {
            let square = (speed / self.stribeck.speed).powi(2);
            force += if square < FADED { sign * self.stribeck.force * (-square).exp() } else { 0.0 };
        }
        for (multiple, [sine, cosine]) in (1..).zip(self.harmonics) {
            let (s, c) = (f64::from(multiple) * position).sin_cos();
            force += sine * s + cosine * c;
        }
        force
    }
}
