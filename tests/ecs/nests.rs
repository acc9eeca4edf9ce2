//! Groups created and removed in any order around and inside of each other, over the same arrays.

use proptest::prelude::*;

use super::parts::{TYPES, Twin};

/// Up to 299 calls of [`Twin::act`].
fn calls(last: u8) -> impl Strategy<Value = Vec<(u8, usize, usize)>> {
    prop::collection::vec((0..=last, any::<usize>(), 0..TYPES), 1..300)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, max_shrink_iters: 20000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn members_and_slices_are_right_for_groups_created_in_any_order(calls in calls(15)) {
        let mut twin = Twin::new();
        for (call, at, number) in calls {
            twin.act(call, at, number);
        }
        twin.check();
    }

    #[test]
    fn members_and_slices_are_right_for_groups_removed_in_any_order(calls in calls(20)) {
        let mut twin = Twin::new();
        for (call, at, number) in calls {
            // More groups are created than in the other test.
            let call = if call > 18 { 0 } else { call };
            twin.act(call, at, number);
            if call == 16 {
                twin.check();
            }
        }
        twin.check();
    }
}
