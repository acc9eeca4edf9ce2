//! Kinds of files that the user saves from the window, besides states.

/// A kind of file.
#[derive(Clone, Copy)]
pub(super) enum Output {
    /// A PNG image of the frame.
    Screenshot,
    /// A scene file.
    Scene,
    /// The measurement of a score in JSON.
    Suite,
}
