//! Chips with sensors, from `/sys/class/hwmon` of Linux.

use std::path::Path;

use super::super::sysfs::{entries, number, text};
use crate::benchmark::{ClockRate, Readings};

/// Reads the chips of some `drivers`, each with the name of its driver; `root` is `/`.
pub(super) fn read(root: &Path, drivers: &[&str]) -> Vec<(String, Readings)> {
    let folders = entries(&root.join("sys/class/hwmon"), "hwmon", "");
    // Reading would wake a GPU that sleeps.
    let awake =
        folders.filter(|folder| text(&folder.join("device/power/runtime_status")) != "suspended");
    let named = awake.map(|folder| (text(&folder.join("name")), folder));
    let wanted = named.filter(|(driver, _)| drivers.contains(&driver.as_str()));
    wanted.map(|(driver, folder)| (driver, read_chip(&folder))).collect()
}

/// Reads the highest temperature, the power and the clock rate of a chip.
fn read_chip(folder: &Path) -> Readings {
    let file = |name: &str| number(&folder.join(name));
    let inputs = entries(folder, "temp", "_input").filter_map(|path| {
        let name = path.file_name()?.to_str()?.strip_suffix("_input")?.to_owned();
        Some((text(&folder.join(format!("{name}_label"))), name))
    });
    let inputs: Vec<_> = inputs.collect();
    // Some AMD CPUs add an offset to Tctl, which controls the fan; Tdie is the temperature.
    let has_tdie = inputs.iter().any(|(label, _)| label == "Tdie");
    let temperatures = inputs.iter().filter(|(label, _)| !has_tdie || label != "Tctl");
    let temperatures = temperatures.map(|(_, name)| Readings {
        celsius: file(&format!("{name}_input")).map(|it| it / 1e3),
        critical_celsius: file(&format!("{name}_crit")).map(|it| it / 1e3),
        ..Readings::default()
    });
    let microwatts = file("power1_average").or_else(|| file("power1_input"));
    // A GPU that is switched off has 0 Hz.
    let hertz = file("freq1_input").filter(|hertz| *hertz > 0.0);
    Readings {
        clock: hertz.map(|hertz| ClockRate::at(hertz / 1e6)),
        watts: microwatts.map(|microwatts| microwatts / 1e6),
        ..Readings::over(temperatures)
    }
}
