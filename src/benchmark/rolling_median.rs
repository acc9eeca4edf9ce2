//! Rolling median: the median of the frames around each frame.

/// Half of the window, in ns.
const HALF_WINDOW: u128 = 500_000_000;

/// Returns twice the rolling median of each frame, in ns; doubled, it is an integer. `None` for a single
/// frame.
///
/// The window holds the frames that end within half a second before the frame begins or begin within half a
/// second after it ends, without the frame itself. The adjacent frames are always part of it.
/// `O(n log n)`.
pub(super) fn doubled(frames: &[u64]) -> Vec<Option<u128>> {
    let mut window = Window::new(frames);
    // First frame of the window and the one after its last; end of the former, start of the latter.
    let (mut first, mut after) = (0, 0);
    let mut first_end = frames.first().map_or(0, |&time| u128::from(time));
    let mut after_begin = 0;
    let mut begin = 0;
    let mut medians = Vec::with_capacity(frames.len());
    for (number, &time) in frames.iter().enumerate() {
        let end = begin + u128::from(time);
        while first < number && first_end + HALF_WINDOW < begin {
            window.remove(first);
            first += 1;
            first_end += u128::from(frames[first]);
        }
        while after < frames.len() && after_begin <= end + HALF_WINDOW {
            window.insert(after);
            after_begin += u128::from(frames[after]);
            after += 1;
        }
        window.remove(number);
        medians.push(window.doubled_median());
        window.insert(number);
        begin = end;
    }
    medians
}

/// A set of frames with fast access to the k-th fastest: a tree of counts over ranks (Fenwick, "A New Data
/// Structure for Cumulative Frequency Tables", 1994).
struct Window {
    sorted: Vec<u64>,
    /// Position in `sorted` of each frame.
    ranks: Vec<usize>,
    /// Entry i counts the members with ranks from i minus its lowest set bit to i - 1.
    tree: Vec<usize>,
    len: usize,
}

impl Window {
    /// Creates an empty window over `frames`.
    fn new(frames: &[u64]) -> Self {
        let mut order: Vec<_> = (0..frames.len()).collect();
        order.sort_unstable_by_key(|&number| frames[number]);
        let mut ranks = vec![0; frames.len()];
        for (rank, &number) in order.iter().enumerate() {
            ranks[number] = rank;
        }
        let sorted = order.into_iter().map(|number| frames[number]).collect();
        Self { sorted, ranks, tree: vec![0; frames.len() + 1], len: 0 }
    }

    fn insert(&mut self, number: usize) {
        self.len += 1;
        self.for_each_count(number, |count| *count += 1);
    }

    fn remove(&mut self, number: usize) {
        self.len -= 1;
        self.for_each_count(number, |count| *count -= 1);
    }

    fn for_each_count(&mut self, number: usize, change: impl Fn(&mut usize)) {
        let mut at = self.ranks[number] + 1;
        while let Some(count) = self.tree.get_mut(at) {
            change(count);
            at += at & at.wrapping_neg();
        }
    }

    fn doubled_median(&self) -> Option<u128> {
        let last = self.len.checked_sub(1)?;
        Some(u128::from(self.nth(last / 2)) + u128::from(self.nth(self.len / 2)))
    }

    /// Returns the time of the member with rank `below`.
    fn nth(&self, mut below: usize) -> u64 {
        let mut rank = 0;
        let mut step = self.tree.len().next_power_of_two();
        while step > 0 {
            if let Some(&count) = self.tree.get(rank + step).filter(|&&count| count <= below) {
                below -= count;
                rank += step;
            }
            step /= 2;
        }
        self.sorted[rank]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Direct implementation of the definition.
    fn naive(frames: &[u64]) -> Vec<Option<u128>> {
        let begin = |number: usize| frames[..number].iter().copied().map(u128::from).sum::<u128>();
        let neighbours = |i: usize| -> Option<u128> {
            let is_near = |j: usize| match j.cmp(&i) {
                std::cmp::Ordering::Less => begin(j + 1) + HALF_WINDOW >= begin(i),
                std::cmp::Ordering::Equal => false,
                std::cmp::Ordering::Greater => begin(j) <= begin(i + 1) + HALF_WINDOW,
            };
            let mut near: Vec<_> =
                (0..frames.len()).filter(|&j| is_near(j)).map(|j| u128::from(frames[j])).collect();
            near.sort_unstable();
            Some(near.get(near.len().checked_sub(1)? / 2)? + near[near.len() / 2])
        };
        (0..frames.len()).map(neighbours).collect()
    }

    #[test]
    fn adjacent_frames_are_in_the_window_and_the_frame_itself_is_not() {
        assert_eq!(doubled(&[]), []);
        assert_eq!(doubled(&[7]), [None]);
        let seconds = [1, 2, 5].map(|seconds| seconds * 1_000_000_000);
        let medians = doubled(&seconds).into_iter().flatten();
        let expected = [4, 6, 4].map(|seconds| seconds * 1_000_000_000);
        assert_eq!(medians.collect::<Vec<_>>(), expected);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn medians_match_the_definition(
            frames in prop::collection::vec(
                prop_oneof![0..200_000_000_u64, Just(100_000_000), Just(u64::MAX)],
                0..40,
            ),
        ) {
            prop_assert_eq!(doubled(&frames), naive(&frames));
        }
    }
}
