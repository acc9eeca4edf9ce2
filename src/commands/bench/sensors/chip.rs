//! Chips with sensors, from `/sys/class/hwmon` of Linux.

use std::path::{Path, PathBuf};

use super::super::sysfs::{entries, number, text};
use crate::benchmark::{ClockRate, Readings};

/// A chip: the CPU, a GPU, a disk and so on.
pub(super) struct Chip {
    /// Name of its driver.
    pub(super) driver: String,
    folder: PathBuf,
    /// Files with a temperature, less their ending `_input`.
    temperatures: Vec<String>,
}

impl Chip {
    /// Finds all chips of the machine; `root` is `/`.
    pub(super) fn all(root: &Path) -> Vec<Self> {
        entries(&root.join("sys/class/hwmon"), "hwmon", "").map(Self::new).collect()
    }

    fn new(folder: PathBuf) -> Self {
        let file = |path: PathBuf| path.to_str()?.strip_suffix("_input").map(str::to_owned);
        let mut temperatures: Vec<_> =
            entries(&folder, "temp", "_input").filter_map(file).collect();
        let label = |file: &String| text(Path::new(&format!("{file}_label")));
        // Some AMD CPUs add an offset to Tctl, which controls the fan; Tdie is the temperature.
        if temperatures.iter().any(|file| label(file) == "Tdie") {
            temperatures.retain(|file| label(file) != "Tctl");
        }
        Self { driver: text(&folder.join("name")), folder, temperatures }
    }

    /// Reads the highest temperature, the power and the clock rate.
    pub(super) fn read(&self) -> Readings {
        let at = |file: String| number(Path::new(&file)).map(|thousandths| thousandths / 1e3);
        let temperature = |file: &String| Readings {
            celsius: at(format!("{file}_input")),
            critical_celsius: at(format!("{file}_crit")),
            ..Readings::default()
        };
        let file = |name: &str| number(&self.folder.join(name));
        let microwatts = file("power1_average").or_else(|| file("power1_input"));
        // A GPU that is switched off has 0 Hz.
        let hertz = file("freq1_input").filter(|hertz| *hertz > 0.0);
        Readings {
            clock: hertz.map(|hertz| ClockRate::at(hertz / 1e6)),
            watts: microwatts.map(|microwatts| microwatts / 1e6),
            ..Readings::over(self.temperatures.iter().map(temperature))
        }
    }
}
