// The depths of a box on the middle line of a pixel: the line is cut with the slabs between opposite faces. This shader
// computes them from the box itself, since the rasteriser's interpolation has no specified error. proof.md bounds the
// rounding.

/** Least and greatest depth, as integers. The first exceeds the second if the line certainly misses the box. */
fn depthsOnLine(instance: u32, view: u32, position: vec2f) -> vec2u {
  let at = shapeVectors * instance;
  let column = (view + 1u) % 3u;
  let row = (view + 2u) % 3u;
  let middle = drawnShapes[at].xyz;
  let beside = vec2f(middle[column], middle[row]);
  let off = (floor(position) + 0.5) / f32(culling.resolution) - beside;
  let extent = drawnShapes[at + 4u + view].w;
  var ends = vec2f(-extent, extent);
  for (var i = 0u; i < 3u; i++) {
    let face = drawnShapes[at + 4u + i].xyz;
    let across = vec2f(face[column], face[row]);
    let place = dot(across, off);
    let along = face[view];
    let room = 1.0 + 32.0 * unit * dot(abs(across), 1.0 + abs(beside)) + 8.0 * unit * (1.0 + abs(place));
    // The line is nearly parallel to these faces: over the box's depth it moves between them by less than 2^−10, so it
    // lies between them or beside.
    if (abs(along) * extent < 0x1p-10) {
      if (abs(place) > room + 0x1p-9) { return vec2u(1u, 0u); }
      continue;
    }
    let first = (-room - place) / along;
    let second = (room - place) / along;
    let low = min(first, second);
    let high = max(first, second);
    ends = vec2f(max(ends.x, low - 8.0 * unit * abs(low)), min(ends.y, high + 8.0 * unit * abs(high)));
  }
  if (ends.x > ends.y) { return vec2u(1u, 0u); }
  // The slack is 64 roundings of numbers up to this size, and one step for the sums.
  let depthSteps = culling.depthSteps;
  let slack = 64.0 * unit * depthSteps * max(1.0, abs(middle[view]) + extent) + 1.0;
  let depths = (middle[view] + ends) * depthSteps + vec2f(-slack, slack);
  return vec2u(floor(clamp(depths, vec2f(0.0), vec2f(depthSteps))));
}

/** How far the box reaches in the image: the least and the greatest column and row, in images. */
fn reachInImage(instance: u32, view: u32) -> vec4f {
  let at = shapeVectors * instance;
  let column = (view + 1u) % 3u;
  let row = (view + 2u) % 3u;
  let middle = drawnShapes[at].xyz;
  let beside = vec2f(middle[column], middle[row]);
  let extents = vec2f(drawnShapes[at + 4u + column].w, drawnShapes[at + 4u + row].w);
  return vec4f(beside - extents, beside + extents);
}
