//! More than the device has.

use cubefall::render::{OffscreenTarget, RenderError, Size};

use crate::canvas::gpu;

#[test]
fn more_cubes_than_a_buffer_holds_are_refused_with_how_many_fit() {
    let gpu = gpu(None);
    let error = gpu.check_capacity(usize::MAX).unwrap_err();
    let RenderError::TooManyCubes { asked: usize::MAX, largest } = error else {
        panic!("{error}");
    };
    assert_eq!(error.exit_code(), 1);
    let says = format!("{} cubes are more", usize::MAX);
    assert!(error.to_string().starts_with(&says), "{error}");
    assert!(error.to_string().ends_with(&format!("at most {largest} fit")), "{error}");
    gpu.check_capacity(largest as usize).unwrap();
    gpu.check_capacity(largest as usize + 1).unwrap_err();
}

#[test]
fn a_target_larger_than_the_device_can_is_refused_or_made() {
    let gpu = gpu(None);
    match OffscreenTarget::new(&gpu, Size::new(Size::LARGEST, 1).unwrap()) {
        Ok(target) => assert_eq!(target.size().width(), Size::LARGEST),
        Err(error) => assert!(matches!(error, RenderError::TooLarge { .. }), "{error}"),
    }
    gpu.check().unwrap();
}
