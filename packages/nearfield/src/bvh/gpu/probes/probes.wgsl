// Probes of a tree: one thread per probe walks down, and appends what it meets or may meet to one list (probe-search.ts). The module of
// a kind of probe defines
//   fn search(probe: u32)   reads probe number `probe` and walks.
// Everything is in the units and relative to the origin of placed-tree.ts.

@group(0) @binding(0) var<uniform> tree: Probes;
@group(0) @binding(1) var<storage, read> probes: array<f32>;
@group(0) @binding(2) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(3) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(4) var<storage, read> order: array<u32>;
/** Probe, and triangle · 2, plus 1 unless it is certainly met; or `leftOpen`. */
@group(0) @binding(5) var<storage, read_write> found: array<vec2u>;
/** The number of records, and the number of the submission. */
@group(0) @binding(6) var<storage, read_write> head: array<atomic<u32>>;

const leftOpen = 0xffffffffu;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  if (id.x == 0u) { atomicStore(&head[1], tree.serial); }
  for (var i = id.x; i < tree.count; i += groups.x * 64u) { search(i); }
}

fn appendRecord(probe: u32, word: u32) {
  let at = atomicAdd(&head[0], 1u);
  if (at < arrayLength(&found)) { found[at] = vec2u(probe, word); }
}

fn listLeaf(probe: u32, leaf: u32, certain: bool) {
  appendRecord(probe, 2u * order[tree.leafOffset + leaf] + select(1u, 0u, certain));
}

/** The result of this submission is not wanted any more: the count is past its limit, and must not wrap around. */
fn isOverfull() -> bool {
  return atomicLoad(&head[0]) > tree.most;
}

/** A corner of a leaf, q, up to a unit in the last place of each coordinate. */
fn storedCorner(at: u32) -> vec3f {
  return vec3f(leaves[at].xyz) * 0x1p-29;
}

/** A corner relative to the origin, without the translation. */
fn worldCorner(at: u32) -> vec3f {
  let q = storedCorner(at);
  return vec3f(dot(tree.linear[0].xyz, q), dot(tree.linear[1].xyz, q), dot(tree.linear[2].xyz, q));
}
