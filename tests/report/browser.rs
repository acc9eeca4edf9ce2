//! Browser: Chromium opens the page, logs no message and sends no request.

use std::path::Path;
use std::process::Command;

use cubefall::benchmark::{Report, history_page, sweep_page};
use serde_json::Value;

use crate::fixtures::{full, history, results, sweep, usual};
use crate::png;

const SETUP: &str = "Chromium is not installed: run ./setup.sh --browser";

/// What the browser did with a page.
struct Visit {
    /// Its log; lines with `CONSOLE` are messages about the page.
    log: String,
    /// Addresses that the page requested, except its own.
    requests: Vec<String>,
}

/// Finds the browser under one of its names.
fn browser() -> Command {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names.into_iter().find(|name| Command::new(name).arg("--version").output().is_ok());
    Command::new(found.expect(SETUP))
}

fn open(page: &Path, screenshot: &Path, is_dark: bool) -> Visit {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("network.json");
    let output = browser()
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--no-first-run",
        ])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--enable-logging=stderr", "--window-size=1100,5400"])
        // No name resolves, so that requests go nowhere.
        .arg("--host-resolver-rules=MAP * ~NOTFOUND")
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!is_dark)))
        .arg(format!("--log-net-log={}", log.display()))
        .arg(format!("--screenshot={}", screenshot.display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .expect(SETUP);
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{messages}");
    let log: Value = serde_json::from_str(&std::fs::read_to_string(log).unwrap()).unwrap();
    let requests = log["events"].as_array().unwrap().iter().filter_map(|event| {
        let request = &event["params"];
        // The browser's own requests have no origin.
        let by_page = request["initiator"].as_str().is_some_and(|origin| origin != "not an origin");
        request["url"].as_str().filter(|_| by_page).map(str::to_owned)
    });
    Visit { requests: requests.collect(), log: messages }
}

/// Returns the mean lightness of an image, from 0 to 1.
fn lightness(image: &Path) -> f64 {
    let (_, _, frames) = png::read(image);
    let pixels = &frames[0].1;
    pixels.iter().map(|&value| f64::from(value)).sum::<f64>() / (255.0 * pixels.len() as f64)
}

#[test]
#[ignore = "needs a browser: ./setup.sh --browser"]
fn pages_follow_the_color_scheme_and_send_no_request() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (results, sweep) = (results(10_000), sweep());
    for (name, html) in [
        ("report", full(&results, &sweep).html()),
        ("sweep", sweep_page(&sweep)),
        ("history", history_page(&history(&[5, 6, 7]))),
    ] {
        let page = folder.join(format!("{name}.html"));
        std::fs::write(&page, html).unwrap();
        let shown = [("light", false), ("dark", true)].map(|(scheme, is_dark)| {
            let screenshot = folder.join(format!("{name}-{scheme}.png"));
            let Visit { log, requests } = open(&page, &screenshot, is_dark);
            assert!(!log.contains("CONSOLE"), "{log}");
            assert_eq!(requests, [""; 0]);
            lightness(&screenshot)
        });
        assert!(shown[0] > 0.8 && shown[1] < 0.3, "{name}, light and dark: {shown:?}");
    }
}

#[test]
#[ignore = "needs a browser: ./setup.sh --browser"]
fn requests_are_detected_and_blocked_by_the_policy() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("wrong.html");
    let screenshot = folder.path().join("wrong.png");
    let address = "https://example.invalid/x.png";
    let html = Report::new(&usual(100)).html();
    let html = html.replace("<body>", &format!("<body><img src=\"{address}\">"));
    std::fs::write(&page, &html).unwrap();
    let Visit { log, requests } = open(&page, &screenshot, false);
    assert!(log.contains("CONSOLE") && log.contains("Content Security Policy"), "{log}");
    assert_eq!(requests, [""; 0]);
    std::fs::write(&page, html.replace("Content-Security-Policy", "x-none")).unwrap();
    assert_eq!(open(&page, &screenshot, false).requests, [address]);
}
