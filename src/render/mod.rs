//! Rendering with wgpu: packed arrays in, frames out. Knows slices and cameras, but no entities.
//!
//! [`Gpu`] is the device. [`Renderer::draw`] draws a [`SceneView`] onto a [`RenderTarget`], which
//! belongs to a [`WindowSurface`] or to an [`OffscreenTarget`]. It is the only way through a frame;
//! start reading there.
//!
//! # From array to pixel
//!
//! ```text
//! ChangeTracked arrays          GPU                               vertex shader
//! positions  Vec3  --+
//! rotations  Quat  --+-- changed ranges --> instance buffers --+
//! scales     f32   --+                                         +--> triangles
//! colors     u8 x4 --+-- culling ---------> visible indices ---+
//! ```
//!
//! With [`EvaluatedMotion`](crate::components::EvaluatedMotion) the GPU has a record of each cube instead, written when
//! the cube spawns or changes course. The vertex shader computes where the cube is.
//!
//! The arrays are copied unconverted. Where CPU and GPU share memory, the copy goes directly into the
//! buffers that shaders read ([`Streaming::Mapped`]); otherwise through staging buffers.
//!
//! # Panics
//!
//! wgpu reports some failures of drivers as panics. They are caught, and become errors: build with `panic = "unwind"`,
//! and let a panic hook print nothing while [`is_panic_caught`] returns `true`.
//!
//! # Files
//!
//! | file | contents |
//! |---|---|
//! | `renderer`, `draw_hooks`, `scene_view`, `settings` | a frame: its order, its input, its options |
//! | `adapter`, `adapter_choice`, `platform` | adapters, which of them is opened, missing drivers |
//! | `gpu`, `submitted`, `capabilities` | the device, its work, its capacity |
//! | `device_errors`, `error`, `caught`, `recovery` | errors, and losses of the device |
//! | `allocation`, `readback_buffer`, `main_memory` | memory of the device, and main memory |
//! | `surface`, `present_mode`, `target`, `size`, `image`, `exposure` | windows, textures, pixels read back, motion blur |
//! | `change_tracked`, `instance_buffer`, `upload` | arrays, their GPU copies, staging |
//! | `cubes`, `draw_stats` | the cubes, with integrated or evaluated motion |
//! | `integrated_cubes`, `culling`, `frustum` | cubes where their arrays say, and which of them are drawn |
//! | `evaluated` | cubes whose motion the GPU evaluates |
//! | `pulled_cubes`, `pulled_mesh`, `instanced_cubes`, `cube_mesh` | the two geometries |
//! | `background`, `outline`, `shadow_map`, `attachments` | what else is drawn, the shadow map, and the textures |
//! | `post`, `screen_pass` | ambient occlusion in screen space and bloom |
//! | `scene_shader`, `endless_variants`, `compute_pipeline`, `buffer_bindings` | pipelines and bind groups |
//! | `globals`, `gpu_timer` | the uniform buffer, GPU times |

mod adapter;
mod adapter_choice;
mod allocation;
mod attachments;
mod background;
mod buffer_bindings;
mod capabilities;
mod caught;
mod change_tracked;
mod compute_pipeline;
mod cube_mesh;
mod cubes;
mod culling;
mod device_errors;
mod draw_hooks;
mod draw_stats;
mod endless_variants;
mod error;
mod evaluated;
mod exposure;
mod frustum;
mod globals;
mod gpu;
mod gpu_timer;
mod image;
mod instance_buffer;
mod instanced_cubes;
mod integrated_cubes;
mod main_memory;
mod outline;
mod platform;
mod post;
mod present_mode;
mod pulled_cubes;
mod pulled_mesh;
mod readback_buffer;
mod recovery;
mod renderer;
mod scene_shader;
mod scene_view;
mod screen_pass;
mod settings;
mod shadow_map;
mod size;
mod submitted;
mod surface;
mod target;
mod upload;

pub use adapter::{AdapterSummary, Backend, GpuSettings, Streaming, adapters};
pub use caught::is_panic_caught;
pub use change_tracked::ChangeTracked;
pub use draw_hooks::{DrawHooks, DrawPhase};
pub use draw_stats::DrawStats;
pub use error::RenderError;
pub use exposure::Exposure;
pub use gpu::Gpu;
pub use gpu_timer::GpuTimes;
pub use image::Image;
#[cfg(all(feature = "record", not(web)))]
pub(crate) use image::{png_encoder, png_error};
pub use instance_buffer::MAPPED_LATENCY;
pub use main_memory::FramesInFlight;
pub use present_mode::PresentMode;
pub use recovery::RecoveryPolicy;
pub use renderer::Renderer;
pub use scene_view::SceneView;
pub use settings::{AmbientOcclusion, Culling, Effects, Geometry, Quality, RenderSettings};
pub use size::{InvalidSize, Size};
pub use submitted::Submitted;
pub use surface::{Acquired, FRAMES_IN_FLIGHT, WindowSurface};
pub use target::{OffscreenTarget, Readback, RenderTarget};
/// The version of wgpu whose types are in the API.
pub use wgpu;
