// Many bodies: they are taken in their order along a Hilbert curve, with a box around each block.

@group(0) @binding(4) var<storage, read> bodyOrder: array<vec2u>;
@group(0) @binding(5) var<storage, read> blockBoxes: array<vec4f>;

fn bodyAt(place: u32) -> u32 { return bodyOrder[place].y; }

fn blocksApart(a: u32, b: u32) -> bool {
  return any(blockBoxes[2u * a].xyz > blockBoxes[2u * b + 1u].xyz)
    || any(blockBoxes[2u * b].xyz > blockBoxes[2u * a + 1u].xyz);
}
