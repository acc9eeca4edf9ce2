//! The page about a result, read back as a browser would and looked at in one.

#![cfg(feature = "benchmark")]

mod browser;
mod facts;
mod page;
mod pictures;
mod sample;
