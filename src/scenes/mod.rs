//! The scene file format: parsing, validation, writing and the JSON schema.
//!
//! A [`Scene`] is a JSON file of templates and entities. A template spawns a number of entities, with
//! constant or random values for each component. An entity adds one more, with its own values and those
//! of its template. A component that is left out is absent. `docs/scenes.md` describes every key.
//!
//! This module holds plain data and knows no `World`: [`sim`](crate::sim) spawns a scene and draws its
//! random values.
//!
//! Scene files are untrusted. Parsing bounds memory, refuses unknown and duplicate keys, `null` and
//! values out of range, and never panics. A [`SceneError`] names the file, line, column and JSON path.
//!
//! | file | content |
//! |---|---|
//! | `scene`, `template`, `entity`, `camera`, `camera_path`, `light`, `tuning`, `timeline` | the objects of a file |
//! | `quantity`, `distribution`, `vector`, `region`, `rotation`, `color`, `gravity`, `text`, `whole`, `list` | their values |
//! | `parse`, `validate`, `write`, `schema` | from and to JSON |

mod bundled;
mod camera;
mod camera_path;
mod camera_path_file;
mod color;
mod distribution;
mod entity;
mod error;
mod forms;
mod gravity;
mod light;
mod limits;
mod list;
mod object;
mod parse;
mod quantity;
mod region;
mod rotation;
mod scene;
mod schema;
mod template;
mod text;
mod timeline;
mod tuning;
mod validate;
mod vector;
mod whole;
mod write;

pub use self::bundled::{Bundled, bundled};
pub use self::camera_path::CameraPath;
pub use self::error::SceneError;
pub use self::scene::Scene;

pub(crate) use self::camera::{CameraSpec, can_orbit};
pub(crate) use self::camera_path::PathKey;
pub(crate) use self::color::{ColorSpec, HexColor, RandomColor};
pub(crate) use self::distribution::{Distribution, Interval, RandomNumber};
pub(crate) use self::entity::EntitySpec;
pub(crate) use self::gravity::GravitySpec;
pub(crate) use self::limits::MAX_ENTITIES;
pub(crate) use self::list::List;
pub(crate) use self::quantity::{
    FlightSpeed, Moment, PeriodLength, Quantity, TurnRate, from_vec3, to_vec3,
};
#[cfg(test)]
pub(crate) use self::quantity::{GravityFactor, SpinFactor, TimeFactor};
pub(crate) use self::region::{Grid, Menger, Region, Spiral};
pub(crate) use self::rotation::{
    AxisAngle, FixedAxisAngle, FixedRotation, Quaternion, RotationSpec,
};
pub(crate) use self::template::{Respawn, Template, Templates};
pub(crate) use self::text::{Description, Name};
pub(crate) use self::timeline::TimelineSpec;
pub(crate) use self::tuning::TuningSpec;
pub(crate) use self::vector::Vector;
pub(crate) use self::whole::Whole;
