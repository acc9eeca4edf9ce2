//! Signatures: sets of component types.

use std::fmt;
use std::num::NonZero;

/// The bits of a [`Signature`]. With `u128` here, a world has up to 128 component types, and finding a
/// component by handle takes up to twice as long.
pub(super) type Bits = u64;

/// Largest number of component types in a world: the bits of a [`Signature`].
pub const MAX_COMPONENT_TYPES: usize = Bits::BITS as usize;

/// Number of a registered component type. Types are numbered from 0, in the order of registration.
///
/// Valid only in the world that returned it; other worlds do not detect it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ComponentType(u8);

impl ComponentType {
    #[inline]
    pub(super) const fn new(number: u8) -> Self {
        assert!((number as usize) < MAX_COMPONENT_TYPES);
        Self(number)
    }

    /// Returns the number, in `0..MAX_COMPONENT_TYPES`.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Set of component types, one bit each. All operations are `O(1)`.
///
/// Valid only in the world of its component types; other worlds do not detect it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Signature(Bits);

impl Signature {
    /// The signature of an entity without components.
    pub const EMPTY: Self = Self(0);

    #[cfg(feature = "serde")]
    pub(super) const fn from_bits(bits: Bits) -> Self {
        Self(bits)
    }

    /// Returns the set as bits: bit `i` is component type `i`.
    pub const fn bits(self) -> Bits {
        self.0
    }

    /// Returns this set with `component` added.
    #[must_use]
    pub const fn with(self, component: ComponentType) -> Self {
        Self(self.0 | 1 << component.0)
    }

    /// Returns this set with `component` removed.
    #[must_use]
    pub const fn without(self, component: ComponentType) -> Self {
        Self(self.0 & !(1 << component.0))
    }

    /// Returns the types in either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the types in this set that are not in `other`.
    #[must_use]
    pub const fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the types in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns `true` if `component` is in the set.
    pub const fn contains(self, component: ComponentType) -> bool {
        self.0 & (1 << component.0) != 0
    }

    /// Returns `true` if all types of `other` are in this set.
    pub const fn contains_all(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns `true` if no type is in both sets.
    pub const fn is_disjoint(self, other: Self) -> bool {
        self.0 & other.0 == 0
    }

    /// Returns `true` if the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of types in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Iterates over the types in the set, in the order of registration.
    #[inline]
    pub fn iter(self) -> SignatureIter {
        SignatureIter(self.0)
    }
}

/// Iterates over the positions of the ones in `bits`, in ascending order.
pub(super) fn ones(bits: Bits) -> impl Iterator<Item = u8> + Clone {
    SignatureIter(bits).map(|component| component.0)
}

impl IntoIterator for Signature {
    type Item = ComponentType;
    type IntoIter = SignatureIter;

    #[inline]
    fn into_iter(self) -> SignatureIter {
        self.iter()
    }
}

/// Iterator over the types in a [`Signature`], in the order of registration.
#[derive(Clone)]
pub struct SignatureIter(Bits);

/// Prints the numbers of the types that are left: `{0, 3}`.
impl fmt::Debug for SignatureIter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Signature(self.0).fmt(f)
    }
}

impl Iterator for SignatureIter {
    type Item = ComponentType;

    #[inline]
    fn next(&mut self) -> Option<ComponentType> {
        let lowest = NonZero::new(self.0)?.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(ComponentType(lowest as u8))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = Signature(self.0).len();
        (left, Some(left))
    }
}

impl ExactSizeIterator for SignatureIter {}

impl FromIterator<ComponentType> for Signature {
    fn from_iter<I: IntoIterator<Item = ComponentType>>(types: I) -> Self {
        types.into_iter().fold(Self::EMPTY, Self::with)
    }
}

/// Prints the numbers of the types: `{0, 3}`.
impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(ComponentType::index)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_operations_follow_the_bits() {
        let [a, b, c] = [0, 5, 63].map(ComponentType::new);
        let set: Signature = [a, c].into_iter().collect();
        assert_eq!(set.bits(), 1 << 63 | 1);
        assert!(set.contains(a) && !set.contains(b) && set.contains(c));
        assert!(set.with(b).contains_all(set) && !set.contains_all(set.with(b)));
        assert!(set.is_disjoint(Signature::EMPTY.with(b)));
        assert_eq!(set.without(a).iter().collect::<Vec<_>>(), [c]);
        assert!(set.with(b).into_iter().eq([a, b, c]));
        assert_eq!((set.iter().len(), format!("{:?}", set.iter())), (2, "{0, 63}".to_owned()));
        assert_eq!((set.len(), set.is_empty()), (2, false));
        assert_eq!(format!("{set:?}"), "{0, 63}");
    }
}
