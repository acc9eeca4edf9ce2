//! The machine a result was measured on.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sysinfo::{
    CpuRefreshKind, MemoryRefreshKind, ProcessRefreshKind, ProcessesToUpdate, RefreshKind, System,
};

use crate::time::Instant;

/// Hardware and operating system of a machine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Processor model.
    pub cpu: String,
    /// Hardware threads available to this process.
    pub threads: usize,
    /// Main memory in bytes.
    pub memory_bytes: Option<u64>,
    /// Name and version of the operating system; in a page, the user agent of the browser.
    pub os: String,
    /// Kernel version.
    pub kernel: String,
    /// Steps in which the clock advances, in ns. Browsers round it; omitted elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_step_ns: Option<u64>,
}

impl Machine {
    /// Returns a description of this machine.
    pub fn current() -> Self {
        let wanted = RefreshKind::nothing()
            .with_cpu(CpuRefreshKind::nothing())
            .with_memory(MemoryRefreshKind::nothing().with_ram());
        let system = System::new_with_specifics(wanted).ok();
        let cpu = system.as_ref().and_then(|system| system.cpus().first());
        let unknown = || "unknown".to_owned();
        Self {
            // Empty for some ARM processors.
            cpu: cpu
                .map(|cpu| cpu.brand().trim().to_owned())
                .filter(|name| !name.is_empty())
                .unwrap_or_else(unknown),
            threads: threads(),
            memory_bytes: system.as_ref().map(System::total_memory).filter(|&bytes| bytes > 0),
            os: os().unwrap_or_else(unknown),
            kernel: System::kernel_version().unwrap_or_else(|_| unknown()),
            clock_step_ns: cfg!(web).then(clock_step_ns),
        }
    }

    /// Returns whether it may be the same machine, perhaps with another system.
    pub fn is_same(&self, other: &Self) -> bool {
        (&self.cpu, self.threads) == (&other.cpu, other.threads)
    }

    /// Returns the conditions that two results must share to be comparable, each with its name. Memory is none of them: a
    /// system reserves some more or less at each start.
    pub(super) fn conditions(&self) -> [(&'static str, String); 4] {
        [
            ("cpu", self.cpu.clone()),
            ("threads", self.threads.to_string()),
            ("os", self.os.clone()),
            ("kernel", self.kernel.clone()),
        ]
    }
}

fn threads() -> usize {
    #[cfg(not(web))]
    return std::thread::available_parallelism().map_or(1, usize::from);
    #[cfg(web)]
    web_sys::window().map_or(1, |window| window.navigator().hardware_concurrency() as usize)
}

/// Returns name and version of the operating system, or of the browser.
fn os() -> Option<String> {
    #[cfg(not(web))]
    return System::long_os_version().ok();
    #[cfg(web)]
    web_sys::window()?.navigator().user_agent().ok()
}

/// Returns the smallest of some steps of the clock.
fn clock_step_ns() -> u64 {
    let step = || {
        let start = Instant::now();
        loop {
            let step = start.elapsed();
            if !step.is_zero() {
                return step.as_nanos() as u64;
            }
        }
    };
    // To a whole number of µs: the clock counts ms, as a float.
    let shortest = (0..10).map(|_| step()).min().unwrap_or_default();
    (shortest + 500) / 1000 * 1000
}

/// Returns the resident memory of this process in bytes, if known.
pub fn resident_memory() -> Option<u64> {
    let own = sysinfo::get_current_pid().ok()?;
    let mut system = System::new().ok()?;
    let memory = ProcessRefreshKind::nothing().with_memory().without_tasks();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[own]), false, memory);
    Some(system.process(own)?.memory())
}
