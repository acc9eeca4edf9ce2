//! Vertex buffers of instanced cubes with evaluated motion: the mesh, records, colors.

use std::mem::offset_of;

use super::record::Record;
use crate::components::Color;
use crate::render::instanced_cubes::{self, InstancedInput};

const RECORD_ATTRIBUTES: [wgpu::VertexAttribute; 7] = wgpu::vertex_attr_array![
    2 => Float32x3, 3 => Float32, 4 => Float32x4, 5 => Float32x3, 6 => Uint32, 7 => Float32x3,
    8 => Float32x3
];
const COLOR_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![9 => Unorm8x4];

const _: () = {
    let offsets = [
        offset_of!(Record, position),
        offset_of!(Record, scale),
        offset_of!(Record, rotation),
        offset_of!(Record, velocity),
        offset_of!(Record, epoch),
        offset_of!(Record, acceleration),
        offset_of!(Record, angular_velocity),
    ];
    let mut i = 0;
    while i < offsets.len() {
        assert!(RECORD_ATTRIBUTES[i].offset as usize == offsets[i]);
        i += 1;
    }
};

const LAYOUTS: [Option<wgpu::VertexBufferLayout<'_>>; 3] = [
    instanced_cubes::MESH,
    Some(instanced_cubes::layout::<Record>(wgpu::VertexStepMode::Instance, &RECORD_ATTRIBUTES)),
    Some(instanced_cubes::layout::<Color>(wgpu::VertexStepMode::Instance, &COLOR_ATTRIBUTES)),
];

/// Records and colors.
pub(super) const RECORDS: InstancedInput = InstancedInput {
    layouts: &LAYOUTS,
    vertex: "vs_record",
    plain_vertex: "vs_record_plain",
    shadow_vertex: "vs_record_shadow",
    evaluated: true,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::instanced_cubes::tests::assert_locations;
    use crate::render::scene_shader::tests::Shader;

    #[test]
    fn the_shader_has_the_same_fields_at_the_same_locations() {
        let names = [
            "corner",
            "normal",
            "position",
            "scale",
            "rotation",
            "velocity",
            "epoch",
            "acceleration",
            "angular_velocity",
            "color",
        ];
        assert_locations(&RECORDS, &names, &Shader::evaluated());
    }
}
