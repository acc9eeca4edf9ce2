//! Date: when a result was measured.

use jiff::Timestamp;

/// Seconds since 1970 as `2026-11-21T09:30:00Z`.
pub(super) fn utc(unix_s: u64) -> String {
    let known = i64::try_from(unix_s).ok().and_then(|s| Timestamp::from_second(s).ok());
    // Past the year 9999 all dates are the last one.
    known.unwrap_or(Timestamp::MAX).to_string()
}
