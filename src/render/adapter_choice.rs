//! The choice of an adapter: the fastest that opens.

use std::fmt;

use super::{AdapterSummary, GpuSettings, RenderError, platform};

/// Why an adapter is of no use to a window.
pub(super) const NOT_ON_THIS_WINDOW: &str = "cannot draw on this window";

/// An adapter that can be opened, and its description.
pub(super) struct Candidate<A> {
    pub(super) info: wgpu::AdapterInfo,
    pub(super) adapter: A,
}

impl<A> Candidate<A> {
    fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    /// Fast types first, as wgpu orders them. OpenGL does not report the type of some GPUs.
    fn order(&self) -> u8 {
        match self.info.device_type {
            wgpu::DeviceType::DiscreteGpu => 1,
            wgpu::DeviceType::IntegratedGpu => 2,
            wgpu::DeviceType::Other => 3,
            wgpu::DeviceType::VirtualGpu => 4,
            wgpu::DeviceType::Cpu => 5,
        }
    }
}

/// Opens the first adapter that does not refuse: the GPUs of each group of backends, then, but for browsers,
/// software adapters. `find` returns the adapters of a group and adds the reasons why a backend has none.
///
/// # Errors
/// No adapter fits `settings`, or all of them refuse. The error has the reason of each.
pub(super) async fn open_fastest<B, A, D, E: fmt::Display>(
    settings: &GpuSettings,
    groups: impl IntoIterator<Item = B>,
    mut find: impl AsyncFnMut(B, &mut Vec<String>) -> Vec<Candidate<A>>,
    open: impl AsyncFn(&A) -> Result<D, E>,
) -> Result<(A, D), RenderError> {
    let name = settings.adapter.as_deref().unwrap_or_default().to_lowercase();
    let (mut reasons, mut software, mut others) = (Vec::new(), Vec::new(), Vec::new());
    let mut refusals = Vec::new();
    let mut attempt = async |candidate: Candidate<A>, reasons: &mut Vec<String>| {
        let result = if (refusals.len() as u64) < settings.inject_refusals {
            Err("injected refusal".to_owned())
        } else {
            open(&candidate.adapter).await.map_err(|error| error.to_string())
        };
        match result {
            Ok(device) => {
                // Without a device, the error names them.
                for refusal in &refusals {
                    log::warn!("cannot open the graphics adapter {refusal}");
                }
                Some((candidate.adapter, device))
            }
            Err(why) => {
                let refusal = format!("{}: {why}", AdapterSummary::new(candidate.info));
                reasons.push(refusal.clone());
                refusals.push(refusal);
                None
            }
        }
    };
    for group in groups {
        let mut found = find(group, &mut reasons).await;
        found.sort_by_key(Candidate::order);
        for candidate in found {
            if !candidate.info.name.to_lowercase().contains(&name) {
                others.push(candidate.info.name);
            } else if candidate.is_software() && cfg!(not(web)) {
                // In a browser, the search for an adapter of WebGL takes the canvas, which WebGPU cannot use afterwards.
                software.push(candidate);
            } else if let Some(opened) = attempt(candidate, &mut reasons).await {
                return Ok(opened);
            }
        }
    }
    let mut excluded = None;
    for candidate in software {
        if settings.require_gpu {
            let adapter = AdapterSummary::new(candidate.info).to_string();
            reasons.push(format!("{adapter}: draws on the CPU, and --require-gpu excludes it"));
            excluded.get_or_insert(adapter);
        } else if let Some(opened) = attempt(candidate, &mut reasons).await {
            return Ok(opened);
        }
    }
    if !refusals.is_empty() {
        return Err(RenderError::NoDevice(reasons));
    }
    if let Some(software) = excluded {
        return Err(RenderError::SoftwareOnly(software));
    }
    if !others.is_empty() {
        // One GPU may have several backends.
        others.sort();
        others.dedup();
        let requested = settings.adapter.clone().unwrap_or_default();
        return Err(RenderError::NoSuchAdapter { requested, available: others });
    }
    let advice = if reasons.iter().any(|reason| reason.ends_with(NOT_ON_THIS_WINDOW)) {
        "use a display with 24 bits of color; `cubefall render` draws without a display".into()
    } else {
        platform::advice(settings.backends().unwrap_or(wgpu::Backends::all()))
    };
    Err(RenderError::NoAdapter { reasons, advice })
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use wgpu::DeviceType::{Cpu, DiscreteGpu, IntegratedGpu, Other};

    use super::*;

    type Adapters = &'static [(&'static str, wgpu::DeviceType)];

    /// Two groups of backends. Each software adapter is slower than every GPU.
    const GROUPS: [Adapters; 2] = [
        &[("lavapipe", Cpu), ("Iris", IntegratedGpu), ("Radeon", DiscreteGpu)],
        &[("llvmpipe", Cpu), ("Radeon (old)", Other)],
    ];

    /// Chooses among `groups`, of which the adapters in `broken` refuse. Returns the name of the
    /// opened one and those of all that were tried.
    fn choose(
        groups: impl IntoIterator<Item = Adapters>,
        settings: &GpuSettings,
        broken: &[&str],
    ) -> (Result<&'static str, RenderError>, Vec<&'static str>) {
        let tried = RefCell::new(Vec::new());
        let find = async |group: Adapters, reasons: &mut Vec<String>| {
            if group.is_empty() {
                reasons.push("nothing here".to_owned());
            }
            let candidate = |&(name, device_type): &(&'static str, _)| {
                let info = wgpu::AdapterInfo::new(device_type, wgpu::Backend::Vulkan);
                Candidate {
                    info: wgpu::AdapterInfo { name: name.to_owned(), ..info },
                    adapter: name,
                }
            };
            group.iter().map(candidate).collect()
        };
        let open = async |adapter: &&'static str| {
            tried.borrow_mut().push(*adapter);
            if broken.contains(adapter) { Err("out of order") } else { Ok(()) }
        };
        let chosen = pollster::block_on(open_fastest(settings, groups, find, open));
        (chosen.map(|(adapter, ())| adapter), tried.into_inner())
    }

    fn named(name: &str) -> GpuSettings {
        GpuSettings { adapter: Some(name.to_owned()), ..GpuSettings::default() }
    }

    #[test]
    fn the_next_adapter_is_tried_when_one_refuses_and_software_last() {
        let settings = GpuSettings::default();
        let order = ["Radeon", "Iris", "Radeon (old)", "lavapipe", "llvmpipe"];
        for working in 0..order.len() {
            let (chosen, tried) = choose(GROUPS, &settings, &order[..working]);
            assert_eq!(chosen.unwrap(), order[working]);
            assert_eq!(tried, order[..=working]);
        }
        let (chosen, _) = choose(GROUPS, &settings, &order);
        let error = chosen.unwrap_err();
        for name in order {
            assert!(error.to_string().contains(&format!("{name} (")), "{error}");
        }
        assert_eq!(error.to_string().matches(": out of order").count(), order.len());
        assert_eq!(error.exit_code(), 3);
    }

    #[test]
    fn a_later_group_is_searched_only_if_no_gpu_of_an_earlier_one_opens() {
        let groups = GROUPS.into_iter().enumerate();
        let unused = groups.map(|(at, group)| {
            assert_eq!(at, 0, "OpenGL is slow to open");
            group
        });
        assert_eq!(choose(unused, &GpuSettings::default(), &["Radeon"]).0.unwrap(), "Iris");
    }

    #[test]
    fn all_adapters_with_a_name_are_tried_and_no_others() {
        assert_eq!(choose(GROUPS, &named("RADEON"), &["Radeon"]).1, ["Radeon", "Radeon (old)"]);
        let (chosen, tried) = choose(GROUPS, &named("pipe"), &["lavapipe", "llvmpipe"]);
        assert_eq!(tried, ["lavapipe", "llvmpipe"]);
        assert!(!chosen.unwrap_err().to_string().contains("Radeon"));
        let (chosen, tried) = choose(GROUPS, &named("voodoo"), &[]);
        assert_eq!(tried.len(), 0);
        let error = chosen.unwrap_err();
        assert!(error.to_string().ends_with("Iris, Radeon, Radeon (old), lavapipe, llvmpipe"));
        assert_eq!(error.exit_code(), 3);
    }

    #[test]
    fn require_gpu_never_opens_software() {
        let settings = GpuSettings { require_gpu: true, ..GpuSettings::default() };
        assert_eq!(choose(GROUPS, &settings, &["Radeon"]).0.unwrap(), "Iris");
        let (chosen, tried) = choose(GROUPS, &settings, &["Radeon", "Iris", "Radeon (old)"]);
        assert_eq!(tried.len(), 3);
        let error = chosen.unwrap_err();
        assert!(matches!(error, RenderError::NoDevice(_)), "{error}");
        assert!(error.to_string().contains("--require-gpu"), "{error}");
        let (chosen, tried) = choose([&[("lavapipe", Cpu)][..]], &settings, &[]);
        assert_eq!(tried.len(), 0);
        assert!(matches!(chosen, Err(RenderError::SoftwareOnly(_))));
    }

    #[test]
    fn without_any_adapter_the_reasons_of_the_backends_are_returned() {
        let (chosen, _) = choose([&[][..], &[]], &named("Radeon"), &[]);
        let error = chosen.unwrap_err();
        assert!(matches!(error, RenderError::NoAdapter { .. }), "{error}");
        assert!(error.to_string().contains("(nothing here; nothing here)"), "{error}");
        assert_eq!(error.exit_code(), 3);
    }
}
