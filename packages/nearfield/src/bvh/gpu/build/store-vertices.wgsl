// Converts positions to stored vertices (stored-vertex.wgsl), each with a number that identifies its position.
// Unchecked positions are checked on the way.

/** Singles, or doubles with the low word first. */
@group(0) @binding(2) var<storage, read> positions: array<u32>;
@group(0) @binding(3) var<storage, read> welds: array<u32>;
@group(0) @binding(4) var<storage, read_write> vertices: array<vec4i>;
@group(0) @binding(5) var<storage, read_write> faults: array<atomic<u32>>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < batch.vertexCount; i += groups.x * 256u) {
    let build = buildOfVertex(i);
    let vertex = i - treeBuilds[build].firstVertex;
    var number = vertex;
    if (treeBuilds[build].welded == 1u) { number = welds[treeBuilds[build].weldOffset + vertex]; }
    let stored = vec3i(storedAt(build, vertex, 0u), storedAt(build, vertex, 1u), storedAt(build, vertex, 2u));
    vertices[i] = vec4i(stored, i32(number));
    if (treeBuilds[build].unchecked == 1u) { checkVertex(build, vertex, number, stored); }
  }
}

/** Only unchecked positions get here, and they are singles. */
fn checkVertex(build: u32, vertex: u32, number: u32, stored: vec3i) {
  let fault = faultWords * treeBuilds[build].shape;
  let at = wordOf(build, vertex);
  let other = wordOf(build, number);
  var largest = 0u;
  var apart = false;
  for (var axis = 0u; axis < 3u; axis++) {
    largest = max(largest, positions[at + axis] & 0x7fffffffu);
    apart = apart || withoutMinusZero(positions[at + axis]) != withoutMinusZero(positions[other + axis]);
  }
  if (largest >= 0x7f800000u) { atomicMax(&faults[fault], ~vertex); }
  else if (any(abs(stored) == vec3i(tooLarge))) { atomicMax(&faults[fault + 2u], largest); }
  if (apart) { atomicStore(&faults[fault + 1u], 1u); }
}

fn withoutMinusZero(bits: u32) -> u32 {
  return select(bits, 0u, bits == 0x80000000u);
}
