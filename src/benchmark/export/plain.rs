//! Plain: words in files whose readers know no quoting.

/// `text` on one line, without the characters that a reader would take for something else; what
/// comes in their place is the second of each pair.
pub(super) fn plain(text: &str, instead: &[(char, char)]) -> String {
    let replaced = |c: char| {
        let known = instead.iter().find(|(from, _)| *from == c);
        known.map_or(if c.is_control() { ' ' } else { c }, |(_, to)| *to)
    };
    text.chars().map(replaced).collect()
}
