//! Slices: a group's part of the arrays it owns, whole or in chunks, on one thread or on all.

use super::{Error, GroupId, ReadTerms, Terms, World};

impl World {
    /// The group's part of owned arrays, to be read: `slices::<(&A, &B)>(group)` is `(&[A], &[B])`.
    /// All slices have the length of the group; position `i` is the same entity in each.
    /// `O(terms)`.
    ///
    /// # Errors
    /// The group belongs to another world or does not own a component that is asked for.
    pub fn slices<Q: ReadTerms>(&self, id: GroupId) -> Result<Q::Views<'_>, Error> {
        let types = Q::types(&self.columns)?;
        let len = self.check_owned(id, types.as_ref().iter().copied().collect())?;
        Ok(Q::split_at(Q::views(&self.columns, &types), len).0)
    }

    /// The group's part of owned arrays, to be changed where a term says so:
    /// `slices_mut::<(&mut A, &B)>(group)` is `(&mut [A], &[B])`. See [`slices`](Self::slices).
    ///
    /// # Errors
    /// As for [`slices`](Self::slices); or a component is named twice.
    pub fn slices_mut<Q: Terms>(&mut self, id: GroupId) -> Result<Q::Views<'_>, Error> {
        let types = Q::types(&self.columns)?;
        let len = self.check_owned(id, types.as_ref().iter().copied().collect())?;
        // What is refused is refused before anything counts as changed.
        Q::views_mut(&mut self.columns, &types)?;
        // A group without members has nothing to be changed.
        for component in Q::written(&types).iter().filter(|_| len > 0) {
            self.columns[component.index()].mark_all();
        }
        Ok(Q::split_at(Q::views_mut(&mut self.columns, &types)?, len).0)
    }

    /// Calls `work` for each chunk of the group's slices: at most `size` entities, in order, each
    /// in one chunk only. For an empty group it is called once, with empty slices.
    ///
    /// # Errors
    /// As for [`slices_mut`](Self::slices_mut).
    ///
    /// # Panics
    /// `size` is 0.
    pub fn for_each_chunk<Q: Terms>(
        &mut self,
        id: GroupId,
        size: usize,
        mut work: impl FnMut(Q::Views<'_>),
    ) -> Result<(), Error> {
        assert!(size > 0, "a chunk holds at least one entity");
        let mut left = self.group_len(id)?;
        let mut rest = self.slices_mut::<Q>(id)?;
        while left > size {
            let (chunk, behind) = Q::split_at(rest, size);
            work(chunk);
            (rest, left) = (behind, left - size);
        }
        work(rest);
        Ok(())
    }

    /// As [`for_each_chunk`](Self::for_each_chunk), with the chunks shared among all threads of the
    /// current rayon pool and in any order. Since no two chunks share an entity, the result does
    /// not depend on how many threads there are.
    ///
    /// # Errors
    /// As for [`slices_mut`](Self::slices_mut).
    ///
    /// # Panics
    /// `size` is 0.
    #[cfg(feature = "parallel")]
    pub fn par_for_each_chunk<Q: Terms>(
        &mut self,
        id: GroupId,
        size: usize,
        work: impl Fn(Q::Views<'_>) + Sync,
    ) -> Result<(), Error> {
        assert!(size > 0, "a chunk holds at least one entity");
        let len = self.group_len(id)?;
        if len <= size || rayon::current_num_threads() == 1 {
            // Handing the work to a pool costs as much as integrating thousands of entities.
            return self.for_each_chunk::<Q>(id, size, work);
        }
        share::<Q>(self.slices_mut::<Q>(id)?, len, size, &work);
        Ok(())
    }
}

/// Halves the slices at a multiple of `size` until one chunk is left, and works on the halves side
/// by side.
#[cfg(feature = "parallel")]
fn share<Q: Terms>(
    views: Q::Views<'_>,
    len: usize,
    size: usize,
    work: &(impl Fn(Q::Views<'_>) + Sync),
) {
    if len <= size {
        return work(views);
    }
    let middle = len.div_ceil(size) / 2 * size;
    let (front, back) = Q::split_at(views, middle);
    rayon::join(
        || share::<Q>(front, middle, size, work),
        || share::<Q>(back, len - middle, size, work),
    );
}
