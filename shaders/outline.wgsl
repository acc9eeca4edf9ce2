// The line around a selected cube: its silhouette, as wide everywhere however far away it is.
//
// An edge of the cube is part of the silhouette if of the two faces it joins one is turned to the
// camera. Each such edge becomes a rectangle in the plane of the picture, rounded off at its ends so
// that successive ones join; all other edges shrink to nothing.

// Half the width of the line and of the dark rim on either side of it, in pixels.
const LINE_RADIUS = 1.5;
const RIM_RADIUS = 2.75;
const LINE_COLOR = vec3f(1.0, 0.50, 0.02);
const RIM_COLOR = vec3f(0.01, 0.01, 0.012);
// How much of the line is seen where something hides it.
const HIDDEN_OPACITY = 0.4;

const CORNERS_PER_EDGE = 6u;
const EDGES = 12u;

// Locations as in src/render/outline.rs; a test compares the two.
struct OutlineInput {
    @location(0) rotation: vec4f,
    @location(1) position: vec3f,
    @location(2) scale: f32,
    // Half the width and the height of the picture, in pixels.
    @location(3) half_size: vec2f,
}

struct OutlineVertex {
    @builtin(position) clip: vec4f,
    // In pixels, from the beginning of the edge: along it, and across.
    @location(0) place: vec2f,
    // In pixels.
    @location(1) @interpolate(flat, either) length: f32,
    @location(2) @interpolate(flat, either) radius: f32,
    @location(3) @interpolate(flat, either) color: vec3f,
}

// The part of an edge before the near plane, from the end that is not cut off.
fn cut(end: vec4f, other: vec4f, near: f32) -> vec4f {
    if end.w >= near {
        return end;
    }
    return mix(end, other, (near - end.w) / (other.w - end.w));
}

// First all of the rim, then all of the line, which lies over it.
@vertex
fn vs_outline(@builtin(vertex_index) index: u32, in: OutlineInput) -> OutlineVertex {
    let corner = index % CORNERS_PER_EDGE;
    let edge = index / CORNERS_PER_EDGE % EDGES;
    let is_rim = index < CORNERS_PER_EDGE * EDGES;

    // The edges along x, then y, then z; of each the four on either side across both other axes.
    let along = edge / 4u;
    let across = vec2u((along + 1u) % 3u, (along + 2u) % 3u);
    let sides = vec2f(f32(edge & 1u), f32(edge >> 1u & 1u)) * 2.0 - 1.0;
    var middle = vec3f(0.0);
    middle[across.x] = sides.x * 0.5;
    middle[across.y] = sides.y * 0.5;
    var half_edge = vec3f(0.0);
    half_edge[along] = 0.5;

    let eye = unrotate(in.rotation, globals.camera_position - in.position);
    let facing = vec2f(eye[across.x], eye[across.y]) * sides > vec2f(0.5 * in.scale);
    let begin = outline_clip(in, middle - half_edge);
    let end = outline_clip(in, middle + half_edge);
    // With a reversed infinite projection this is the distance of the near plane.
    let near = begin.z;

    var out: OutlineVertex;
    out.clip.w = 1.0;
    if facing.x == facing.y || max(begin.w, end.w) <= near {
        return out;
    }
    let first = cut(begin, end, near);
    let last = cut(end, begin, near);
    let from_pixel = first.xy / first.w * in.half_size;
    let way = last.xy / last.w * in.half_size - from_pixel;
    out.length = length(way);
    // An edge that is seen from its end is a dot.
    let ahead = select(vec2f(1.0, 0.0), way / out.length, out.length > 0.0);
    out.radius = select(LINE_RADIUS, RIM_RADIUS, is_rim);
    out.color = select(LINE_COLOR, RIM_COLOR, is_rim);

    // Half a pixel wider than the line, for its smooth border.
    let reach = out.radius + 0.5;
    let far = corner == 1u || corner == 2u || corner == 4u;
    let left = corner == 2u || corner == 4u || corner == 5u;
    out.place = vec2f(
        select(-reach, out.length + reach, far),
        select(-reach, reach, left),
    );
    let pixel = from_pixel + ahead * out.place.x + vec2f(-ahead.y, ahead.x) * out.place.y;

    // As near as the nearest corner of the cube, and a little nearer: the cube never hides its own
    // outline, and all of the line is as far away.
    let turned = mat3x3f(
        rotate(in.rotation, vec3f(1.0, 0.0, 0.0)),
        rotate(in.rotation, vec3f(0.0, 1.0, 0.0)),
        rotate(in.rotation, vec3f(0.0, 0.0, 1.0)),
    );
    let extents = abs(globals.forward * turned);
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
    let nearest = vec2f(clamp(in.place.x, 0.0, in.length), 0.0);
    let covered = saturate(in.radius + 0.5 - distance(in.place, nearest));
    // What leaves no colour leaves no depth.
    if covered == 0.0 {
        discard;
    }
    return vec4f(in.color, covered * opacity);
}

@fragment
fn fs_outline(in: OutlineVertex) -> @location(0) vec4f {
    return outline_color(in, 1.0);
}

// Where something nearer hides the line.
@fragment
fn fs_hidden_outline(in: OutlineVertex) -> @location(0) vec4f {
    return outline_color(in, HIDDEN_OPACITY);
}
