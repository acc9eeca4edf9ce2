//! Sanitize: text for formats without quoting.

/// Returns `text` on one line, with each character that is the first of a pair replaced by the second.
pub(super) fn sanitize(text: &str, replacements: &[(char, char)]) -> String {
    let replaced = |c: char| {
        let replacement = replacements.iter().find(|(from, _)| *from == c);
        replacement.map_or(if c.is_control() { ' ' } else { c }, |(_, to)| *to)
    };
    text.chars().map(replaced).collect()
}
