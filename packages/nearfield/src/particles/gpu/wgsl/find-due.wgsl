// Lists the particles that may have impacts in a window: those whose segment does not hold from the window's begin to
// its end. Eight bytes per particle are read here; the rest is read only for the few that are listed.

@group(0) @binding(0) var<uniform> system: System;
@group(0) @binding(1) var<uniform> window: Window;
@group(0) @binding(2) var<storage, read> ticks: array<vec2u>;
/** The count, then the particles. */
@group(0) @binding(3) var<storage, read_write> due: array<atomic<u32>>;

const perThread = 4u;
const block = 256u * perThread;

var<workgroup> groupCount: atomic<u32>;
var<workgroup> groupStart: u32;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  for (var first = group.x * block; first < system.count; first += groups.x * block) {
    if (thread == 0u) { atomicStore(&groupCount, 0u); }
    workgroupBarrier();
    var places: array<u32, 4>;
    for (var i = 0u; i < perThread; i++) {
      let index = first + i * 256u + thread;
      places[i] = 0xffffffffu;
      if (index < system.count) {
        let held = ticks[index];
        let holds = window.fresh == 0u && !isBefore(window.fromLow, held.x) && !isBefore(held.y, window.toCeiling);
        if (!holds) { places[i] = atomicAdd(&groupCount, 1u); }
      }
    }
    workgroupBarrier();
    if (thread == 0u) { groupStart = atomicAdd(&due[0], atomicLoad(&groupCount)); }
    workgroupBarrier();
    for (var i = 0u; i < perThread; i++) {
      if (places[i] != 0xffffffffu) { atomicStore(&due[1u + groupStart + places[i]], first + i * 256u + thread); }
    }
    workgroupBarrier();
  }
}
