//! Census: how many cubes came and went.

/// Counts of a running scene; the cubes it began with are not in them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Census {
    /// Cubes that came to life.
    pub(super) births: u64,
    /// Cubes that fell through the floor or were taken out.
    pub(super) deaths: u64,
}
