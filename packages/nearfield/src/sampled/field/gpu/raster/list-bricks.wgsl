// Lists which triangles matter to which brick. They are counted first and then written at the places given by the
// counts' sums, so that the order of the list, in which triangles are drawn, does not depend on the threads.

@group(0) @binding(0) var<uniform> sweep: Sweep;
@group(0) @binding(1) var<uniform> bricks: Bricks;
@group(0) @binding(2) var<storage, read> layers: array<Layer>;
@group(0) @binding(3) var<storage, read> windows: array<Window>;
@group(0) @binding(4) var<storage, read> ticks: array<i32>;
@group(0) @binding(5) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(6) var<storage, read> order: array<u32>;
@group(0) @binding(7) var<storage, read> nodes: array<vec4f>;
/** Per brick: first the count, then where its triangles begin. */
@group(0) @binding(8) var<storage, read_write> brickValues: array<u32>;
/** Brick and leaf. */
@group(0) @binding(9) var<storage, read_write> brickEntries: array<vec2u>;

override listing: bool;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let count = bricks.across * bricks.down;
  for (var number = id.x; number < count; number += groups.x * 64u) {
    let brick = brickAt(number);
    let reach = reachOf(brick);
    if (listing) { visit(number, brick, reach, brickValues[number]); }
    else { brickValues[number] = visit(number, brick, reach, 0u); }
  }
}

/** How far from its middle a brick searches; below 0 if nothing is near enough. */
fn reachOf(brick: Brick) -> f32 {
  let bound = select(0x1p39, sweep.upTo + brick.radius, sweep.upTo > 0.0) * (1.0 + 0x1p-18);
  let best = nearestOnLayer(0u, brick.centre, Nearest(bound * bound, vec3f(0.0), nothing, 0u));
  if (best.owner == nothing) { return -1.0; }
  return min(sqrt(best.squared) + 2.0 * brick.radius, bound) * (1.0 + 0x1p-18);
}

/** Visits the leaves whose boxes are within reach. Returns how many there are. */
fn visit(number: u32, brick: Brick, reach: f32, first: u32) -> u32 {
  if (reach < 0.0) { return 0u; }
  let place = placeInTree(0u, brick.centre);
  let limit = limitOf(reach * reach, layers[0].mostShrink, place.slack);
  let depth = layers[0].depth;
  let leafCount = layers[0].leafCount;
  let nodeOffset = layers[0].nodeOffset;
  var found = 0u;
  // Goes down to the first child, or on to the next node that is no descendant: leaves come in order.
  var node = 1u;
  loop {
    let level = firstLeadingBit(node);
    let below = depth - level;
    let exists = node - (1u << level) < ((leafCount + (1u << below) - 1u) >> below);
    if (exists && boxSquared(nodeOffset + node, place.q) <= limit) {
      if (level < depth) {
        node = 2u * node;
        continue;
      }
      if (listing && first + found < arrayLength(&brickEntries)) {
        brickEntries[first + found] = vec2u(number, node - (1u << depth));
      }
      found++;
    }
    while ((node & 1u) == 1u && node > 1u) { node = node >> 1u; }
    if (node <= 1u) { break; }
    node++;
  }
  return found;
}
