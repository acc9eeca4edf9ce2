//! Sensors of the machine: clock, temperature, power and throttling of CPU and GPU.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::units::{celsius, counted, ghz, watts};

/// Readings of CPU and GPU during a run.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sensors {
    /// All CPUs of the machine.
    pub cpu: Readings,
    /// The GPU of the adapter.
    pub gpu: Readings,
}

/// Readings at one time, or over some time; `None` where the system offers no sensor.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Readings {
    /// Clock rate; of CPUs, that of the fastest core, because idle cores slow down.
    pub clock: Option<ClockRate>,
    /// Highest temperature, in °C.
    pub celsius: Option<f64>,
    /// Temperature at which the hardware protects itself, in °C.
    pub critical_celsius: Option<f64>,
    /// Mean power, in W.
    pub watts: Option<f64>,
    /// How often heat or the power supply slowed it down: events that all cores of CPUs counted, or the
    /// number of readings, one per second, that found the GPU throttled.
    pub throttled: Option<u64>,
}

/// Clock rate over some time, in MHz.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClockRate {
    /// Lowest reading.
    pub lowest_mhz: f64,
    /// Mean of the readings.
    pub mean_mhz: f64,
    /// Highest reading.
    pub highest_mhz: f64,
}

impl Sensors {
    /// Combines the readings of several runs.
    pub fn over(all: &[Self]) -> Self {
        let of = |unit: fn(&Self) -> Readings| Readings::over(all.iter().map(unit));
        Self { cpu: of(|sensors| sensors.cpu), gpu: of(|sensors| sensors.gpu) }
    }

    /// Returns `true` if nothing is known.
    pub fn is_unknown(&self) -> bool {
        *self == Self::default()
    }

    /// Returns CPU and GPU with their names.
    pub const fn named(&self) -> [(&'static str, Readings); 2] {
        [("CPU", self.cpu), ("GPU", self.gpu)]
    }

    /// Returns the name of each reading and its text; `None` where it is unknown.
    pub fn texts(&self) -> Vec<(&'static str, Option<String>)> {
        let cpu = ["CPU clock", "CPU temperature", "CPU power", "CPU throttled"];
        let gpu = ["GPU clock", "GPU temperature", "GPU power", "GPU throttled"];
        let texts = [self.cpu.texts(), self.gpu.texts()];
        [cpu, gpu].into_iter().flatten().zip(texts.into_iter().flatten()).collect()
    }

    /// Returns the known readings with their names.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        self.texts().into_iter().filter_map(|(name, text)| Some((name, text?))).collect()
    }
}

impl Readings {
    /// Combines several readings: the mean power, the highest temperature, how often any was throttled.
    pub fn over(all: impl IntoIterator<Item = Self>) -> Self {
        let all: Vec<_> = all.into_iter().collect();
        let temperatures = all.iter().filter_map(|one| Some((one.celsius?, one.critical_celsius)));
        let hottest = temperatures.max_by(|(a, _), (b, _)| a.total_cmp(b));
        let clocks = all.iter().filter_map(|one| one.clock);
        Self {
            clock: ClockRate::over(&clocks.collect::<Vec<_>>()),
            celsius: hottest.map(|(celsius, _)| celsius),
            critical_celsius: hottest.and_then(|(_, critical)| critical),
            watts: mean(all.iter().filter_map(|one| one.watts)),
            throttled: all.iter().filter_map(|one| one.throttled).reduce(u64::saturating_add),
        }
    }

    fn texts(&self) -> [Option<String>; 4] {
        [
            self.clock.map(ClockRate::text),
            self.celsius.map(|highest| format!("up to {}", celsius(highest))),
            self.watts.map(watts),
            self.throttled.map(|times| counted(times, "time")),
        ]
    }
}

impl ClockRate {
    /// One reading.
    pub const fn at(mhz: f64) -> Self {
        Self { lowest_mhz: mhz, mean_mhz: mhz, highest_mhz: mhz }
    }

    fn over(all: &[Self]) -> Option<Self> {
        Some(Self {
            lowest_mhz: all.iter().map(|rate| rate.lowest_mhz).reduce(f64::min)?,
            mean_mhz: mean(all.iter().map(|rate| rate.mean_mhz))?,
            highest_mhz: all.iter().map(|rate| rate.highest_mhz).reduce(f64::max)?,
        })
    }

    fn text(self) -> String {
        let [lowest, highest] = [self.lowest_mhz, self.highest_mhz].map(ghz);
        if lowest == highest { lowest } else { format!("{lowest} to {highest}") }
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0_u32, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readings_combine_and_stay_unknown_where_none_is_known() {
        let [warm, hot] = [(3400.0, 62.0), (3900.0, 71.0)].map(|(mhz, celsius)| Readings {
            clock: Some(ClockRate::at(mhz)),
            celsius: Some(celsius),
            critical_celsius: Some(celsius + 20.0),
            throttled: Some(1),
            ..Readings::default()
        });
        let power = [Some(35.0), None, Some(45.0)];
        let power = power.map(|watts| Readings { watts, ..Readings::default() });
        assert_eq!(Readings::over(power).watts, Some(40.0), "the mean of those known");
        let known = Readings::over([Readings { watts: Some(35.0), ..warm }, hot]);
        let clock = ClockRate { lowest_mhz: 3400.0, mean_mhz: 3650.0, highest_mhz: 3900.0 };
        let expected = Readings {
            clock: Some(clock),
            celsius: Some(71.0),
            critical_celsius: Some(91.0),
            watts: Some(35.0),
            throttled: Some(2),
        };
        assert_eq!(known, expected);
        let facts = [
            ("CPU clock", "3.40 GHz to 3.90 GHz"),
            ("CPU temperature", "up to 71 °C"),
            ("CPU power", "35.0 W"),
            ("CPU throttled", "2 times"),
        ];
        let sensors = Sensors { cpu: known, ..Sensors::default() };
        assert_eq!(sensors.facts(), facts.map(|(name, text)| (name, text.to_owned())));
        assert_eq!(Readings::over([Readings::default(); 2]), Readings::default());
        assert!(Sensors::over(&[]).is_unknown() && Sensors::default().facts().is_empty());
    }

    #[test]
    fn the_range_of_the_clock_is_that_of_all_readings() {
        let clock = |lowest_mhz, mean_mhz, highest_mhz| Readings {
            clock: Some(ClockRate { lowest_mhz, mean_mhz, highest_mhz }),
            ..Readings::default()
        };
        let over = Readings::over([clock(800.0, 3000.0, 3500.0), clock(2000.0, 2500.0, 4000.0)]);
        assert_eq!(over, clock(800.0, 2750.0, 4000.0));
    }
}
