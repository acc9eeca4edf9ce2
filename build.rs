//! Sets the cfg `web` for pages in a browser, `parallel` for other targets with that feature, and `x11` where windows may be
//! X11 windows. Embeds the application manifest into the program for Windows.

use std::env;

fn main() {
    const MANIFEST: &str = "windows/cubefall.exe.manifest";
    println!("cargo::rerun-if-changed={MANIFEST}");
    println!("cargo::rustc-check-cfg=cfg(web, parallel, x11)");
    let target = |name, value| env::var_os(name).is_some_and(|it| it == value);
    if target("CARGO_CFG_TARGET_FAMILY", "wasm") && target("CARGO_CFG_TARGET_OS", "unknown") {
        println!("cargo::rustc-cfg=web");
    } else if cfg!(feature = "parallel") {
        println!("cargo::rustc-cfg=parallel");
    }
    if env::var_os("CARGO_CFG_UNIX").is_some() && !target("CARGO_CFG_TARGET_VENDOR", "apple") {
        println!("cargo::rustc-cfg=x11");
    }
    #[cfg(feature = "cli")]
    if env::var_os("CARGO_CFG_WINDOWS").is_some() {
        embed_manifest::embed_manifest_file(MANIFEST).expect("the manifest is readable");
    }
}
