//! Allocation of buffers and textures, with errors that name them.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use super::device_errors::one_line;
use super::{Gpu, RenderError};
use crate::units;

/// Smallest capacity of a buffer, in elements.
pub(super) const FIRST_CAPACITY: u64 = 1024;

/// Returns the capacity of a new buffer for `len` elements: at most a quarter more, or up to [`FIRST_CAPACITY`]
/// more if that is larger. Drivers and mapped memory take all of it from the system.
pub(super) fn capacity(len: u64) -> u64 {
    len.next_multiple_of((len.next_power_of_two() / 8).max(FIRST_CAPACITY)).max(FIRST_CAPACITY)
}

impl Gpu {
    pub(super) fn create_buffer(
        &self,
        descriptor: &wgpu::BufferDescriptor<'_>,
    ) -> Result<wgpu::Buffer, RenderError> {
        let size = || units::bytes(descriptor.size as f64);
        let what = || format!("{} of {}", descriptor.label.unwrap_or(""), size());
        if self.inject_largest_buffer.is_some_and(|largest| descriptor.size > largest) {
            let why = "injected refusal".to_owned();
            return Err(RenderError::NotAllocated { what: what(), why });
        }
        self.attempt(|| self.device.create_buffer(descriptor))
            .map_err(|error| RenderError::NotAllocated { what: what(), why: one_line(&error) })
    }

    /// Creates a buffer with `contents`, a multiple of four bytes. If the device is lost or out of
    /// memory, the buffer is empty and [`check`](Self::check) returns the error; `create_buffer_init` of wgpu would
    /// panic.
    pub(super) fn filled_buffer(
        &self,
        label: &str,
        contents: &[u8],
        usage: wgpu::BufferUsages,
    ) -> wgpu::Buffer {
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: contents.len() as u64,
            usage: usage | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.queue.write_buffer(&buffer, 0, contents);
        buffer
    }

    pub(super) fn create_texture(
        &self,
        descriptor: &wgpu::TextureDescriptor<'_>,
    ) -> Result<wgpu::Texture, RenderError> {
        let wgpu::Extent3d { width, height, .. } = descriptor.size;
        let what = || format!("{} of {width}x{height} pixels", descriptor.label.unwrap_or(""));
        self.attempt(|| self.device.create_texture(descriptor))
            .map_err(|error| RenderError::NotAllocated { what: what(), why: one_line(&error) })
    }

    /// Makes calls whose failure is returned here and not by [`check`](Self::check).
    ///
    /// In a browser failures arrive later, so [`check`](Self::check) reports them there.
    pub(super) fn attempt<R>(&self, calls: impl FnOnce() -> R) -> Result<R, wgpu::Error> {
        if cfg!(web) {
            return Ok(calls());
        }
        let scopes = [
            wgpu::ErrorFilter::Validation,
            wgpu::ErrorFilter::Internal,
            wgpu::ErrorFilter::OutOfMemory,
        ]
        .map(|filter| self.device.push_error_scope(filter));
        let result = calls();
        let mut failure = None;
        for scope in scopes.into_iter().rev() {
            // Outside of a browser the future is ready at once.
            let mut popped = pin!(scope.pop());
            let mut context = Context::from_waker(Waker::noop());
            if let Poll::Ready(Some(error)) = popped.as_mut().poll(&mut context) {
                log::warn!("{error}");
                failure = Some(error);
            }
        }
        failure.map_or(Ok(result), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::GpuSettings;

    fn gpu() -> Gpu {
        pollster::block_on(Gpu::headless(&GpuSettings::default())).unwrap()
    }

    #[test]
    fn a_refused_buffer_is_named_and_check_does_not_report_it() {
        let gpu = gpu();
        let descriptor = wgpu::BufferDescriptor {
            label: Some("heap of cubes"),
            size: 1 << 50,
            usage: wgpu::BufferUsages::VERTEX,
            mapped_at_creation: false,
        };
        let error = gpu.create_buffer(&descriptor).unwrap_err();
        let expected = "cannot allocate the heap of cubes of 1048576 GiB";
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(error.exit_code(), 1);
        gpu.check().unwrap();
    }

    #[test]
    fn filled_buffer_has_its_contents_and_a_lost_device_does_not_panic() {
        let gpu = gpu();
        let usage = wgpu::BufferUsages::MAP_READ;
        let buffer = gpu.filled_buffer("numbers", &[1, 2, 3, 4], usage);
        gpu.queue.submit([]);
        buffer.map_async(wgpu::MapMode::Read, .., |mapped| mapped.unwrap());
        gpu.wait().unwrap();
        assert_eq!(&buffer.get_mapped_range(..).unwrap()[..], [1, 2, 3, 4]);
        gpu.inject_loss();
        gpu.filled_buffer("numbers", &[1, 2, 3, 4], usage);
        assert!(matches!(gpu.check(), Err(RenderError::DeviceLost(_))));
    }
}
