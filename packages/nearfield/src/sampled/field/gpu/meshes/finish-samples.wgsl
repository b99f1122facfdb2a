// The samples of a field from the picture they were drawn in: distances in the user's units, with signs. Those that are
// too far away, or were not drawn, have none.

@group(0) @binding(0) var<uniform> sweep: Sweep;
@group(0) @binding(1) var<uniform> meshing: Meshing;
@group(0) @binding(2) var<storage, read> layers: array<Layer>;
@group(0) @binding(3) var<storage, read> windows: array<Window>;
@group(0) @binding(4) var<storage, read> counters: array<i32>;
/** Two words per sample, rows padded: the bits of the distance, then owner and feature (the upper three bits). */
@group(0) @binding(5) var<storage, read_write> samples: array<u32>;
@group(0) @binding(6) var<storage, read_write> meshHead: array<atomic<u32>>;
@group(0) @binding(7) var drawnDepths: texture_depth_2d;
@group(0) @binding(8) var drawnOwners: texture_2d<u32>;

override signed: bool;

const none = 0x7f800000u;
const nothing = 0xffffffffu;

@compute @workgroup_size(64)
fn main(
  @builtin(local_invocation_index) n: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  for (var slot = group.x; slot < meshing.blockCount; slot += groups.x) { finishSample(slot, n); }
}

fn finishSample(slot: u32, n: u32) {
  let size = windows[0].size.xyz;
  let sample = sampleOf(vec3u(0u), n);
  let at = cornerOf(0u, meshing.firstBlock + slot) + sample;
  if (any(at >= size)) { return; }
  let pixel = tilePixel(slot, sample + meshing.halo);
  let depth = textureLoad(drawnDepths, pixel, 0);
  let distance = depth * meshing.depthUnit * meshing.cell;
  var owner = textureLoad(drawnOwners, pixel, 0).x;
  var bits = bitcast<u32>(distance);
  // If no distance is too large, every sample is drawn, unless this device's rasteriser is not as assumed.
  if (depth >= 1.0 && meshing.upTo == 0.0 && meshing.triangleCount > 0u) { atomicMax(&meshHead[missingAt], 1u); }
  let isFar = sweep.upTo > 0.0 && distance >= sweep.upTo * sweep.unit;
  if (isFar || depth >= 1.0) {
    bits = none;
    owner = nothing;
  }
  if (signed) {
    let column = layers[0].counters + at.y * size.x + at.x;
    if (counters[column + at.z * size.x * size.y] > 0) { bits |= 0x80000000u; }
  }
  let word = (at.z * size.y + at.y) * sweep.rowWords + at.x;
  samples[word] = bits;
  samples[size.z * size.y * sweep.rowWords + word] = owner;
}
