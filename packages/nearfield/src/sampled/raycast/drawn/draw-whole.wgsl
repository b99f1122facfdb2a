// Draws over the whole picture, at depth 0 (pipelines.ts).

@vertex
fn placeWhole(@builtin(vertex_index) corner: u32) -> @builtin(position) vec4f {
  return vec4f(select(-1.0, 3.0, corner == 1u), select(-1.0, 3.0, corner == 2u), 0.0, 1.0);
}

@fragment
fn drawNothing() {}
