//! Read: a scene from the bytes of a file, checked on the way.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Unexpected, Visitor};
use xxhash_rust::xxh3::xxh3_64;

use super::placed::{Placed, PlacedSeed};
use super::scene::Scene;
use super::template::Template;
use super::templates::Templates;
use super::text::Label;
use super::{LARGEST_FILE, MOST_ENTITIES, MOST_TEMPLATES, SceneError};

/// What UTF-8 files may begin with, and JSON must not.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The content of a file; of one that is too large, just too much.
pub(super) fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST_FILE as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

pub(super) fn parse(name: &str, bytes: &[u8]) -> Result<Scene, SceneError> {
    if bytes.starts_with(BYTE_ORDER_MARK) {
        let what = "the file begins with a byte order mark; save it as UTF-8 without one";
        return Err(SceneError::at(name, (1, 1), what));
    }
    let text = std::str::from_utf8(bytes).map_err(|wrong| {
        let place = place_of(&bytes[..wrong.valid_up_to()]);
        SceneError::at(name, place, "this is not UTF-8; save the file as UTF-8")
    })?;
    let scene: Scene =
        serde_json::from_str(text).map_err(|error| SceneError::parsing(name, &error))?;
    Ok(Scene { hash: xxh3_64(bytes), ..scene })
}

/// Line and column of what comes next.
fn place_of(before: &[u8]) -> (usize, usize) {
    let line = before.split(|&byte| byte == b'\n').count();
    let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count();
    (line, column + 1)
}

/// Reads the value of a key that may be given once.
pub(super) fn fill<'de, A, T>(
    field: &mut Option<T>,
    name: &'static str,
    map: &mut A,
) -> Result<(), A::Error>
where
    A: MapAccess<'de>,
    T: Deserialize<'de>,
{
    if field.is_some() {
        return Err(A::Error::duplicate_field(name));
    }
    *field = Some(map.next_value()?);
    Ok(())
}

/// Reads a value that may be left out, but is no `null` where it is not.
pub(super) fn given<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// There is no such template.
pub(super) fn no_template<E: Error>(name: &str) -> E {
    E::custom(format_args!("there is no template `{name}` so far: templates come before entities"))
}

/// What falls and is not drawn would not even begin again: cubes do.
pub(super) fn falls_unseen<E: Error>() -> E {
    E::custom("gravity without a color: only what is drawn can fall, so a `color` is expected")
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum Field {
    Version,
    Name,
    About,
    Seed,
    Mode,
    Camera,
    Ground,
    Light,
    Tuning,
    Templates,
    Entities,
}

impl<'de> Deserialize<'de> for Scene {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(SceneVisitor)
    }
}

struct SceneVisitor;

impl<'de> Visitor<'de> for SceneVisitor {
    type Value = Scene;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a scene such as {\"version\": 1, \"name\": \"..\", \"templates\": {..}}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scene, A::Error> {
        let mut version: Option<Version> = None;
        let (mut name, mut about, mut seed, mut mode) = (None, None, None, None);
        let (mut camera, mut ground, mut light, mut tuning) = (None, None, None, None);
        let mut templates: Option<Templates> = None;
        let mut entities: Option<Vec<Placed>> = None;
        while let Some(field) = map.next_key()? {
            match field {
                Field::Version => fill(&mut version, "version", &mut map)?,
                Field::Name => fill(&mut name, "name", &mut map)?,
                Field::About => fill(&mut about, "about", &mut map)?,
                Field::Seed => fill(&mut seed, "seed", &mut map)?,
                Field::Mode => fill(&mut mode, "mode", &mut map)?,
                Field::Camera => fill(&mut camera, "camera", &mut map)?,
                Field::Ground => fill(&mut ground, "ground", &mut map)?,
                Field::Light => fill(&mut light, "light", &mut map)?,
                Field::Tuning => fill(&mut tuning, "tuning", &mut map)?,
                Field::Templates => fill(&mut templates, "templates", &mut map)?,
                Field::Entities if entities.is_some() => {
                    return Err(A::Error::duplicate_field("entities"));
                }
                Field::Entities => {
                    let known = templates.get_or_insert_default();
                    entities = Some(map.next_value_seed(PlacedSeed { templates: known })?);
                }
            }
        }
        let Version(version) = version.ok_or_else(|| A::Error::missing_field("version"))?;
        let scene = Scene {
            version,
            name: name.ok_or_else(|| A::Error::missing_field("name"))?,
            about,
            seed: seed.unwrap_or(1),
            mode: mode.unwrap_or_default(),
            camera,
            ground,
            light,
            tuning,
            templates: templates.unwrap_or_default(),
            entities: entities.unwrap_or_default(),
            hash: 0,
        };
        if scene.len() > MOST_ENTITIES as usize {
            return Err(too_many());
        }
        Ok(scene)
    }
}

fn too_many<E: Error>() -> E {
    E::custom(format_args!("a scene has {MOST_ENTITIES} entities at most"))
}

/// The version of the format, of which there is one.
struct Version(u32);

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u64::deserialize(deserializer)? {
            1 => Ok(Self(1)),
            other => Err(D::Error::invalid_value(Unexpected::Unsigned(other), &"version 1")),
        }
    }
}

impl<'de> Deserialize<'de> for Templates {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(TemplatesVisitor)
    }
}

struct TemplatesVisitor;

impl<'de> Visitor<'de> for TemplatesVisitor {
    type Value = Templates;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "up to {MOST_TEMPLATES} templates, each with a name of its own")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Templates, A::Error> {
        let mut templates = Templates::default();
        let mut entities = 0_u64;
        while let Some(name) = map.next_key::<Label>()? {
            let name = name.as_str();
            if templates.place(name).is_some() {
                return Err(A::Error::custom(format_args!("duplicate template `{name}`")));
            }
            if templates.0.len() == MOST_TEMPLATES {
                return Err(A::Error::invalid_length(MOST_TEMPLATES + 1, &self));
            }
            let template = map.next_value_seed(TemplateSeed)?;
            entities += u64::from(template.len());
            if entities > MOST_ENTITIES.into() {
                return Err(too_many());
            }
            templates.0.push((Arc::from(name), template));
        }
        Ok(templates)
    }
}

/// Reads a template. What is wrong with it as a whole is found where it ends, so that the error says so.
struct TemplateSeed;

impl<'de> DeserializeSeed<'de> for TemplateSeed {
    type Value = Template;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Template, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for TemplateSeed {
    type Value = Template;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a template such as {\"position\": [x, y, z], \"color\": \"#ff8000\"}")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Template, A::Error> {
        let template = Template::deserialize(MapAccessDeserializer::new(map))?;
        if template.gravity.is_some() && template.color.is_none() {
            return Err(falls_unseen());
        }
        Ok(template)
    }
}
