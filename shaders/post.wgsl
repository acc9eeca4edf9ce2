// Passes over the finished scene: ambient occlusion in screen space, bloom, and both applied.

@group(1) @binding(0) var depth_samples: texture_depth_multisampled_2d;
@group(1) @binding(1) var depth_pixels: texture_depth_2d;
// Distance along `globals.forward`, in m.
@group(1) @binding(2) var distances: texture_2d<f32>;
// At half the size: light that is left, and distance.
@group(1) @binding(3) var occlusion: texture_2d<f32>;
// The scene; alpha is the emission times the brightest channel, both over the largest possible.
@group(1) @binding(4) var screen: texture_2d<f32>;
@group(1) @binding(5) var bloom: texture_2d<f32>;
@group(1) @binding(6) var linear_sampler: sampler;

// Set per pipeline of the last pass.
override SCREEN_AO: bool = false;
override BLOOM: bool = false;

// One triangle that covers the frame.
@vertex
fn vs_screen(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(frame_corner(index), 0.0, 1.0);
}

// The emission at a pixel of the scene, as a multiple of its color.
fn emission_of(pixel: vec4f) -> f32 {
    return pixel.a * MAX_EMISSION / max(brightest(pixel.rgb), 1e-4);
}

// ---- distance ----

// Far enough to be no neighbor of anything, and finite in 16 bits.
const SKY_DISTANCE = 60000.0;

fn distance_of(depth: f32) -> f32 {
    // With a reversed infinite projection depth is the distance of the near plane over that of the surface.
    return min(globals.frustum.near / max(depth, 1e-12), SKY_DISTANCE);
}

@fragment
fn fs_distance_of_samples(@builtin(position) at: vec4f) -> @location(0) vec4f {
    return vec4f(distance_of(textureLoad(depth_samples, vec2i(at.xy), 0)));
}

@fragment
fn fs_distance(@builtin(position) at: vec4f) -> @location(0) vec4f {
    return vec4f(distance_of(textureLoad(depth_pixels, vec2i(at.xy), 0)));
}

// ---- ambient occlusion ----

const AO_SAMPLES = 9;
// Radius of the searched neighborhood: relative to the distance, and its bounds in m and in pixels.
const AO_RADIUS = 0.03;
const AO_RADII = vec2f(1.2, 9.0);
const AO_PIXELS = 48.0;
// Elevation above the surface that counts, relative to the radius: hides rounding errors.
const AO_BIAS = 0.04;
const AO_STRENGTH = 1.5;

// A surface relative to the camera, in world axes.
fn surface_at(pixel: vec2i) -> vec3f {
    let size = vec2i(textureDimensions(distances));
    let inside = clamp(pixel, vec2i(0), size - 1);
    let ndc = ((vec2f(inside) + 0.5) / vec2f(size) * 2.0 - 1.0) * vec2f(1.0, -1.0);
    let ray = globals.forward + ndc.x * globals.right + ndc.y * globals.up;
    return ray * textureLoad(distances, inside, 0).x;
}

// The shorter of two differences is that along the same surface. One beyond an edge of the frame is zero.
fn shorter(a: vec3f, b: vec3f) -> vec3f {
    let lengths = vec2f(dot(a, a), dot(b, b));
    return select(b, a, lengths.y == 0.0 || (lengths.x > 0.0 && lengths.x < lengths.y));
}

// At half the size. The light that reaches a surface past its neighbors, estimated from how far they rise
// above it (McGuire et al., "Scalable Ambient Obscurance", 2012).
@fragment
fn fs_occlusion(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let pixel = vec2i(at.xy) * 2;
    let center = surface_at(pixel);
    let distance = textureLoad(distances, pixel, 0).x;
    if distance >= SKY_DISTANCE {
        return vec4f(1.0, SKY_DISTANCE, 0.0, 0.0);
    }
    let across = shorter(surface_at(pixel + vec2i(1, 0)) - center, center - surface_at(pixel - vec2i(1, 0)));
    let down = shorter(surface_at(pixel + vec2i(0, 1)) - center, center - surface_at(pixel - vec2i(0, 1)));
    let upright = cross(down, across);
    if dot(upright, upright) == 0.0 {
        // The frame is one pixel wide or high.
        return vec4f(1.0, distance, 0.0, 0.0);
    }
    let normal = normalize(upright);

    let wanted = clamp(distance * AO_RADIUS, AO_RADII.x, AO_RADII.y);
    let pixels_per_m = f32(textureDimensions(distances).y) * 0.5 / (distance * length(globals.up));
    let reach = min(wanted * pixels_per_m, AO_PIXELS);
    let radius = reach / pixels_per_m;
    let turn = (noise(at.xy) + 0.5) * 6.2831853;
    var sum = 0.0;
    for (var i = 0; i < AO_SAMPLES; i++) {
        // Steps of the golden angle, farther out with each.
        let angle = turn + f32(i) * 2.3999632;
        let share = (f32(i) + 0.7) / f32(AO_SAMPLES);
        let offset = vec2f(cos(angle), sin(angle)) * (reach * share);
        let toward = surface_at(pixel + vec2i(round(offset))) - center;
        let squared = dot(toward, toward);
        let rises = max(dot(toward, normal) - AO_BIAS * radius, 0.0) * inverseSqrt(squared + 1e-6);
        sum += rises * max(1.0 - squared / (radius * radius), 0.0);
    }
    let left = saturate(1.0 - sum * (AO_STRENGTH / f32(AO_SAMPLES)));
    // Fog is in front of the surface.
    return vec4f(mix(1.0, left, fog_transmission(center)), distance, 0.0, 0.0);
}

// How much of a neighbor's value belongs to a surface at this distance.
fn likeness(distance: f32, other: f32) -> f32 {
    return max(1.0 - abs(distance - other) / (distance * 0.05), 0.0);
}

// The mean of 4 by 4 neighbors at about the same distance.
@fragment
fn fs_blur_occlusion(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let pixel = vec2i(at.xy);
    let last = vec2i(textureDimensions(occlusion)) - 1;
    let here = textureLoad(occlusion, pixel, 0).xy;
    var sum = here.x * 1e-3;
    var weight = 1e-3;
    for (var y = -2; y < 2; y++) {
        for (var x = -2; x < 2; x++) {
            let other = textureLoad(occlusion, clamp(pixel + vec2i(x, y), vec2i(0), last), 0).xy;
            let like = likeness(here.y, other.y);
            sum += other.x * like;
            weight += like;
        }
    }
    return vec4f(sum / weight, here.y, 0.0, 0.0);
}

// Light that is left at a pixel of the full size.
fn light_left(pixel: vec2i) -> f32 {
    let distance = textureLoad(distances, pixel, 0).x;
    let last = vec2i(textureDimensions(occlusion)) - 1;
    var sum = 0.0;
    var weight = 0.0;
    for (var i = 0; i < 4; i++) {
        // An odd pixel lies between two, an even one has its own.
        let other = min((pixel + vec2i(i & 1, i >> 1)) / 2, last);
        let value = textureLoad(occlusion, other, 0).xy;
        let like = likeness(distance, value.y) + 1e-4;
        sum += value.x * like;
        weight += like;
    }
    return sum / weight;
}

// ---- bloom ----

// Of all levels together.
const BLOOM_STRENGTH = 2.75;

fn bloom_levels() -> u32 {
    return firstLeadingBit(max(textureDimensions(screen).y / 16u, 2u));
}

// Emitted light, at half the size.
@fragment
fn fs_emission(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let last = vec2i(textureDimensions(screen)) - 1;
    var sum = vec3f(0.0);
    for (var i = 0; i < 4; i++) {
        let pixel = min(vec2i(at.xy) * 2 + vec2i(i & 1, i >> 1), last);
        let color = textureLoad(screen, pixel, 0);
        sum += color.rgb * (emission_of(color) * 0.25);
    }
    return vec4f(sum, 1.0);
}

// The next smaller level: the mean of 4 by 4 texels.
@fragment
fn fs_shrink(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let texel = 1.0 / vec2f(textureDimensions(bloom));
    let uv = at.xy * 2.0 * texel;
    var sum = vec4f(0.0);
    for (var i = 0; i < 4; i++) {
        let corner = vec2f(f32(i & 1), f32(i >> 1)) * 2.0 - 1.0;
        sum += textureSampleLevel(bloom, linear_sampler, uv + corner * texel, 0.0);
    }
    return sum * 0.25;
}

// Added to the next larger level: a tent of 3 by 3 samples, so that no texel shows.
@fragment
fn fs_grow(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let texel = 1.0 / vec2f(textureDimensions(bloom));
    let uv = at.xy * 0.5 * texel;
    var sum = vec4f(0.0);
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let weight = f32((2 - abs(x)) * (2 - abs(y))) / 16.0;
            sum += textureSampleLevel(bloom, linear_sampler, uv + vec2f(f32(x), f32(y)) * texel, 0.0) * weight;
        }
    }
    return sum;
}

// ---- the frame ----

@fragment
fn fs_compose(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let pixel = vec2i(at.xy);
    let source = textureLoad(screen, pixel, 0);
    var color = source.rgb;
    if SCREEN_AO {
        // Emitted light is not occluded.
        color *= mix(light_left(pixel), 1.0, saturate(emission_of(source)));
    }
    if BLOOM {
        let uv = at.xy / vec2f(textureDimensions(screen));
        let light = textureSampleLevel(bloom, linear_sampler, uv, 0.0).rgb * (BLOOM_STRENGTH / f32(bloom_levels()));
        // Added light, up to white.
        let added = color + light * (1.0 - color);
        // The screen is dithered. The opposite of the same noise keeps it within one step in all.
        color = select(color, 2.0 * added - dithered(added, at.xy), any(light > vec3f(0.0)));
    }
    return vec4f(color, 1.0);
}
