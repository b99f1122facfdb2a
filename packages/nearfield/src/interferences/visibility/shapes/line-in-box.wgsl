// The depths of a box on the middle line of a pixel: the line is cut with the slabs between opposite faces. This shader
// computes them from the box itself, since the rasteriser's interpolation has no specified error. proof.md bounds the
// rounding.

/** A box as a view sees it: what is the same in all its pixels. */
struct SeenShape {
  /** The middle: column, row and depth, in images; and how far the box reaches from it in depth. */
  middle: vec4f,
  /**
   * Per slab: what a step along columns and along rows moves it by in depth, and half its thickness in depth. The
   * fourth number is 0 if the view's lines are nearly parallel to the faces. Then the first three are those of the place
   * between the faces instead.
   */
  slabs: array<vec4f, 3>,
}

fn seenShape(instance: u32, view: u32) -> SeenShape {
  let at = shapeVectors * instance;
  let column = (view + 1u) % 3u;
  let row = (view + 2u) % 3u;
  let middle = drawnShapes[at].xyz;
  let extent = drawnShapes[at + 4u + view].w;
  var seen = SeenShape(vec4f(middle[column], middle[row], middle[view], extent), array<vec4f, 3>());
  for (var i = 0u; i < 3u; i++) {
    let face = drawnShapes[at + 4u + i].xyz;
    let across = vec2f(face[column], face[row]);
    let along = face[view];
    let room = 1.0 + 64.0 * unit * (1.0 + dot(abs(across), 1.0 + abs(seen.middle.xy)));
    if (abs(along) * extent < 0x1p-10) {
      // Over the box's depth the line moves between these faces by less than 2^−10: it lies between them or beside.
      seen.slabs[i] = vec4f(across, room + 0x1p-9, 0.0);
    } else {
      seen.slabs[i] = vec4f(across / along, room / abs(along), 1.0);
    }
  }
  return seen;
}

/** Least and greatest depth, as integers. The first exceeds the second if the line certainly misses the box. */
fn depthsOnLine(seen: SeenShape, position: vec2f) -> vec2u {
  let off = (floor(position) + 0.5) / f32(culling.resolution) - seen.middle.xy;
  let extent = seen.middle.w;
  var ends = vec2f(-extent, extent);
  for (var i = 0u; i < 3u; i++) {
    let slab = seen.slabs[i];
    let place = -dot(slab.xy, off);
    if (slab.w == 0.0) {
      if (abs(place) > slab.z) { return vec2u(1u, 0u); }
    } else {
      ends = vec2f(max(ends.x, place - slab.z), min(ends.y, place + slab.z));
    }
  }
  if (ends.x > ends.y) { return vec2u(1u, 0u); }
  // The slack is 64 roundings of numbers up to this size, and one step for the sums.
  let depthSteps = culling.depthSteps;
  let slack = 64.0 * unit * depthSteps * max(1.0, abs(seen.middle.z) + extent) + 1.0;
  let depths = (seen.middle.z + ends) * depthSteps + vec2f(-slack, slack);
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
