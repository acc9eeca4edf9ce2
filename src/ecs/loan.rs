//! Loan: a packed array lent to a term, shared or exclusively; and the arrays of a world, lent to
//! systems that work at once.

use std::array;

use super::column::Column;
use super::{Component, ComponentType, MAX_COMPONENT_TYPES, Signature};

/// One packed array, for as long as it is lent.
pub enum Loan<'w> {
    /// To be read, by others at the same time too.
    Shared(&'w Column),
    /// To be changed, by nobody else.
    Exclusive(&'w mut Column),
}

impl<'w> Loan<'w> {
    pub(super) fn read<T: Component>(self) -> &'w [T] {
        match self {
            Self::Shared(column) => column.values(),
            Self::Exclusive(column) => column.values(),
        }
    }

    /// The values, to be changed; whoever lends the array has marked what may change.
    pub(super) fn write<T: Component>(self) -> &'w mut [T] {
        match self {
            Self::Exclusive(column) => column.unmarked(),
            Self::Shared(_) => unreachable!("only terms that read are lent a shared array"),
        }
    }
}

/// What is lent to one system, or to several that have yet to part it; by component type.
pub struct Loans<'w>([Option<Loan<'w>>; MAX_COMPONENT_TYPES]);

impl<'w> Loans<'w> {
    /// Lends all arrays: those of `written` exclusively and marked as changed, the others shared.
    pub(super) fn of(columns: &'w mut [Column], written: Signature) -> Self {
        let mut columns = columns.iter_mut();
        Self(array::from_fn(|number| {
            let column = columns.next()?;
            let exclusive = written.contains(ComponentType::new(number as u8));
            Some(if exclusive {
                column.mark_all();
                Loan::Exclusive(column)
            } else {
                Loan::Shared(column)
            })
        }))
    }

    /// Takes out what systems that change `written` need: these arrays and all that are shared.
    #[cfg(feature = "parallel")]
    pub(super) fn part(&mut self, written: Signature) -> Self {
        Self(array::from_fn(|number| match &mut self.0[number] {
            Some(Loan::Shared(column)) => Some(Loan::Shared(column)),
            loan if written.contains(ComponentType::new(number as u8)) => loan.take(),
            _ => None,
        }))
    }

    pub(super) fn take(&mut self, component: ComponentType) -> Loan<'w> {
        let loan = self.0[component.index()].take();
        loan.expect("what one system of a stage changes, no other one asks for")
    }
}
