//! Time: the clock of the standard library, which has none in a browser.

#[cfg(not(web))]
pub(crate) use std::time::Instant;
#[cfg(all(not(web), feature = "benchmark"))]
pub(crate) use std::time::{SystemTime, UNIX_EPOCH};
#[cfg(web)]
pub(crate) use web_time::Instant;
#[cfg(all(web, feature = "benchmark"))]
pub(crate) use web_time::{SystemTime, UNIX_EPOCH};
