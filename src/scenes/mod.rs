//! Scenes: worlds described in files.
//!
//! A [`Scene`] is a JSON file of templates and entities. A template says how many entities there are
//! and of which components, each a constant or a distribution; an entity is one more of a template, or
//! of none, with values of its own. A component that is left out is really absent, and the systems do
//! the rest: what has no `gravity` hangs still.
//!
//! Files come from anywhere, so they are checked as they are read: every value for its range, every key
//! for being known and given once, every count for what the limits allow. The parser itself finds what
//! is wrong, so that a [`SceneError`] names its line and column.
//!
//! The same file and seed give the same bytes on every platform: all that is drawn from a distribution
//! comes from one `ChaCha8` stream for each template, by operations that IEEE 754 rounds exactly.

mod bundled;
mod camera;
mod color;
mod error;
mod gravity;
mod light;
mod list;
mod number;
mod one_kind;
mod placed;
mod quantity;
mod radius;
mod read;
mod region;
mod rotation;
mod scene;
mod template;
mod templates;
mod text;
mod tuning;
mod vector;
mod write;

pub use self::bundled::{Bundled, bundled};
pub use self::error::SceneError;
pub use self::scene::Scene;

pub(in crate::sim) use self::camera::Camera;
pub(in crate::sim) use self::color::{Hex, Tint};
pub(in crate::sim) use self::gravity::{Pull, Pulled};
pub(in crate::sim) use self::light::Lighting;
pub(in crate::sim) use self::number::Number;
pub(in crate::sim) use self::placed::Placed;
pub(in crate::sim) use self::quantity::Quantity;
pub(in crate::sim) use self::rotation::{Quaternion, Turn};
pub(in crate::sim) use self::template::{Again, Count, Template};
pub(in crate::sim) use self::templates::Templates;
pub(in crate::sim) use self::text::Label;
pub(in crate::sim) use self::vector::{Vector, axes, constant};

/// Largest file, in bytes.
const LARGEST_FILE: usize = 32 << 20;

/// Most entities of a scene.
const MOST_ENTITIES: u32 = 100_000_000;

/// Most templates of a scene.
const MOST_TEMPLATES: usize = 256;

/// Most entities that have values of their own.
const MOST_PLACED: usize = 250_000;
