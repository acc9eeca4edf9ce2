// The sky: a gradient behind everything else.

struct SkyVertex {
    @builtin(position) clip: vec4f,
    @location(0) direction: vec3f,
}

// One triangle at infinity that covers the frame.
@vertex
fn vs_sky(@builtin(vertex_index) index: u32) -> SkyVertex {
    let corner = frame_corner(index);
    var out: SkyVertex;
    out.clip = vec4f(corner, 0.0, 1.0);
    out.direction = globals.forward + corner.x * globals.right + corner.y * globals.up;
    return out;
}

@fragment
fn fs_sky(in: SkyVertex) -> @location(0) vec4f {
    let color = dithered(tone_mapped(sky(normalize(in.direction))), in.clip.xy);
    return vec4f(color, select(1.0, 0.0, EMISSION_IN_ALPHA));
}
