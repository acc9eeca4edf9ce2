//! `cubefall record`, checked with independent decoders.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;
use std::process::{Command, Output};

#[cfg(unix)]
use rustix::process::Signal;

use super::png;
use super::program::{assert_fails, cubefall, names, run, stdout};

const SCENE: [&str; 4] = ["--cubes", "400", "--seed", "3"];
const SIZE: [&str; 2] = ["--size", "96x54"];

fn record(flags: &[&str]) -> Output {
    run(&[&["record"], &SCENE[..], &SIZE, flags].concat())
}

/// Pixels of an image by `cubefall render` with the same scene and size.
fn rendered(folder: &Path, flags: &[&str]) -> Vec<u8> {
    let path = folder.join("rendered.png");
    let out = ["--out", path.to_str().unwrap()];
    stdout(&run(&[&["render"], &SCENE[..], &SIZE, flags, &out].concat()));
    let pixels = png::read(&path).2.remove(0).1;
    fs::remove_file(path).unwrap();
    pixels
}

/// Compares a lossy frame with the original. Compression changes single pixels much and the mean
/// little. A wrong color range would shift the mean by six.
fn assert_similar(pixels: &[u8], expected: &[u8]) {
    assert_eq!(pixels.len(), expected.len());
    let mean =
        |numbers: &mut dyn Iterator<Item = f64>| numbers.sum::<f64>() * 4.0 / pixels.len() as f64;
    for channel in 0..3 {
        let both = pixels.iter().zip(expected).skip(channel).step_by(4);
        let shift = mean(&mut both.clone().map(|(a, b)| f64::from(*a) - f64::from(*b)));
        let off = mean(&mut both.map(|(a, b)| f64::from(a.abs_diff(*b))));
        assert!(shift.abs() < 2.0 && off < 12.0, "channel {channel}: {shift} {off}");
    }
}

#[test]
fn an_animated_png_has_exact_frame_times_and_lossless_frames() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fall.png");
    let out = path.to_str().unwrap();
    stdout(&record(&["--frames", "2", "--fps", "29.97", "--out", out]));
    assert_eq!(png::read(&path).2[0].0, Some((100, 2997)));
    let text = stdout(&record(&["--frames", "5", "--fps", "30", "--warmup", "12", "--out", out]));
    assert!(text.contains(out) && text.contains("5 frames") && text.contains("0.167 s"), "{text}");
    let (_, _, frames) = png::read(&path);
    assert_eq!(frames.iter().map(|frame| frame.0).collect::<Vec<_>>(), [Some((1, 30)); 5]);
    for (number, steps) in [(0, "12"), (4, "16")] {
        let same = rendered(folder.path(), &["--dt", "1/30", "--frames", steps]);
        assert!(frames[number].1 == same, "frame {number} is the frame after {steps} steps");
    }
    assert!(frames[0].1 != frames[4].1, "the cubes move");
    assert_eq!(names(folder.path()), ["fall.png"]);
}

#[test]
fn a_gif_has_the_exact_total_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fall.gif");
    let out = path.to_str().unwrap();
    stdout(&record(&["--frames", "9", "--fps", "30", "--warmup", "20", "--out", out]));
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(BufReader::new(File::open(&path).unwrap())).unwrap();
    assert_eq!((decoder.width(), decoder.height()), (96, 54));
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let (mut delays, mut first) = (Vec::new(), Vec::new());
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        delays.push(frame.delay);
        if first.is_empty() {
            first = frame.buffer.to_vec();
        }
    }
    // 9 frames at 30 per second take 0.3 s.
    assert_eq!((delays.len(), delays.iter().sum::<u16>()), (9, 30));
    assert!(delays.iter().all(|delay| [3, 4].contains(delay)), "{delays:?}");
    let expected = rendered(folder.path(), &["--dt", "1/30", "--frames", "20"]);
    assert_similar(&first, &expected);
}

#[test]
fn a_gif_has_fifty_frames_per_second_by_default_and_at_most() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fall.gif");
    let out = path.to_str().unwrap();
    let text = stdout(&record(&["--frames", "2", "--out", out]));
    assert!(text.contains("50 per second"), "{text}");
    fs::remove_file(&path).unwrap();
    assert_fails(&record(&["--fps", "60", "--out", out]), 2, &["GIF", "at most 50"]);
    assert!(names(folder.path()).is_empty());
}

#[test]
fn an_image_sequence_follows_the_pattern_or_folder() {
    let folder = tempfile::tempdir().unwrap();
    let pattern = folder.path().join("fall-%03d.png");
    stdout(&record(&["--frames", "3", "--out", pattern.to_str().unwrap()]));
    assert_eq!(names(folder.path()), ["fall-001.png", "fall-002.png", "fall-003.png"]);
    let (_, _, last) = png::read(&folder.path().join("fall-003.png"));
    assert!(last[0].1 == rendered(folder.path(), &["--frames", "2"]));

    let images = folder.path().join("images");
    let out = format!("{}/", images.display());
    for _ in 0..2 {
        let text = stdout(&record(&["--frames", "2", "--out", &out]));
        assert!(text.contains("images/%05d.png"), "{text}");
        assert_eq!(names(&images), ["00001.png", "00002.png"]);
    }
    let shorter = record(&["--frames", "1", "--out", &out]);
    let later = "images/00002.png is of an earlier recording; remove it";
    assert!(String::from_utf8_lossy(&shorter.stderr).contains(later), "{shorter:?}");
}

/// Codec, width, height, transfer function, chroma location, frame rate and number of frames of a video, by ffprobe.
pub(super) fn probe(path: &Path) -> String {
    let fields =
        "stream=codec_name,width,height,color_transfer,chroma_location,r_frame_rate,nb_read_frames";
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-count_frames", "-select_streams", "v:0", "-of", "csv=p=0"])
        .args(["-show_entries", fields])
        .arg(path)
        .output()
        .expect("ffprobe is installed by ./setup.sh --tests");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[cfg_attr(windows, ignore = "Wine has no ffmpeg")]
#[test]
fn videos_have_the_requested_frames_and_frame_rate() {
    let folder = tempfile::tempdir().unwrap();
    for (name, codec) in [("fall.mp4", "h264"), ("fall.webm", "vp9")] {
        let path = folder.path().join(name);
        let video = || {
            stdout(&record(&["--frames", "20", "--out", path.to_str().unwrap()]));
            std::fs::read(&path).unwrap()
        };
        assert!(video() == video(), "{name}: the same bytes");
        assert_eq!(probe(&path), format!("{codec},96,54,iec61966-2-1,left,60/1,20"));
    }
    // Odd edges are padded for chroma subsampling.
    let path = folder.path().join("odd.mp4");
    let out = path.to_str().unwrap();
    let rate = "30000/1001";
    let text = stdout(&run(&[
        "record", "--cubes", "9", "--size", "65x47", "--frames", "3", "--fps", rate, "--out", out,
    ]));
    assert!(text.contains("padded to 66x48"), "{text}");
    assert_eq!(probe(&path), "h264,66,48,iec61966-2-1,left,30000/1001,3");
    // The last column and row are repeated.
    let decoded = Command::new("ffmpeg")
        .args([
            "-v",
            "error",
            "-i",
            out,
            "-frames:v",
            "1",
            "-f",
            "rawvideo",
            "-pix_fmt",
            "gray",
            "-",
        ])
        .output()
        .unwrap()
        .stdout;
    let column = |x: usize| {
        let pixels = decoded.chunks(66).map(|row| u32::from(row[x]));
        pixels.sum::<u32>() / 48
    };
    assert_eq!(decoded.len(), 66 * 48);
    assert!(column(65).abs_diff(column(64)) < 12, "{} {}", column(64), column(65));
    // ffmpeg would guess 120/1 for both.
    let path = folder.path().join("rate.mp4");
    for (fps, rate) in [("121", "121/1"), ("119.88", "2997/25")] {
        let more = ["--frames", "300", "--fps", fps, "--out", path.to_str().unwrap()];
        stdout(&run(&[&["record", "--cubes", "2", "--size", "16x16"], &more[..]].concat()));
        assert_eq!(probe(&path), format!("h264,16,16,iec61966-2-1,left,{rate},300"));
    }
    assert_eq!(names(folder.path()), ["fall.mp4", "fall.webm", "odd.mp4", "rate.mp4"]);
}

#[cfg_attr(windows, ignore = "Wine has no ffmpeg")]
#[test]
fn a_video_looks_like_the_rendered_frames() {
    let folder = tempfile::tempdir().unwrap();
    let (video, frame) = (folder.path().join("fall.mp4"), folder.path().join("frame.png"));
    stdout(&record(&["--frames", "2", "--warmup", "20", "--out", video.to_str().unwrap()]));
    let decoded = Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(&video)
        .args([
            "-frames:v",
            "1",
            "-vf",
            "scale=flags=accurate_rnd+full_chroma_int",
            "-pix_fmt",
            "rgba",
        ])
        .arg(&frame)
        .status();
    assert!(decoded.unwrap().success());
    let decoded = png::read(&frame).2.remove(0).1;
    let expected = rendered(folder.path(), &["--frames", "20"]);
    assert_similar(&decoded, &expected);
}

#[test]
fn a_missing_ffmpeg_is_reported_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["fall.mp4", "fall.webm"] {
        let out = folder.path().join(name);
        let args = ["record", "--out", out.to_str().unwrap()];
        let output = cubefall(&args).env("PATH", "/nonexistent").output().unwrap();
        assert_fails(&output, 1, &["package ffmpeg", ".gif", ".png", "folder/"]);
        assert!(output.stdout.is_empty() && names(folder.path()).is_empty());
    }
}

#[cfg(unix)]
#[test]
fn errors_of_ffmpeg_are_reported_and_leave_no_file() {
    use super::script::write_script;

    let folder = tempfile::tempdir().unwrap();
    let tools = tempfile::tempdir().unwrap();
    let fake = tools.path().join("ffmpeg");
    let path = format!("{}:{}", tools.path().display(), std::env::var("PATH").unwrap());
    let out = folder.path().join("fall.mp4");
    let args = [&["record"], &SCENE[..], &SIZE, &["--out", out.to_str().unwrap()]].concat();
    let record = |script: &str| {
        write_script(&fake, script);
        cubefall(&args).env("PATH", &path).output().unwrap()
    };
    for (message, code) in [("it does not like cubes", 1), ("No space left on device", 5)] {
        let script = format!(
            "#!/bin/sh\ncase \"$2\" in -encoders) echo ' V....D libx264 x'; exit 0;; esac\n\
             echo '{message}' >&2\nexit 1\n"
        );
        assert_fails(&record(&script), code, &[message]);
        assert!(names(folder.path()).is_empty());
    }
    // Only the count of the written frames fails.
    let script = "#!/bin/sh\ncase \"$2\" in -encoders) echo ' V....D libx264 x'; exit 0;; esac\n\
                  case \"$*\" in *progress*) echo 'no null format' >&2; exit 1;; esac\nexec cat >/dev/null\n";
    assert_fails(&record(script), 1, &["ffmpeg failed: no null format"]);
    assert!(names(folder.path()).is_empty());
    let args = ["record", "--out", "never.mp4"];
    write_script(&fake, "#!/bin/sh\necho 'a library is missing' >&2\nexit 127\n");
    let output = cubefall(&args).env("PATH", tools.path()).output().unwrap();
    assert_fails(&output, 1, &["ffmpeg failed: a library is missing"]);
    write_script(&fake, "#!/bin/sh\nexit 0\n");
    let output = cubefall(&args).env("PATH", tools.path()).output().unwrap();
    assert_fails(&output, 1, &["no encoder", "libx264", ".webm"]);
}

#[test]
fn invalid_names_and_values_are_refused() {
    for name in ["fall", "fall.avi", "a-%04d.gif", "%d-%d.png"] {
        assert_fails(&run(&["record", "--out", name]), 2, &["--out", name]);
    }
    assert_fails(&run(&["record"]), 2, &["--out"]);
    for (flag, value) in [("--frames", "0"), ("--fps", "3"), ("--fps", "241"), ("--fps", "x")] {
        assert_fails(&run(&["record", "--out", "a.png", flag, value]), 2, &[flag]);
    }
    for path in ["/nonexistent/a.png", "/nonexistent/a.gif", "/nonexistent/b/%d.png", "/dev/null/"]
    {
        let output = run(&["record", "--out", path]);
        assert_fails(&output, 5, &["cannot write"]);
    }
}

#[test]
fn a_device_lost_twice_does_not_change_the_recording_and_a_third_loss_ends_it() {
    let folder = tempfile::tempdir().unwrap();
    let record_as = |name: &str, flags: &[&str]| {
        let path = folder.path().join(name);
        let out = ["--frames", "4", "--out", path.to_str().unwrap()];
        stdout(&record(&[flags, &out].concat()));
        fs::read(path).unwrap()
    };
    let lost = ["--inject", "device-loss@0", "--inject", "device-loss@2"];
    assert!(record_as("a.png", &[]) == record_as("b.png", &lost));
    let out = folder.path().join("c.png");
    let thrice = ["--inject", "device-loss@2"].repeat(3);
    let output = record(&[&thrice[..], &["--out", out.to_str().unwrap()]].concat());
    assert_fails(&output, 4, &["the graphics device was lost"]);
    assert_eq!(names(folder.path()), ["a.png", "b.png"]);
}

#[test]
fn attract_mode_moves_the_camera_of_a_recording() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fall.png");
    let last_frame = |attract: &str| {
        let flags = ["--attract", attract, "--warmup", "60", "--frames", "2", "--out"];
        stdout(&record(&[&flags[..], &[path.to_str().unwrap()]].concat()));
        png::read(&path).2.pop().unwrap().1
    };
    assert!(last_frame("on") != last_frame("off"), "the camera does not drift");
}

/// Runs `record` until it has begun and is `ready`, then sends a signal. Checks the exit code.
#[cfg(unix)]
fn interrupt(args: &[&str], signal: Signal, code: i32, ready: impl Fn() -> bool) {
    use std::io::{BufRead, Read};
    use std::process::Stdio;

    use rustix::process::{Pid, kill_process};

    let command = [&["record"], &SCENE[..], &SIZE, &["--frames", "200000"], args].concat();
    let mut child =
        cubefall(&command).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut messages = BufReader::new(child.stderr.take().unwrap());
    let mut text = String::new();
    while !text.contains("recording ") {
        assert!(messages.read_line(&mut text).unwrap() > 0, "{text}");
    }
    while !ready() {
        assert!(child.try_wait().unwrap().is_none(), "ended before the signal");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    kill_process(Pid::from_child(&child), signal).unwrap();
    messages.read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(code), "{text}");
    assert!(text.contains("interrupted"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_signal_discards_unfinished_files_and_keeps_finished_images() {
    for (name, signal, code) in [
        ("fall.gif", Signal::INT, 130),
        ("fall.png", Signal::TERM, 143),
        ("fall.mp4", Signal::HUP, 129),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join(name);
        interrupt(&["--out", out.to_str().unwrap()], signal, code, || true);
        assert!(names(folder.path()).is_empty(), "{name}: {:?}", names(folder.path()));
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("%04d.png");
    let some = || names(folder.path()).iter().any(|name| name == "0003.png");
    interrupt(&["--out", out.to_str().unwrap()], Signal::INT, 130, some);
    let kept = names(folder.path());
    assert!(kept.len() >= 3);
    for (name, number) in kept.iter().zip(1..) {
        assert_eq!(*name, format!("{number:04}.png"));
        png::read(&folder.path().join(name));
    }
}

#[test]
fn help_lists_the_formats() {
    let text = stdout(&run(&["record", "--help"]));
    for expected in [".mp4", ".webm", ".gif", "%04d", "at most 50", "ffmpeg", "130"] {
        assert!(text.contains(expected), "{expected} is missing in: {text}");
    }
}

/// Light of a channel, by IEC 61966-2-1.
fn light(code: u8) -> f64 {
    let value = f64::from(code) / 255.0;
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

#[test]
fn motion_blur_is_the_average_light_of_images_at_times_of_the_frame() {
    let folder = tempfile::tempdir().unwrap();
    let blurred = |samples: &str, angle: &str| {
        let path = folder.path().join("blur.png");
        let flags = ["--fps", "32", "--frames", "3", "--warmup", "8", "--out"];
        let shutter = ["--shutter-samples", samples, "--shutter-angle", angle];
        stdout(&record(&[&flags[..], &[path.to_str().unwrap()], &shutter].concat()));
        let frames = png::read(&path).2;
        fs::remove_file(path).unwrap();
        frames
    };
    let full = blurred("2", "360");
    assert!(full == blurred("2", "360"), "the same flags give the same bytes");
    assert!(full[2] != blurred("2", "90")[2]);
    for frame in [0, 2] {
        // Time steps of 1/64 s: two images per frame.
        let image = |step: usize| {
            let steps = (16 + 2 * frame + step).to_string();
            rendered(folder.path(), &["--dt", "1/64", "--frames", &steps])
        };
        let (open, close) = (image(0), image(1));
        assert!(open != close);
        for ((&blur, &open), &close) in full[frame].1.iter().zip(&open).zip(&close) {
            let mean = f64::midpoint(light(open), light(close));
            let [low, high] = [blur.saturating_sub(1), blur.saturating_add(1)].map(light);
            assert!((low..=high).contains(&mean) || open == close, "{open} {close}: {blur}");
        }
    }
    let out = folder.path().join("wrong.png");
    let wrong = |flags: &[&str]| record(&[flags, &["--out", out.to_str().unwrap()]].concat());
    assert_fails(&wrong(&["--shutter-samples", "257"]), 2, &["--shutter-samples", "256"]);
    assert_fails(&wrong(&["--shutter-samples", "0"]), 2, &["--shutter-samples"]);
    let angle = wrong(&["--shutter-samples", "2", "--shutter-angle", "361"]);
    assert_fails(&angle, 2, &["--shutter-angle", "1 to 360"]);
}
