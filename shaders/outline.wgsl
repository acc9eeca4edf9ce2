// The outlines of the selected cube and of the cube under the pointer: their silhouettes, with a constant
// width in pixels. While a cube is selected, all but this cube can be dimmed.
//
// An edge of the cube is part of the silhouette if exactly one of its two faces is visible. Each such
// edge becomes a rectangle in the image plane with round ends, so that consecutive ones join. All
// other edges collapse to nothing.

// Half the width of the line, without and with its dark rim, in pixels.
const LINE_RADIUS = 1.5;
const RIM_RADIUS = 2.75;
// The color of the selected cube in the inspector.
const LINE_COLOR = vec3f(1.0, 0.117, 0.631);
const RIM_COLOR = vec3f(0.01, 0.01, 0.012);
// The line of the cube under the pointer.
const HOVER_RADIUS = 0.75;
const HOVER_COLOR = vec3f(0.85, 0.9, 1.0);
// Fraction of the light that dimming takes away.
const DIMMING = 0.55;
// Opacity of the line where something hides it.
const HIDDEN_OPACITY = 0.4;

const CORNERS_PER_EDGE = 6u;
const EDGES = 12u;

// Locations as in src/render/outline.rs; a test compares them.
struct OutlineInput {
    @location(0) rotation: vec4f,
    @location(1) position: vec3f,
    @location(2) scale: f32,
    // Half the size of the frame, in pixels.
    @location(3) half_size: vec2f,
    // 1 for the selected cube, 0 for the one under the pointer.
    @location(4) selected: f32,
}

struct OutlineVertex {
    @builtin(position) clip: vec4f,
    // Position relative to the start of the edge, in pixels: along it and across.
    @location(0) along_across: vec2f,
    // Length of the edge and half the width of the line, in pixels.
    @location(1) @interpolate(flat, either) length: f32,
    @location(2) @interpolate(flat, either) radius: f32,
    @location(3) @interpolate(flat, either) color: vec3f,
}

// The end of an edge, or where the near plane clips it.
fn clip_to_near(end: vec4f, other: vec4f, near: f32) -> vec4f {
    if end.w >= near {
        return end;
    }
    return mix(end, other, (near - end.w) / (other.w - end.w));
}

// First the whole rim, then the whole line over it.
@vertex
fn vs_outline(@builtin(vertex_index) index: u32, in: OutlineInput) -> OutlineVertex {
    let corner = index % CORNERS_PER_EDGE;
    let edge = index / CORNERS_PER_EDGE % EDGES;
    let is_rim = index < CORNERS_PER_EDGE * EDGES;

    // Four edges along x, then y, then z.
    let along = edge / 4u;
    let across = vec2u((along + 1u) % 3u, (along + 2u) % 3u);
    let sides = vec2f(f32(edge & 1u), f32((edge >> 1u) & 1u)) * 2.0 - 1.0;
    // Not assigned by index, which a compiler of Direct3D 12 refuses.
    let zero = vec3f(0.0);
    let half_edge = select(zero, vec3f(0.5), AXES == vec3u(along));
    let middle = select(zero, vec3f(sides.x * 0.5), AXES == vec3u(across.x))
        + select(zero, vec3f(sides.y * 0.5), AXES == vec3u(across.y));

    let eye = inverse_rotate(in.rotation, globals.camera_position - in.position);
    let facing = vec2f(eye[across.x], eye[across.y]) * sides > vec2f(0.5 * in.scale);
    let begin = outline_clip(in, middle - half_edge);
    let end = outline_clip(in, middle + half_edge);
    let near = globals.frustum.near;

    var out: OutlineVertex;
    out.clip.w = 1.0;
    if facing.x == facing.y || max(begin.w, end.w) <= near {
        return out;
    }
    let first = clip_to_near(begin, end, near);
    let last = clip_to_near(end, begin, near);
    let start = first.xy / first.w * in.half_size;
    let direction = last.xy / last.w * in.half_size - start;
    out.length = length(direction);
    // An edge seen from its end is a dot.
    let ahead = select(vec2f(1.0, 0.0), direction / out.length, out.length > 0.0);
    let line_radius = mix(HOVER_RADIUS, LINE_RADIUS, in.selected);
    out.radius = select(line_radius, line_radius + RIM_RADIUS - LINE_RADIUS, is_rim);
    out.color = select(mix(HOVER_COLOR, LINE_COLOR, in.selected), RIM_COLOR, is_rim);

    // Half a pixel wider than the line, for antialiasing.
    let reach = out.radius + 0.5;
    let far = corner == 1u || corner == 2u || corner == 4u;
    let left = corner == 2u || corner == 4u || corner == 5u;
    out.along_across = vec2f(
        select(-reach, out.length + reach, far),
        select(-reach, reach, left),
    );
    let pixel =
        start + ahead * out.along_across.x + vec2f(-ahead.y, ahead.x) * out.along_across.y;

    // Depth of the cube's nearest corner, moved 0.1 % toward the camera: the cube never hides its own outline, and
    // the whole line has one depth.
    let extents = abs(inverse_rotate(in.rotation, globals.forward));
    let center = dot(globals.forward, in.position - globals.camera_position);
    let nearest = center - 0.5 * in.scale * (extents.x + extents.y + extents.z);
    out.clip = vec4f(pixel / in.half_size, min(near / max(nearest * 0.999, near), 1.0), 1.0);
    return out;
}

fn outline_clip(in: OutlineInput, corner: vec3f) -> vec4f {
    let world = in.position + rotate(in.rotation, corner * in.scale);
    return globals.view_projection * vec4f(world, 1.0);
}

fn outline_color(in: OutlineVertex, opacity: f32) -> vec4f {
    let nearest = vec2f(clamp(in.along_across.x, 0.0, in.length), 0.0);
    let covered = saturate(in.radius + 0.5 - distance(in.along_across, nearest));
    // Without color the fragment must not write depth either.
    if covered == 0.0 {
        discard;
    }
    return vec4f(in.color, covered * opacity);
}

@fragment
fn fs_outline(in: OutlineVertex) -> @location(0) vec4f {
    return outline_color(in, 1.0);
}

// The line where something hides it.
@fragment
fn fs_hidden_outline(in: OutlineVertex) -> @location(0) vec4f {
    return outline_color(in, HIDDEN_OPACITY);
}

struct DimVertex {
    @builtin(position) clip: vec4f,
    // From the camera through the pixel.
    @location(0) ray: vec3f,
    @location(1) @interpolate(flat, either) rotation: vec4f,
    // The camera in axes of the cube, and half the edge of the cube.
    @location(2) @interpolate(flat, either) eye: vec3f,
    @location(3) @interpolate(flat, either) half_edge: f32,
}

// A triangle that covers the frame.
@vertex
fn vs_dim(@builtin(vertex_index) index: u32, in: OutlineInput) -> DimVertex {
    let corner = frame_corner(index);
    var out: DimVertex;
    out.clip = vec4f(corner, 0.0, 1.0);
    out.ray = globals.forward + globals.right * corner.x + globals.up * corner.y;
    out.rotation = in.rotation;
    out.eye = inverse_rotate(in.rotation, globals.camera_position - in.position);
    out.half_edge = 0.5 * in.scale;
    return out;
}

// Dims what is not within the silhouette of the cube.
@fragment
fn fs_dim(in: DimVertex) -> @location(0) vec4f {
    let direction = inverse_rotate(in.rotation, in.ray);
    // Not along a face, where the distances to its planes are infinite.
    let ray = select(direction, vec3f(1e-7), abs(direction) < vec3f(1e-7));
    // Distances to the planes of the faces, in lengths of the ray.
    let first = (-in.half_edge * sign(ray) - in.eye) / ray;
    let last = (in.half_edge * sign(ray) - in.eye) / ray;
    let enter = max(max(first.x, first.y), first.z);
    let leave = min(min(last.x, last.y), last.z);
    let hits = enter <= leave && leave > 0.0;
    return vec4f(vec3f(0.0), select(DIMMING, 0.0, hits));
}
