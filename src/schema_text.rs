//! Descriptions in JSON schemas, for readers who do not have the source code.

use serde_json::Value;

/// Rewrites all descriptions of a schema, which are comments of the source code: links become their text, and
/// `None` becomes `null`.
pub(crate) fn rewrite_descriptions(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(rewrite_descriptions),
        Value::Object(object) => {
            if let Some(Value::String(description)) = object.get_mut("description") {
                *description = without_links(description).replace("`None`", "`null`");
            }
            object.values_mut().for_each(rewrite_descriptions);
        }
        _ => {}
    }
}

/// Replaces links to items, in Markdown, by their text. Code, which may have brackets, stays.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['[', '`']) {
        plain += &rest[..at];
        rest = &rest[at..];
        if let Some(code) = rest.strip_prefix('`') {
            let (code, after) = rest.split_at(code.find('`').map_or(rest.len(), |end| end + 2));
            plain += code;
            rest = after;
            continue;
        }
        let Some((name, after)) = rest[1..].split_once(']') else { break };
        plain += name;
        rest = after;
        if let Some(target) = after.strip_prefix('(') {
            let mut depth = 1;
            let end = target.find(|c| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                depth == 0
            });
            rest = end.map_or("", |end| &target[end + 1..]);
        }
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_become_their_text_and_none_becomes_null() {
        let text = "[Drift](drift()) after [`STEPS`](super::STEPS) of a [`Run`] (one); `None` at `[x, y]`, a[0.";
        let mut schema = serde_json::json!({ "anyOf": [{ "description": text }], "title": "[a]" });
        rewrite_descriptions(&mut schema);
        let plain = "Drift after `STEPS` of a `Run` (one); `null` at `[x, y]`, a[0.";
        let expected = serde_json::json!({ "anyOf": [{ "description": plain }], "title": "[a]" });
        assert_eq!(schema, expected);
    }
}
