//! What the renderer draws, on any adapter.
//!
//! Most images are compared with a reference renderer that shares no code with the product: a ray
//! caster on the CPU, in `f64`. Failed comparisons write a PNG to `target/tmp`: expected, drawn and
//! difference side by side. `CUBEFALL_IMAGES=1` writes it for all comparisons.
//!
//! | file | contents |
//! |---|---|
//! | `reference` | the reference renderer |
//! | `camera`, `cube`, `ground`, `shadows`, `block`, `light` | its parts: rays, cubes, ground, shadows, colors |
//! | `harness`, `test_scene`, `cases` | the product's renderer, scenes built by hand, all compared scenes |
//! | `moving` | cubes with evaluated motion |
//! | `comparison`, `diff_image` | comparing two images, and the PNG of their difference |
//! | `agreement`, `culling`, `streaming`, `behavior`, `endless`, `evaluated`, `evaluated_culling`, `evaluated_uploads`, `motion`, `outline`, `post` | the tests |

#![cfg(feature = "render")]

mod agreement;
mod behavior;
mod block;
mod camera;
mod cases;
mod comparison;
mod cube;
mod culling;
mod diff_image;
mod endless;
mod evaluated;
mod evaluated_culling;
mod evaluated_uploads;
mod ground;
mod harness;
mod light;
mod motion;
mod moving;
mod outline;
mod post;
mod reference;
mod shadows;
mod streaming;
mod test_scene;
