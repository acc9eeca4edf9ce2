//! Browser: a real one opens the page; it complains about nothing and asks no network for anything.

use std::path::Path;
use std::process::Command;

use cubefall::benchmark::{Report, sweep_page};
use serde_json::Value;

use crate::sample::{full, sweep, usual};

const SETUP: &str = "no Chromium to look at pages with: run ./setup.sh --browser";

/// What a page made the browser do.
struct Opened {
    /// What it said, of which lines with `CONSOLE` are about the page.
    said: String,
    /// The addresses the page asked for, beside itself.
    asked_for: Vec<String>,
}

/// The browser by one of the names it goes by.
fn browser() -> Command {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names.into_iter().find(|name| Command::new(name).arg("--version").output().is_ok());
    Command::new(found.expect(SETUP))
}

fn open(page: &Path, picture: &Path, is_dark: bool) -> Opened {
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
        // Nothing can be found, neither for the page nor for the browser's own errands.
        .arg("--host-resolver-rules=MAP * ~NOTFOUND")
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!is_dark)))
        .arg(format!("--log-net-log={}", log.display()))
        .arg(format!("--screenshot={}", picture.display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .expect(SETUP);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let log: Value = serde_json::from_str(&std::fs::read_to_string(log).unwrap()).unwrap();
    let asked_for = log["events"].as_array().unwrap().iter().filter_map(|event| {
        let wanted = &event["params"];
        // The browser's own errands have no origin.
        let by_page = wanted["initiator"].as_str().is_some_and(|origin| origin != "not an origin");
        wanted["url"].as_str().filter(|_| by_page).map(str::to_owned)
    });
    Opened { asked_for: asked_for.collect(), said }
}

/// How light the picture is, from 0 to 1.
fn lightness(picture: &Path) -> f64 {
    let decoder = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(picture).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    pixels.iter().map(|&value| f64::from(value)).sum::<f64>() / (255.0 * pixels.len() as f64)
}

#[test]
#[ignore = "needs a browser: ./setup.sh --browser"]
fn a_browser_shows_pages_in_light_and_dark_and_is_asked_for_nothing_else() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (result, sweep) = (usual(10_000), sweep());
    for (name, html) in [("report", full(&result, &sweep).html()), ("sweep", sweep_page(&sweep))] {
        let page = folder.join(format!("{name}.html"));
        std::fs::write(&page, html).unwrap();
        let shown = [("light", false), ("dark", true)].map(|(scheme, is_dark)| {
            let picture = folder.join(format!("{name}-{scheme}.png"));
            let Opened { said, asked_for } = open(&page, &picture, is_dark);
            assert!(!said.contains("CONSOLE"), "{said}");
            assert_eq!(asked_for, [""; 0]);
            lightness(&picture)
        });
        assert!(shown[0] > 0.8 && shown[1] < 0.3, "{name}, light and dark: {shown:?}");
    }
}

#[test]
#[ignore = "needs a browser: ./setup.sh --browser"]
fn what_a_page_asks_for_would_be_noticed_and_the_page_forbids_it() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("wrong.html");
    let picture = folder.path().join("wrong.png");
    let address = "https://example.invalid/x.png";
    let html = Report::of(&usual(100)).html();
    let html = html.replace("<body>", &format!("<body><img src=\"{address}\">"));
    std::fs::write(&page, &html).unwrap();
    let Opened { said, asked_for } = open(&page, &picture, false);
    assert!(said.contains("CONSOLE") && said.contains("Content Security Policy"), "{said}");
    assert_eq!(asked_for, [""; 0]);
    std::fs::write(&page, html.replace("Content-Security-Policy", "x-none")).unwrap();
    assert_eq!(open(&page, &picture, false).asked_for, [address]);
}
