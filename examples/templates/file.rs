//! Files of templates: `{ "guard": { "Name": "guard", "Health": 80 }, ... }`.

use std::error::Error;
use std::fmt::{Formatter, Result as FmtResult};
use std::marker::PhantomData;

use cubefall::ecs::Template;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::Value;

use super::COMPONENTS;

/// Reads the templates of a file, in order, with their names.
pub(crate) fn load(file: &str) -> Result<Vec<(String, Template)>, Box<dyn Error>> {
    let text = std::fs::read_to_string(file)?;
    let Object(templates) = serde_json::from_str::<Object<Described>>(&text)?;
    Ok(templates.into_iter().map(|(name, Described(template))| (name, template)).collect())
}

/// A value of an object; errors say of which kind it is.
trait Kind {
    const KIND: &str;
}

impl Kind for Value {
    const KIND: &str = "component";
}

impl Kind for Described {
    const KIND: &str = "template";
}

#[derive(Deserialize)]
#[serde(try_from = "Object<Value>")]
struct Described(Template);

impl TryFrom<Object<Value>> for Described {
    type Error = String;

    fn try_from(Object(components): Object<Value>) -> Result<Self, String> {
        let mut template = Template::new();
        for (name, value) in components {
            let Some(known) = COMPONENTS.iter().find(|known| known.name == name) else {
                let names = COMPONENTS.map(|known| known.name).join(", ");
                return Err(format!("component {name}: unknown, expected one of {names}"));
            };
            let inserted = (known.insert)(value, &mut template);
            inserted.map_err(|error| format!("component {name}: {error}"))?;
        }
        Ok(Self(template))
    }
}

/// A JSON object in which no key occurs twice. In a map, the last value would win silently.
struct Object<V>(Vec<(String, V)>);

impl<'de, V: Deserialize<'de> + Kind> Deserialize<'de> for Object<V> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de> + Kind> Visitor<'de> for ObjectVisitor<V> {
    type Value = Object<V>;

    fn expecting(&self, f: &mut Formatter<'_>) -> FmtResult {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<V>, A::Error> {
        let mut members: Vec<(String, V)> = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            let new = members.iter().all(|(other, _)| *other != key);
            let value = if new { map.next_value() } else { Err(A::Error::custom("occurs twice")) };
            // serde_json finds the line of `error` in the message.
            let named = |error| A::Error::custom(format_args!("{} {key}: {error}", V::KIND));
            let value = value.map_err(named)?;
            members.push((key, value));
        }
        Ok(Object(members))
    }
}
