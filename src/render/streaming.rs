//! Streaming: the way of a frame's data to the GPU.

/// How a frame's data gets from the CPU's memory to where shaders read it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "benchmark", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "benchmark", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "benchmark", serde(rename_all = "kebab-case"))]
pub enum Streaming {
    /// Written straight into the buffers that shaders read; where CPU and GPU share memory.
    Mapped,
    /// Written into staging buffers and copied from there; where the GPU has memory of its own.
    Staged,
}

impl Streaming {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Mapped, Self::Staged];

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mapped => "mapped",
            Self::Staged => "staged",
        }
    }
}
