// Evaluates the force of an application for given arguments, two rows each: place and time, velocity.

@group(0) @binding(0) var<storage, read> forceArguments: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> forceResults: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&forceResults)) { return; }
  let first = forceArguments[2u * id.x];
  forceResults[id.x] = vec4f(acceleration(first.xyz, forceArguments[2u * id.x + 1u].xyz, first.w), 0.0);
}
