//! Commands: changes that are recorded while the world is borrowed, and applied later.

use std::sync::Arc;

use super::index::FreshSlots;
use super::{Bundle, Component, ComponentTuple, Entity, Error, World};

type Command = Box<dyn FnOnce(&mut World) -> Result<(), Error> + Send>;

/// Recorded changes, in order; made by [`World::commands`]. Commands can be recorded while the world
/// is borrowed, for instance during a query.
///
/// Entities to be spawned have their handles at once. These can be stored and used in further
/// commands, and become valid when the commands are applied. If commands are dropped instead, their
/// handles never become valid.
#[must_use = "commands do nothing until they are applied"]
pub struct Commands {
    fresh: Arc<FreshSlots>,
    commands: Vec<Command>,
}

impl Commands {
    /// Records that an entity is spawned, and returns its handle.
    ///
    /// # Errors
    /// No slot is left.
    pub fn spawn<B: Bundle + Send>(&mut self, bundle: B) -> Result<Entity, Error> {
        let entity = self.fresh.reserve()?;
        self.commands.push(Box::new(move |world| world.spawn_reserved(entity, bundle)));
        Ok(entity)
    }

    /// Records that an entity is despawned.
    pub fn despawn(&mut self, entity: Entity) {
        self.commands.push(Box::new(move |world| world.despawn(entity)));
    }

    /// Records that a component is added to an entity.
    pub fn insert<T: Component>(&mut self, entity: Entity, value: T) {
        self.commands.push(Box::new(move |world| world.insert(entity, value)));
    }

    /// Records that a component is removed from an entity and dropped.
    pub fn remove<T: Component>(&mut self, entity: Entity) {
        self.commands.push(Box::new(move |world| world.remove::<T>(entity).map(drop)));
    }

    /// Applies the commands in order and returns the errors. A command that fails, for instance
    /// because its entity was despawned in the meantime, changes nothing; the next one is applied.
    pub fn apply(self, world: &mut World) -> Vec<Error> {
        self.commands.into_iter().filter_map(|command| command(world).err()).collect()
    }
}

impl World {
    /// Returns an empty list of commands for this world. Several lists may exist at once.
    pub fn commands(&self) -> Commands {
        Commands { fresh: Arc::clone(self.index.fresh()), commands: Vec::new() }
    }

    fn spawn_reserved<B: Bundle>(&mut self, entity: Entity, bundle: B) -> Result<(), Error> {
        if entity.world() != self.id() {
            return Err(Error::ForeignEntity(entity));
        }
        let resolved = B::Components::resolve(&self.columns);
        let created = resolved.and_then(|resolved| {
            self.index.create_reserved(entity)?;
            Ok(resolved)
        });
        let (types, given) = created.inspect_err(|_| self.index.give_up_reserved(entity))?;
        self.give_to_slot(entity.index(), bundle.into_components(), &types, given);
        Ok(())
    }
}
