//! Requests beyond the limits of the device are refused with the limit.

use cubefall::components::Motion;
use cubefall::render::{OffscreenTarget, RenderError, Size};
use cubefall::units::{count, counted};

use crate::harness::gpu;
use crate::memory;

#[test]
fn more_cubes_than_the_largest_buffer_holds_are_refused() {
    let _alone = memory::alone();
    let gpu = gpu(None);
    let error = gpu.check_capacity(usize::MAX, Motion::Integrated).unwrap_err();
    let RenderError::TooManyCubes { requested: usize::MAX, largest } = error else {
        panic!("{error}");
    };
    assert_eq!(error.exit_code(), 1);
    let expected = format!(
        "{} exceed this graphics adapter's limit of {}",
        counted(usize::MAX, "cube"),
        count(largest)
    );
    assert_eq!(error.to_string(), expected);
    assert!(largest > 1_000_000, "{largest}");
    gpu.check_capacity(largest as usize, Motion::Integrated).unwrap();
    gpu.check_capacity(largest as usize + 1, Motion::Integrated).unwrap_err();
}

#[test]
fn more_evaluated_cubes_than_can_be_numbered_are_refused() {
    let _alone = memory::alone();
    let gpu = gpu(None);
    let largest = gpu.capacity(Motion::Evaluated);
    gpu.check_capacity(largest as usize, Motion::Evaluated).unwrap();
    let error = gpu.check_capacity(largest as usize + 1, Motion::Evaluated).unwrap_err();
    assert!(matches!(error, RenderError::TooManyCubes { largest: limit, .. } if limit == largest));
}

#[test]
fn a_target_at_the_texture_limit_is_drawn_and_one_pixel_more_is_refused() {
    let _alone = memory::alone();
    let gpu = gpu(None);
    let limit = gpu.device().limits().max_texture_dimension_2d;
    let largest = limit.min(Size::LARGEST);
    for [width, height] in [[largest, 1], [1, largest]] {
        let size = Size::new(width, height).unwrap();
        let image = OffscreenTarget::new(&gpu, size).unwrap().read(&gpu).unwrap();
        assert_eq!(image.size(), size);
    }
    // `Size` itself ends at 16384, which some adapters support.
    match Size::new(limit + 1, 1) {
        Some(size) => {
            let refused = OffscreenTarget::new(&gpu, size).expect_err("it exceeds the limit");
            assert!(
                matches!(refused, RenderError::TooLarge { requested, largest }
                    if requested == size && largest == limit),
                "{refused}"
            );
        }
        None => assert!(limit >= Size::LARGEST),
    }
    gpu.check().unwrap();
}
