//! Ten thousand damaged or malicious files, made from the bundled ones.

use cubefall::scenes::{Scene, bundled};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Number of files.
const FILES: u32 = 10_000;

/// Bytes that parsing may allocate: per byte of the file, and in addition.
const PER_BYTE: u64 = 64;
const OVERHEAD: u64 = 64 << 10;

struct Dice(ChaCha8Rng);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        (self.0.next_u64() % count.max(1) as u64) as usize
    }

    /// Returns the range of one of these tokens; an empty range at the start if there is none.
    fn token(&mut self, text: &[u8], wanted: fn(&[u8], usize, usize) -> bool) -> (usize, usize) {
        let found = tokens(text, wanted);
        found.get(self.below(found.len())).copied().unwrap_or_default()
    }

    fn one_of<'t, T: ?Sized>(&mut self, choices: &[&'t T]) -> &'t T {
        choices[self.below(choices.len())]
    }
}

/// Returns the ranges of numbers, strings (with their quotes) or keys.
fn tokens(text: &[u8], wanted: fn(&[u8], usize, usize) -> bool) -> Vec<(usize, usize)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < text.len() {
        let begin = at;
        match text[at] {
            b'"' => {
                at += 1 + text[at + 1..].iter().take_while(|&&byte| byte != b'"').count() + 1;
            }
            b'-' | b'0'..=b'9' => {
                at +=
                    text[at..].iter().take_while(|byte| b"+-.eE0123456789".contains(byte)).count();
            }
            _ => {
                at += 1;
                continue;
            }
        }
        if wanted(text, begin, at.min(text.len())) {
            found.push((begin, at.min(text.len())));
        }
    }
    found
}

fn is_number(text: &[u8], begin: usize, _: usize) -> bool {
    text[begin] != b'"'
}

fn is_key(text: &[u8], begin: usize, end: usize) -> bool {
    text[begin] == b'"' && text.get(end) == Some(&b':')
}

fn any(_: &[u8], _: usize, _: usize) -> bool {
    true
}

fn replace(text: &mut Vec<u8>, (begin, end): (usize, usize), with: &[u8]) {
    text.splice(begin..end, with.iter().copied());
}

/// Damages a file in one of many ways.
fn damage(text: &mut Vec<u8>, dice: &mut Dice) {
    let numbers = [
        "NaN",
        "-NaN",
        "Infinity",
        "1e39",
        "-1e39",
        "1e999",
        "-0",
        "1e-400",
        "0x10",
        "1e",
        "99999999999999999999999999",
        "-1",
        "4294967296",
        "18446744073709551616",
        "1.5",
        "null",
        "true",
        "\"1\"",
        "[]",
        "{}",
        "[1,2]",
        "{\"uniform\":[2,1]}",
        "{\"choice\":[]}",
    ];
    let keys = [
        "\"unknown\"",
        "\"\"",
        "\"constructor\"",
        "\"position\"",
        "\"version\"",
        "\"orbit\"",
        "\"tuning\"",
        "\"\\u0000\"",
        "\"\\ud800\"",
        "\"two\\nlines\"",
        "\"\\u001b[2J\"",
        "1",
        "null",
    ];
    match dice.below(12) {
        0 => text.truncate(dice.below(text.len())),
        1 => {
            for _ in 0..=dice.below(8) {
                let at = dice.below(text.len());
                text[at] ^= 1 << dice.below(8);
            }
        }
        2 => {
            let at = dice.below(text.len());
            let byte = dice.below(256) as u8;
            text.insert(at, byte);
        }
        3 | 4 => {
            let with = dice.one_of(&numbers);
            replace(text, dice.token(text, is_number), with.as_bytes());
        }
        5 => {
            let with = dice.one_of(&keys);
            replace(text, dice.token(text, is_key), with.as_bytes());
        }
        // Duplicate a key and its value, or a part of it.
        6 => {
            let (begin, _) = dice.token(text, is_key);
            let line = text[begin..].iter().take_while(|&&byte| byte != b'\n').count();
            let copy = text[begin..begin + line].to_vec();
            let glue =
                [copy.as_slice(), if copy.ends_with(b",") { b"\n" } else { b",\n" }].concat();
            replace(text, (begin, begin), &glue);
        }
        // Nest so deep that a parser without a limit overflows the stack.
        7 => {
            let open = dice.one_of(&["[", "{\"uniform\":", "{\"a\":[", "[["]);
            let deep = open.repeat(1 + dice.below(50_000));
            replace(text, dice.token(text, any), deep.as_bytes());
        }
        8 => {
            let with = dice.one_of(&["null", "true", "\"x\"", "[]", "{}", "[[[]]]", "-7", "3e8"]);
            replace(text, dice.token(text, any), with.as_bytes());
        }
        9 => {
            let mark: &[u8] =
                dice.one_of(&[&b"\xEF\xBB\xBF"[..], b"\xFF\xFE", b"\xFE\xFF", b"\0", b"//"]);
            replace(text, (0, 0), mark);
        }
        10 => {
            let wrong: &[u8] =
                dice.one_of(&[&b"\xFF"[..], b"\xC0\xAF", b"\xED\xA0\x80", b"\xF8\x88", b"\x80"]);
            let at = dice.below(text.len());
            replace(text, (at, at), wrong);
        }
        // Copy a piece of the file to another place.
        _ => {
            let (from, to) = (dice.below(text.len()), dice.below(text.len()));
            let piece = text[from..text.len().min(from + dice.below(400))].to_vec();
            replace(text, (to, to), &piece);
        }
    }
}

#[test]
fn no_file_makes_the_parser_panic_and_each_error_has_a_position() {
    let mut dice = Dice(ChaCha8Rng::seed_from_u64(2026));
    let (mut refused, mut accepted) = (0, 0);
    for number in 0..FILES {
        let file = &bundled()[dice.below(bundled().len())];
        let mut text = file.text.as_bytes().to_vec();
        for _ in 0..=dice.below(3) {
            damage(&mut text, &mut dice);
            if text.is_empty() {
                break;
            }
        }
        let mut result = None;
        let spent = allocation_counter::measure(|| {
            result = Some(Scene::parse("hostile.json", &text));
        });
        let most = PER_BYTE * text.len() as u64 + OVERHEAD;
        assert!(spent.bytes_max <= most, "file {number} took {} bytes", spent.bytes_max);
        match result.unwrap() {
            Ok(scene) => {
                accepted += 1;
                assert!(scene.len() <= 100_000_000);
            }
            Err(error) => {
                refused += 1;
                let (line, column) = error.position().unwrap();
                let lines = text.split(|&byte| byte == b'\n').count();
                assert!((1..=lines).contains(&line), "file {number}: {error}");
                assert!((1..=text.len() + 1).contains(&column), "file {number}: {error}");
                let message = error.to_string();
                let named = format!("hostile.json, line {line}, column {column}: ");
                assert!(
                    message.starts_with(&named) && message.len() < 1000,
                    "file {number}: {message}"
                );
                assert!(!message.contains(char::is_control), "file {number}: {message}");
            }
        }
    }
    assert_eq!(refused + accepted, FILES);
    // Some changes leave a valid scene.
    assert!(refused > FILES / 2 && accepted > 20, "{refused} refused, {accepted} accepted");
}

#[test]
fn memory_for_large_files_is_bounded() {
    let entities = |count: usize, entity: &str| {
        let all = vec![entity; count].join(",");
        format!(
            r#"{{"version":1,"name":"a","templates":{{"t":{{"position":[0,0,0]}}}},"entities":[{all}]}}"#
        )
    };
    let short = entities(250_000, r#"{"template":"t"}"#);
    let result = Scene::parse("a.json", short.as_bytes());
    assert_eq!(result.unwrap().len(), 250_001);
    let more = entities(250_001, r#"{"template":"t"}"#);
    let mut message = String::new();
    let spent = allocation_counter::measure(|| {
        message = Scene::parse("a.json", more.as_bytes()).unwrap_err().to_string();
    });
    assert!(
        message.contains("line 1, column")
            && message.contains("entities: ")
            && message.contains("0 to 250000 values"),
        "{message}"
    );
    assert!(spent.bytes_max < 256 << 20, "{} bytes", spent.bytes_max);
    let long = format!(r#"{{"version":1,"name":"{}"}}"#, "a".repeat(1 << 20));
    let message = Scene::parse("a.json", long.as_bytes()).unwrap_err().to_string();
    assert!(message.contains("1 to 64 printable characters") && message.len() < 200, "{message}");
    let endless = vec![b' '; (32 << 20) + 1];
    let message = Scene::parse("a.json", &endless).unwrap_err().to_string();
    assert!(message.contains("larger than 32 MiB"), "{message}");
}
