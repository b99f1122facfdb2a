// Measures the distance of every sample of a window to its one layer, by one traversal of the tree per sample
// (certain-distance.wgsl). A workgroup takes a cube of samples, whose traversals are much alike. Signs come from the
// sweep (slices/sum-columns.wgsl). Samples that single precision leaves open are marked, and the CPU decides them
// (list-undecided.wgsl). If distances have been drawn, no sample searches farther than the drawn distance.

@group(0) @binding(0) var<uniform> sweep: Sweep;
@group(0) @binding(1) var<storage, read> layers: array<Layer>;
@group(0) @binding(2) var<storage, read> windows: array<Window>;
@group(0) @binding(3) var<storage, read> ticks: array<i32>;
@group(0) @binding(4) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(5) var<storage, read> order: array<u32>;
@group(0) @binding(6) var<storage, read> nodes: array<vec4f>;
@group(0) @binding(7) var<storage, read> counters: array<i32>;
/** Two words per sample, rows padded: the bits of the distance, then owner and feature (the upper three bits). */
@group(0) @binding(8) var<storage, read_write> samples: array<u32>;

override signed: bool;
/** Whether distances have been drawn into the samples (raster/draw-bricks.wgsl). */
override drawn: bool;

const none = 0x7f800000u;

@compute @workgroup_size(4, 4, 4)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_id) thread: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let size = windows[0].size;
  let cubes = (size.xyz + 3u) / 4u;
  for (var cube = group.x; cube < cubes.x * cubes.y * cubes.z; cube += groups.x) {
    let corner = 4u * vec3u(cube % cubes.x, (cube / cubes.x) % cubes.y, cube / (cubes.x * cubes.y));
    let at = corner + thread;
    if (all(at < size.xyz)) { measure(at, size.xyz); }
  }
}

fn measure(at: vec3u, size: vec3u) {
  let first = windows[0].low.w;
  let place = vec3i(ticks[first + at.x], ticks[first + size.x + at.y], ticks[first + size.x + size.y + at.z]);
  let row = (at.z * size.y + at.y) * sweep.rowWords;
  let plane = size.z * size.y * sweep.rowWords;
  let reach = select(0x1p39, sweep.upTo, sweep.upTo > 0.0);
  var bound = reach * (1.0 + 0x1p-16) + 8.0 * layers[0].rest.w;
  if (drawn && samples[plane + row + at.x] != nothing) {
    // Drawn distances are off by less than 2^-17 of the distance to the farthest corner of the layer.
    let off = 0x1p-17 * farthest(place) + 8.0 * layers[0].rest.w;
    bound = min(bound, bitcast<f32>(samples[row + at.x]) / sweep.unit * (1.0 + 0x1p-16) + off);
  }
  let found = certainNearest(place, reach, bound);
  var bits = none;
  var owner = found.owner;
  if (owner < undecided) {
    bits = bitcast<u32>(found.distance * sweep.unit);
    owner |= found.feature << featureShift;
  }
  if (signed) {
    let column = layers[0].counters + at.y * size.x + at.x;
    if (counters[column + at.z * size.x * size.y] > 0) { bits |= 0x80000000u; }
  }
  samples[row + at.x] = bits;
  samples[plane + row + at.x] = owner;
}

/** An upper bound of the distance from a sample to any point of the layer. */
fn farthest(place: vec3i) -> f32 {
  let at = placeInTree(0u, place);
  let box = 2u * (layers[0].nodeOffset + 1u);
  let away = max(abs(nodes[box].xyz - at.q), abs(nodes[box + 1u].xyz - at.q));
  return (length(away) * (1.0 + 0x1p-18) + at.slack) * layers[0].mostScale;
}
