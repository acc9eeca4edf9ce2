//! A JSON schema validator for the keywords that the schema of scenes uses.

use serde_json::Value;

/// Keywords that do not restrict values.
const ANNOTATIONS: [&str; 8] =
    ["$schema", "$defs", "title", "description", "default", "format", "propertyNames", "writeOnly"];

/// A JSON schema (draft 2020-12).
pub(crate) struct Schema(pub(crate) Value);

impl Schema {
    /// Returns `true` if the schema accepts a value.
    ///
    /// # Panics
    /// The schema uses a keyword that is not implemented here.
    pub(crate) fn accepts(&self, value: &Value) -> bool {
        self.accepts_by(&self.0, value)
    }

    fn accepts_by(&self, schema: &Value, value: &Value) -> bool {
        let Value::Object(words) = schema else { return schema.as_bool().unwrap() };
        words.iter().all(|(word, says)| self.keyword_accepts(words, word, says, value))
    }

    fn keyword_accepts(
        &self,
        words: &serde_json::Map<String, Value>,
        word: &str,
        says: &Value,
        value: &Value,
    ) -> bool {
        let all = |schemas: &Value| schemas.as_array().unwrap().clone();
        let number = |compare: fn(f64, f64) -> bool| {
            value.as_f64().is_none_or(|number| compare(number, says.as_f64().unwrap()))
        };
        let length = |compare: fn(u64, u64) -> bool| {
            let length = match value {
                Value::String(text) => text.chars().count(),
                Value::Array(items) => items.len(),
                Value::Object(object) => object.len(),
                _ => return true,
            };
            compare(length as u64, says.as_u64().unwrap())
        };
        match word {
            "$ref" => {
                let place = says.as_str().unwrap().strip_prefix('#').unwrap();
                self.accepts_by(self.0.pointer(place).unwrap(), value)
            }
            "type" => match says {
                Value::Array(kinds) => kinds.iter().any(|kind| is_a(kind.as_str().unwrap(), value)),
                kind => is_a(kind.as_str().unwrap(), value),
            },
            "const" => value == says,
            "enum" => all(says).contains(value),
            "anyOf" => all(says).iter().any(|schema| self.accepts_by(schema, value)),
            "oneOf" => {
                all(says).iter().filter(|schema| self.accepts_by(schema, value)).count() == 1
            }
            "minimum" => number(|number, limit| number >= limit),
            "maximum" => number(|number, limit| number <= limit),
            "minLength" | "minItems" => length(|length, limit| length >= limit),
            "maxLength" | "maxItems" | "maxProperties" => length(|length, limit| length <= limit),
            // The only pattern is that of colors.
            "pattern" => value.as_str().is_none_or(|text| {
                let digits = text.strip_prefix('#').unwrap_or_default();
                digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
            }),
            "items" => value
                .as_array()
                .is_none_or(|items| items.iter().all(|it| self.accepts_by(says, it))),
            "prefixItems" => value.as_array().is_none_or(|items| {
                all(says).iter().zip(items).all(|(schema, item)| self.accepts_by(schema, item))
            }),
            "required" => value.as_object().is_none_or(|object| {
                all(says).iter().all(|key| object.contains_key(key.as_str().unwrap()))
            }),
            "dependentRequired" => value.as_object().is_none_or(|object| {
                let needs = says.as_object().unwrap().iter();
                let mut needs = needs.filter(|(key, _)| object.contains_key(*key));
                needs.all(|(_, keys)| {
                    all(keys).iter().all(|key| object.contains_key(key.as_str().unwrap()))
                })
            }),
            "properties" => value.as_object().is_none_or(|object| {
                let known = object.iter().filter_map(|(key, value)| Some((says.get(key)?, value)));
                known.into_iter().all(|(schema, value)| self.accepts_by(schema, value))
            }),
            "additionalProperties" => value.as_object().is_none_or(|object| {
                let known = words.get("properties");
                let mut others = object
                    .iter()
                    .filter(|(key, _)| known.is_none_or(|known| known.get(key).is_none()));
                others.all(|(_, value)| self.accepts_by(says, value))
            }),
            word => ANNOTATIONS.contains(&word) || panic!("{word} is not implemented"),
        }
    }
}

fn is_a(kind: &str, value: &Value) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "boolean" => value.is_boolean(),
        other => panic!("{other} is not a type"),
    }
}
