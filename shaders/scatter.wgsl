// Moves changed elements of an array to their places: one invocation a word.

// Words in an element.
override ELEMENT_WORDS: u32 = 1u;

@group(0) @binding(0) var<storage, read_write> scattered: array<u32>;
// The number of words to move, and the indices of the elements.
@group(0) @binding(1) var<storage, read> changed_places: array<u32>;
// The elements in the same order.
@group(0) @binding(2) var<storage, read> changed_elements: array<u32>;

@compute @workgroup_size(64)
fn cs_scatter(@builtin(global_invocation_id) invocation: vec3u) {
    let word = invocation.x;
    if word < changed_places[0] {
        let place = changed_places[1u + word / ELEMENT_WORDS];
        scattered[place * ELEMENT_WORDS + word % ELEMENT_WORDS] = changed_elements[word];
    }
}
