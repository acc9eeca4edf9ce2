//! Implementing traits for tuples of every length.

/// Calls `$implement!` with the elements in brackets, then with one more of the others each time.
macro_rules! for_each_tuple {
    ($implement:ident! [$($element:tt)*]) => {
        $implement!($($element)*);
    };
    ($implement:ident! [$($element:tt)*] $next:tt $($rest:tt)*) => {
        $implement!($($element)*);
        for_each_tuple!($implement! [$($element)* $next] $($rest)*);
    };
}
pub(super) use for_each_tuple;
