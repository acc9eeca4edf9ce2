//! Sensors of GPUs, from their Linux drivers and from NVIDIA's management library (NVML).

use std::path::Path;
use std::sync::LazyLock;

use nvml_wrapper::bitmasks::device::ThrottleReasons;
use nvml_wrapper::enum_wrappers::device::{Clock, TemperatureSensor, TemperatureThreshold};
use nvml_wrapper::{Device, Nvml};

use super::super::sysfs::{entries, text};
use super::chip;
use crate::benchmark::{ClockRate, Readings};

/// Drivers of GPUs, each with what the names of its adapters contain.
const DRIVERS: [(&str, &str); 5] =
    [("amdgpu", "AMD"), ("i915", "Intel"), ("nouveau", "NV"), ("radeon", "AMD"), ("xe", "Intel")];

/// What the names of adapters with NVML contain.
const NVIDIA: &str = "NVIDIA";

/// `None` without the library, which is a part of NVIDIA's driver.
static NVML: LazyLock<Option<Nvml>> = LazyLock::new(|| {
    let mut library = Nvml::builder();
    if cfg!(windows) {
        // Of a name alone, Windows loads a file of the current folder.
        library.lib_path(r"C:\Windows\System32\nvml.dll".as_ref());
    }
    library.init().ok()
});

/// A GPU and what it reads now.
pub(super) struct Gpu {
    name: String,
    /// What the names of adapters of this vendor contain.
    vendor: &'static str,
    readings: Readings,
}

/// Reads all GPUs; `root` is `/`.
pub(super) fn read(root: &Path) -> Vec<Gpu> {
    let of_chip = |(driver, readings): (String, Readings)| {
        let (_, vendor) = *DRIVERS.iter().find(|(name, _)| *name == driver)?;
        Some(Gpu { name: vendor.to_owned(), vendor, readings })
    };
    // Another root has other GPUs, and reading would wake those that sleep.
    let reads = root == Path::new("/") && !sleeps(root);
    let nvml = if reads { NVML.as_ref() } else { None };
    let device = |index: u32| {
        let device = nvml?.device_by_index(index).ok()?;
        Some(Gpu { name: device.name().ok()?, vendor: NVIDIA, readings: read_device(&device) })
    };
    let devices = nvml.and_then(|nvml| nvml.device_count().ok()).unwrap_or(0);
    let chips =
        chip::read(root, &DRIVERS.map(|(driver, _)| driver)).into_iter().filter_map(of_chip);
    chips.chain((0..devices).filter_map(device)).collect()
}

/// Returns whether the NVIDIA GPUs of a machine sleep.
fn sleeps(root: &Path) -> bool {
    let gpus = entries(&root.join("sys/bus/pci/drivers/nvidia"), "0000:", "");
    let mut states = gpus.map(|gpu| text(&gpu.join("power/runtime_status"))).peekable();
    states.peek().is_some() && states.all(|state| state == "suspended")
}

/// Returns the readings of the GPU that an adapter is: the only one with its name, or else the only one of its
/// vendor. Of several names, the longest counts.
pub(super) fn of_adapter(gpus: &[Gpu], adapter: &str) -> Option<Readings> {
    // Intel's drivers read discrete GPUs only.
    let may_be = |gpu: &&Gpu| gpu.vendor != "Intel" || !adapter.contains("(integrated GPU");
    let only = |word: fn(&Gpu) -> &str| {
        let found = gpus.iter().filter(may_be).filter(|gpu| adapter.contains(word(gpu)));
        let longest = found.clone().map(|gpu| word(gpu).len()).max();
        let mut found = found.filter(|gpu| Some(word(gpu).len()) == longest);
        found.next().filter(|_| found.next().is_none())
    };
    Some(only(|gpu| &gpu.name).or_else(|| only(|gpu| gpu.vendor))?.readings)
}

/// Returns `true` if the library is missing that could read the sensors of an adapter.
pub(super) fn lacks_nvml(adapter: &str) -> bool {
    adapter.contains(NVIDIA) && NVML.is_none()
}

fn read_device(device: &Device) -> Readings {
    // A power limit is normal under load, and `HW_SLOWDOWN` may be a change of the clock.
    let throttled = ThrottleReasons::SW_THERMAL_SLOWDOWN
        | ThrottleReasons::HW_THERMAL_SLOWDOWN
        | ThrottleReasons::HW_POWER_BRAKE_SLOWDOWN;
    let megahertz = device.clock_info(Clock::Graphics).ok();
    let critical = device.temperature_threshold(TemperatureThreshold::Slowdown).ok();
    let reasons = device.current_throttle_reasons().ok();
    Readings {
        clock: megahertz.map(|megahertz| ClockRate::at(megahertz.into())),
        celsius: device.temperature(TemperatureSensor::Gpu).ok().map(f64::from),
        critical_celsius: critical.map(f64::from),
        watts: device.power_usage().ok().map(|milliwatts| f64::from(milliwatts) / 1e3),
        throttled: reasons.map(|reasons| reasons.intersects(throttled).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::bench::sysfs::tests::write;

    #[test]
    fn gpus_sleep_if_all_do() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        assert!(!sleeps(root), "there is none");
        let gpu = |slot: &str, state: &str| {
            let file = format!("sys/bus/pci/drivers/nvidia/0000:{slot}:00.0/power/runtime_status");
            write(root, &file, state);
        };
        gpu("01", "suspended\n");
        assert!(sleeps(root));
        gpu("02", "active\n");
        assert!(!sleeps(root));
    }

    #[test]
    fn the_gpu_of_an_adapter_is_the_only_one_of_its_name_or_vendor() {
        // Each GPU is as warm as its place in the list.
        let found = |names: &[(&str, &'static str)], adapter: &str| {
            let gpu = |(at, &(name, vendor)): (usize, &(&str, _))| Gpu {
                name: name.to_owned(),
                vendor,
                readings: Readings { celsius: Some(at as f64), ..Readings::default() },
            };
            let gpus: Vec<_> = names.iter().enumerate().map(gpu).collect();
            of_adapter(&gpus, adapter)?.celsius
        };
        let (h100, rtx) = (("NVIDIA H100 80GB HBM3", NVIDIA), ("NVIDIA GeForce RTX 3080", NVIDIA));
        let amd = ("AMD", "AMD");
        let of_rtx = |all: &[_]| found(all, "NVIDIA GeForce RTX 3080 (discrete, Vulkan)");
        assert_eq!(of_rtx(&[amd, h100, rtx]), Some(2.0));
        assert_eq!(of_rtx(&[amd, h100]), Some(1.0), "the driver may name it otherwise");
        assert_eq!(of_rtx(&[amd]), None);
        assert_eq!(of_rtx(&[rtx, rtx]), None, "either could be it");
        let short = ("NVIDIA GeForce RTX", NVIDIA);
        assert_eq!(of_rtx(&[short, rtx]), Some(1.0), "the longest name");
        let arc = ("Intel", "Intel");
        assert_eq!(found(&[arc], "Intel(R) Arc(TM) A770 (discrete GPU, vulkan)"), Some(0.0));
        assert_eq!(found(&[arc], "Intel(R) UHD Graphics 770 (integrated GPU, vulkan)"), None);
        let of_radeon = |all: &[_]| found(all, "AMD Radeon RX 6600 (RADV NAVI23)");
        assert_eq!((of_radeon(&[rtx, amd]), of_radeon(&[amd, amd])), (Some(1.0), None));
        assert_eq!(found(&[amd, rtx], "llvmpipe (LLVM 19.1.7, 256 bits)"), None);
    }
}
