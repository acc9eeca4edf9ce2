//! What the operating system offers for drawing, and where a missing driver comes from.

use std::env::consts::OS;

use super::Backend;

/// Returns why `backend` has no adapter: it does not exist here, or has no driver.
pub(super) fn reason(backend: Backend) -> String {
    if exists(backend) {
        format!("{backend}: no working driver found")
    } else {
        format!("{backend} is not available on {}", name(OS))
    }
}

/// Returns what to do where none of the `requested` backends has an adapter.
pub(super) fn advice(requested: wgpu::Backends) -> String {
    let existing = || Backend::ALL.into_iter().filter(|&backend| exists(backend));
    if existing().any(|backend| requested.contains(backend.bits())) {
        let gl_only = requested == wgpu::Backends::GL;
        return driver(OS, gl_only).to_owned();
    }
    let names: Vec<_> = existing().map(Backend::name).collect();
    format!("choose {}", names.join(" or "))
}

/// The backends of this operating system.
pub(super) fn backends() -> wgpu::Backends {
    wgpu::Instance::enabled_backend_features()
}

fn exists(backend: Backend) -> bool {
    backends().contains(backend.bits())
}

fn name(os: &str) -> &str {
    match os {
        "linux" => "Linux",
        "windows" => "Windows",
        "macos" => "macOS",
        "" => "browsers",
        other => other,
    }
}

fn driver(os: &str, gl_only: bool) -> &'static str {
    match os {
        "linux" if gl_only => {
            "install an OpenGL driver: libegl1 and libgl1-mesa-dri (Debian, Ubuntu), mesa-libEGL and \
             mesa-dri-drivers (Fedora) or mesa (Arch)"
        }
        "linux" => {
            "install a Vulkan driver: mesa-vulkan-drivers (Debian, Ubuntu, Fedora) or \
             vulkan-swrast (Arch) draws on the CPU where there is no GPU"
        }
        "windows" => "install the graphics driver of the GPU's manufacturer, or update Windows",
        "macos" => "update macOS: Metal is a part of it since 10.13, on Apple silicon since 11",
        "" => {
            "use a current version of Chrome, Edge, Firefox or Safari, turn on hardware acceleration in its \
             settings, and leave `backend` out of the address"
        }
        _ => "install a Vulkan or OpenGL driver",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_platform_has_its_own_advice() {
        for package in ["mesa-vulkan-drivers", "vulkan-swrast"] {
            assert!(driver("linux", false).contains(package));
            for os in ["windows", "macos", "freebsd"] {
                assert!(!driver(os, false).contains(package), "{os}");
            }
        }
        assert!(driver("linux", true).contains("libegl1"));
        assert!(driver("windows", false).contains("update Windows"));
        assert!(driver("macos", false).contains("Metal"));
        assert_eq!(["linux", "windows", "macos"].map(name), ["Linux", "Windows", "macOS"]);
    }

    #[test]
    fn a_backend_of_another_platform_is_named_as_such() {
        for backend in Backend::ALL {
            let here = exists(backend);
            assert_eq!(reason(backend).contains("is not available on"), !here, "{backend}");
            assert_eq!(advice(backend.bits()).starts_with("choose "), !here, "{backend}");
        }
        assert_eq!(advice(wgpu::Backends::all()), driver(OS, false));
    }
}
