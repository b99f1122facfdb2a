// The pixels in which a shape may have fragments. Large shapes are divided: into strips as high as a tile, and each strip
// into parts side by side.

/** Pixels of a rectangle up to which it is not divided: as many as a tile has. */
const mostUndivided = u32(tileSide * tileSide);
/** A strip has this many parts at most, so that large shapes do not fill the list. */
const mostParts = 8u;

struct Rectangle {
  first: vec2u,
  size: vec2u,
}

/**
 * The pixels whose centres lie within a shape's reach, and a 64th of a pixel beyond. The reach and the product are
 * rounded five times, for which 8u of their size is added. Empty if its size is 0.
 */
fn rectangleOf(instance: u32, view: u32) -> Rectangle {
  let size = f32(culling.resolution);
  let reach = reachInImage(instance, view) * size;
  let slack = 0x1p-6 + 8.0 * unit * max(abs(reach.xy), abs(reach.zw));
  let first = ceil(clamp(reach.xy - 0.5 - slack, vec2f(0.0), vec2f(size)));
  let last = floor(clamp(reach.zw - 0.5 + slack, vec2f(-1.0), vec2f(size - 1.0)));
  if (any(first > last)) { return Rectangle(); }
  return Rectangle(vec2u(first), vec2u(last - first) + 1u);
}

fn isLarge(rectangle: Rectangle) -> bool {
  return rectangle.size.x * rectangle.size.y > mostUndivided;
}

/** Also true if the same shape is large by a rectangle that was computed elsewhere, whose sides may be a pixel off. */
fn mayBeLarge(rectangle: Rectangle) -> bool {
  return (rectangle.size.x + 2u) * (rectangle.size.y + 2u) > mostUndivided;
}

/** The number of parts of each strip. None is narrower than a tile, unless it is the only one. */
fn partsOf(rectangle: Rectangle) -> u32 {
  return clamp(rectangle.size.x / u32(tileSide), 1u, mostParts);
}
