// Stores segments that were decided in double precision: exact except for their rounding to single, and with the time
// at which they end. Words: index, collider | impacts << 16, generation, phase | leaf << 4, width, the two ticks, ticks
// since birth, x, v, the collider left | chord of the next impact << 16. With stepped motion x and v are the
// reference's integers.

@group(0) @binding(0) var<uniform> system: System;
@group(0) @binding(1) var<uniform> window: Window;
@group(0) @binding(2) var<storage, read_write> ticks: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> lives: array<vec4u>;
@group(0) @binding(4) var<storage, read> puts: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < window.putCount; i += groups.x * 64u) {
    let at = putWords * i;
    let index = puts[at] - system.first;
    if (index >= system.count) { continue; }
    ticks[index] = vec2u(puts[at + 5u], puts[at + 6u]);
    lives[system.stride * index] = vec4u(puts[at + 1u], puts[at + 2u], puts[at + 3u], puts[at + 4u]);
    if (system.stride == 1u) { continue; }
    let x = vec3u(puts[at + 8u], puts[at + 9u], puts[at + 10u]);
    let v = vec3u(puts[at + 11u], puts[at + 12u], puts[at + 13u]);
    var errorX = system.referenceX + 2.0 * unit * length(bitcast<vec3f>(x));
    var errorV = system.referenceV + 2.0 * unit * length(bitcast<vec3f>(v));
    if (system.stepTicks != 0u && (puts[at + 3u] & 15u) != restingPhase) {
      // Surfaces within two units of an impact are contacts.
      errorX = select(0.0, 4.0, (puts[at + 1u] >> 16u) != 0u);
      errorV = 0.0;
    }
    let row = 4u * index;
    lives[row + 1u] = vec4u(x, puts[at + 7u]);
    lives[row + 2u] = vec4u(v, puts[at + 14u]);
    lives[row + 3u] = vec4u(bitcast<vec3u>(vec3f(errorX, errorV, 0x1p-29)), noLeaf);
  }
}
