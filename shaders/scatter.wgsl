// Moves the records and colors of changed cubes to their places: one invocation a word.

// Words of a record, and of a record with a color.
override RECORD_WORDS: u32 = 1u;
override CHANGE_WORDS: u32 = RECORD_WORDS + 1u;

@group(0) @binding(0) var<storage, read_write> scattered_records: array<u32>;
@group(0) @binding(1) var<storage, read_write> scattered_colors: array<u32>;
// The number of changed cubes, their indices, and what has changed in the same order.
@group(0) @binding(2) var<storage, read> changes: array<u32>;

@compute @workgroup_size(64)
fn cs_scatter(@builtin(global_invocation_id) invocation: vec3u) {
    let word = invocation.x;
    let count = changes[0];
    if word >= count * CHANGE_WORDS {
        return;
    }
    let cube = changes[1u + word / CHANGE_WORDS];
    let field = word % CHANGE_WORDS;
    let value = changes[1u + count + word];
    if field < RECORD_WORDS {
        scattered_records[cube * RECORD_WORDS + field] = value;
    } else {
        scattered_colors[cube] = value;
    }
}
