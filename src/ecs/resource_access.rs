//! Access to the resources of a world.

use std::any::{TypeId, type_name};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::{Component, Resources, World};

impl World {
    /// Returns the resources.
    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    /// Returns the resources, for changing them.
    pub fn resources_mut(&mut self) -> &mut Resources {
        &mut self.resources
    }

    /// Returns the resource of type `T`.
    ///
    /// # Panics
    /// There is none, or [`resource_scope`](Self::resource_scope) has taken it out.
    #[cfg_attr(not(web), track_caller)]
    pub fn resource<T: Component>(&self) -> &T {
        match self.resources.get() {
            Some(resource) => resource,
            None => no_resource::<T>(),
        }
    }

    /// Returns the resource of type `T`, for changing it.
    ///
    /// # Panics
    /// As for [`resource`](Self::resource).
    #[cfg_attr(not(web), track_caller)]
    pub fn resource_mut<T: Component>(&mut self) -> &mut T {
        match self.resources.get_mut() {
            Some(resource) => resource,
            None => no_resource::<T>(),
        }
    }

    /// Calls `work` with the world and with the resource of type `T`, which is not in the world
    /// meanwhile; returns `None` if there is none. Afterwards the resource is in the world again, in
    /// place of one that `work` inserted, also if `work` panics.
    ///
    /// ```
    /// use cubefall::ecs::{Entity, World};
    ///
    /// struct Health(u32);
    /// struct Wounded(Vec<Entity>);
    ///
    /// let mut world = World::new();
    /// let troll = world.spawn((Health(1),));
    /// world.resources_mut().insert(Wounded(Vec::new()));
    /// world
    ///     .resource_scope(|world, wounded: &mut Wounded| {
    ///         let all = world.query::<(Entity, &Health)>().iter();
    ///         wounded.0 = all.filter(|(_, health)| health.0 < 10).map(|(entity, _)| entity).collect();
    ///     })
    ///     .expect("it was inserted");
    /// assert_eq!(world.resource::<Wounded>().0, [troll]);
    /// ```
    #[must_use = "`None`: the world has no such resource, and `work` was not called"]
    pub fn resource_scope<T: Component, R>(
        &mut self,
        work: impl FnOnce(&mut Self, &mut T) -> R,
    ) -> Option<R> {
        // Boxed all the time: a large resource is not copied.
        let mut taken = self.resources.values.remove(&TypeId::of::<T>())?;
        let value = taken.downcast_mut::<T>()?;
        let result = catch_unwind(AssertUnwindSafe(|| work(self, value)));
        self.resources.values.insert(TypeId::of::<T>(), taken);
        Some(result.unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

#[cold]
#[cfg_attr(not(web), track_caller)]
fn no_resource<T>() -> ! {
    panic!("the world has no resource {}, or `resource_scope` has taken it out", type_name::<T>())
}
