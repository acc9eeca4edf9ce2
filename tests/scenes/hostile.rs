//! Hostile files: ten thousand of them, made from those that come with the program.

use cubefall::scenes::{Scene, bundled};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// How many files.
const FILES: u32 = 10_000;

/// Bytes that a file may cost while it is read, for each that it has, and beside.
const PER_BYTE: u64 = 64;
const BESIDE: u64 = 64 << 10;

struct Dice(ChaCha8Rng);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        (self.0.next_u64() % count.max(1) as u64) as usize
    }

    /// Where one of these tokens is; the beginning if a file has none left.
    fn token(&mut self, text: &[u8], wanted: fn(&[u8], usize, usize) -> bool) -> (usize, usize) {
        let found = tokens(text, wanted);
        found.get(self.below(found.len())).copied().unwrap_or_default()
    }

    fn one_of<'t, T: ?Sized>(&mut self, choices: &[&'t T]) -> &'t T {
        choices[self.below(choices.len())]
    }
}

/// Where numbers, strings (with their quotes) or keys of a file are.
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

/// Changes a file in one of many ways.
fn spoil(text: &mut Vec<u8>, dice: &mut Dice) {
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
        // A key and its value, or a part of it, twice.
        6 => {
            let (begin, _) = dice.token(text, is_key);
            let line = text[begin..].iter().take_while(|&&byte| byte != b'\n').count();
            let copy = text[begin..begin + line].to_vec();
            let glue =
                [copy.as_slice(), if copy.ends_with(b",") { b"\n" } else { b",\n" }].concat();
            replace(text, (begin, begin), &glue);
        }
        // So deep that a parser without a limit has no stack left.
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
        // A piece of the file somewhere else.
        _ => {
            let (from, to) = (dice.below(text.len()), dice.below(text.len()));
            let piece = text[from..text.len().min(from + dice.below(400))].to_vec();
            replace(text, (to, to), &piece);
        }
    }
}

#[test]
fn no_file_brings_the_reader_down_and_each_mistake_has_its_place() {
    let mut dice = Dice(ChaCha8Rng::seed_from_u64(2026));
    let (mut refused, mut accepted) = (0, 0);
    for number in 0..FILES {
        let file = &bundled()[dice.below(bundled().len())];
        let mut text = file.text.as_bytes().to_vec();
        for _ in 0..=dice.below(3) {
            spoil(&mut text, &mut dice);
            if text.is_empty() {
                break;
            }
        }
        let mut result = None;
        let spent = allocation_counter::measure(|| {
            result = Some(Scene::parse("hostile.json", &text));
        });
        let most = PER_BYTE * text.len() as u64 + BESIDE;
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
                let said = error.to_string();
                let named = format!("hostile.json, line {line}, column {column}: ");
                assert!(said.starts_with(&named) && said.len() < 1000, "file {number}: {said}");
                assert!(!said.contains(char::is_control), "file {number}: {said}");
            }
        }
    }
    assert_eq!(refused + accepted, FILES);
    // Some changes leave a scene a scene.
    assert!(refused > FILES / 2 && accepted > 20, "{refused} refused, {accepted} accepted");
}

#[test]
fn large_files_cost_no_more_than_a_bounded_share_of_memory() {
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
    let mut said = String::new();
    let spent = allocation_counter::measure(|| {
        said = Scene::parse("a.json", more.as_bytes()).unwrap_err().to_string();
    });
    assert!(
        said.contains("line 1, column")
            && said.contains("entities: ")
            && said.contains("0 to 250000 values"),
        "{said}"
    );
    assert!(spent.bytes_max < 256 << 20, "{} bytes", spent.bytes_max);
    let long = format!(r#"{{"version":1,"name":"{}"}}"#, "a".repeat(1 << 20));
    let said = Scene::parse("a.json", long.as_bytes()).unwrap_err().to_string();
    assert!(said.contains("1 to 64 printable characters") && said.len() < 200, "{said}");
    let endless = vec![b' '; (32 << 20) + 1];
    let said = Scene::parse("a.json", &endless).unwrap_err().to_string();
    assert!(said.contains("larger than 32 MiB"), "{said}");
}
