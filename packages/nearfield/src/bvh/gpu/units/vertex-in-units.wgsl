// Converts stored vertices to integer multiples of a frame's unit (unit-frame.ts).

fn vertexInUnits(layer: u32, stored: vec3i) -> vec3i {
  let offset = layers[layer].offset;
  let rest = layers[layer].rest;
  let shift = u32(offset.w);
  return vec3i(
    inUnits(layers[layer].linear[0].xyz, offset.x, rest.x, shift, stored),
    inUnits(layers[layer].linear[1].xyz, offset.y, rest.y, shift, stored),
    inUnits(layers[layer].linear[2].xyz, offset.z, rest.z, shift, stored),
  );
}
