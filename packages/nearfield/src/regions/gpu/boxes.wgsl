// Which triangles does a box meet? (Walk: region-walk.wgsl.) The box is given by its ends relative to the origin, clamped to ±8: all vertices
// lie within 3.1 of it, since entries of L and coordinates of q are at most 1.
//
// Let u be a unit in the last place of 1 (filter.wgsl). Along a world axis the contents of a node lie within |L|·half + vertexError of
// L·middle. `middle` and `half` are off by u; L was rounded; products and sums of a dot product of three take 3u of the sum of the
// products' magnitudes, at most 3: 13.5u for each of L·middle and |L|·half; adding them up and the slack takes 12u, the ends of the box
// were rounded, 4u at most. slack = vertexError + 64u covers all of it. Corners of triangles are sums of three products of
// numbers below 1 that were converted from integers: less.
// Along row N of the inverse the box lies within |N|·h of N·c, with c and h half the sum and half the difference of its ends. Both take
// 5u of |N|·(|c| + h) at most, adding them up and the node's end, which is at most 1, less than 5u of |N|·(|c| + h) + 1; a vertex is off by
// the row's error (placed-tree.ts). slack = row error + 12u·(|N|·(|c| + h) + 1).

fn search(probe: u32) {
  let at = 6u * probe;
  boxLow = vec3f(probes[at], probes[at + 1u], probes[at + 2u]);
  boxHigh = vec3f(probes[at + 3u], probes[at + 4u], probes[at + 5u]);
  let c = 0.5 * (boxLow + boxHigh);
  let h = 0.5 * (boxHigh - boxLow);
  let x = tree.inverse[0];
  let y = tree.inverse[1];
  let z = tree.inverse[2];
  rowPlace = vec3f(dot(x.xyz, c), dot(y.xyz, c), dot(z.xyz, c));
  let spread = vec3f(dot(abs(x.xyz), h), dot(abs(y.xyz), h), dot(abs(z.xyz), h));
  let size = spread + vec3f(dot(abs(x.xyz), abs(c)), dot(abs(y.xyz), abs(c)), dot(abs(z.xyz), abs(c)));
  rowReach = spread + 1.001 * (vec3f(x.w, y.w, z.w) + 12.0 * unit * (size + vec3f(1.0)));
  worldSlack = 1.001 * (tree.vertexError + 64.0 * unit);
  walkRegion(probe);
}

var<private> boxLow: vec3f;
var<private> boxHigh: vec3f;
/** The box along the rows of the inverse, with the slack. */
var<private> rowPlace: vec3f;
var<private> rowReach: vec3f;
var<private> worldSlack: f32;

fn testNode(middle: vec3f, half: vec3f, at: u32) -> u32 {
  if (any(rowPlace + rowReach < nodes[at].xyz) || any(rowPlace - rowReach > nodes[at + 1u].xyz)) { return apart; }
  let x = tree.linear[0].xyz;
  let y = tree.linear[1].xyz;
  let z = tree.linear[2].xyz;
  let place = vec3f(dot(x, middle), dot(y, middle), dot(z, middle));
  let reach = vec3f(dot(abs(x), half), dot(abs(y), half), dot(abs(z), half)) + worldSlack;
  if (any(place + reach < boxLow) || any(place - reach > boxHigh)) { return apart; }
  return select(mayMeet, within, all(place - reach >= boxLow) && all(place + reach <= boxHigh));
}

/**
 * A triangle certainly meets the box if a corner certainly lies in it, or if it certainly lies between two pairs of opposite sides and its ends
 * along the third axis are not both beyond one side (cpu/box-triangle.as.ts).
 */
fn testLeaf(leaf: u32) -> u32 {
  let at = 3u * (tree.leafOffset + leaf);
  let a = worldCorner(at);
  let b = worldCorner(at + 1u);
  let c = worldCorner(at + 2u);
  let least = min(min(a, b), c);
  let most = max(max(a, b), c);
  if (any(most + worldSlack < boxLow) || any(least - worldSlack > boxHigh)) { return apart; }
  if (isIn(a) || isIn(b) || isIn(c)) { return within; }
  let between = select(vec3u(0u), vec3u(1u), (least - worldSlack >= boxLow) & (most + worldSlack <= boxHigh));
  let overlaps = all(most - worldSlack >= boxLow) && all(least + worldSlack <= boxHigh);
  return select(mayMeet, within, overlaps && between.x + between.y + between.z >= 2u);
}

fn isIn(corner: vec3f) -> bool {
  return all(corner - worldSlack >= boxLow) && all(corner + worldSlack <= boxHigh);
}
