// Many bodies: they are taken in their order along a Hilbert curve, with a box around each tile.

@group(0) @binding(4) var<storage, read> bodyOrder: array<vec2u>;
@group(0) @binding(5) var<storage, read> tileBoxes: array<vec4f>;

fn bodyAt(place: u32) -> u32 { return bodyOrder[place].y; }

fn tilesApart(a: u32, b: u32) -> bool {
  return any(tileBoxes[2u * a].xyz > tileBoxes[2u * b + 1u].xyz)
    || any(tileBoxes[2u * b].xyz > tileBoxes[2u * a + 1u].xyz);
}
