//! Checks the dependencies of this platform against `deny.toml`: licenses, sources and duplicate versions.
#![cfg(feature = "app")]

use std::collections::BTreeMap;
use std::process::Command;

const DENY: &str = include_str!("../deny.toml");

/// Returns the strings in quotes in `text`.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2)
}

/// Returns the part of `deny.toml` between `start` and the next line that is `end`.
fn section<'a>(start: &str, end: &str) -> &'a str {
    let after = DENY.split_once(start).expect("the section exists").1;
    after.split_once(end).expect("the section ends").0
}

/// Returns name, version and license expression of every dependency, also of tests and build scripts.
fn dependencies() -> Vec<[String; 3]> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "--edges", "normal,build,dev"])
        .args(["--prefix", "none", "--no-dedupe", "--format", "{p}|{l}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut lines: Vec<_> = std::str::from_utf8(&output.stdout).expect("UTF-8").lines().collect();
    lines.sort_unstable();
    lines.dedup();
    let parse = |line: &str| {
        let (package, license) = line.split_once('|').expect("package and license");
        let (name, version) = package.split_once(" v").expect("name and version");
        let version = version.split(' ').next().expect("a version");
        [name, version, license].map(str::to_owned)
    };
    lines.into_iter().map(parse).collect()
}

#[cfg_attr(windows, ignore = "Wine cannot run cargo")]
#[test]
fn every_license_is_allowed() {
    let allowed: Vec<_> = quoted(section("\nallow = [", "\n]")).collect();
    let exceptions = section("exceptions = [", "\n]");
    for [name, version, expression] in dependencies() {
        let exception = exceptions.lines().find(|line| quoted(line).next() == Some(&name));
        let is_allowed = |license: &str| {
            let license = license.trim_matches(['(', ')', ' ']);
            allowed.contains(&license)
                || exception.is_some_and(|line| quoted(line).any(|word| word == license))
        };
        // Older manifests have a slash for OR. No expression here has AND inside OR.
        let alternatives = expression.replace('/', " OR ");
        assert!(
            alternatives.split(" AND ").all(|part| part.split(" OR ").any(is_allowed)),
            "the license of {name} {version} is not allowed by deny.toml: `{expression}`"
        );
    }
}

#[cfg_attr(windows, ignore = "Wine cannot run cargo")]
#[test]
fn every_duplicate_version_is_named() {
    let named: Vec<_> = quoted(section("skip = [", "\n]")).collect();
    let mut versions = BTreeMap::<_, Vec<_>>::new();
    for [name, version, _] in dependencies() {
        versions.entry(name).or_default().push(version);
    }
    for (name, versions) in versions {
        let is_named = |version: &&String| {
            let found = named.iter().filter_map(|word| word.split_once('@'));
            found.into_iter().any(|(other, start)| {
                let rest = version.strip_prefix(start);
                other == name && rest.is_some_and(|rest| rest.starts_with('.'))
            })
        };
        let unnamed = versions.iter().filter(|version| !is_named(version)).count();
        assert!(unnamed <= 1, "deny.toml does not name a duplicate of {name}: {versions:?}");
    }
}

#[cfg_attr(windows, ignore = "Wine cannot run cargo")]
#[test]
fn every_source_is_the_public_registry() {
    let lock = include_str!("../Cargo.lock");
    let sources: Vec<_> = lock.lines().filter(|line| line.starts_with("source = ")).collect();
    assert!(sources.len() > 300, "{} sources", sources.len());
    for source in &sources {
        assert_eq!(*source, "source = \"registry+https://github.com/rust-lang/crates.io-index\"");
    }
    let checksums = lock.lines().filter(|line| line.starts_with("checksum = ")).count();
    assert_eq!(checksums, sources.len(), "every package of the registry has a checksum");
}
