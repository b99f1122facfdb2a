// Collects, with the final bounds, the listed pairs that may be the nearest, and writes what is known about every
// candidate (`nearState` in request.ts).

@group(0) @binding(1) var<storage, read> frames: array<Frame>;
@group(0) @binding(2) var<storage, read_write> states: array<u32>;
@group(0) @binding(3) var<storage, read> listed: array<vec4u>;
@group(0) @binding(4) var<storage, read> order: array<u32>;
@group(0) @binding(5) var<storage, read_write> results: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> nearPairs: array<u32>;
/** By how much pairs that were measured again are less than the bound (refine-pairs.wgsl). */
@group(0) @binding(7) var<storage, read> gains: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let candidateCount = min(atomicLoad(&results[candidatesAt]), min(arrayLength(&frames), arrayLength(&states)));
  for (var candidate = id.x; candidate < candidateCount; candidate += groups.x * 64u) {
    let bound = boundOf(candidate);
    let nearer = bound < bitcast<f32>(frames[candidate].linear[2].w);
    states[candidate] = select(0u, stateNearer, nearer && bound > 0.0)
      + select(0u, stateMayMeet, bound <= 0.0)
      + select(0u, stateNearer + stateMeets, atomicLoad(&results[resultHead + candidate]) == meetingWord)
      + select(0u, stateLeftToCpu, frames[candidate].linear[1].w == 1);
  }
  let count = min(atomicLoad(&results[listedAt]), arrayLength(&listed));
  for (var i = id.x; i < count; i += groups.x * 64u) {
    let record = listed[i];
    let candidate = record.x;
    let bound = boundOf(candidate);
    if (bound <= 0.0) { continue; }
    let refined = (record.w >> 31u) == 1u;
    if (refined && bitcast<f32>(record.w & 0x7fffffffu) < gains[candidate]) { continue; }
    if (!refined && bitcast<f32>(record.w) > bound) { continue; }
    let place = atomicAdd(&results[nearPairsAt], 1u);
    if (place < arrayLength(&nearPairs) / 3u) {
      nearPairs[3u * place] = candidate;
      nearPairs[3u * place + 1u] = order[frames[candidate].leafOffsetA + record.y];
      nearPairs[3u * place + 2u] = order[frames[candidate].leafOffsetB + record.z];
    }
  }
}
