//! Main memory: how much of it the program may use, and whether what is asked for fits.
//!
//! Linux promises more memory than there is and kills a program that uses it, without a message. So
//! whatever allocates in proportion to a number of the user is checked here beforehand.

use std::sync::OnceLock;

#[cfg(not(web))]
use sysinfo::{Process, ProcessRefreshKind, ProcessesToUpdate, System};

use crate::units::{self, count, counted};

/// Share of the available memory that may be used, in percent. The rest is for what is not estimated, such
/// as page tables and kernel memory, and for the growth of other programs: all in proportion to the size
/// of the memory.
const USABLE_PERCENT: u64 = 90;

/// Memory that each existing cube holds at least, in bytes: positions, rotations, scales, colors, physics and the index.
const HELD_BYTES_PER_CUBE: u64 = 128;

/// Available memory to assume, in bytes.
static ASSUMED: OnceLock<u64> = OnceLock::new();

/// Assumes that this much memory is available, in bytes, instead of asking the system. The first call
/// counts.
pub fn assume_available(bytes: u64) {
    ASSUMED.get_or_init(|| bytes);
}

/// Returns the memory given to [`assume_available`], in bytes.
pub fn assumed() -> Option<u64> {
    ASSUMED.get().copied()
}

/// Returns the available memory in bytes, within the limits of the system, of the control group (`cgroup`) of this process
/// and of its address space (`ulimit -v`). Memory of caches counts as available, swap does not. `None` if unknown.
pub fn available() -> Option<u64> {
    assumed().or_else(measured)
}

/// WebAssembly addresses 4 GiB. Browsers do not tell how much memory there is.
#[cfg(web)]
#[expect(clippy::unnecessary_wraps, reason = "operating systems may not tell it")]
fn measured() -> Option<u64> {
    const PAGE: u64 = 64 << 10;
    let used = std::arch::wasm32::memory_size::<0>() as u64 * PAGE;
    Some((4 << 30) - used)
}

#[cfg(not(web))]
fn measured() -> Option<u64> {
    let mut system = System::new().ok()?;
    system.refresh_memory();
    // On a Mac what other programs use actively would count as available.
    let available = if cfg!(target_os = "macos") {
        system.total_memory().saturating_sub(system.used_memory())
    } else {
        system.available_memory()
    };
    let of_system = Some(available).filter(|&bytes| bytes > 0);
    let own = sysinfo::get_current_pid().ok().and_then(|own| {
        let used = ProcessRefreshKind::nothing().with_memory().without_tasks();
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[own]), false, used);
        system.process(own)
    });
    // Not `free_memory`, which counts caches as used.
    let of_group = own.and_then(Process::cgroup_limits);
    let of_group = of_group.map(|limits| limits.total_memory.saturating_sub(limits.rss));
    let addresses = own.and_then(|own| address_limit()?.checked_sub(own.virtual_memory()));
    of_system.into_iter().chain(of_group).chain(addresses).min()
}

/// Returns the limit of the address space, in bytes.
#[cfg(not(web))]
fn address_limit() -> Option<u64> {
    #[cfg(unix)]
    return rustix::process::getrlimit(rustix::process::Resource::As).current;
    #[cfg(not(unix))]
    None
}

/// Returns the available memory in bytes, for something that needs so much. `None` if unknown.
#[cfg(not(web))]
fn available_for(_: u64) -> Option<u64> {
    available()
}

/// Returns the available memory in bytes, or `None` if the browser grants what is `needed`, which that of a phone may refuse.
/// What it grants stays with the program.
#[cfg(web)]
fn available_for(needed: u64) -> Option<u64> {
    let is_granted = |bytes: &u64| {
        let mut memory = Vec::<u8>::new();
        let granted = usize::try_from(*bytes).is_ok_and(|it| memory.try_reserve_exact(it).is_ok());
        // Otherwise the compiler leaves out memory that is not used.
        std::hint::black_box(&mut memory);
        granted
    };
    let wanted = needed.saturating_add(needed / 9);
    if is_granted(&wanted) {
        return None;
    }
    let addressable = available()?;
    // More than one vector can hold is not tried, unless it cannot be addressed either.
    if wanted > isize::MAX as u64 || usable_of(addressable) < needed {
        return Some(addressable);
    }
    (0..16).rev().map(|parts| parts * (wanted / 16)).find(is_granted)
}

/// Returns how much of the available memory may be used, in bytes. `None` if unknown.
pub fn usable() -> Option<u64> {
    available().map(usable_of)
}

/// Memory that a number of cubes needs, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CubeMemory {
    /// For each cube.
    pub per_cube: u64,
    /// Of images, for any number of cubes.
    pub fixed: u64,
}

impl CubeMemory {
    /// Returns the memory of cubes alone.
    pub const fn new(per_cube: u64) -> Self {
        Self { per_cube, fixed: 0 }
    }

    /// Returns the largest number of cubes that fits into the available memory. `None` if unknown.
    pub fn largest_count(self) -> Option<u64> {
        available().map(|available| self.largest_count_in(available))
    }

    /// Checks that a number of cubes fits into the available memory. Unknown memory fits all.
    ///
    /// # Errors
    /// The cubes do not fit.
    pub fn check(self, cubes: usize) -> Result<(), MemoryError> {
        let available = available_for(self.needed(cubes));
        available.map_or(Ok(()), |available| self.check_in(available, cubes, 0))
    }

    /// Checks that memory suffices to go from `existing` to a number of `cubes`.
    ///
    /// # Errors
    /// The additional cubes do not fit.
    pub fn check_growth(self, existing: usize, cubes: usize) -> Result<(), MemoryError> {
        if cubes <= existing {
            return Ok(());
        }
        let held = self.held(existing);
        let available = available_for(self.needed(cubes).saturating_sub(held));
        available.map_or(Ok(()), |available| {
            self.check_in(available.saturating_add(held), cubes, existing)
        })
    }

    /// Returns the largest number of cubes to which `existing` ones can grow, at least `existing`.
    /// Unknown memory has no limit.
    pub fn largest_after_growth(self, existing: usize) -> u64 {
        let with_held = |available: u64| available.saturating_add(self.held(existing));
        let largest = available().map(|available| self.largest_count_in(with_held(available)));
        largest.unwrap_or(u64::MAX).max(existing as u64)
    }

    /// Returns the memory that existing cubes hold, in bytes, as far as it is not available: measured memory is what they
    /// left, but assumed memory is for all cubes. Of what each was checked for, it may come to need the rest later.
    fn held(self, existing: usize) -> u64 {
        let each = match assumed() {
            Some(_) => 0,
            // What a browser grants stays with the program.
            None if cfg!(web) => self.per_cube,
            None => self.per_cube.min(HELD_BYTES_PER_CUBE),
        };
        (existing as u64).saturating_mul(each)
    }

    fn needed(self, cubes: usize) -> u64 {
        (cubes as u64).saturating_mul(self.per_cube).saturating_add(self.fixed)
    }

    fn largest_count_in(self, available: u64) -> u64 {
        usable_of(available).saturating_sub(self.fixed) / self.per_cube.max(1)
    }

    fn check_in(self, available: u64, cubes: usize, existing: usize) -> Result<(), MemoryError> {
        let fits = self.largest_count_in(available);
        if cubes as u64 <= fits {
            return Ok(());
        }
        // Measured memory varies a little until the next start.
        let margin = if assumed().is_some() { 0 } else { fits / 64 };
        let (needed, fixed) = (self.needed(cubes), self.fixed);
        let largest = (fits - margin).max(existing as u64);
        Err(MemoryError::TooManyCubes { cubes, needed, fixed, available, largest })
    }
}

/// Checks that `needed` bytes fit into the available memory. `what` names what they are for.
///
/// # Errors
/// They do not fit.
pub fn check(what: &str, needed: u64) -> Result<(), MemoryError> {
    let Some(available) = available_for(needed).filter(|&it| usable_of(it) < needed) else {
        return Ok(());
    };
    Err(MemoryError::TooLarge { what: what.to_owned(), needed, available })
}

fn usable_of(available: u64) -> u64 {
    (u128::from(available) * u128::from(USABLE_PERCENT) / 100) as u64
}

/// What does not fit into memory.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// A number of cubes.
    #[error(
        "not enough memory for {}{}: {} needed, {} of {} can be used; the largest count that fits is {}",
        counted(cubes, "cube"), if *fixed > 0 { " and the images" } else { "" }, size(*needed),
        size(usable_of(*available)), size(*available), count(largest)
    )]
    TooManyCubes {
        /// Requested number of cubes.
        cubes: usize,
        /// Bytes that they need, with those of images.
        needed: u64,
        /// Bytes of images alone.
        fixed: u64,
        /// Available bytes.
        available: u64,
        /// Number that fits.
        largest: u64,
    },
    /// Anything else.
    #[error(
        "not enough memory for {what}: {} needed, {} of {} can be used",
        size(*needed), size(usable_of(*available)), size(*available)
    )]
    TooLarge {
        /// What the memory is for.
        what: String,
        /// Bytes that it needs.
        needed: u64,
        /// Available bytes.
        available: u64,
    },
}

fn size(bytes: u64) -> String {
    units::bytes(bytes as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUBES: CubeMemory = CubeMemory { per_cube: 200, fixed: 5000 };

    #[test]
    fn growth_needs_memory_for_all_cubes_but_what_they_hold() {
        let cubes = CubeMemory::new(1 << 20);
        // 1 PiB: no machine has as much.
        let existing = 1 << 30;
        assert!(cubes.check(existing).is_err() && cubes.check_growth(0, existing).is_err());
        let refused = cubes.check_growth(existing, existing + 1);
        let Err(MemoryError::TooManyCubes { largest, .. }) = refused else { panic!("{refused:?}") };
        assert_eq!(largest, existing as u64, "no fewer than there are");
        assert_eq!(cubes.check_growth(existing, 5), Ok(()), "fewer");
        assert_eq!(cubes.largest_after_growth(existing), existing as u64);
        assert_eq!((cubes.held(3), CubeMemory::new(100).held(3)), (3 * 128, 3 * 100));
    }

    #[test]
    fn the_largest_count_fits_and_one_more_does_not() {
        for available in [0, 5555, 5556, 5800, 100_000, 1 << 40] {
            let largest = CUBES.largest_count_in(available);
            assert!(largest * 200 <= (available * 9 / 10).saturating_sub(5000), "{available}");
            assert_eq!(CUBES.check_in(available, largest as usize, 0), Ok(()), "{available}");
            let more = CUBES.check_in(available, largest as usize + 1, 0);
            let Err(MemoryError::TooManyCubes { largest: named, .. }) = more else {
                panic!("{available}: {more:?}")
            };
            // Also if a little less memory is available then.
            let later = available - available / 100;
            assert!(named <= largest && named >= largest * 98 / 100, "{available}: {named}");
            assert!(named < 64 || CUBES.check_in(later, named as usize, 0).is_ok(), "{available}");
        }
        assert_eq!(CUBES.largest_count_in(100_000), 425);
        assert!(CUBES.check_in(u64::MAX, usize::MAX, 0).is_err(), "no overflow");
    }

    #[test]
    fn the_message_names_what_is_needed_and_what_fits() {
        assert_eq!(CUBES.check_in(100_000, 425, 0), Ok(()));
        let error = CUBES.check_in(100_000, 426, 0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "not enough memory for 426 cubes and the images: 88.1 KiB needed, 87.9 KiB of 97.7 KiB can be \
             used; the largest count that fits is 419"
        );
    }

    #[test]
    fn the_available_memory_of_this_machine_is_known_and_below_its_total() {
        let available = available().expect("Linux, macOS and Windows report it");
        let mut system = System::new().unwrap();
        system.refresh_memory();
        assert!(available > 1 << 20 && available < system.total_memory(), "{available}");
    }
}
