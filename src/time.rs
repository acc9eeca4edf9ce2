//! Time: the clock of the standard library, which has none in a browser.

#[cfg(not(web))]
pub(crate) use std::time::Instant;
#[cfg(web)]
pub(crate) use web_time::Instant;
