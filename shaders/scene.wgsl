// Camera, light, sky, fog and view volume, shared by the other files of this folder. `evaluated`, `scatter` and `culling`
// are one module with this file and `cubes`; all files but these three are another.
//
// Axes are right-handed, +Y up, -Z forward. Lengths are in meters. Colors are linear; the sRGB target
// encodes them. Depth is reversed: 1 at the near plane, 0 at infinity.

// `FrustumUniform` in src/render/frustum.rs; a test compares them.
struct Frustum {
    // Unit vectors; the third is `forward` of the globals.
    right: vec3f,
    near: f32,
    up: vec3f,
    // Largest radius of a cube of edge 1, drawn either way.
    radius: f32,
    // Cosine and sine of half the horizontal and half the vertical field of view.
    planes: vec4f,
    // A cube is small if its edge is below this times its distance.
    edge_by_distance: f32,
    // 1 if cubes outside are not drawn.
    enabled: u32,
}

// `Globals` in src/render/globals.rs, field by field; a test compares them.
struct Globals {
    view_projection: mat4x4f,
    // From the world into the shadow map: x and y from -1 to 1, z from 0 to 1 away from the light.
    light_projection: mat4x4f,
    camera_position: vec3f,
    ground_height: f32,
    // From the camera to the right and the top edge of the frame, at distance 1 along `forward`.
    right: vec3f,
    // How strongly the cubes of the block absorb light, in 1/m.
    extinction: f32,
    up: vec3f,
    // Half the edge of the box around the origin that the cubes fill, in m.
    box_half_extent: f32,
    forward: vec3f,
    // Unit vector toward the key light.
    sun_direction: vec3f,
    // Distance at which fog hides 1 - 1/e of a surface, in m.
    fog_distance: f32,
    sun: vec3f,
    // Ambient light from below and from above.
    ground_ambient: vec3f,
    sky_ambient: vec3f,
    // Sky colors: straight up, at the horizon, straight down, and around the sun.
    zenith: vec3f,
    horizon: vec3f,
    nadir: vec3f,
    glow: vec3f,
    // `FieldView` in src/components/field.rs.
    displacement: vec3f,
    field_strength: f32,
    inverse_period: vec3f,
    displaced_scale: f32,
    // Directions of fill and rim light, each as long as it is strong.
    fill: vec3f,
    rim: vec3f,
    // Time of the evaluated motion, in ticks of 2^-16 s.
    now: u32,
    frustum: Frustum,
}

@group(0) @binding(0) var<uniform> globals: Globals;

@group(0) @binding(1) var shadow_map: texture_depth_2d;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;

// Set per pipeline: a disabled effect costs nothing.
override FOG: bool = true;
override SHADOWS: bool = false;
// Light is absorbed on its way through the block of cubes.
override BLOCK: bool = false;
override DITHER: bool = false;
// Alpha is the emission times the brightest channel, for the passes over the finished scene.
override EMISSION_IN_ALPHA: bool = false;

// ---- light ----

// Key light reflected by a matte surface.
fn key_light(albedo: vec3f, normal: vec3f) -> vec3f {
    return albedo * globals.sun * max(dot(normal, globals.sun_direction), 0.0);
}

// Light from all around: more from above, and from the side (fill) and the back (rim) of the sun, so
// that faces differ that the sun does not reach.
fn ambient_light(albedo: vec3f, normal: vec3f) -> vec3f {
    let hemisphere = mix(globals.ground_ambient, globals.sky_ambient, normal.y * 0.5 + 0.5);
    let rim = globals.sky_ambient * max(dot(normal, globals.rim), 0.0);
    return albedo * (hemisphere * (1.0 + dot(normal, globals.fill)) + rim);
}

// Fraction of the light from `direction` that reaches a point through the block, as through a fog of
// cubes (Beer-Lambert law).
fn through_block(world: vec3f, direction: vec3f) -> f32 {
    // Not along a face of the block, where the distances to its planes are infinite.
    let slope = select(direction, vec3f(1e-7), abs(direction) < vec3f(1e-7));
    let a = (-globals.box_half_extent - world) / slope;
    let b = (globals.box_half_extent - world) / slope;
    let near = min(a, b);
    let far = max(a, b);
    let enters = max(max(near.x, near.y), max(near.z, 0.0));
    let leaves = min(min(far.x, far.y), far.z);
    return exp(-globals.extinction * max(leaves - enters, 0.0));
}

// Light that remains in the depth of the block, since cubes reflect what they do not absorb.
const BLOCK_AMBIENT = 0.45;
const BLOCK_KEY = 0.15;

// Fraction of the ambient light that reaches a surface.
fn sky_visibility(world: vec3f, normal: vec3f) -> f32 {
    if !BLOCK {
        return 1.0;
    }
    let toward_sky = normalize(normal + vec3f(0.0, 0.8, 0.0));
    return mix(BLOCK_AMBIENT, 1.0, through_block(world, toward_sky));
}

// Fraction of the key light, without a shadow map.
fn key_through_block(world: vec3f) -> f32 {
    if !BLOCK || SHADOWS {
        return 1.0;
    }
    return mix(BLOCK_KEY, 1.0, through_block(world, globals.sun_direction));
}

// Fraction of the key light that reaches a point: the mean of nine samples of the shadow map, each
// of four texels (percentage-closer filtering: Reeves, Salesin and Cook, "Rendering Antialiased
// Shadows with Depth Maps", 1987). 1 outside the map.
fn key_visibility(world: vec3f) -> f32 {
    if !SHADOWS {
        return 1.0;
    }
    let projected = globals.light_projection * vec4f(world, 1.0);
    let uv = projected.xy * vec2f(0.5, -0.5) + 0.5;
    let texel = 1.0 / vec2f(textureDimensions(shadow_map));
    var sum = 0.0;
    for (var x = -1; x <= 1; x++) {
        for (var y = -1; y <= 1; y++) {
            let at = uv + vec2f(f32(x), f32(y)) * texel;
            sum += textureSampleCompareLevel(shadow_map, shadow_sampler, at, projected.z);
        }
    }
    // Shadows fade toward the border of the map instead of ending along a line.
    let border = max(abs(projected.x), abs(projected.y));
    let faded = mix(sum / 9.0, 1.0, smoothstep(0.9, 1.0, border));
    return select(faded, 1.0, projected.z > 1.0);
}

// Filmic curve from scene light to the display, 0 to 1 (Narkowicz, "ACES Filmic Tone Mapping
// Curve", 2015).
fn tone_mapped(light: vec3f) -> vec3f {
    let x = light * 0.6;
    return saturate(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14));
}

// The inverse of `tone_mapped`.
fn light_of(color: vec3f) -> vec3f {
    let a = 2.51 - 2.43 * color;
    let b = 0.59 * color - 0.03;
    return (b + sqrt(b * b + 0.56 * a * color)) / (1.2 * a);
}

// ---- output ----

// From -0.5 to 0.5: interleaved gradient noise (Jimenez, "Next Generation Post Processing in Call of
// Duty", 2014), in integers that are the same everywhere.
fn noise(pixel: vec2f) -> f32 {
    let at = vec2u(pixel);
    let sum = at.x * 288237631u + at.y * 25070363u;
    return f32(((sum >> 16u) * 3472289u) >> 8u) / 16777216.0 - 0.5;
}

fn brightest(color: vec3f) -> f32 {
    return max(color.r, max(color.g, color.b));
}

// Hides the steps of the target's bytes. A step of sRGB is about 2.1 sqrt(color) / 255 of linear light.
fn dithered(color: vec3f, pixel: vec2f) -> vec3f {
    if !DITHER {
        return color;
    }
    return color + noise(pixel) * (2.1 / 255.0) * sqrt(color);
}

// ---- sky ----

// Light from infinity; `direction` is a unit vector.
fn sky(direction: vec3f) -> vec3f {
    let height = direction.y;
    let up = max(height, 0.0);
    // As `sqrt(up)`, but with a slope of 0 at the horizon, where an edge would show without a ground.
    let above = mix(globals.horizon, globals.zenith, 1.02 * up * sqrt(up) / (up + 0.02));
    let gradient = mix(above, globals.nadir, smoothstep(0.0, 0.75, -height));
    let toward_sun = max(dot(direction, globals.sun_direction), 0.0);
    let squared = toward_sun * toward_sun;
    return gradient + globals.glow * (squared * squared * squared);
}

// Light of a surface behind fog; `ray` goes from the camera to the surface.
fn through_fog(light: vec3f, ray: vec3f) -> vec3f {
    return mix(light, sky(normalize(ray)), 1.0 - fog_transmission(ray));
}

// A corner of the triangle that covers the frame.
fn frame_corner(index: u32) -> vec2f {
    return vec2f(f32(index & 1u), f32(index >> 1u)) * 4.0 - 1.0;
}

// The part of light that passes the fog along a ray.
fn fog_transmission(ray: vec3f) -> f32 {
    let depth = length(ray) / globals.fog_distance;
    return exp(-depth * depth);
}
