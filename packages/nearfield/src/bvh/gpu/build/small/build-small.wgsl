// Builds the trees of small shapes, one workgroup per tree. The workgroup copies what was uploaded with its record to
// its place, stores vertices, sorts triangles along the Hilbert curve (spatial-keys.wgsl says why) by a bitonic sort
// in workgroup memory (Batcher, Sorting networks and their applications, 1968), and reduces boxes level by level. One
// dispatch for all of them replaces thirteen. At this size a new order costs no more than keeping the last one.

@group(0) @binding(0) var<storage, read> treeBuilds: array<TreeBuild>;
/** The same buffer. New positions and indices follow the records. */
@group(0) @binding(1) var<storage, read> incoming: array<u32>;
@group(0) @binding(2) var<storage, read_write> positions: array<u32>;
@group(0) @binding(3) var<storage, read_write> corners: array<u32>;
@group(0) @binding(4) var<storage, read_write> vertices: array<vec4i>;
@group(0) @binding(5) var<storage, read_write> order: array<u32>;
@group(0) @binding(6) var<storage, read_write> leaves: array<vec4i>;
@group(0) @binding(7) var<storage, read_write> nodes: array<vec4f>;

/** Threads per workgroup. The more there are, the fewer rounds each waits for memory. */
override threads: u32;
/** Bits of a cell per axis. The triangle's number is below all three. */
const cellBits = 6u;
const numberBits = 12u;

/** All the memory that every device gives a workgroup. */
var<workgroup> keys: array<u32, mostSmall>;

@compute @workgroup_size(threads)
fn main(@builtin(local_invocation_index) thread: u32, @builtin(workgroup_id) group: vec3u) {
  let number = group.x;
  let build = treeBuilds[number];
  if (build.positionsAt != 0u) {
    for (var i = thread; i < build.stride * build.vertexCount; i += threads) {
      positions[build.wordOffset + i] = incoming[build.positionsAt + i];
    }
  }
  if (build.indicesAt != 0u) {
    for (var i = thread; i < 3u * build.leafCount; i += threads) {
      corners[build.cornerOffset + i] = incoming[build.indicesAt + i];
    }
  }
  storageBarrier();
  for (var v = thread; v < build.vertexCount; v += threads) {
    let stored = vec3i(storedAt(number, v, 0u), storedAt(number, v, 1u), storedAt(number, v, 2u));
    vertices[build.firstVertex + v] = vec4i(stored, i32(v));
  }
  storageBarrier();
  let room = 1u << build.depth;
  for (var i = thread; i < room; i += threads) {
    // Keys that stand for no triangle sort last.
    var key = 0xffffffffu;
    if (i < build.leafCount) { key = (placeOf(build.cornerOffset + 3u * i, build.firstVertex) << numberBits) | i; }
    keys[i] = key;
  }
  workgroupBarrier();
  sortKeys(thread, room);
  for (var leaf = thread; leaf < build.leafCount; leaf += threads) {
    let triangle = keys[leaf] & ((1u << numberBits) - 1u);
    order[build.leafOffset + leaf] = triangle;
    gatherLeaf(build.cornerOffset + 3u * triangle, build.firstVertex, build.leafOffset + leaf, build.nodeOffset + room + leaf);
  }
  var count = build.leafCount;
  for (var level = build.depth; level > 0u; level--) {
    storageBarrier();
    let below = count;
    count = (count + 1u) / 2u;
    for (var i = thread; i < count; i += threads) {
      let left = 2u * (build.nodeOffset + (1u << level) + 2u * i);
      // The last node may have no neighbour.
      let right = select(left, left + 2u, 2u * i + 1u < below);
      let at = 2u * (build.nodeOffset + (1u << (level - 1u)) + i);
      nodes[at] = min(nodes[left], nodes[right]);
      nodes[at + 1u] = max(nodes[left + 1u], nodes[right + 1u]);
    }
  }
}

/** The place of a triangle's centre along the curve. */
fn placeOf(corner: u32, firstVertex: u32) -> u32 {
  // The sum of three coordinates is below 2^31 in size.
  let centre = (vertices[firstVertex + corners[corner]].xyz + vertices[firstVertex + corners[corner + 1u]].xyz
    + vertices[firstVertex + corners[corner + 2u]].xyz) / 3;
  let cell = vec3u(clamp(centre + (1 << 29u), vec3i(0), vec3i((1 << 30u) - 1))) >> vec3u(30u - cellBits);
  return hilbertKey(cell, cellBits);
}

/** Sorts keys in ascending order. Their number is a power of two. */
fn sortKeys(thread: u32, count: u32) {
  for (var size = 2u; size <= count; size *= 2u) {
    for (var reach = size / 2u; reach > 0u; reach /= 2u) {
      for (var i = thread; i < count / 2u; i += threads) {
        let low = 2u * i - (i & (reach - 1u));
        let a = keys[low];
        let b = keys[low + reach];
        if ((a > b) == ((low & size) == 0u)) {
          keys[low] = b;
          keys[low + reach] = a;
        }
      }
      workgroupBarrier();
    }
  }
}
