//! Numbers: as people read them.

/// Nanoseconds in a millisecond.
pub(super) const MILLISECOND: f64 = 1e6;

/// What stands where a figure is not known.
pub(super) const UNKNOWN: &str = "–";

/// `5.010 ms` of nanoseconds.
pub(super) fn ms(nanoseconds: f64) -> String {
    format!("{} ms", bare_ms(nanoseconds))
}

/// `5.010` of nanoseconds: milliseconds, where the unit is said elsewhere.
pub(super) fn bare_ms(nanoseconds: f64) -> String {
    format!("{:.3}", nanoseconds / MILLISECOND)
}

/// `99.8 %` of a share from 0 to 1.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// `+1.25 %` of a change as a share.
pub(super) fn change(share: f64) -> String {
    format!("{:+.2} %", share * 100.0)
}

/// What is known, in words, or that it is not.
pub(super) fn or_unknown<T>(known: Option<T>, words: impl FnOnce(T) -> String) -> String {
    known.map_or_else(|| UNKNOWN.to_owned(), words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_shares_and_what_is_not_known() {
        assert_eq!(ms(16_666_667.0), "16.667 ms");
        assert_eq!((percent(0.0), percent(0.998), percent(1.0)).1, "99.8 %");
        assert_eq!((change(0.03), change(-0.0125)), ("+3.00 %".into(), "-1.25 %".into()));
        assert_eq!(or_unknown(None, ms), UNKNOWN);
        assert_eq!(or_unknown(Some(5e6), ms), "5.000 ms");
    }
}
