// The ground plane, with a grid for scale: a line every 10 m, a stronger one every 50 m.

// Half the edge of the plane is the larger of this length, in m, and so many distances of the fog, which hides the end of
// the plane.
const GROUND_EXTENT = 1500.0;
const GROUND_FOG_DISTANCES = 2.5;
const GROUND_ALBEDO = vec3f(0.22, 0.24, 0.25);
const LINE_ALBEDO = vec3f(0.62, 0.64, 0.62);

struct GroundVertex {
    @builtin(position) clip: vec4f,
    // From the camera to the surface, in m.
    @location(0) ray: vec3f,
    // World x and z, in m, shifted by whole 50 m to stay small.
    @location(1) grid_position: vec2f,
}

// Four triangles around the point below the camera: a vertex there keeps the plane exact near the camera, however
// far away its corners are.
@vertex
fn vs_ground(@builtin(vertex_index) index: u32) -> GroundVertex {
    // The corners 0 to 3 are in order around the square.
    let number = (index / 3u + index % 3u) % 4u;
    let around = vec2f(
        select(-1.0, 1.0, number == 1u || number == 2u),
        select(-1.0, 1.0, number >= 2u),
    );
    let corner = select(around, vec2f(0.0), index % 3u == 2u);
    let half_edge = max(GROUND_EXTENT, GROUND_FOG_DISTANCES * globals.fog_distance);
    let ray = vec3f(corner.x * half_edge, globals.ground_height - globals.camera_position.y, corner.y * half_edge);
    let origin = globals.camera_position.xz - floor(globals.camera_position.xz / 50.0) * 50.0;
    var out: GroundVertex;
    out.clip = globals.view_projection * vec4f(globals.camera_position + ray, 1.0);
    out.ray = ray;
    out.grid_position = origin + ray.xz;
    return out;
}

// Fraction of a pixel covered by lines of half the width `half_width` every `spacing` m; a pixel covers `footprint` m.
// Lines finer than a pixel are widened to one and fade instead (Golus, "The Best Darn Grid Shader (Yet)", 2023).
fn grid(position: vec2f, footprint: vec2f, spacing: f32, half_width: f32) -> f32 {
    let pixel = footprint / spacing;
    let wanted = vec2f(half_width / spacing);
    let drawn = clamp(wanted, 0.5 * pixel, vec2f(0.5));
    let nearest = abs(fract(position / spacing + 0.5) - 0.5);
    let edge = pixel * 0.75;
    let line = (1.0 - smoothstep(drawn - edge, drawn + edge, nearest)) * saturate(wanted / drawn);
    let faded = mix(line, 2.0 * wanted, saturate(pixel * 2.0 - 1.0));
    return mix(faded.x, 1.0, faded.y);
}

@fragment
fn fs_ground(in: GroundVertex) -> @location(0) vec4f {
    let footprint = fwidth(in.grid_position);
    let fine = grid(in.grid_position, footprint, 10.0, 0.06) * 0.55;
    let lines = max(fine, grid(in.grid_position, footprint, 50.0, 0.15));
    let albedo = mix(GROUND_ALBEDO, LINE_ALBEDO, lines);
    let up = vec3f(0.0, 1.0, 0.0);
    let world = globals.camera_position + in.ray;
    let key = key_light(albedo, up) * key_visibility(world) * key_through_block(world);
    let ambient = ambient_light(albedo, up) * sky_visibility(world, up);
    // Also if cubes have no fog: the fog hides the end of the plane, and the plane itself in scenes without a ground, where it
    // is very deep (`NO_GROUND`).
    let color = dithered(tone_mapped(through_fog(ambient + key, in.ray)), in.clip.xy);
    return vec4f(color, select(1.0, 0.0, EMISSION_IN_ALPHA));
}
