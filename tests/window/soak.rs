//! Random keys, clicks, sizes, files and device losses for a long time.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::demo::{Demo, assert_no_errors};
use super::desktop::{Desktop, POLL};
use super::drag_source::DragSource;
use super::files::scene_of;

const SIZE: [usize; 2] = [1000, 740];
const SCENE: &str = "soak.json";
/// Cubes of the scene before each measurement.
const CUBES: u32 = 2000;
/// Time between two measurements.
const ROUND: Duration = Duration::from_mins(1);
/// Median resident memory may change by this factor between the halves of the time after the warm-up.
/// Single values vary more: the free memory that an allocator keeps depends on what came before.
const MEMORY_CHANGE: f64 = 1.02;
/// Logged for each device loss.
const LOSS: &str = "opening it again";

const KEYS: [&str; 16] = [
    "space",
    "period",
    "Return",
    "m",
    "Tab",
    "c",
    "f",
    "k",
    "p",
    "Delete",
    "r",
    "BackSpace",
    "v",
    "F5",
    "F9",
    "F12",
];
const FLIGHT_KEYS: [&str; 6] = ["w", "a", "s", "d", "q", "e"];
/// Keys that open a panel, and close it again.
const PANEL_KEYS: [&str; 3] = ["F1", "h", "i"];
const WIDGETS: [&str; 8] =
    ["pause", "step", "reset", "low", "medium", "vsync", "camera-falls", "cubes-fall"];

struct Dice(ChaCha8Rng);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        (self.0.next_u64() % count as u64) as usize
    }

    fn pixel(&mut self, range: Range<i32>) -> i32 {
        range.start + i32::try_from(self.below(range.len())).unwrap()
    }

    fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

struct Soak<'a> {
    desktop: &'a Desktop,
    demo: Demo<'a>,
    drag_source: DragSource,
    dice: Dice,
    scene: PathBuf,
}

impl Soak<'_> {
    fn act(&mut self) {
        let Self { demo, dice, .. } = self;
        let [x, y] = [dice.pixel(330..650), dice.pixel(130..410)];
        match dice.below(12) {
            0..=2 => demo.key(dice.one_of(&KEYS)),
            3 => demo.hold(dice.one_of(&FLIGHT_KEYS)),
            4 => demo.click_on_scene(x, y),
            5 => demo.click_on_scene_with("shift", x, y),
            6 => demo.scroll_on_scene(x, y),
            7 => {
                let [right, down] = [0; 2].map(|_: i32| dice.pixel(-100..100));
                demo.click_on_scene(x, y);
                demo.drag_from_here(right, down);
            }
            8 => {
                let mut size = || (1 + dice.below(1020) as u32, 1 + dice.below(760) as u32);
                let sizes: Vec<_> = (0..10).map(|_| size()).collect();
                demo.resize_to_each(sizes.into_iter());
                sleep(POLL * 10);
                demo.resize(SIZE[0], SIZE[1]);
            }
            9 => self.change_scene(),
            10 => {
                let widget = dice.one_of(&WIDGETS);
                demo.click(widget);
            }
            _ => {
                let key = dice.one_of(&PANEL_KEYS);
                demo.key(key);
                sleep(POLL * 6);
                demo.key(key);
            }
        }
        // Some actions arrive in one frame, others do not.
        sleep(Duration::from_millis(self.dice.below(400) as u64));
    }

    /// Writes the watched scene file, and drops it onto the window half of the times.
    fn change_scene(&mut self) {
        let text = scene_of(1 + self.dice.below(4000) as u32);
        let is_broken = self.dice.below(4) == 0;
        let text = if is_broken { text.replace("gravity", "gravitas") } else { text };
        std::fs::write(&self.scene, text).unwrap();
        if self.dice.below(2) == 0 {
            self.drag_source.drop(&self.scene);
        }
    }

    /// Restores the state of the start, and checks that the window reacts to keys and files.
    fn restore(&mut self) {
        let Self { demo, .. } = self;
        demo.resize(SIZE[0], SIZE[1]);
        demo.wait_until_size(SIZE.map(|edge| edge as u32));
        std::fs::write(&self.scene, scene_of(CUBES)).unwrap();
        self.drag_source.drop(&self.scene);
        demo.wait_for_title(&["| 2,000 cubes"]);
        if demo.title().contains("paused") {
            demo.key("space");
            demo.wait_until_title_lacks("paused");
        }
        if demo.title().contains("vsync off") {
            demo.key("v");
            demo.wait_until_title_lacks("vsync off");
        }
        demo.click("low");
        demo.key("h");
        demo.wait_for_title(&["Esc: close"]);
        demo.key("h");
        demo.wait_until_title_lacks("Esc: close");
        for image in images(self.desktop.folder()) {
            std::fs::remove_file(image).unwrap();
        }
    }

    /// Returns resident bytes and open files. Waits for two device losses first, after which everything
    /// on the GPU is new.
    fn measure(&mut self) -> (u64, usize) {
        let losses = self.losses();
        self.demo.wait_for_log_times(LOSS, losses + 2);
        let values: Vec<_> = (0..20)
            .map(|_| {
                sleep(POLL * 4);
                (self.demo.resident(), self.demo.open_files())
            })
            .collect();
        (
            values.iter().map(|value| value.0).min().unwrap(),
            values.iter().map(|value| value.1).min().unwrap(),
        )
    }

    fn losses(&self) -> usize {
        self.demo.log().matches(LOSS).count()
    }
}

fn median(mut values: Vec<u64>) -> f64 {
    values.sort_unstable();
    values[values.len() / 2] as f64
}

fn images(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|ending| ending == "png")).collect()
}

/// `CUBEFALL_SOAK_SECONDS` sets the time, `CUBEFALL_SEED` the random seed.
#[test]
#[ignore = "takes an hour"]
fn an_hour_of_random_input_leaks_nothing_and_ends_nothing() {
    let number = |name, or| std::env::var(name).map_or(or, |text| text.parse().unwrap());
    let time = Duration::from_secs(number("CUBEFALL_SOAK_SECONDS", 3600));
    let seed = number("CUBEFALL_SEED", 1);
    let desktop = Desktop::start();
    let scene = desktop.folder().join(SCENE);
    std::fs::write(&scene, scene_of(CUBES)).unwrap();
    let size = format!("{}x{}", SIZE[0], SIZE[1]);
    let args = ["--scene", SCENE, "--size", &size, "--quality", "low", "--no-preferences"];
    let mut command = desktop.command(&[&args[..], &["--inject", "device-loss-every@7"]].concat());
    command.env("RUST_LOG", "error,cubefall=info,cubefall::hud=debug");
    // One heap that returns free memory to the system, so that resident memory is what the program uses.
    command.env("MALLOC_ARENA_MAX", "1").env("MALLOC_TRIM_THRESHOLD_", "65536");
    command.env("MALLOC_MMAP_THRESHOLD_", "65536");
    let demo = desktop.open_command(command);
    let drag_source = demo.drag_source();
    let dice = Dice(ChaCha8Rng::seed_from_u64(seed));
    let mut soak = Soak { desktop: &desktop, demo, drag_source, dice, scene };

    let start = Instant::now();
    let (mut resident, mut files, mut actions) = (Vec::new(), Vec::new(), 0);
    while start.elapsed() < time {
        let round = Instant::now();
        while round.elapsed() < ROUND.min(time / 10) {
            soak.act();
            actions += 1;
        }
        soak.restore();
        let (bytes, open) = soak.measure();
        let log = soak.demo.log();
        assert_no_errors(&log);
        println!(
            "{:5} s: {actions} actions, {} device losses, {:.1} MiB resident, {open} open files",
            start.elapsed().as_secs(),
            soak.losses(),
            bytes as f64 / f64::from(1 << 20),
        );
        // The first fifth fills the caches of the driver.
        if start.elapsed() > time / 5 {
            resident.push(bytes);
            files.push(open);
        }
    }
    let second = resident.split_off(resident.len() / 2);
    let [first, second] = [resident, second].map(median);
    let change = second / first;
    println!("median resident memory of the second half: {change:.4} of the first half");
    assert!((MEMORY_CHANGE.recip()..=MEMORY_CHANGE).contains(&change), "it changed by {change:.4}");
    assert!(files.iter().all(|open| *open == files[0]), "open files: {files:?}");
    soak.demo.quit();
}
