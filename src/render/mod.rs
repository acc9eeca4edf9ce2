//! Rendering with wgpu: packed arrays in, picture out. Knows slices and cameras, nothing of
//! entities.
//!
//! [`Gpu`] is the device; a picture goes to a [`WindowSurface`] or to an [`OffscreenTarget`], and
//! the [`Renderer`] does not care which. [`Renderer::draw`] is the one way through a frame.
//!
//! # From array to pixel
//!
//! ```text
//! positions  Vec3 ┐                 ┌ instance buffers, only what has changed ┐
//! rotations  Quat ├ ChangeTracked arrays ─┤                                         ├─ vertex shader
//! scales     f32  │                 └ selection: numbers of what is in view   ┘
//! colors    u8 x4 ┘                   in full / as small cubes / not at all
//! ```
//!
//! The arrays are copied as they lie. Where CPU and GPU share memory they are written straight into
//! what shaders read ([`Streaming::Mapped`]); a discrete card gets them by way of staging buffers.
//!
//! # Where things are
//!
//! | file | holds |
//! |---|---|
//! | `adapter`, `gpu`, `losses` | which device, the device and its errors, how often it may be lost |
//! | `surface`, `present_mode`, `target`, `image` | what is drawn on; pictures read back |
//! | `renderer`, `scene`, `settings` | a frame, what it shows, how |
//! | `attachments`, `shadow_map`, `globals`, `gpu_timer` | depth and samples, who is in shadow, camera and light, GPU time |
//! | `tracked`, `instance_buffer`, `upload` | arrays that say what changed, their copies on the GPU |
//! | `selection`, `cubes` | which cubes are drawn, and how |
//! | `pulled_cubes`, `instanced_cubes`, `cube_mesh` | the two ways from cube to triangles |
//! | `outline` | the line around a cube that is selected |
//! | `ground`, `sky`, `scene_shader` | the rest of the picture, the shaders |

mod adapter;
mod allocation;
mod attachments;
mod background;
mod change_tracked;
mod cube_mesh;
mod cubes;
mod culling;
mod device_errors;
mod draw_hooks;
mod error;
mod globals;
mod gpu;
mod gpu_timer;
mod image;
mod instance_buffer;
mod instanced_cubes;
mod outline;
mod present_mode;
mod pulled_cubes;
mod recovery;
mod renderer;
mod scene_shader;
mod scene_view;
mod settings;
mod shadow_map;
mod size;
mod streaming;
mod surface;
mod target;
mod upload;

pub use adapter::{AdapterSummary, Backend, GpuSettings, adapters};
pub use change_tracked::{CHANGE_CHUNK, ChangeTracked};
pub use cubes::DrawStats;
pub use draw_hooks::{DrawHooks, DrawPhase};
pub use error::RenderError;
pub use gpu::Gpu;
pub use gpu_timer::GpuTimes;
pub use image::Image;
pub use present_mode::PresentMode;
pub use recovery::RecoveryPolicy;
pub use renderer::Renderer;
pub use scene_view::SceneView;
pub use settings::{Culling, Effects, Geometry, Quality, RenderSettings};
pub use size::Size;
pub use streaming::Streaming;
pub use surface::{Acquired, WindowSurface};
pub use target::{OffscreenTarget, RenderTarget};
