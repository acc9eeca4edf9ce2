//! Value enums: settings that flags accept by name.

use clap::ValueEnum;
use clap::builder::PossibleValue;

#[cfg(feature = "render")]
use crate::render::{Backend, Geometry, PresentMode, Quality, Streaming};
use crate::sim::FallMode;

/// Makes the variants of an enum flag values, called as `name()` says, each with its help line.
macro_rules! value_enum {
    ($type:ty { $($variant:ident => $help:literal,)* }) => {
        impl ValueEnum for $type {
            fn value_variants<'a>() -> &'a [Self] {
                &[$(Self::$variant),*]
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                let help = match self {
                    $(Self::$variant => $help,)*
                };
                Some(PossibleValue::new(self.name()).help(help))
            }
        }
    };
}

value_enum!(FallMode {
    Cubes => "The cubes fall, the camera is free",
    Camera => "The camera falls past the cubes, which stay in place",
});

#[cfg(feature = "render")]
value_enum!(Quality {
    Low => "Cubes, ground and sky",
    Medium => "Adds fog and MSAA",
    High => "Adds shadows",
});

#[cfg(feature = "render")]
value_enum!(Geometry {
    Pulled => "The vertex shader reads cubes from storage buffers",
    Instanced => "One instance of a mesh per cube; works on every adapter",
});

#[cfg(feature = "render")]
value_enum!(Streaming {
    Mapped => "Write directly into the buffers that shaders read",
    Staged => "Write into staging buffers, then copy on the GPU",
});

#[cfg(feature = "render")]
value_enum!(Backend {
    Vulkan => "Linux, Windows",
    Metal => "macOS",
    Dx12 => "Windows",
    Gl => "OpenGL",
});

#[cfg(feature = "render")]
value_enum!(PresentMode {
    Vsync => "One frame per display refresh, no tearing",
    NoVsync => "As fast as possible: immediate, mailbox or fifo, the first that is supported",
    Fifo => "Queue frames, one per display refresh",
    FifoRelaxed => "As fifo, but a late frame is shown at once and may tear",
    Mailbox => "Show the latest frame at each display refresh, drop older ones",
    Immediate => "Show each frame at once, may tear",
});
