//! Commands: changes noted down while the world cannot be changed, and done later.

use std::fmt;
use std::sync::Arc;

use super::index::Fresh;
use super::{Bundle, Component, Entity, Error, World};

type Change = Box<dyn FnOnce(&mut World) -> Result<(), Error> + Send>;

/// Changes to be made, in the order in which they were noted; made by [`World::commands`] and
/// usable while the world is borrowed, as in the middle of a query.
///
/// Entities that are to be spawned have their handles at once; these may be stored and named in
/// further commands, and become valid when the commands are applied. Commands that are dropped
/// instead give their handles up for good.
#[must_use = "commands do nothing until they are applied"]
pub struct Commands {
    fresh: Arc<Fresh>,
    changes: Vec<Change>,
}

impl Commands {
    /// Notes that an entity is to be spawned, and returns its handle.
    ///
    /// # Errors
    /// No slot index is left.
    pub fn spawn<B: Bundle + Send + 'static>(&mut self, bundle: B) -> Result<Entity, Error> {
        let entity = self.fresh.reserve()?;
        self.changes.push(Box::new(move |world| world.spawn_reserved(entity, bundle)));
        Ok(entity)
    }

    /// Notes that an entity is to be despawned.
    pub fn despawn(&mut self, entity: Entity) {
        self.changes.push(Box::new(move |world| world.despawn(entity)));
    }

    /// Notes that an entity is to get a component.
    pub fn insert<T: Component>(&mut self, entity: Entity, value: T) {
        self.changes.push(Box::new(move |world| world.insert(entity, value)));
    }

    /// Notes that an entity is to lose a component, which is dropped.
    pub fn remove<T: Component>(&mut self, entity: Entity) {
        self.changes.push(Box::new(move |world| world.remove::<T>(entity).map(drop)));
    }

    /// How many changes are noted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    /// Whether no change is noted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Makes the changes, in order. One that is refused (its entity was despawned in the meantime,
    /// say) changes nothing, and the next one is made; what was refused is returned.
    pub fn apply(self, world: &mut World) -> Vec<Error> {
        self.changes.into_iter().filter_map(|change| change(world).err()).collect()
    }
}

impl fmt::Debug for Commands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Commands").field("changes", &self.len()).finish_non_exhaustive()
    }
}

impl World {
    /// An empty list of commands for this world. Several may exist at once.
    pub fn commands(&self) -> Commands {
        Commands { fresh: Arc::clone(self.index.fresh()), changes: Vec::new() }
    }

    fn spawn_reserved<B: Bundle>(&mut self, entity: Entity, bundle: B) -> Result<(), Error> {
        if entity.world() != self.index.world() {
            return Err(Error::ForeignEntity(entity));
        }
        let prepared = B::types(&self.columns).and_then(|types| {
            let given = B::signature(&types, &self.columns)?;
            self.index.create_reserved(entity)?;
            Ok((types, given))
        });
        match prepared {
            Ok((types, given)) => {
                self.give_to_slot(entity.index(), bundle, &types, given);
                Ok(())
            }
            Err(error) => {
                self.index.give_up_reserved(entity);
                Err(error)
            }
        }
    }
}
