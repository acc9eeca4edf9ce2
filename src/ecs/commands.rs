//! Commands: changes that are recorded while the world is borrowed, and applied later.

use std::cell::LazyCell;
use std::collections::HashSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use super::column::for_each_despite_panic;
use super::column_map::require_component;
use super::exclusive::Exclusive;
use super::index::FreshSlots;
use super::{Bundle, Component, Entity, Error, SystemOutput, Template, World};

type Command = Box<dyn FnOnce(&mut World) -> Result<(), Error> + Send>;

/// Recorded changes, in order; made by [`World::commands`]. Commands can be recorded while the world
/// is borrowed, for instance during a query.
///
/// Entities to be spawned have their handles at once. These can be stored and used in further
/// commands, and become valid when the commands are applied. If commands are dropped instead, their
/// handles never become valid, and their slots are free after the next entity is created or other commands are
/// applied. If a snapshot is restored before the commands are applied, none of their entities is spawned, and
/// commands of the same list on their handles fail; the other commands are applied. A handle that was reserved after the
/// snapshot was taken may then be given out again: drop it, and other lists that use it.
///
/// A system that returns the first error of its commands:
///
/// ```
/// use cubefall::ecs::{Entity, Error, SystemArgs, World};
///
/// struct Lifetime(f32);
///
/// fn age(world: &mut World, args: SystemArgs) -> Result<(), Error> {
///     let mut commands = world.commands();
///     for (entity, lifetime) in world.query_mut::<(Entity, &mut Lifetime)>() {
///         lifetime.0 -= args.dt;
///         if lifetime.0 <= 0.0 {
///             commands.despawn(entity);
///         }
///     }
///     commands.apply(world).into_iter().next().map_or(Ok(()), Err)
/// }
/// ```
#[must_use = "commands do nothing until they are applied"]
pub struct Commands {
    fresh: Arc<FreshSlots>,
    /// Each with the entity that it acts on.
    recorded: Exclusive<Vec<(Option<Entity>, Command)>>,
    reserved: Vec<Entity>,
}

/// Gives the reserved slots back to the world.
impl Drop for Commands {
    fn drop(&mut self) {
        self.fresh.give_back(std::mem::take(&mut self.reserved));
    }
}

/// Prints the handles of the entities to be spawned.
impl fmt::Debug for Commands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Commands").field("reserved", &self.reserved).finish_non_exhaustive()
    }
}

impl Commands {
    /// Records that an entity is spawned, and returns its handle.
    ///
    /// Lists that several threads fill at once take slots in any order, so handles may differ from run to run. For
    /// the same handles, [`queue`](Self::queue) a call of [`World::spawn`], and apply the lists in a fixed order.
    ///
    /// # Panics
    /// No slot is left.
    #[cfg_attr(not(web), track_caller)]
    pub fn spawn<B: Bundle + Send>(&mut self, bundle: B) -> Entity {
        let entity = self.reserve();
        self.record(entity, move |world| {
            let prepare =
                |world: &mut World| (bundle.into_components(), world.resolve::<B::Components>());
            let (components, (types, given)) = world.create_reserved(entity, prepare)?;
            world.fill_slot(entity.index(), components, &types, given);
            Ok(())
        });
        entity
    }

    /// Records that an entity is spawned from a template, and returns its handle.
    ///
    /// # Panics
    /// No slot is left.
    #[cfg_attr(not(web), track_caller)]
    pub fn spawn_template(&mut self, template: &Template) -> Entity {
        let values = template.values.clone();
        let entity = self.reserve();
        self.record(entity, move |world| {
            let types = world.create_reserved(entity, |world| world.register_values(&values))?;
            world.insert_values(entity, values, &types)
        });
        entity
    }

    #[cfg_attr(not(web), track_caller)]
    fn reserve(&mut self) -> Entity {
        let entity = match self.fresh.reserve() {
            Ok(entity) => entity,
            Err(error) => panic!("{error}"),
        };
        self.reserved.push(entity);
        entity
    }

    /// Records that an entity is despawned.
    pub fn despawn(&mut self, entity: Entity) {
        self.record(entity, move |world| world.despawn(entity));
    }

    /// Records that a component is added to an entity.
    ///
    /// # Panics
    /// `T` is a tuple or a reference.
    #[cfg_attr(not(web), track_caller)]
    pub fn insert<T: Component>(&mut self, entity: Entity, value: T) {
        require_component::<T>();
        self.record(entity, move |world| world.insert(entity, value));
    }

    /// Records that a component of an entity is replaced, or added if there is none.
    ///
    /// # Panics
    /// `T` is a tuple or a reference.
    #[cfg_attr(not(web), track_caller)]
    pub fn set<T: Component>(&mut self, entity: Entity, value: T) {
        require_component::<T>();
        self.record(entity, move |world| world.set(entity, value).map(drop));
    }

    /// Records that several components are added to an entity.
    pub fn insert_bundle<B: Bundle + Send>(&mut self, entity: Entity, bundle: B) {
        self.record(entity, move |world| world.insert_bundle(entity, bundle));
    }

    /// Records that a component is removed from an entity and dropped.
    ///
    /// # Panics
    /// `T` is a tuple or a reference.
    #[cfg_attr(not(web), track_caller)]
    pub fn remove<T: Component>(&mut self, entity: Entity) {
        require_component::<T>();
        self.record(entity, move |world| world.remove::<T>(entity).map(drop));
    }

    /// Records that several components are removed from an entity and dropped.
    pub fn remove_bundle<B: Bundle>(&mut self, entity: Entity) {
        self.record(entity, move |world| world.remove_bundle::<B>(entity).map(drop));
    }

    /// Records a call of `work`, after all commands recorded before it. Like a [`System`](super::System), it returns `()`
    /// or `Result<(), Error>`.
    pub fn queue<R: SystemOutput>(&mut self, work: impl FnOnce(&mut World) -> R + Send + 'static) {
        self.recorded.get_mut().push((None, Box::new(|world| work(world).into_result())));
    }

    fn record(
        &mut self,
        entity: Entity,
        work: impl FnOnce(&mut World) -> Result<(), Error> + Send + 'static,
    ) {
        self.recorded.get_mut().push((Some(entity), Box::new(work)));
    }

    /// Applies the commands in order and returns the errors. A command that fails, for instance
    /// because its entity was despawned in the meantime, changes nothing, except that work given to
    /// [`queue`](Self::queue) keeps what it did before its error. The next command is applied, also if one panics, in a
    /// destructor for instance.
    ///
    /// # Panics
    /// As the recorded calls do, such as for a bundle that names a type twice; after all commands.
    #[must_use = "the errors of the commands are in the result only"]
    pub fn apply(mut self, world: &mut World) -> Vec<Error> {
        let fresh = Arc::clone(&self.fresh);
        // A command may restore a snapshot, after which no reserved handle becomes valid, also if the world has
        // given it to another entity.
        let owns = |world: &World| Arc::ptr_eq(&fresh, world.index.fresh());
        let owned = owns(world);
        // Others give their slots back to where they came from.
        let reserved =
            if owned { std::mem::take(&mut self.reserved) } else { self.reserved.clone() };
        let lost = LazyCell::new(|| reserved.iter().copied().collect::<HashSet<_>>());
        let mut errors = Vec::new();
        let recorded = std::mem::take(self.recorded.get_mut()).into_iter();
        let applied = catch_unwind(AssertUnwindSafe(|| {
            for_each_despite_panic(recorded, |(on, command)| {
                let is_lost = |on: &Entity| !owns(world) && lost.contains(on);
                errors.extend(match on.filter(is_lost) {
                    Some(entity) => Some(world.index.refuse(entity)),
                    None => command(world).err(),
                });
            });
        }));
        // As many commands will be recorded in the next frame, for instance.
        if owned && owns(world) {
            world.index.offer(reserved.len());
        }
        applied.unwrap_or_else(|panic| resume_unwind(panic));
        errors
    }
}

impl World {
    /// Returns an empty list of commands for this world. Several lists may exist at once. The world applies none of
    /// them by itself.
    pub fn commands(&self) -> Commands {
        Commands {
            fresh: Arc::clone(self.index.fresh()),
            recorded: Exclusive::new(Vec::new()),
            reserved: Vec::new(),
        }
    }

    /// Creates the entity of a handle that was reserved in this world, without components, and returns what
    /// `prepare` returned before. If that panics, the slot becomes free.
    fn create_reserved<R>(
        &mut self,
        entity: Entity,
        prepare: impl FnOnce(&mut Self) -> R,
    ) -> Result<R, Error> {
        let prepared = catch_unwind(AssertUnwindSafe(|| prepare(self))).unwrap_or_else(|panic| {
            self.index.give_up_reserved(entity);
            resume_unwind(panic)
        });
        let created = self.index.create_reserved(entity);
        created.inspect_err(|_| self.index.give_up_reserved(entity))?;
        Ok(prepared)
    }
}
