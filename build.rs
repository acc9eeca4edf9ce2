//! Embeds the application manifest into the program for Windows.

fn main() {
    const MANIFEST: &str = "windows/cubefall.exe.manifest";
    println!("cargo::rerun-if-changed={MANIFEST}");
    #[cfg(feature = "cli")]
    if std::env::var_os("CARGO_CFG_WINDOWS").is_some() {
        embed_manifest::embed_manifest_file(MANIFEST).expect("the manifest is readable");
    }
}
