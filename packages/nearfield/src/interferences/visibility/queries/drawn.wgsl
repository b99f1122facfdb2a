// What all draws have in common.

/** True if shapes are tested, false if they are drawn for others to be tested against. */
override testing: bool = false;

@group(0) @binding(0) var<uniform> culling: Culling;
@group(0) @binding(1) var<uniform> drawing: Drawing;
@group(0) @binding(2) var<storage, read> drawnShapes: array<vec4f>;
/** The owner and the flags of each triangle. */
@group(0) @binding(3) var<storage, read> instances: array<vec2u>;
@group(0) @binding(4) var<storage, read> bodyStates: array<u32>;

/**
 * Whether the triangle is drawn. What passed a query already in the other order is not tested again: the body's query
 * in a round on bodies, else the triangle's own.
 */
fn isDrawn(instance: u32) -> bool {
  let bodyFlags = bodyStates[bodyStateWords * instances[instance].x + bodyFlagsAt];
  let flags = instances[instance].y;
  if (!takesPart(flags, bodyFlags)) { return false; }
  return !testing || (select(flags, bodyFlags, drawing.round == 0u) & passedFlag()) == 0u;
}
