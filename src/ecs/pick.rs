//! Mutable references to the elements of a slice, in any order.

/// The elements of a slice that were not handed out yet.
#[derive(Debug)]
pub enum Pick<'w, T> {
    /// The elements are asked for in ascending order: those from index `start` on are left.
    Ascending { rest: &'w mut [T], start: usize },
    /// The elements in the order in which they are asked for, the last one first.
    Reversed(Vec<&'w mut T>),
}

impl<'w, T> Pick<'w, T> {
    /// Prepares for handing out elements in ascending order, or in that of different indices, for
    /// which references to all of them are collected first.
    pub(super) fn new(slice: &'w mut [T], order: Option<Vec<u32>>) -> Self {
        let Some(order) = order else { return Self::Ascending { rest: slice, start: 0 } };
        let mut ascending: Vec<_> = (0..order.len()).collect();
        ascending.sort_unstable_by_key(|&position| order[position]);
        let mut elements = Self::Ascending { rest: slice, start: 0 };
        let mut picked: Vec<_> = ascending
            .into_iter()
            .map(|position| (position, elements.next(order[position])))
            .collect();
        picked.sort_unstable_by_key(|&(position, _)| std::cmp::Reverse(position));
        Self::Reversed(picked.into_iter().map(|(_, element)| element).collect())
    }

    /// Returns the element at an index, which is the next one.
    pub(super) fn next(&mut self, index: u32) -> &'w mut T {
        match self {
            Self::Ascending { rest, start } => {
                let (_, from) = std::mem::take(rest).split_at_mut(index as usize - *start);
                let (element, after) = from.split_first_mut().expect("the index is in the slice");
                (*rest, *start) = (after, index as usize + 1);
                element
            }
            Self::Reversed(elements) => elements.pop().expect("one element per index"),
        }
    }
}
