//! Pipelines of compute shaders, all of evaluated motion.

use super::Gpu;
use super::scene_shader::SceneShader;

impl SceneShader {
    /// Creates a compute pipeline; `groups` are the layouts from group 0 on.
    pub(super) fn compute_pipeline(
        &self,
        gpu: &Gpu,
        entry_point: &'static str,
        groups: &[Option<&wgpu::BindGroupLayout>],
        constants: &[(&str, f64)],
    ) -> wgpu::ComputePipeline {
        let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(entry_point),
            bind_group_layouts: groups,
            immediate_size: 0,
        });
        gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry_point),
            layout: Some(&layout),
            module: self.evaluated(gpu),
            entry_point: Some(entry_point),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants,
                ..Default::default()
            },
            cache: None,
        })
    }
}
