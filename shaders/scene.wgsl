// Camera, light, sky and fog, shared by the other files of this folder: all are one module.
//
// Axes are right-handed, +Y up, -Z forward. Lengths are in meters. Colors are linear; the sRGB target
// encodes them. Depth is reversed: 1 at the near plane, 0 at infinity.

// `Globals` in src/render/globals.rs, field by field; a test compares them.
struct Globals {
    view_projection: mat4x4f,
    // From the world into the shadow map: x and y from -1 to 1, z from 0 to 1 away from the light.
    light_projection: mat4x4f,
    camera_position: vec3f,
    ground_height: f32,
    // From the camera to the right and the top edge of the frame, at distance 1 along `forward`.
    right: vec3f,
    up: vec3f,
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
}

@group(0) @binding(0) var<uniform> globals: Globals;

@group(1) @binding(0) var shadow_map: texture_depth_2d;
@group(1) @binding(1) var shadow_sampler: sampler_comparison;

// Set per pipeline: a disabled effect costs nothing.
override FOG: bool = true;
override SHADOWS: bool = false;

// ---- light ----

// Key light reflected by a matte surface.
fn key_light(albedo: vec3f, normal: vec3f) -> vec3f {
    return albedo * globals.sun * max(dot(normal, globals.sun_direction), 0.0);
}

fn ambient_light(albedo: vec3f, normal: vec3f) -> vec3f {
    return albedo * mix(globals.ground_ambient, globals.sky_ambient, normal.y * 0.5 + 0.5);
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
    let outside = any(abs(projected.xy) > vec2f(1.0)) || projected.z > 1.0;
    return select(sum / 9.0, 1.0, outside);
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

// ---- sky ----

// Light from infinity; `direction` is a unit vector.
fn sky(direction: vec3f) -> vec3f {
    let height = direction.y;
    let above = mix(globals.horizon, globals.zenith, sqrt(max(height, 0.0)));
    let gradient = mix(above, globals.nadir, smoothstep(0.0, 0.75, -height));
    let toward_sun = max(dot(direction, globals.sun_direction), 0.0);
    let squared = toward_sun * toward_sun;
    return gradient + globals.glow * (squared * squared * squared);
}

// Light of a surface behind fog; `ray` goes from the camera to the surface.
fn through_fog(light: vec3f, ray: vec3f) -> vec3f {
    let distance = length(ray);
    let depth = distance / globals.fog_distance;
    let fog = 1.0 - exp(-depth * depth);
    return mix(light, sky(ray / distance), fog);
}
