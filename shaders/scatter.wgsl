// Moves changed chunks of an array to their places: one workgroup a chunk.

// Parts of 16 bytes in a chunk.
override CHUNK_QUADS: u32 = 1u;

@group(0) @binding(0) var<storage, read_write> scattered: array<vec4u>;
// Numbers of the chunks, and their contents in the same order.
@group(0) @binding(1) var<storage, read> changed_chunks: array<u32>;
@group(0) @binding(2) var<storage, read> changed_contents: array<vec4u>;

@compute @workgroup_size(64)
fn cs_scatter(@builtin(workgroup_id) changed: vec3u, @builtin(local_invocation_index) invocation: u32) {
    let source = changed.x * CHUNK_QUADS;
    let place = changed_chunks[changed.x] * CHUNK_QUADS;
    for (var i = invocation; i < CHUNK_QUADS; i += 64u) {
        scattered[place + i] = changed_contents[source + i];
    }
}
