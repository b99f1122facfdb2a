// Writes a key for every body: the place of its box's middle along a Hilbert curve through the scene.

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<storage, read> boxes: array<vec4f>;
/** The body's key and its number. */
@group(0) @binding(2) var<storage, read_write> bodyOrder: array<vec2u>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var body = id.x; body < query.bodyCount; body += groups.x * 64u) {
    // Local origins lie within a quarter of the scene's unit.
    let middle = 0.5 * (boxes[2u * body].xyz + boxes[2u * body + 1u].xyz);
    let cell = vec3u(clamp((middle + 0.25) * 2048.0, vec3f(0.0), vec3f(1023.0)));
    bodyOrder[body] = vec2u(hilbertKey(cell, 10u), body);
  }
}
