//! The JSON schema of scene files.

use schemars::JsonSchema;
use serde_json::Value;

use super::scene::Scene;
use crate::schema_text::rewrite_descriptions;

impl Scene {
    /// Returns the JSON schema of scene files.
    pub fn schema() -> Value {
        strict_schema::<Self>()
    }
}

/// Returns the JSON schema of a type, without `null`.
pub(super) fn strict_schema<T: JsonSchema>() -> Value {
    let mut schema = schemars::schema_for!(T).to_value();
    forbid_null(&mut schema);
    shorten_defaults(&mut schema);
    rewrite_descriptions(&mut schema);
    schema
}

/// Gives defaults, which are `f32`, the fewest digits that restore them.
fn shorten_defaults(schema: &mut Value) {
    if let Value::Object(object) = schema
        && let Some(default) = object.get_mut("default")
    {
        shorten(default);
    }
    match schema {
        Value::Array(items) => items.iter_mut().for_each(shorten_defaults),
        Value::Object(object) => object.values_mut().for_each(shorten_defaults),
        _ => {}
    }
}

fn shorten(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(shorten),
        Value::Object(object) => object.values_mut().for_each(shorten),
        Value::Number(number) if number.is_f64() => {
            let short = number.as_f64().map(|it| (it as f32).to_string());
            if let Some(short) = short.and_then(|short| short.parse::<f64>().ok()) {
                *value = short.into();
            }
        }
        _ => {}
    }
}

/// Removes `null`, which derived schemas accept for optional keys.
fn forbid_null(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(forbid_null),
        Value::Object(object) => {
            if let Some(Value::Array(variants)) = object.get_mut("anyOf") {
                variants.retain(|variant| variant["type"] != "null");
            }
            if let Some(Value::Array(types)) = object.get_mut("type") {
                types.retain(|name| name != "null");
            }
            object.values_mut().for_each(forbid_null);
        }
        _ => {}
    }
}
