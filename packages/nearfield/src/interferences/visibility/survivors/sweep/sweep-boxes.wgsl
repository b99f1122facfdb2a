// The boxes of surviving triangles along the axes of the window, and a key per triangle: its body, then where its box
// begins along the window's longest side. Sorted by these keys, the triangles of a body lie in the order of a sweep.

@group(0) @binding(0) var<uniform> culling: Culling;
@group(0) @binding(1) var<storage, read> placings: array<Placing>;
@group(0) @binding(2) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(3) var<storage, read_write> imageState: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read> survivors: array<u32>;
@group(0) @binding(5) var<storage, read> instances: array<vec2u>;
/** The key and the number of every triangle. Triangles that do not survive have the greatest key. */
@group(0) @binding(6) var<storage, read_write> swept: array<vec2u>;
@group(0) @binding(7) var<storage, read_write> sweepBoxes: array<SweepBox>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let window = imageWindow();
  let keepAll = atomicLoad(&imageState[keepAllAt]) == 1u;
  let size = 1.0 / window.inverseSize;
  let axis = select(select(2u, 1u, size.y >= size.z), 0u, size.x >= size.y && size.x >= size.z);
  for (var instance = id.x; instance < culling.instanceCount; instance += groups.x * 256u) {
    if ((survivors[culling.aliveAt + instance / 32u] & (1u << (instance % 32u))) == 0u) {
      swept[instance] = vec2u(nobody, instance);
      continue;
    }
    let body = instances[instance].x;
    var low = vec3f(-0x1p100);
    var high = vec3f(0x1p100);
    // If a body cannot be placed in single precision, nothing is known of where triangles lie.
    if (!keepAll) {
      let triangle = inWindow(body, sceneCorners(body, instance - placings[body].firstInstance), window);
      let corners = triangle.corners;
      let least = min(min(corners[0], corners[1]), corners[2]);
      let most = max(max(corners[0], corners[1]), corners[2]);
      // 8u of the size for the sums here and the product with the number of steps below.
      low = least - triangle.error - 8.0 * unit * (abs(least) + triangle.error);
      high = most + triangle.error + 8.0 * unit * (abs(most) + triangle.error);
    }
    let first = (axis + 1u) % 3u;
    let second = (axis + 2u) % 3u;
    let begin = stepOf(low[axis]);
    sweepBoxes[instance] = SweepBox(vec2f(low[first], low[second]), vec2f(high[first], high[second]), begin, stepOf(high[axis]));
    swept[instance] = vec2u(sweepKey(body, begin), instance);
  }
}

/** The step along the sweep that a place lies in. It never decreases from a place to a greater one. */
fn stepOf(place: f32) -> u32 {
  return u32(floor(clamp(place * culling.depthSteps, 0.0, culling.depthSteps)));
}
