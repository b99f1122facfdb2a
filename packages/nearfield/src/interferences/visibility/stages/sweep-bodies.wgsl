// Sweep and prune among the bodies that images left (Cohen, Lin, Manocha and Ponamgi, I-COLLIDE, 1995). Bodies are sorted
// by where their boxes begin along x. One thread per body goes through the bodies that begin within its box, and lists
// those whose boxes meet its own along y and z too. If two boxes meet, the one sorted first finds the other.

@group(0) @binding(0) var<uniform> culling: Culling;
@group(0) @binding(1) var<storage, read> boxes: array<vec4f>;
@group(0) @binding(2) var<storage, read> bodySweep: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> candidates: array<vec2u>;
@group(0) @binding(4) var<storage, read_write> results: array<atomic<u32>>;

/** The search stops at this count, so that the counter does not wrap around before the query is given up. */
const mostListed = 0x40000000u;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var place = id.x; place < culling.bodyCount; place += groups.x * 64u) {
    if (bodySweep[place].x == nobody) { continue; }
    let body = bodySweep[place].y;
    let low = boxes[2u * body].xyz;
    let high = boxes[2u * body + 1u].xyz;
    for (var next = place + 1u; next < culling.bodyCount && bodySweep[next].x != nobody; next++) {
      let other = bodySweep[next].y;
      let otherLow = boxes[2u * other].xyz;
      if (otherLow.x > high.x) { break; }
      if (!all((low <= boxes[2u * other + 1u].xyz) & (otherLow <= high))) { continue; }
      let at = atomicAdd(&results[candidatesAt], 1u);
      if (at < arrayLength(&candidates)) { candidates[at] = vec2u(min(body, other), max(body, other)); }
      if (at >= mostListed) { return; }
    }
  }
}
