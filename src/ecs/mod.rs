//! A small Entity Component System (ECS).
//!
//! An **entity** is a handle; a **component** is a plain value given to it; a **system** is a
//! function that runs over the entities that have certain components. What makes it fast is where
//! the components lie: those of one type stand side by side in one **packed array** without holes,
//! and an **owning group** keeps several arrays in the same order, so that a system walks plain
//! slices:
//!
//! ```
//! use cubefall::ecs::{Error, Tick, World};
//!
//! #[derive(Debug, PartialEq)]
//! struct Height(f32);
//! struct Speed(f32);
//!
//! fn main() -> Result<(), Error> {
//!     let mut world = World::new();
//!     world.register::<Height>()?;
//!     world.register::<Speed>()?;
//!     let moving = world.group::<(Height, Speed)>()?;
//!
//!     let ball = world.spawn((Height(10.0), Speed(-2.0)))?;
//!     let tower = world.spawn((Height(30.0),))?;
//!
//!     world.add_system::<(Height, Speed)>(Pass::Update, "movement", move |world: &mut World, tick: Tick| {
//!         let (heights, speeds) = world.slices_mut::<(&mut Height, &Speed)>(moving)?;
//!         for (height, speed) in heights.iter_mut().zip(speeds) {
//!             height.0 += speed.0 * tick.dt;
//!         }
//!         Ok(())
//!     })?;
//!     world.run(0.5)?;
//!
//!     assert_eq!(world.get::<Height>(ball)?, &Height(9.0));
//!     assert_eq!(world.get::<Height>(tower)?, &Height(30.0));
//!     Ok(())
//! }
//! ```
//!
//! # How it is laid out
//!
//! ```text
//! entity 7v2 ──► row 7: generation 2, signature {Height, Speed}, dense index 0 in Height, 0 in Speed
//!                                                                      │              │
//!                Height  [ 7 ][ 4 ]│[ 9 ]  values, and the slot ◄──────┘              │
//!                Speed   [ 7 ][ 4 ]│       of each              ◄─────────────────────┘
//!                         └ group ┘
//! ```
//!
//! Removing swaps the last element into the hole, so arrays stay packed and handles stay valid; the
//! order of an array is not kept. Everything is deterministic: the same calls give the same handles
//! and the same order.
//!
//! # What things cost
//!
//! | call | cost |
//! |---|---|
//! | a step over a group's slices | that of the same loop over plain `Vec`s |
//! | get, insert, remove, replace by handle | `O(1)`; inserting and removing also `O(groups)` |
//! | a query | the smallest of its arrays: one row and one element per component for each entity |
//! | systems over slices that run at once | the slowest of them, and a few µs to wake other threads |
//! | spawn, despawn | `O(components + groups)`; batches go array by array |
//! | taking components from a whole group and giving them back | one pass over the rows |
//! | registering a component type | `O(entities)` once |
//!
//! # Where things are
//!
//! | file | holds |
//! |---|---|
//! | `entity` | [`Entity`], the handle |
//! | `signature` | [`Signature`], a set of component types |
//! | `index` | one row per entity; which entity each array element belongs to |
//! | `column` | the packed array of one component type |
//! | `bundle`, `struct_bundle`, `term` | components given together, as a tuple or a struct; tuples of references to components |
//! | `world` | [`World`], the front to all of them: register, spawn, despawn |
//! | `access`, `view` | components of one entity; of many, with the type looked up once |
//! | `group`, `slices`, `sort` | owning groups, their slices and chunks, their order |
//! | `query` | any combination of components |
//! | `batch`, `detach` | many entities at once; components taken from a whole group and given back |
//! | `respawn`, `changes` | one entity in the place of another; which parts of an array are newer than a copy |
//! | `prefab`, `snapshot` | copies of one entity; of all |
//! | `commands`, `observers`, `resources` | changes for later; who is told of changes; values of which there is one |
//! | `system` | systems, their order and times |
//! | `stage`, `loan` | systems over slices, which of them run at once; the arrays each is lent |
//! | `memory`, `inspect` | what is reserved; how the arrays, groups and slots lie |

mod access;
mod batch;
mod bundle;
mod changes;
mod column;
mod commands;
mod entity;
mod error;
mod group;
mod index;
mod inspect;
mod observers;
mod query;
mod resources;
mod schedule;
mod signature;
#[cfg(feature = "serde")]
mod snapshot;
mod sort;
mod spawn;
mod system;
mod take_group;
mod term;
mod tuples;
mod view;
mod world;

pub use bundle::{Bundle, Columns, ComponentTuple};
pub use changes::{CHANGE_CHUNK, Changes};
pub use column::Component;
pub use commands::Commands;
pub use entity::{Entity, Limits, WorldId};
pub use error::Error;
pub use group::{Group, GroupId, GroupInfo, GroupMut};
pub use inspect::{Inspector, MemoryUse, Slots};
pub use observers::{Event, Observers};
pub use query::Query;
pub use resources::Resources;
pub use schedule::{Schedule, ScheduleMut, System};
pub use signature::{ComponentType, MAX_COMPONENT_TYPES, Signature};
#[cfg(feature = "serde")]
pub use snapshot::{SavedComponents, Snapshot};
pub use system::{Pass, SystemId, SystemInfo, Tick};
pub use take_group::TakenGroup;
pub use term::{ReadTerm, ReadTerms, Term, Terms};
pub use view::View;
pub use world::World;
