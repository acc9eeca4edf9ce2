//! Errors of the operating system and of the JSON parser, in the words of this program.

use std::io;
use std::path::Path;

/// Returns the reason of an input or output error, without the number of the operating system.
pub(crate) fn io(error: &io::Error) -> String {
    let text = error.to_string();
    let number = error.raw_os_error().map(|number| format!(" (os error {number})"));
    match number.and_then(|number| text.strip_suffix(&number)) {
        Some(reason) => reason.to_owned(),
        None => text,
    }
}

/// How messages of the JSON parser begin, and what they mean to the author of a file.
const BEGINNINGS: &[(&str, &str)] = &[
    ("invalid type: map, expected enum", "found an empty object, expected one with a key"),
    ("invalid type: ", "found "),
    ("invalid value: ", "found "),
    ("invalid length ", "found a length of "),
    ("missing field ", "missing key "),
    ("unknown field ", "unknown key "),
    ("duplicate field ", "repeated key "),
    ("unknown variant ", "unknown value "),
    ("EOF while parsing a list", "the file ends inside an array"),
    ("EOF while parsing an object", "the file ends inside an object"),
    ("EOF while parsing a string", "the file ends inside a text"),
    ("EOF while parsing a value", "the file ends where a value is expected"),
    ("trailing characters", "found more values or text than expected"),
    ("recursion limit exceeded", "more than 128 levels of nesting"),
    ("expected value", "expected a JSON value"),
    ("expected ident", "expected true, false or null"),
    ("key must be a string", "expected a key in double quotes"),
    (
        "control character ",
        "expected a closing quote, or an escape such as \\n instead of a control character ",
    ),
];

/// How the parser names the value that it found.
const FOUND: &[(&str, &str)] = &[
    ("found floating point ", "found "),
    ("found integer ", "found "),
    ("found boolean ", "found "),
    ("found string ", "found the text "),
    ("found sequence", "found an array"),
    ("found map", "found an object"),
    ("found unit value", "found null"),
];

/// How the parser names the value that it expected.
const ENDINGS: &[(&str, &str)] = &[
    ("expected u64", "expected a whole number in digits alone, 0 or more"),
    ("expected u32", "expected a whole number in digits alone, 0 to 4294967295"),
    ("expected u8", "expected a whole number in digits alone, 0 to 255"),
    ("expected usize", "expected a whole number in digits alone, 0 or more"),
    ("expected f32", "expected a number"),
    ("expected f64", "expected a number"),
    ("expected a map", "expected an object"),
    ("expected a sequence", "expected an array"),
    ("expected a string", "expected a text"),
    ("expected a boolean", "expected true or false"),
    ("expected enum", "expected a text"),
];

/// Returns the reason of a JSON error, without line and column.
pub(crate) fn json(error: &serde_json::Error) -> String {
    let mut text = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    text.truncate(text.strip_suffix(&position).map_or(text.len(), str::len));
    // Only begin and end: the middle may quote the file.
    for table in [BEGINNINGS, FOUND] {
        if let Some((begin, meaning)) = table.iter().find(|(begin, _)| text.starts_with(begin)) {
            text.replace_range(..begin.len(), meaning);
        }
    }
    if let Some(at) = text.rfind("expected struct ") {
        text.replace_range(at.., "expected an object");
    }
    if let Some((end, meaning)) = ENDINGS.iter().find(|(end, _)| text.ends_with(end)) {
        text.replace_range(text.len() - end.len().., meaning);
    }
    text
}

/// Returns where a JSON text is wrong, and the reason.
#[cfg(feature = "benchmark")]
pub(crate) fn json_with_place(error: &serde_json::Error) -> String {
    // An empty text has no columns.
    format!("line {}, column {}: {}", error.line().max(1), error.column().max(1), json(error))
}

/// Characters that a message keeps of the start and of the end of a long text.
const KEPT: usize = 160;

/// Escapes control characters, which a message may quote from the file, and cuts out the middle of a
/// long text.
pub(crate) fn shortened_line(text: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    if chars.len() > 2 * KEPT {
        chars.splice(KEPT..chars.len() - KEPT, " … ".chars());
    }
    escaped(chars)
}

/// Returns a path for a message: as [`harmless`] text.
pub(crate) fn path(path: &Path) -> String {
    harmless(&path.to_string_lossy())
}

/// Returns a text that others wrote so that it does not end the line, and commands neither the terminal nor GitHub
/// Actions, whose commands begin with `::` or `##[`.
pub(crate) fn harmless(text: &str) -> String {
    // Twice: of four colons the first pass leaves two in the middle.
    escaped(text.chars()).replace("::", ": :").replace("::", ": :").replace("##[", "# #[")
}

/// Returns a line of a log that is [`harmless`] but keeps the colons of names: commands are at the start of a line.
#[cfg(all(feature = "benchmark", feature = "cli", not(web)))]
pub(crate) fn harmless_line(line: &str) -> String {
    let line = escaped(line.replace('\t', "    ").chars()).replace("##[", "# #[");
    if line.trim_start().starts_with("::") { format!("| {line}") } else { line }
}

/// Returns whether a character is a control character, or one that separates lines or changes the direction of text.
pub(crate) fn is_invisible(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Escapes invisible characters.
fn escaped(chars: impl IntoIterator<Item = char>) -> String {
    let escaped =
        |c: char| if is_invisible(c) { c.escape_default().collect() } else { c.to_string() };
    chars.into_iter().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only read")]
    struct File {
        seed: u64,
        name: String,
        loud: Option<bool>,
    }

    #[test]
    fn a_long_text_loses_its_middle() {
        let long = format!("{}\n{}", "a".repeat(200), "b".repeat(200));
        let kept = shortened_line(&long);
        assert_eq!(kept, format!("{} … {}", "a".repeat(KEPT), "b".repeat(KEPT)));
        assert_eq!(shortened_line(&"ä".repeat(2 * KEPT)), "ä".repeat(2 * KEPT));
    }

    #[test]
    fn messages_have_no_terms_of_the_parser() {
        for (text, expected) in [
            ("", "the file ends where a value is expected"),
            (r#"{"seed": 1"#, "the file ends inside an object"),
            (r#"{"name": "a"#, "the file ends inside a text"),
            (r#"{"seed": -1}"#, "found `-1`, expected a whole number in digits alone, 0 or more"),
            (r#"{"name": [1]}"#, "found an array, expected a text"),
            (r#"{"loud": "u64"}"#, "found the text \"u64\", expected true or false"),
            (r#"{"seed": 1, "seed": 2}"#, "repeated key `seed`"),
            (r#"{"seed": 1}"#, "missing key `name`"),
            ("7", "found `7`, expected an object"),
            (r#"{"loud": ?}"#, "expected a JSON value"),
            (r#"{"wind": 1}"#, "unknown key `wind`, expected one of `seed`, `name`, `loud`"),
            (
                "{\"name\": \"\u{1}\"}",
                "expected a closing quote, or an escape such as \\n instead of a control character (\\u0000-\\u001F) found while parsing a string",
            ),
        ] {
            assert_eq!(json(&serde_json::from_str::<File>(text).unwrap_err()), expected, "{text}");
        }
    }

    #[test]
    fn texts_of_others_command_nothing() {
        assert_eq!(
            harmless("a\u{1b}]0;b\n:::error::::c##[d"),
            r"a\u{1b}]0;b\n: : :error: : : :c# #[d"
        );
        assert!(!harmless(":::::").contains("::"));
        // The rest of a line would be read from right to left.
        assert_eq!(harmless("\u{202e}gnp.json"), r"\u{202e}gnp.json");
    }

    #[test]
    fn reasons_of_the_system_have_no_number() {
        let missing = std::fs::read("no such file").unwrap_err();
        assert!(missing.to_string().contains("os error") && !io(&missing).contains("os error"));
        assert_eq!(io(&io::Error::other("a reason")), "a reason");
    }
}
