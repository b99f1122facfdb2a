// Puts every triangle of a batch in its leaf: its three vertices, its box on the tree's lowest level, and from there the
// boxes of the levels above, while they are at hand. A build takes the order from the sort and keeps it; a refit uses the
// order kept.

override fromSort: bool;

@group(0) @binding(0) var<storage, read> jobs: array<Job>;
/** A chunk each: number of the job, number of the chunk of its leaves. */
@group(0) @binding(1) var<storage, read> chunks: array<vec2u>;
@group(0) @binding(2) var<storage, read> vertices: array<vec4i>;
@group(0) @binding(3) var<storage, read> corners: array<u32>;
@group(0) @binding(4) var<storage, read> sorted: array<vec2u>;
@group(0) @binding(5) var<storage, read_write> order: array<u32>;
@group(0) @binding(6) var<storage, read_write> leaves: array<vec4i>;
@group(0) @binding(7) var<storage, read_write> nodes: array<vec4f>;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  for (var number = group.x; number < arrayLength(&chunks); number += groups.x) {
    let job = chunks[number].x;
    let chunk = chunks[number].y;
    let first = chunk * perChunk + 4u * thread;
    let left = around(gather(job, first), gather(job, first + 1u));
    let right = around(gather(job, first + 2u), gather(job, first + 3u));
    reduceChunk(thread, jobs[job].nodeOffset, jobs[job].depth, jobs[job].leafCount, chunk, left, right);
  }
}

fn gather(job: u32, leaf: u32) -> NodeBox {
  if (leaf >= jobs[job].leafCount) { return noBox(); }
  let place = jobs[job].leafOffset + leaf;
  var triangle = 0u;
  if (fromSort) {
    triangle = sorted[jobs[job].first + leaf].y - jobs[job].first;
    order[place] = triangle;
  } else {
    triangle = order[place];
  }
  let corner = jobs[job].cornerOffset + 3u * triangle;
  let firstVertex = jobs[job].firstVertex;
  let a = vertices[firstVertex + corners[corner]];
  let b = vertices[firstVertex + corners[corner + 1u]];
  let c = vertices[firstVertex + corners[corner + 2u]];
  leaves[3u * place] = a;
  leaves[3u * place + 1u] = b;
  leaves[3u * place + 2u] = c;
  // Conversion may round either way by a unit of the 24th bit: 2^−22 of the value covers it.
  let low = vec3f(min(min(a.xyz, b.xyz), c.xyz));
  let high = vec3f(max(max(a.xyz, b.xyz), c.xyz));
  let box = NodeBox((low - abs(low) * 0x1p-22) * 0x1p-29, (high + abs(high) * 0x1p-22) * 0x1p-29);
  writeNode(jobs[job].nodeOffset + (1u << jobs[job].depth) + leaf, box);
  return box;
}
