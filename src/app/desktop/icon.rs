//! The icon of the window: a cube, 64 x 64 pixels.

use std::io::Cursor;

use winit::window::Icon;

const PNG: &[u8] = include_bytes!("icon.png");

/// Returns the icon, or `None` if the window system takes none of this size.
pub(in crate::app) fn icon() -> Option<Icon> {
    let mut reader = png::Decoder::new(Cursor::new(PNG)).read_info().ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut pixels).ok()?;
    Icon::from_rgba(pixels, info.width, info.height).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_icon_is_a_valid_image() {
        assert!(icon().is_some());
    }
}
