// Cubes in the light of shaders/scene.wgsl; no fog, no sky.

@group(0) @binding(0) var<uniform> view_projection: mat4x4f;

const KEY_DIRECTION = vec3f(0.4243, 0.7071, 0.5657);
const KEY_COLOR = vec3f(1.15, 1.02, 0.84);
const GROUND_AMBIENT = vec3f(0.06, 0.055, 0.07);
const SKY_AMBIENT = vec3f(0.20, 0.26, 0.38);

struct Input {
    @location(0) corner: vec3f,
    @location(1) normal: vec3f,
    @location(2) position: vec3f,
    @location(3) scale: f32,
    @location(4) rotation: vec4f,
    @location(5) color: vec4f,
}

struct Vertex {
    @builtin(position) clip: vec4f,
    @location(0) normal: vec3f,
    @location(1) albedo: vec3f,
}

// Rotates `v` by the unit quaternion `q`.
fn rotate(q: vec4f, v: vec3f) -> vec3f {
    let t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}

// Decodes sRGB.
fn to_linear(encoded: vec3f) -> vec3f {
    let high = pow((encoded + 0.055) / 1.055, vec3f(2.4));
    return select(high, encoded / 12.92, encoded <= vec3f(0.04045));
}

@vertex
fn vertex(in: Input) -> Vertex {
    var out: Vertex;
    let world = in.position + rotate(in.rotation, in.corner * in.scale);
    out.clip = view_projection * vec4f(world, 1.0);
    out.normal = rotate(in.rotation, in.normal);
    out.albedo = to_linear(in.color.rgb);
    return out;
}

@fragment
fn fragment(in: Vertex) -> @location(0) vec4f {
    let normal = normalize(in.normal);
    let key = KEY_COLOR * max(dot(normal, KEY_DIRECTION), 0.0);
    let ambient = mix(GROUND_AMBIENT, SKY_AMBIENT, normal.y * 0.5 + 0.5);
    return vec4f(in.albedo * (key + ambient), 1.0);
}
