// The picture: cubes lit by a key light and the sky, fading with distance into the sky behind them.
//
// Axes are right-handed, +Y up, -Z forward; lengths in metres; colours linear, as the sRGB target
// encodes them. Depth is reversed: 1 at the near plane, 0 at infinity.

// Keep in step with `Globals` in src/render/globals.rs; a test compares the two.
struct Globals {
    view_projection: mat4x4f,
    // Camera position.
    position: vec3f,
    // From the camera to the right and the upper edge of the picture, at distance 1 along
    // `forward`.
    right: vec3f,
    up: vec3f,
    forward: vec3f,
}

@group(0) @binding(0) var<uniform> globals: Globals;

// Direction to the key light, a unit vector.
const KEY_DIRECTION = vec3f(0.4243, 0.7071, 0.5657);
const KEY_COLOR = vec3f(1.15, 1.02, 0.84);
// Ambient light from below and from above.
const GROUND_AMBIENT = vec3f(0.06, 0.055, 0.07);
const SKY_AMBIENT = vec3f(0.20, 0.26, 0.38);
// Distance at which fog hides 1 - 1/e of a surface, in m.
const FOG_DISTANCE = 250.0;

// ---- sky ----

const ZENITH = vec3f(0.055, 0.16, 0.42);
const HORIZON = vec3f(0.50, 0.66, 0.84);
const NADIR = vec3f(0.16, 0.17, 0.22);
const SUN_GLOW = vec3f(0.34, 0.22, 0.10);

// Light that reaches the camera from infinity; `direction` is a unit vector.
fn sky(direction: vec3f) -> vec3f {
    let height = direction.y;
    let above = mix(HORIZON, ZENITH, pow(max(height, 0.0), 0.55));
    let gradient = mix(above, NADIR, smoothstep(0.0, 0.75, -height));
    let toward_sun = max(dot(direction, KEY_DIRECTION), 0.0);
    return gradient + SUN_GLOW * pow(toward_sun, 6.0);
}

struct SkyVertex {
    @builtin(position) clip: vec4f,
    @location(0) direction: vec3f,
}

// One triangle that covers the picture, at infinity.
@vertex
fn vs_sky(@builtin(vertex_index) index: u32) -> SkyVertex {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 4.0 - 1.0;
    var out: SkyVertex;
    out.clip = vec4f(corner, 0.0, 1.0);
    out.direction = globals.forward + corner.x * globals.right + corner.y * globals.up;
    return out;
}

@fragment
fn fs_sky(in: SkyVertex) -> @location(0) vec4f {
    return vec4f(sky(normalize(in.direction)), 1.0);
}

// ---- cubes ----

// Locations as in src/render/cube_pipeline.rs; a test compares the two.
struct CubeInput {
    // Corner of the unit cube, and the normal of its face.
    @location(0) corner: vec3f,
    @location(1) normal: vec3f,
    // `Transform`, one to a cube.
    @location(2) position: vec3f,
    @location(3) scale: f32,
    @location(4) rotation: vec4f,
    // `Color`, one to a cube; sRGB encoded.
    @location(5) color: vec4f,
}

struct CubeVertex {
    @builtin(position) clip: vec4f,
    // From the camera to the surface, in m.
    @location(0) ray: vec3f,
    @location(1) normal: vec3f,
    @location(2) albedo: vec3f,
}

// Turns `v` by the unit quaternion `q`: v + 2 w (u x v) + 2 u x (u x v), where q = (u, w).
fn rotate(q: vec4f, v: vec3f) -> vec3f {
    let t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

// Decodes sRGB (IEC 61966-2-1).
fn to_linear(encoded: vec3f) -> vec3f {
    let low = encoded / 12.92;
    let high = pow((encoded + 0.055) / 1.055, vec3f(2.4));
    return select(high, low, encoded <= vec3f(0.04045));
}

@vertex
fn vs_cube(in: CubeInput) -> CubeVertex {
    let world = in.position + rotate(in.rotation, in.corner * in.scale);
    var out: CubeVertex;
    out.clip = globals.view_projection * vec4f(world, 1.0);
    out.ray = world - globals.position;
    out.normal = rotate(in.rotation, in.normal);
    out.albedo = to_linear(in.color.rgb);
    return out;
}

@fragment
fn fs_cube(in: CubeVertex) -> @location(0) vec4f {
    let normal = normalize(in.normal);
    let key = KEY_COLOR * max(dot(normal, KEY_DIRECTION), 0.0);
    let ambient = mix(GROUND_AMBIENT, SKY_AMBIENT, normal.y * 0.5 + 0.5);
    let lit = in.albedo * (key + ambient);

    let distance = length(in.ray);
    let depth = distance / FOG_DISTANCE;
    let fog = 1.0 - exp(-depth * depth);
    return vec4f(mix(lit, sky(in.ray / distance), fog), 1.0);
}
