// What all draws have in common: the view and the round, and which triangles take part.

struct Drawing {
  /** The axis of the view, and the round. */
  view: u32,
  round: u32,
}

/** True if shapes are tested, false if they are drawn for others to be tested against. */
override testing: bool = false;

@group(0) @binding(0) var<uniform> culling: Culling;
@group(0) @binding(1) var<uniform> drawing: Drawing;
@group(0) @binding(2) var<storage, read> drawnShapes: array<vec4f>;
/** The owner and the flags of each triangle. */
@group(0) @binding(3) var<storage, read> instances: array<vec2u>;
@group(0) @binding(4) var<storage, read> bodyStates: array<u32>;

/** Whether the triangle was not culled before this round (owners/fragments.wgsl). */
fn takesPart(instance: u32) -> bool {
  let bodyFlags = bodyStates[bodyStateWords * instances[instance].x + bodyFlagsAt];
  if (drawing.round == 0u) { return (bodyFlags & askedFlag) != 0u; }
  let flags = instances[instance].y;
  if (drawing.round > 1u) { return sawOverlap(flags, drawing.round - 1u); }
  return (flags & askedFlag) != 0u && sawOverlap(bodyFlags, 0u);
}

/**
 * Whether a query passed already in the other order: the body's query in a round on bodies, else the triangle's own.
 */
fn hasPassed(instance: u32) -> bool {
  var flags = instances[instance].y;
  if (drawing.round == 0u) { flags = bodyStates[bodyStateWords * instances[instance].x + bodyFlagsAt]; }
  return (flags & (1u << (8u * drawing.round + drawing.view))) != 0u;
}
