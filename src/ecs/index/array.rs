//! The entities of one packed array.

use std::collections::{TryReserveError, VecDeque};
use std::ops::Range;

use super::row::ABSENT;
use crate::ecs::{ComponentType, Signature};

/// Slots per page of a [`Sparse`].
const PAGE: usize = 1024;

/// The outermost group that owns a packed array: its members have their elements at the front, in the
/// order of a member list.
#[derive(Clone, Copy)]
pub(in crate::ecs) struct Owner {
    /// Number of the member list.
    pub(in crate::ecs) list: u8,
    pub(super) owned: Signature,
    pub(super) excluded: Signature,
}

impl Owner {
    pub(in crate::ecs) const fn new(list: u8, owned: Signature, excluded: Signature) -> Self {
        Self { list, owned, excluded }
    }

    /// Returns the owner of an array that no group owns. No entity is a member.
    const fn none(component: ComponentType) -> Self {
        let component = Signature::EMPTY.with(component);
        Self::new(0, component, component)
    }

    fn exists(&self) -> bool {
        self.owned.is_disjoint(self.excluded)
    }

    /// Returns `true` if entities with `signature` are members.
    #[inline]
    pub(super) fn matches(&self, signature: Signature) -> bool {
        signature.contains_all(self.owned) & signature.is_disjoint(self.excluded)
    }
}

/// The entities of one packed array, in its order: the members of its [`Owner`], which a member list
/// names, and then the entities of the `tail`.
pub(in crate::ecs) struct ArrayIndex {
    owner: Owner,
    /// Number of members of the owner.
    aligned: usize,
    tail: VecDeque<u32>,
    /// Dense indices of the elements in the tail.
    sparse: Sparse,
}

impl ArrayIndex {
    pub(super) fn new(component: ComponentType) -> Self {
        Self {
            owner: Owner::none(component),
            aligned: 0,
            tail: VecDeque::new(),
            sparse: Sparse::default(),
        }
    }

    /// Returns the owner, if a group owns the array.
    pub(in crate::ecs) fn owner(&self) -> Option<Owner> {
        Some(self.owner).filter(Owner::exists)
    }

    /// Returns the owner's list if entities with `signature` are members of the owner, and so have the
    /// component.
    #[inline]
    pub(in crate::ecs) fn list(&self, signature: Signature) -> Option<u8> {
        self.owner.matches(signature).then_some(self.owner.list)
    }

    /// Sets the owner. Moves nothing: the aligned elements must be those of the members of the new owner.
    pub(super) fn set_owner(&mut self, owner: Owner) {
        self.owner = owner;
    }

    pub(super) fn remove_owner(&mut self, component: ComponentType) {
        self.owner = Owner::none(component);
    }

    pub(in crate::ecs) fn len(&self) -> usize {
        self.aligned + self.tail.len()
    }

    pub(in crate::ecs) fn aligned(&self) -> usize {
        self.aligned
    }

    /// Returns the number of elements that belong to members of list 0: those of the entities with a
    /// smaller position in it.
    #[inline]
    pub(super) fn members_of_list_0(&self) -> usize {
        if self.owner.list == 0 { self.aligned } else { 0 }
    }

    pub(in crate::ecs) fn tail(&self) -> &VecDeque<u32> {
        &self.tail
    }

    /// Returns the dense index of an entity in the tail.
    #[inline]
    pub(super) fn in_tail(&self, slot: u32) -> u32 {
        self.sparse.get(slot)
    }

    /// Reserves memory for `additional` entities in slots below `end`, of which the last were never
    /// used.
    pub(super) fn try_reserve(
        &mut self,
        additional: usize,
        end: usize,
    ) -> Result<(), TryReserveError> {
        self.tail.try_reserve(additional)?;
        self.sparse.try_reserve(end.saturating_sub(additional)..end)
    }

    /// Adds an entity whose value was appended.
    #[inline]
    pub(in crate::ecs) fn push(&mut self, slot: u32) {
        self.sparse.set(slot, self.len());
        self.tail.push_back(slot);
    }

    /// Removes an entity of the tail by swap-remove, and returns its former dense index.
    pub(in crate::ecs) fn swap_remove(&mut self, slot: u32) -> usize {
        let hole = self.in_tail(slot) as usize;
        let last = self.tail.pop_back().expect("the entity is in the tail");
        if last != slot {
            self.tail[hole - self.aligned] = last;
            self.sparse.set(last, hole);
        }
        hole
    }

    /// Swaps two elements of the tail, given by their dense indices.
    pub(in crate::ecs) fn swap(&mut self, a: usize, b: usize) {
        self.tail.swap(a - self.aligned, b - self.aligned);
        for dense in [a, b] {
            self.sparse.set(self.tail[dense - self.aligned], dense);
        }
    }

    /// Moves an entity from the tail to the end of the members, and returns its former dense index,
    /// which the first element of the tail has now.
    pub(in crate::ecs) fn join(&mut self, slot: u32) -> usize {
        let from = self.in_tail(slot) as usize;
        if from != self.aligned {
            self.swap(from, self.aligned);
        }
        self.tail.pop_front();
        self.aligned += 1;
        from
    }

    /// Adds an entity whose value was appended to the end of the members. Returns the former end of
    /// the array, which the first element of the tail has now.
    #[inline]
    pub(in crate::ecs) fn push_member(&mut self) -> usize {
        let end = self.len();
        if let Some(first) = self.tail.pop_front() {
            self.tail.push_back(first);
            self.sparse.set(first, end);
        }
        self.aligned += 1;
        end
    }

    /// Moves the last of the members to the tail.
    pub(in crate::ecs) fn leave(&mut self, slot: u32) {
        self.aligned -= 1;
        self.tail.push_front(slot);
        self.sparse.set(slot, self.aligned);
    }

    /// Removes the last of the members. The last element of the tail takes its place. Returns `true` if
    /// there is one.
    #[inline]
    pub(in crate::ecs) fn pop_member(&mut self) -> bool {
        self.aligned -= 1;
        let Some(last) = self.tail.pop_back() else { return false };
        self.tail.push_front(last);
        self.sparse.set(last, self.aligned);
        true
    }

    /// Adds members whose values were appended to an array without a tail.
    pub(in crate::ecs) fn grow_members(&mut self, count: usize) {
        debug_assert!(self.tail.is_empty());
        self.aligned += count;
    }

    /// Adds entities whose values were appended.
    pub(in crate::ecs) fn extend(&mut self, slots: impl IntoIterator<Item = u32>) {
        let slots = slots.into_iter();
        self.tail.reserve(slots.size_hint().0);
        slots.for_each(|slot| self.push(slot));
    }

    /// Makes the first `count` entities of the tail members, in their order.
    pub(super) fn join_front(&mut self, count: usize) {
        self.tail.drain(..count);
        self.aligned += count;
    }

    /// Moves all members, which have these slots, to the front of the tail, in their order.
    pub(super) fn dissolve(&mut self, members: &[u32]) {
        for &slot in members[..self.aligned].iter().rev() {
            self.leave(slot);
        }
    }

    /// Removes the members; the elements of the tail move to the front.
    pub(super) fn remove_members(&mut self) {
        self.aligned = 0;
        self.renumber();
    }

    /// Replaces members and tail.
    pub(super) fn replace(&mut self, aligned: usize, tail: VecDeque<u32>) {
        self.aligned = aligned;
        self.tail = tail;
        self.renumber();
    }

    /// Takes the tail out; [`replace`](Self::replace) must follow.
    pub(super) fn take_tail(&mut self) -> VecDeque<u32> {
        std::mem::take(&mut self.tail)
    }

    fn renumber(&mut self) {
        for (&slot, dense) in self.tail.iter().zip(self.aligned..) {
            self.sparse.set(slot, dense);
        }
    }

    /// Returns the reserved memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.tail.capacity() * size_of::<u32>() + self.sparse.bytes()
    }

    pub(super) fn shrink_to(&mut self, capacity: usize) {
        self.tail.shrink_to(capacity);
        if self.sparse.slots() / 4 > self.tail.len().max(capacity) {
            self.sparse = Sparse::default();
            self.renumber();
        }
    }
}

/// Numbers by slot, in pages that exist where they are needed. The number of a slot that has none is
/// undefined.
#[derive(Default)]
struct Sparse(Vec<Option<Box<[u32; PAGE]>>>);

impl Sparse {
    #[inline]
    fn get(&self, slot: u32) -> u32 {
        let page = self.0[slot as usize / PAGE].as_ref().expect("the slot has a number");
        page[slot as usize % PAGE]
    }

    #[inline]
    fn set(&mut self, slot: u32, number: usize) {
        match self.0.get_mut(slot as usize / PAGE) {
            Some(Some(page)) => page[slot as usize % PAGE] = number as u32,
            _ => self.set_in_new_page(slot, number),
        }
    }

    #[cold]
    fn set_in_new_page(&mut self, slot: u32, number: usize) {
        let page = slot as usize / PAGE;
        if self.0.len() <= page {
            self.0.resize(page + 1, None);
        }
        self.0[page].insert(Box::new([ABSENT; PAGE]))[slot as usize % PAGE] = number as u32;
    }

    /// Adds the pages of a range of slots.
    fn try_reserve(&mut self, slots: Range<usize>) -> Result<(), TryReserveError> {
        let pages = slots.start / PAGE..slots.end.div_ceil(PAGE);
        self.0.try_reserve(pages.end.saturating_sub(self.0.len()))?;
        if self.0.len() < pages.end {
            self.0.resize(pages.end, None);
        }
        for page in self.0[pages].iter_mut().filter(|page| page.is_none()) {
            let mut numbers = Vec::new();
            numbers.try_reserve_exact(PAGE)?;
            numbers.resize(PAGE, ABSENT);
            *page = numbers.into_boxed_slice().try_into().ok();
        }
        Ok(())
    }

    /// Returns the number of slots in all pages.
    fn slots(&self) -> usize {
        self.0.iter().flatten().count() * PAGE
    }

    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<Option<Box<[u32; PAGE]>>>() + self.slots() * size_of::<u32>()
    }
}
