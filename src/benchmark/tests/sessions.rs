//! Simulated benchmark sessions with a known true difference, to count how often verdicts are right.
//!
//! Each run is a sequence of frames whose median is taken. A frame takes about 5 ms. Frame times are
//! autoregressive (a tenth of each deviation is new), one frame in 100 takes five times as long, and runs
//! vary by 0.6 % in total. A run has only 500 frames, worth about 26 independent ones, to keep the tests
//! fast. Over a session of twenty runs the machine becomes 2 % slower.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::benchmark::*;

const PAIRS: usize = 10;
const FRAMES: usize = 500;
const FRAME: f64 = 5e6;
/// Standard deviation of frame times in a run, and of runs, as shares.
const FRAME_NOISE: f64 = 0.02;
const RUN_NOISE: f64 = 0.0045;
/// Autocorrelation between consecutive frames.
const MEMORY: f64 = 0.9;
const SPIKES: f64 = 0.01;
const SPIKE: f64 = 5.0;
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

    /// Simulates run `number` of a session, of a program whose frames take `factor` times as long.
    fn run(&mut self, number: usize, factor: f64) -> Vec<u64> {
        let [mut deviation, offset] = self.normal();
        let run = FRAME * factor * (1.0 + RUN_NOISE * offset);
        let mut frames = Vec::with_capacity(FRAMES);
        while frames.len() < FRAMES {
            for new in self.normal() {
                let gone = (number * FRAMES + frames.len()) as f64 / (2 * PAIRS * FRAMES) as f64;
                let spike = if self.unit() <= SPIKES { SPIKE } else { 1.0 };
                deviation = MEMORY * deviation + (1.0 - MEMORY * MEMORY).sqrt() * new;
                let time = run * (1.0 + DRIFT * gone) * (1.0 + FRAME_NOISE * deviation) * spike;
                frames.push(time as u64);
            }
        }
        frames
    }
}

/// A B, B A, A B and so on.
fn in_pairs(place: usize) -> bool {
    matches!(place % 4, 1 | 2)
}

fn is_alarm(comparison: &Comparison) -> bool {
    comparison.test.is_some_and(|evidence| evidence.p <= 0.05)
}

#[test]
fn effective_sample_size_matches_the_autocorrelation() {
    // n (1 - memory) / (1 + memory) for the autoregressive part. Spikes are independent and would
    // dominate the variance, so they are removed.
    let mut machine = Machine(ChaCha8Rng::seed_from_u64(4));
    let calm = |frames: Vec<u64>| frames.into_iter().filter(|&time| (time as f64) < 2.0 * FRAME);
    let sizes = (0..200)
        .filter_map(|_| effective_sample_size(&calm(machine.run(0, 1.0)).collect::<Vec<_>>()));
    let mut sizes: Vec<_> = sizes.collect();
    sizes.sort_unstable_by(f64::total_cmp);
    let usual = sizes[sizes.len() / 2];
    println!("effective sample size: {usual}");
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

impl Noise {
    const ALL: [Self; 4] = [Self::Gaussian, Self::Disturbed, Self::Autocorrelated, Self::Drifting];
}

/// Simulates the medians of a session in pairs, and compares them.
fn compared(machine: &mut Machine, noise: Noise, pairs: usize, factor: f64) -> Comparison {
    const DEVIATION: f64 = 0.006;
    const KEPT: f64 = 0.7;
    let mut runs = [Vec::new(), Vec::new()];
    let mut deviation = machine.normal()[0];
    for place in 0..2 * pairs {
        let program = usize::from(in_pairs(place));
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
    for noise in Noise::ALL {
        let (mut alarms, mut wrong, mut found) = ([0; 3], [0; 3], [0; 3]);
        for (number, pairs) in [10, 20, 40].into_iter().enumerate() {
            for _ in 0..sessions {
                let same = compared(&mut machine, noise, pairs, 1.0);
                alarms[number] += usize::from(is_alarm(&same));
                let is_wrong = matches!(same.verdict, Verdict::Regression | Verdict::Improvement);
                wrong[number] += usize::from(is_wrong);
                let slower = compared(&mut machine, noise, pairs, 1.03);
                found[number] += usize::from(slower.verdict == Verdict::Regression);
            }
        }
        println!(
            "{noise:?}, 10 / 20 / 40 pairs: p <= 0.05 {alarms:?}, wrong {wrong:?}, found {found:?}"
        );
        // The level, three standard deviations, and the correlation of neighbouring runs.
        assert!(alarms.iter().all(|&alarms| alarms <= 85), "{noise:?}: {alarms:?}");
        assert!(wrong.iter().all(|&wrong| wrong <= 50), "{noise:?}: {wrong:?}");
        assert!(found.iter().all(|&found| found >= 900), "{noise:?}: {found:?}");
    }
}
