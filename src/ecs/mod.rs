//! An Entity Component System (ECS).
//!
//! An **entity** is a handle, a **component** is a plain value of an entity, and a **system** is a
//! function over the entities that have certain components. Components of one type are stored in one
//! **packed array** without holes. An **owning group** keeps several arrays in the same order, so that
//! a system iterates over plain slices:
//!
//! ```
//! use cubefall::ecs::{Error, Pass, SystemArgs, World};
//!
//! #[derive(Debug, PartialEq)]
//! struct Height(f32);
//! struct Speed(f32);
//!
//! fn main() -> Result<(), Error> {
//!     let mut world = World::new();
//!     let ball = world.spawn((Height(10.0), Speed(-2.0)));
//!     let tower = world.spawn((Height(30.0),));
//!
//!     let moving = world.create_group::<(Height, Speed)>();
//!     let movement = move |world: &mut World, args: SystemArgs| -> Result<(), Error> {
//!         let (heights, speeds) = world.group_mut(moving)?.slices_mut::<(&mut Height, &Speed)>();
//!         for (height, speed) in heights.iter_mut().zip(speeds) {
//!             height.0 += speed.0 * args.dt;
//!         }
//!         Ok(())
//!     };
//!     world.schedule_mut().add_system::<(Height, Speed)>(Pass::Update, "movement", movement);
//!     world.run(0.5)?;
//!
//!     assert_eq!(world.get::<&Height>(ball)?, &Height(9.0));
//!     assert_eq!(world.get::<&Height>(tower)?, &Height(30.0));
//!     Ok(())
//! }
//! ```
//!
//! # Memory layout
//!
//! ```text
//! entity 7v2 ──► row 7: generation 2, signature {Height, Speed}, position 0
//!                                                                    │
//!                members [ 7 ][ 4 ]                           ◄──────┘  one list for both arrays
//!                Height  [   ][   ]│[   ]  values             ◄──────┘
//!                Speed   [   ][   ]│
//!                         └ group ┘ └ tail: entities outside of the group, with an index of their own
//! ```
//!
//! Arrays that groups keep in the same order share one list of members, and an entity has one position in
//! all of them. Whether an entity is in the shared part of an array follows from its signature. Only
//! elements outside of groups have a dense index for each array.
//!
//! Removing is a swap-remove: the last element moves into the hole. Arrays so stay packed and handles
//! stay valid, but the order of an array changes. Everything is deterministic: the same calls give the same handles and
//! the same order.
//!
//! # Cost
//!
//! | call | cost |
//! |---|---|
//! | a loop over the slices of a group | the same as over plain `Vec`s |
//! | get, insert, remove by handle | `O(1)`; inserting and removing also `O(groups)` |
//! | a query for one component, or for components of a group whose members all match | one element per component and entity; entities outside of the group cost as much as in other queries |
//! | another query | per element of its smallest array: one row, and one element per component; a small allocation for `iter` and `for` loops |
//! | a query with `added` or `changed` | besides, one or two change times per entity that its other terms match, and lists of those found |
//! | spawn, despawn | `O(components + groups)`; batches work array by array |
//! | taking components from a whole group, restoring them | one pass over the rows where [`World::take_group`] and [`World::restore_group`] allow it, otherwise as for each member alone |
//! | the first use of a component type | `O(1)` |
//! | the change log of an array | one number per change of a value, from the first time that the log is asked for |
//! | tracking changes of each entity | 16 bytes per component of a tracked type, and its change log; nothing for others |
//! | creating a group | one pass over its smallest array |
//! | removing a group | one pass over its members |
//!
//! # Errors and panics
//!
//! A call returns an [`Error`] where the caller can act: the handle is stale or of another world, a
//! component is missing, a limit is reached. A mistake in the program panics: a type that is named
//! twice in a bundle, groups that cannot be nested.
//!
//! # Where to start
//!
//! [`World`] owns everything. Its methods spawn and despawn entities (`spawn`, `spawn_batch`, `spawn_template`),
//! access the components of one entity (`get`) or of many (`view`, `query`), add and remove components
//! (`insert`), and create groups (`create_group`). [`World::schedule`], [`World::resources`], [`World::on_added`] and
//! [`World::inspect`] lead to the rest.

// Calls that panic have `track_caller`, so that the panic names the line of the caller, except for access by handle (`get`,
// `query_one_mut`, `has`, `set`, …) and `insert_template`. Not on the page, whose download it would make larger.

mod batch;
mod bundle;
mod change_times;
mod changes;
mod column;
mod column_map;
mod commands;
mod entity;
mod error;
mod exclusive;
mod get;
mod group;
mod index;
mod insert;
mod inspect;
mod observe;
mod observers;
mod pick;
mod query;
mod references;
mod resource_access;
mod resources;
mod respawn;
mod run;
mod schedule;
mod signature;
#[cfg(feature = "serde")]
mod snapshot;
mod sort;
mod spawn;
mod system;
mod take_group;
mod template;
mod term;
mod terms;
mod tracking;
mod tuples;
mod view;
mod world;

pub use bundle::{Bundle, Columns, ComponentTuple};
pub use change_times::Checkpoint;
pub use changes::Changes;
pub use column::Component;
pub use commands::Commands;
pub use entity::{Entity, Limits, WorldId};
pub use error::Error;
pub use group::{Group, GroupId, GroupInfo, GroupMut};
pub use inspect::{Inspector, MemoryUse, SlotCounts};
pub use observers::ObserverId;
pub use query::{Iter, IterMut, Query};
pub use references::MapEntities;
pub use resources::Resources;
pub use schedule::{Schedule, ScheduleMut, System, SystemOutput};
pub use signature::{ComponentType, MAX_COMPONENT_TYPES, Signature, SignatureIter};
#[cfg(feature = "serde")]
pub use snapshot::{Both, SavedComponents, Snapshot};
pub use system::{Pass, SystemArgs, SystemId, SystemInfo};
pub use take_group::TakenGroup;
pub use template::Template;
pub use term::{ComponentTerm, ReadTerm, Term};
pub use terms::{ReadTerms, Terms};
pub use view::{ReadViews, View, ViewIter, ViewMut, ViewTerm, Views};
pub use world::World;
