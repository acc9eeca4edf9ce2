//! Shader check: what naga reads in a shader, to be held against the Rust side.

use std::collections::BTreeMap;

use naga::{Binding, ShaderStage, TypeInner};

use super::scene_shader::SOURCE;

/// The parsed and validated module.
pub(crate) struct Shader(naga::Module);

impl Shader {
    /// Parses and validates all files of `shaders/` as the one module they are.
    pub(crate) fn scene() -> Self {
        let module = naga::front::wgsl::parse_str(SOURCE)
            .unwrap_or_else(|error| panic!("{}", error.emit_to_string(SOURCE)));
        naga::valid::Validator::new(
            naga::valid::ValidationFlags::all(),
            naga::valid::Capabilities::empty(),
        )
        .validate(&module)
        .unwrap_or_else(|error| panic!("{}", error.emit_to_string(SOURCE)));
        Self(module)
    }

    /// Name and offset of each member of a struct, and its span, in bytes.
    pub(crate) fn struct_layout(&self, name: &str) -> (Vec<(String, usize)>, usize) {
        let mut types = self.0.types.iter();
        let (_, found) = types.find(|(_, ty)| ty.name.as_deref() == Some(name)).unwrap();
        let TypeInner::Struct { members, span } = &found.inner else {
            panic!("{name} is no struct")
        };
        let offset =
            |member: &naga::StructMember| (member.name.clone().unwrap(), member.offset as usize);
        (members.iter().map(offset).collect(), *span as usize)
    }

    /// Vertex inputs of an entry point: location, name, and the size in bytes of what the shader
    /// reads.
    pub(crate) fn vertex_inputs(&self, entry_point: &str) -> BTreeMap<u32, (String, u32)> {
        let mut entries = self.0.entry_points.iter();
        let entry = entries
            .find(|entry| entry.name == entry_point && entry.stage == ShaderStage::Vertex)
            .unwrap();
        let mut inputs = BTreeMap::new();
        for argument in &entry.function.arguments {
            let TypeInner::Struct { members, .. } = &self.0.types[argument.ty].inner else {
                continue;
            };
            for member in members {
                let Some(Binding::Location { location, .. }) = member.binding else { continue };
                let size = self.0.types[member.ty].inner.size(self.0.to_ctx());
                inputs.insert(location, (member.name.clone().unwrap(), size));
            }
        }
        inputs
    }
}

#[test]
fn every_file_is_part_of_the_module() {
    let folder = format!("{}/shaders", env!("CARGO_MANIFEST_DIR"));
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        assert!(SOURCE.contains(&text));
    }
    Shader::scene();
}
