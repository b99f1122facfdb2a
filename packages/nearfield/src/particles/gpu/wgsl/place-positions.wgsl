// Computes the place of every particle at the window's first tick, relative to the system's origin in world units; w:
// its age as a share of its life, −1 if it does not exist. A particle whose next impact is not decided yet continues as
// if there were none.

@group(0) @binding(8) var<storage, read_write> positions: array<vec4f>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var index = id.x; index < system.count; index += groups.x * 256u) { positions[index] = positionOf(index); }
}

fn positionOf(index: u32) -> vec4f {
  let words = lives[system.stride * index];
  let phase = words.z & 15u;
  if (phase == unknownPhase || phase == nonePhase || phase == gonePhase) { return vec4f(0.0, 0.0, 0.0, -1.0); }
  let span = lifeTicksOf(index);
  let born = birthTicksOf(index).x + words.y * span;
  let lived = window.fromLow - born;
  let age = min((f32(lived) + window.rest * 0x1p30) / f32(span), 0x1.fffffep-1);
  if (isBefore(window.fromLow, born) || lived >= span) { return vec4f(0.0, 0.0, 0.0, -1.0); }
  let segment = segmentOf(index, words.y, words.x >> 16u);
  if (phase == restingPhase) {
    return vec4f(system.scale * placeOn(segment.left, segment.path.x, window.fromLow, window.rest), age);
  }
  if (system.stepTicks != 0u) {
    let ticks = u32(max(i32(lived - segment.since), 0));
    let steps = begunAt(keptSteps(index), index, words.y, segment.since, segment.timeError);
    return vec4f(system.scale * steppedPlace(steps, ticks, window.rest), age);
  }
  let time = f32(i32(lived - segment.since)) * 0x1p-30 + window.rest;
  return vec4f(system.scale * placeAt(segment.path, time), age);
}
