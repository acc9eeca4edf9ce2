//! Cubefall.
#[cfg(feature = "sim")]
pub mod components;
pub mod ecs;
#[cfg(feature = "render")]
pub mod render;
#[cfg(feature = "sim")]
pub mod sim;
