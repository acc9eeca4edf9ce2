// The cubes: pulled from storage buffers, instanced for adapters that cannot pull, and as single
// triangles for cubes of about a pixel.

// ---- one cube ----

const AXES = vec3u(0u, 1u, 2u);

struct Cube {
    position: vec3f,
    scale: f32,
    rotation: vec4f,
    albedo: vec3f,
    // Light that it emits, as a multiple of its albedo.
    emission: f32,
}

// Repeats the cubes around the camera.
override ENDLESS: bool = false;

// Where cubes shrink at the end of the field and near the camera, as in src/components/field.rs.
const FIELD_END = vec2f(0.80, 0.97);
const FIELD_NEAR = vec2f(0.2, 2.0);

// Distance of the corners from the center of a cube with edge 1, rounded up: `Scale::RADIUS` in Rust.
const CUBE_RADIUS = 0.867;

// Position and edge with which a cube is drawn: `FieldView::place` in src/components/field.rs.
fn placed(position: vec3f, edge: f32) -> vec4f {
    if !ENDLESS {
        return vec4f(position, edge);
    }
    let cells = (position - globals.camera_position) * globals.inverse_period;
    let whole = round(cells);
    let image = position - whole * globals.displacement;
    let rest = abs(cells - whole) * 2.0;
    let reach = max(max(rest.x, rest.y), rest.z);
    let gap = distance(image, globals.camera_position) - edge * CUBE_RADIUS;
    let complete = max(FIELD_NEAR.y, edge * CUBE_RADIUS);
    let share = (1.0 - smoothstep(FIELD_END.x, FIELD_END.y, reach)) * smoothstep(FIELD_NEAR.x, complete, gap);
    let displaced = select(1.0, globals.displaced_scale, any(whole != vec3f(0.0)));
    return vec4f(image, edge * mix(1.0, share, globals.field_strength) * displaced);
}

// Rotates `v` by the unit quaternion `q`: v + 2 w (u x v) + 2 u x (u x v), where q = (u, w).
fn rotate(q: vec4f, v: vec3f) -> vec3f {
    let t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

// The inverse of `rotate`.
fn inverse_rotate(q: vec4f, v: vec3f) -> vec3f {
    return rotate(vec4f(-q.xyz, q.w), v);
}

// Decodes sRGB (IEC 61966-2-1).
fn to_linear(encoded: vec3f) -> vec3f {
    let low = encoded / 12.92;
    let high = pow((encoded + 0.055) / 1.055, vec3f(2.4));
    return select(high, low, encoded <= vec3f(0.04045));
}

struct CubeVertex {
    @builtin(position) clip: vec4f,
    // From the camera to the surface, in m.
    @location(0) ray: vec3f,
    // Light of the face. Pulled cubes need the value of the first vertex, which all adapters but those of OpenGL take.
    // OpenGL cannot compile `first`, and draws only meshes whose faces have one value.
    @location(1) @interpolate(flat, either) key: vec3f,
    @location(2) @interpolate(flat, either) ambient: vec3f,
    @location(3) @interpolate(flat, either) glow: f32,
}

// Emission of a color's fourth byte at its largest: `Color::MAX_EMISSION` in Rust.
const MAX_EMISSION = 16.0;

fn cube(place: vec4f, rotation: vec4f, color: vec4f) -> Cube {
    return Cube(place.xyz, place.w, rotation, to_linear(color.rgb), color.a * MAX_EMISSION);
}

fn cube_key_light(cube: Cube, normal: vec3f) -> vec3f {
    return key_light(cube.albedo, normal) * key_through_block(cube.position);
}

// Ambient and emitted light.
fn cube_ambient_light(cube: Cube, normal: vec3f) -> vec3f {
    let reflected = ambient_light(cube.albedo, normal) * sky_visibility(cube.position, normal);
    return reflected + cube.albedo * cube.emission;
}

fn cube_vertex(cube: Cube, corner: vec3f, normal: vec3f) -> CubeVertex {
    let world = cube.position + rotate(cube.rotation, corner * cube.scale);
    let world_normal = rotate(cube.rotation, normal);
    var out: CubeVertex;
    out.clip = globals.view_projection * vec4f(world, 1.0);
    out.ray = world - globals.camera_position;
    out.key = cube_key_light(cube, world_normal);
    out.ambient = cube_ambient_light(cube, world_normal);
    out.glow = select(1.0, cube.emission / MAX_EMISSION, EMISSION_IN_ALPHA);
    return out;
}

// Toward the light, in m, by about a texel of the shadow map: the far edges of a cube would shade its own lit faces.
const SHADOW_BIAS = 0.2;

@fragment
fn fs_cube(in: CubeVertex) -> @location(0) vec4f {
    let world = globals.camera_position + in.ray;
    var light = in.ambient + in.key * key_visibility(world + SHADOW_BIAS * globals.sun_direction);
    var glow = in.glow;
    if FOG {
        light = through_fog(light, in.ray);
        if EMISSION_IN_ALPHA {
            glow *= fog_transmission(in.ray);
        }
    }
    let color = tone_mapped(light);
    if EMISSION_IN_ALPHA {
        // With MSAA, a pixel that is covered in part gets this part of color and alpha. `emission_of` divides one by the other.
        glow *= brightest(color);
        if glow > 0.0 {
            // Faint glows are smaller than a step of the target's bytes.
            glow = max(glow + noise(in.clip.xy) / 255.0, 0.0);
        }
    }
    return vec4f(dithered(color, in.clip.xy), glow);
}

// Without fog, shadows, bloom and ambient occlusion in screen space a face has one color, computed per vertex and not dithered.
struct PlainVertex {
    @builtin(position) clip: vec4f,
    @location(0) @interpolate(flat, either) color: vec3f,
}

fn plain(vertex: CubeVertex) -> PlainVertex {
    return PlainVertex(vertex.clip, tone_mapped(vertex.ambient + vertex.key));
}

@fragment
fn fs_plain(in: PlainVertex) -> @location(0) vec4f {
    return vec4f(in.color, 1.0);
}

// ---- pulled ----

// The packed component arrays, unconverted.
@group(1) @binding(0) var<storage, read> positions: array<f32>;
@group(1) @binding(1) var<storage, read> rotations: array<vec4f>;
@group(1) @binding(2) var<storage, read> scales: array<f32>;
@group(1) @binding(3) var<storage, read> colors: array<u32>;
// Indices of the visible cubes.
@group(1) @binding(4) var<storage, read> listed: array<u32>;

// Draws the cubes of `listed` instead of all cubes.
override LISTED: bool = false;

fn position_of(index: u32) -> vec3f {
    return vec3f(positions[index * 3u], positions[index * 3u + 1u], positions[index * 3u + 2u]);
}

// The cube at index `nth` of the arrays, or of the list of visible cubes.
fn cube_at(nth: u32) -> Cube {
    var index = nth;
    if LISTED {
        index = listed[nth];
    }
    let place = placed(position_of(index), scales[index]);
    return cube(place, rotations[index], unpack4x8unorm(colors[index]));
}

const VERTICES_PER_CUBE = 7u;
const INDICES_PER_CUBE = 18u;

// An instance of a draw call is several cubes: all instances have one index buffer.
override CUBES_PER_INSTANCE: u32 = 1u;

struct InstanceVertex {
    @builtin(vertex_index) index: u32,
    @builtin(instance_index) instance: u32,
}

// Index in the arrays, or in the list, of the cube of a vertex.
fn nth_cube(in: InstanceVertex) -> u32 {
    return in.instance * CUBES_PER_INSTANCE + in.index / VERTICES_PER_CUBE;
}

// Four bits for each of the seven visible corners, the first lowest: the axes on whose far side it is.
// First the nearest corner, then the far corner of each visible face, then the others. Triangles of a
// face begin at its far corner, which no other visible face has.
const FAR_AXES = 0x4213560u;

// -1 where `v` is negative, 1 elsewhere.
fn signs(v: vec3f) -> vec3f {
    return select(vec3f(1.0), vec3f(-1.0), v < vec3f(0.0));
}

// A corner of the unit cube, given the corner nearest to the viewer.
fn visible_corner(near: vec3f, vertex: u32) -> vec3f {
    let far_axes = (FAR_AXES >> (vertex * 4u)) & 7u;
    let far = (vec3u(far_axes) & vec3u(1u, 2u, 4u)) != vec3u(0u);
    return select(near, -near, far);
}

fn pulled_vertex(cube: Cube, vertex: u32) -> CubeVertex {
    let eye = inverse_rotate(cube.rotation, globals.camera_position - cube.position);
    let near = signs(eye) * 0.5;
    // The far corners have the normals of the faces across x, y and z.
    let own_axis = vec3u(vertex) == vec3u(1u, 2u, 3u);
    let normal = signs(eye) * vec3f(own_axis);
    // A camera between the planes of two opposite faces sees neither. Moving its far corner to the
    // near corner removes a face's area.
    let within = abs(eye) <= vec3f(0.5 * cube.scale);
    let corner = select(visible_corner(near, vertex), near, any(own_axis & within));
    return cube_vertex(cube, corner, normal);
}

// The three faces turned away from the light: they bound the shadow, and are dark already.
fn pulled_shadow_vertex(cube: Cube, vertex: u32) -> vec4f {
    let near = signs(inverse_rotate(cube.rotation, -globals.sun_direction)) * 0.5;
    let corner = visible_corner(near, vertex);
    let world = cube.position + rotate(cube.rotation, corner * cube.scale);
    return globals.light_projection * vec4f(world, 1.0);
}

@vertex
fn vs_pulled(in: InstanceVertex) -> CubeVertex {
    return pulled_vertex(cube_at(nth_cube(in)), in.index % VERTICES_PER_CUBE);
}

@vertex
fn vs_pulled_plain(in: InstanceVertex) -> PlainVertex {
    return plain(pulled_vertex(cube_at(nth_cube(in)), in.index % VERTICES_PER_CUBE));
}

@vertex
fn vs_pulled_shadow(in: InstanceVertex) -> @builtin(position) vec4f {
    return pulled_shadow_vertex(cube_at(nth_cube(in)), in.index % VERTICES_PER_CUBE);
}

// ---- small ----

// A corner of the equilateral triangle of area 1 around the origin.
fn triangle_corner(vertex: u32) -> vec2f {
    let side = f32(vertex) - 1.0;
    let base = abs(side);
    return vec2f(0.7598357 * side, mix(0.8773827, -0.4386914, base));
}

// Smallest part of the light that passes the fog with which the light of a small cube is computed.
const MIN_TRANSMISSION = 0.001;

// A small cube has the mean color of its visible faces, each with fog and tone mapping applied before, and the light
// before the fog that gives this color, lit and in shadow.
struct SmallVertex {
    lit: CubeVertex,
    color: vec3f,
}

// One triangle with the projected area, mean color and distance of the cube.
fn small_vertex(cube: Cube, vertex: u32) -> SmallVertex {
    let ray = cube.position - globals.camera_position;
    let toward_eye = -normalize(ray);
    // The projected area of each visible face is the cosine to its normal.
    let local = inverse_rotate(cube.rotation, toward_eye);
    let face_areas = abs(local);
    let area = face_areas.x + face_areas.y + face_areas.z;
    var transmission = 1.0;
    var fog = vec3f(0.0);
    if FOG {
        transmission = fog_transmission(ray);
        fog = sky(-toward_eye);
    }
    var color = vec3f(0.0);
    var shadowed = vec3f(0.0);
    for (var axis = 0; axis < 3; axis++) {
        let normal = select(vec3f(0.0), sign(local), AXES == vec3u(u32(axis)));
        let world_normal = rotate(cube.rotation, normal);
        let ambient = cube_ambient_light(cube, world_normal);
        let lit = ambient + cube_key_light(cube, world_normal);
        color += tone_mapped(mix(fog, lit, transmission)) * face_areas[axis];
        shadowed += tone_mapped(mix(fog, ambient, transmission)) * face_areas[axis];
    }
    // The triangle is parallel to the image plane; away from the center it needs a larger area than
    // one that faces the camera.
    let facing = dot(globals.forward, -toward_eye);
    let offset = triangle_corner(vertex) * (sqrt(area / facing) * cube.scale);
    let world = cube.position + globals.frustum.right * offset.x + globals.frustum.up * offset.y;
    var out: SmallVertex;
    out.lit.clip = globals.view_projection * vec4f(world, 1.0);
    // Of the visible surface: where cubes lie close together, more centers than surfaces are in the shadow.
    out.lit.ray = ray + toward_eye * (0.5 * cube.scale);
    out.color = color / area;
    // The light before the fog, which the fragment adds.
    let before = 1.0 / max(transmission, MIN_TRANSMISSION);
    out.lit.ambient = (light_of(shadowed / area) - fog * (1.0 - transmission)) * before;
    out.lit.key = (light_of(out.color) - fog * (1.0 - transmission)) * before - out.lit.ambient;
    out.lit.glow = select(1.0, cube.emission / MAX_EMISSION, EMISSION_IN_ALPHA);
    return out;
}

@vertex
fn vs_small(@builtin(vertex_index) index: u32) -> CubeVertex {
    return small_vertex(cube_at(index / 3u), index % 3u).lit;
}

@vertex
fn vs_small_plain(@builtin(vertex_index) index: u32) -> PlainVertex {
    let small = small_vertex(cube_at(index / 3u), index % 3u);
    return PlainVertex(small.lit.clip, small.color);
}

// ---- instanced ----

// Locations as in src/render/instanced_cubes.rs; a test compares them.
struct CubeInput {
    // Corner of the unit cube, and the normal of its face.
    @location(0) corner: vec3f,
    @location(1) normal: vec3f,
    // One element of each packed component array; the color is sRGB encoded, with the emission.
    @location(2) position: vec3f,
    @location(3) rotation: vec4f,
    @location(4) scale: f32,
    @location(5) color: vec4f,
}

fn instanced_vertex(in: CubeInput) -> CubeVertex {
    let cube = cube(placed(in.position, in.scale), in.rotation, in.color);
    return cube_vertex(cube, in.corner, in.normal);
}

@vertex
fn vs_instanced(in: CubeInput) -> CubeVertex {
    return instanced_vertex(in);
}

@vertex
fn vs_instanced_plain(in: CubeInput) -> PlainVertex {
    return plain(instanced_vertex(in));
}

@vertex
fn vs_instanced_shadow(in: CubeInput) -> @builtin(position) vec4f {
    let place = placed(in.position, in.scale);
    let world = place.xyz + rotate(in.rotation, in.corner * place.w);
    return globals.light_projection * vec4f(world, 1.0);
}
