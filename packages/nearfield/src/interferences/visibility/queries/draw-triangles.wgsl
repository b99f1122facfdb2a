// Draws the triangles themselves, as CULLIDE does: the rasteriser samples the centres of pixels and interpolates depths.
// Pairs that meet only between samples are missed.

const depthBeside = 16.0;

@vertex
fn placeTriangle(
  @builtin(vertex_index) vertex: u32,
  @builtin(instance_index) instance: u32,
) -> @builtin(position) @invariant vec4f {
  // By default the vertex lies outside the image.
  if (!isDrawn(instance)) { return vec4f(2.0, 2.0, 0.5, 1.0); }
  let corner = drawnShapes[shapeVectors * instance + vertex].xyz;
  let column = (drawing.view + 1u) % 3u;
  let row = (drawing.view + 2u) % 3u;
  // What lies before or behind the window still hides or is hidden, up to this many windows away.
  let depth = (corner[drawing.view] + depthBeside) / (2.0 * depthBeside + 1.0);
  return vec4f(2.0 * corner[column] - 1.0, 1.0 - 2.0 * corner[row], depth, 1.0);
}
