// Which cubes with evaluated motion are drawn, and how: the test of src/render/frustum.rs, for one page.
//
// Three dispatches of one pass make a list, kind after kind, each in the order of the cubes: a test of each cube, a scan
// (prefix sums) over the workgroups of cubes, and the list itself.

// Cubes of one workgroup.
const WORKGROUP_SIZE = 256u;
const MASKS = WORKGROUP_SIZE / 32u;

// How a cube is drawn: in full and entirely inside the frame, in full across its edge, as one triangle.
const FULL = 0u;
const CROSSING = 1u;
const SMALL = 2u;
const KINDS = 3u;
const HIDDEN = 3u;

struct Workgroup {
    // One bit per cube, for each kind.
    masks: array<u32, 24>,
    // Number of cubes of each kind; `cs_scan` replaces it by their offsets in the list.
    offsets: array<u32, 3>,
}

// `PageDraws` in src/render/evaluated/culled_page.rs; a test compares them.
struct PageDraws {
    // Cubes of each kind.
    counts: array<u32, 3>,
    // Cubes in the page.
    cubes: u32,
    // Arguments of draw calls: whole instances and the rest of cubes drawn in full, the same of those across
    // an edge, and the small ones.
    full_instances: array<u32, 5>,
    full_rest: array<u32, 5>,
    crossing_instances: array<u32, 5>,
    crossing_rest: array<u32, 5>,
    small: array<u32, 4>,
}

// Binding 0 of group 1 is `records`.
@group(1) @binding(1) var<storage, read_write> cube_list: array<u32>;
@group(1) @binding(2) var<storage, read_write> workgroups: array<Workgroup>;
@group(1) @binding(3) var<storage, read_write> page_draws: PageDraws;

fn kind_of(index: u32) -> u32 {
    let frustum = globals.frustum;
    let record = record_at(index);
    let place = placed(position_now(record), record.scale);
    let ray = place.xyz - globals.camera_position;
    let x = dot(frustum.right, ray);
    let y = dot(frustum.up, ray);
    let distance = dot(globals.forward, ray);
    let sides = vec2f(
        abs(x) * frustum.planes.x - distance * frustum.planes.y,
        abs(y) * frustum.planes.z - distance * frustum.planes.w,
    );
    let outside_by = max(max(sides.x, sides.y), frustum.near - distance);
    if frustum.enabled != 0u && outside_by > place.w * CUBE_RADIUS {
        return HIDDEN;
    }
    if outside_by > -place.w * frustum.radius {
        return CROSSING;
    }
    return select(FULL, SMALL, place.w < frustum.edge_by_distance * distance);
}

var<workgroup> found: array<atomic<u32>, 24>;

@compute @workgroup_size(256)
fn cs_cull(
    @builtin(workgroup_id) group: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let index = group.x * WORKGROUP_SIZE + invocation;
    if index < page_draws.cubes {
        let kind = kind_of(index);
        if kind != HIDDEN {
            atomicOr(&found[kind * MASKS + invocation / 32u], 1u << (invocation % 32u));
        }
    }
    workgroupBarrier();
    if invocation < KINDS * MASKS {
        workgroups[group.x].masks[invocation] = atomicLoad(&found[invocation]);
    }
    if invocation < KINDS {
        var count = 0u;
        for (var i = 0u; i < MASKS; i++) {
            count += countOneBits(atomicLoad(&found[invocation * MASKS + i]));
        }
        workgroups[group.x].offsets[invocation] = count;
    }
}

// Adds what is below each invocation in rounds of doubled distance (Hillis and Steele, "Data Parallel
// Algorithms", 1986).
var<workgroup> sums: array<vec3u, 256>;

fn group_count(group: u32) -> vec3u {
    let counts = workgroups[group].offsets;
    return vec3u(counts[0], counts[1], counts[2]);
}

// One workgroup for all those of a page.
@compute @workgroup_size(256)
fn cs_scan(@builtin(local_invocation_index) invocation: u32) {
    let groups = (page_draws.cubes + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
    let share = (groups + 255u) / 256u;
    let first = min(invocation * share, groups);
    let end = min(first + share, groups);
    var own = vec3u(0u);
    for (var group = first; group < end; group++) {
        own += group_count(group);
    }
    sums[invocation] = own;
    for (var below = 1u; below < 256u; below *= 2u) {
        workgroupBarrier();
        var sum = sums[invocation];
        if invocation >= below {
            sum += sums[invocation - below];
        }
        workgroupBarrier();
        sums[invocation] = sum;
    }
    workgroupBarrier();
    let total = sums[255];
    // The list has the kinds one after the other.
    var offset = sums[invocation] - own + vec3u(0u, total.x, total.x + total.y);
    for (var group = first; group < end; group++) {
        let count = group_count(group);
        workgroups[group].offsets = array<u32, 3>(offset.x, offset.y, offset.z);
        offset += count;
    }
    if invocation == 0u {
        write_draws(total);
    }
}

// Arguments of an indexed draw call for `cubes` of the list from `first` on, as `instances` of them.
fn full_draw(first: u32, cubes: u32, instances: u32) -> array<u32, 5> {
    return array<u32, 5>(cubes * INDICES_PER_CUBE, instances, 0u, first * VERTICES_PER_CUBE, 0u);
}

fn write_draws(counts: vec3u) {
    let full = counts[FULL];
    let crossing = counts[CROSSING];
    let full_instances = full / CUBES_PER_INSTANCE;
    let crossing_instances = crossing / CUBES_PER_INSTANCE;
    let full_rest = full % CUBES_PER_INSTANCE;
    let crossing_rest = crossing % CUBES_PER_INSTANCE;
    page_draws.counts = array<u32, 3>(full, crossing, counts[SMALL]);
    page_draws.full_instances = full_draw(0u, CUBES_PER_INSTANCE, full_instances);
    page_draws.full_rest = full_draw(full - full_rest, full_rest, 1u);
    page_draws.crossing_instances = full_draw(full, CUBES_PER_INSTANCE, crossing_instances);
    page_draws.crossing_rest = full_draw(full + crossing - crossing_rest, crossing_rest, 1u);
    page_draws.small = array<u32, 4>(counts[SMALL] * 3u, 1u, (full + crossing) * 3u, 0u);
}

@compute @workgroup_size(256)
fn cs_list(
    @builtin(workgroup_id) group: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let word = invocation / 32u;
    let bit = 1u << (invocation % 32u);
    for (var kind = 0u; kind < KINDS; kind++) {
        let mask = workgroups[group.x].masks[kind * MASKS + word];
        if (mask & bit) == 0u {
            continue;
        }
        var offset = workgroups[group.x].offsets[kind] + countOneBits(mask & (bit - 1u));
        for (var i = 0u; i < word; i++) {
            offset += countOneBits(workgroups[group.x].masks[kind * MASKS + i]);
        }
        cube_list[offset] = group.x * WORKGROUP_SIZE + invocation;
    }
}
