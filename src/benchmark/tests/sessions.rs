//! Simulated benchmark sessions with a known true difference, to count how often verdicts are right.
//!
//! A run is represented by its median, about 5 ms. Runs vary by 0.6 %.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::benchmark::*;

/// Median frame time of a run, in ns.
const FRAME: f64 = 5e6;
/// Slowdown of a machine that becomes slower, from the first run of a session to the last.
const DRIFT: f64 = 0.02;

pub(super) struct Machine(pub(super) ChaCha8Rng);

impl Machine {
    /// Uniform, above 0 and up to 1.
    pub(super) fn unit(&mut self) -> f64 {
        (f64::from(self.0.next_u32()) + 1.0) / 2_f64.powi(32)
    }

    /// Returns two independent standard normal numbers (Box and Muller 1958).
    pub(super) fn normal(&mut self) -> [f64; 2] {
        let radius = (-2.0 * self.unit().ln()).sqrt();
        let (sin, cos) = (std::f64::consts::TAU * self.unit()).sin_cos();
        [radius * cos, radius * sin]
    }
}

#[test]
fn effective_sample_size_matches_the_autocorrelation() {
    // A tenth of each deviation is new. 500 frames are worth n (1 - memory) / (1 + memory), about 26.
    const MEMORY: f64 = 0.9;
    let mut machine = Machine(ChaCha8Rng::seed_from_u64(4));
    let size = |_| {
        let [mut deviation, _] = machine.normal();
        let mut frame = || {
            deviation = MEMORY * deviation + (1.0 - MEMORY * MEMORY).sqrt() * machine.normal()[0];
            (FRAME * (1.0 + 0.02 * deviation)) as u64
        };
        let frames: [u64; 500] = std::array::from_fn(|_| frame());
        effective_sample_size(&frames).unwrap()
    };
    let usual = quantile::median(&mut (0..200).map(size).collect::<Vec<_>>()).unwrap();
    assert!((20.0..40.0).contains(&usual), "{usual}");
}

/// How the runs of a session vary, in addition to a standard deviation of 0.6 %.
#[derive(Clone, Copy, Debug)]
enum Noise {
    Gaussian,
    /// One run in 20 takes 10 to 100 % longer.
    Disturbed,
    /// Seven tenths of the deviation of a run stay in the next.
    Autocorrelated,
    /// The machine becomes 2 % slower over the session.
    Drifting,
}

/// Simulates the medians of a session in pairs, and compares them.
fn compared(machine: &mut Machine, noise: Noise, pairs: usize, factor: f64) -> Comparison {
    const DEVIATION: f64 = 0.006;
    const KEPT: f64 = 0.7;
    let mut runs = [Vec::new(), Vec::new()];
    let mut deviation = machine.normal()[0];
    for place in 0..2 * pairs {
        // A B, B A, A B and so on.
        let program = usize::from(matches!(place % 4, 1 | 2));
        let [new, _] = machine.normal();
        let mut time = FRAME * [1.0, factor][program];
        deviation = match noise {
            Noise::Autocorrelated => KEPT * deviation + (1.0 - KEPT * KEPT).sqrt() * new,
            _ => new,
        };
        time *= 1.0 + DEVIATION * deviation;
        match noise {
            Noise::Disturbed if machine.unit() <= 0.05 => time *= 1.1 + 0.9 * machine.unit(),
            Noise::Drifting => time *= 1.0 + DRIFT * place as f64 / (2 * pairs) as f64,
            _ => {}
        }
        runs[program].extend(RunMedian::new(time));
    }
    let [a, b] = runs;
    let pairs: Vec<_> = a.into_iter().zip(b).collect();
    Comparison::of_pairs(&pairs, Threshold::default())
}

#[test]
fn verdicts_are_right_on_disturbed_and_drifting_machines() {
    let mut machine = Machine(ChaCha8Rng::seed_from_u64(6));
    let sessions = 1000;
    for noise in [Noise::Gaussian, Noise::Disturbed, Noise::Autocorrelated, Noise::Drifting] {
        let (mut alarms, mut wrong, mut found) = ([0; 3], [0; 3], [0; 3]);
        for (number, pairs) in [10, 20, 40].into_iter().enumerate() {
            for _ in 0..sessions {
                let same = compared(&mut machine, noise, pairs, 1.0);
                alarms[number] += usize::from(same.test.is_some_and(|test| test.p <= 0.05));
                let is_wrong = matches!(same.verdict, Verdict::Regression | Verdict::Improvement);
                wrong[number] += usize::from(is_wrong);
                let slower = compared(&mut machine, noise, pairs, 1.03);
                found[number] += usize::from(slower.verdict == Verdict::Regression);
            }
        }
        println!(
            "{noise:?}, 10 / 20 / 40 pairs: p <= 0.05 {alarms:?}, wrong {wrong:?}, found {found:?}"
        );
        // The level, three standard deviations, and the correlation of neighboring runs.
        assert!(alarms.iter().all(|&alarms| alarms <= 85), "{noise:?}: {alarms:?}");
        assert_eq!(wrong, [0; 3], "{noise:?}");
        assert!(found.iter().all(|&found| found >= 900), "{noise:?}: {found:?}");
    }
}
