//! Bind groups that consist of buffers.

use super::Gpu;

/// A storage buffer that shaders only read.
pub(super) const READ: wgpu::BufferBindingType =
    wgpu::BufferBindingType::Storage { read_only: true };

/// A storage buffer that shaders also write.
pub(super) const WRITE: wgpu::BufferBindingType =
    wgpu::BufferBindingType::Storage { read_only: false };

/// Creates the layout of a bind group with a buffer per element of `types`, at bindings from 0 on.
pub(super) fn layout(
    gpu: &Gpu,
    label: &'static str,
    visibility: wgpu::ShaderStages,
    types: &[wgpu::BufferBindingType],
) -> wgpu::BindGroupLayout {
    let entry = |(binding, &ty)| wgpu::BindGroupLayoutEntry {
        binding,
        visibility,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
        count: None,
    };
    let entries: Vec<_> = (0..).zip(types).map(entry).collect();
    gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(label),
        entries: &entries,
    })
}

/// Binds whole buffers, at bindings from 0 on.
pub(super) fn bind(
    gpu: &Gpu,
    label: &'static str,
    layout: &wgpu::BindGroupLayout,
    buffers: &[&wgpu::Buffer],
) -> wgpu::BindGroup {
    let buffers = (0..).zip(buffers);
    let entries: Vec<_> = buffers
        .map(|(binding, buffer)| wgpu::BindGroupEntry {
            binding,
            resource: buffer.as_entire_binding(),
        })
        .collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some(label),
        layout,
        entries: &entries,
    })
}
