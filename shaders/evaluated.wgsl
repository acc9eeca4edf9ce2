// Cubes with evaluated motion: a record has the state of a cube at its epoch, and the vertex shader computes
// where it is now.

// `CubeRecord` in src/render/evaluated/record.rs.
struct CubeRecord {
    position: vec3f,
    scale: f32,
    rotation: vec4f,
    velocity: vec3f,
    // In ticks of 2^-16 s.
    epoch: u32,
    acceleration: vec3f,
    angular_velocity: vec3f,
}

const TAU = 6.2831853;

// The quaternion of a rotation by the vector `angles`, in radians. Zero gives exactly no rotation.
fn quat_from_scaled_axis(angles: vec3f) -> vec4f {
    let angle = length(angles);
    // Sine and cosine of large angles are inaccurate on some GPUs.
    let reduced = 0.5 * (angle - TAU * round(angle / TAU));
    return vec4f(angles * (sin(reduced) / max(angle, 1e-30)), cos(reduced));
}

// The rotation `b`, then `a`.
fn quat_mul(a: vec4f, b: vec4f) -> vec4f {
    return vec4f(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

// Time since the epoch, in s.
fn age(record: CubeRecord) -> f32 {
    return f32(bitcast<i32>(globals.now - record.epoch)) / 65536.0;
}

// Position at `globals.now`.
fn position_now(record: CubeRecord) -> vec3f {
    let age = age(record);
    return record.position + (record.velocity + record.acceleration * (0.5 * age)) * age;
}

// The cube at `globals.now`, in place or in the endless field.
fn moved(record: CubeRecord, color: vec4f) -> Cube {
    let spin = quat_from_scaled_axis(record.angular_velocity * age(record));
    let rotation = quat_mul(spin, record.rotation);
    return cube(placed(position_now(record), record.scale), rotation, color);
}

// ---- pulled ----

// Records of one page, nine pairs of words each, and the colors of the same cubes.
@group(1) @binding(0) var<storage, read> records: array<vec2u>;
@group(1) @binding(1) var<storage, read> record_colors: array<u32>;
// Indices of the visible cubes of the page.
@group(1) @binding(2) var<storage, read> listed_records: array<u32>;

fn record_at(index: u32) -> CubeRecord {
    let at = index * 9u;
    let position = bitcast<vec2f>(records[at]);
    let height_scale = bitcast<vec2f>(records[at + 1u]);
    let rotation = vec4f(bitcast<vec2f>(records[at + 2u]), bitcast<vec2f>(records[at + 3u]));
    let velocity = bitcast<vec2f>(records[at + 4u]);
    let velocity_epoch = records[at + 5u];
    let acceleration = bitcast<vec2f>(records[at + 6u]);
    let acceleration_spin = bitcast<vec2f>(records[at + 7u]);
    let spin = bitcast<vec2f>(records[at + 8u]);
    return CubeRecord(
        vec3f(position, height_scale.x),
        height_scale.y,
        rotation,
        vec3f(velocity, bitcast<f32>(velocity_epoch.x)),
        velocity_epoch.y,
        vec3f(acceleration, acceleration_spin.x),
        vec3f(acceleration_spin.y, spin),
    );
}

// The cube at index `nth` of the page, or of the list of visible cubes.
fn evaluated_cube(nth: u32) -> Cube {
    var index = nth;
    if LISTED {
        index = listed_records[nth];
    }
    return moved(record_at(index), unpack4x8unorm(record_colors[index]));
}

@vertex
fn vs_evaluated(in: InstanceVertex) -> CubeVertex {
    return pulled_vertex(evaluated_cube(nth_cube(in)), in.index % VERTICES_PER_CUBE);
}

@vertex
fn vs_evaluated_plain(in: InstanceVertex) -> PlainVertex {
    return plain(pulled_vertex(evaluated_cube(nth_cube(in)), in.index % VERTICES_PER_CUBE));
}

@vertex
fn vs_evaluated_shadow(in: InstanceVertex) -> @builtin(position) vec4f {
    return pulled_shadow_vertex(evaluated_cube(nth_cube(in)), in.index % VERTICES_PER_CUBE);
}

@vertex
fn vs_evaluated_small(@builtin(vertex_index) index: u32) -> CubeVertex {
    return small_vertex(evaluated_cube(index / 3u), index % 3u).lit;
}

@vertex
fn vs_evaluated_small_plain(@builtin(vertex_index) index: u32) -> PlainVertex {
    let small = small_vertex(evaluated_cube(index / 3u), index % 3u);
    return PlainVertex(small.lit.clip, small.color);
}

// ---- instanced ----

// Locations as in src/render/evaluated/instanced.rs; a test compares them.
struct RecordInput {
    // Corner of the unit cube, and the normal of its face.
    @location(0) corner: vec3f,
    @location(1) normal: vec3f,
    // A record.
    @location(2) position: vec3f,
    @location(3) scale: f32,
    @location(4) rotation: vec4f,
    @location(5) velocity: vec3f,
    @location(6) epoch: u32,
    @location(7) acceleration: vec3f,
    @location(8) angular_velocity: vec3f,
    @location(9) color: vec4f,
}

fn record_cube(in: RecordInput) -> Cube {
    let record = CubeRecord(
        in.position,
        in.scale,
        in.rotation,
        in.velocity,
        in.epoch,
        in.acceleration,
        in.angular_velocity,
    );
    return moved(record, in.color);
}

@vertex
fn vs_record(in: RecordInput) -> CubeVertex {
    return cube_vertex(record_cube(in), in.corner, in.normal);
}

@vertex
fn vs_record_plain(in: RecordInput) -> PlainVertex {
    return plain(cube_vertex(record_cube(in), in.corner, in.normal));
}

@vertex
fn vs_record_shadow(in: RecordInput) -> @builtin(position) vec4f {
    let cube = record_cube(in);
    let world = cube.position + rotate(cube.rotation, in.corner * cube.scale);
    return globals.light_projection * vec4f(world, 1.0);
}
