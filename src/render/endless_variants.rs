//! Pipelines in two variants: for cubes in place and for those of an endless field.

use super::scene_shader::SceneShader;

/// Pipelines of cubes in place and of those of an endless field, created when first needed.
pub(super) struct EndlessVariants<P> {
    variants: [Option<P>; 2],
    endless: bool,
}

impl<P> EndlessVariants<P> {
    pub(super) fn new() -> Self {
        Self { variants: [None, None], endless: false }
    }

    /// Chooses the variant to draw with, and creates what `shader` needs now; `create` gets `true` for an endless field.
    pub(super) fn set(&mut self, shader: &SceneShader, endless: bool, create: impl Fn(bool) -> P) {
        self.endless = endless;
        for endless in shader.endless_variants(endless) {
            self.variants[usize::from(endless)].get_or_insert_with(|| create(endless));
        }
    }

    /// The pipelines in use.
    ///
    /// # Panics
    /// [`set`](Self::set) has not been called.
    pub(super) fn current(&self) -> &P {
        self.variants[usize::from(self.endless)].as_ref().expect("the frame is prepared")
    }
}
