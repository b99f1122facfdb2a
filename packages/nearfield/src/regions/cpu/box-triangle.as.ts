// Does a triangle meet an axis-aligned box? Both are closed and convex, so they are disjoint if and only if one of thirteen directions
// separates them strictly: the three coordinate axes, the triangle's normal, and the cross products of its edges with the axes
// (Akenine-Möller, Fast 3D Triangle-Box Overlap Testing, 2001). That holds for a flat box too: it is the limit of boxes enlarged by ε
// on all sides, some direction separates the triangle from one of these, and that direction separates it from the flat box as well. A
// triangle without area is a segment or a point: the faces of the difference of a box and a segment are parallel to faces of the box,
// or to the segment and an edge of the box, so the axes and the cross products suffice.
//
// Coordinates are compared exactly: these are the doubles as given. So the axes are decided, and every direction that is parallel
// to an axis with them. If the triangle lies between two pairs of opposite sides of the box, then it meets the box unless the third
// axis separates them, since along that axis it has a point at every height between its ends.
//
// The others are determinants. Along the cross product of the edge pq with axis k the point v lies at
//   f(v) = (q_i − p_i)(v_j − p_j) − (q_j − p_j)(v_i − p_i),   i and j the other two axes.
// Differences are rounded once, products once, and the sum: f is off by at most 4.1·2^-53 of the sum m of the products' magnitudes;
// 2^-50·m covers that and the rounding of m. Its extremes over the box are at corners known from the signs of the differences,
// which are exact. Along the normal n = (b − a) × (c − a) the point v lies at n·(v − a). A component of n is off by
// 4.1·2^-53 of the sum w of its two products' magnitudes, so a product with a difference by less than 6.2·2^-53·w·|v_k − a_k|, and
// the sum of three by 8.3·2^-53 of the sum of these: 2^-49 covers it. The greatest value over the box is the sum of
// the greatest values per axis, so it is off by no more than the sum of what each may be off by; likewise the least.
// Coordinates are at most 3e60 (bodies/snapshot/baked.ts, driver.ts): a product of two that underflows is off by at most 2^-1074, and times
// a difference below 2^203 by 2^-871. 2^-860 covers all of them.

/** Results of `testBox`; 0 if doubles cannot tell. */
export const certainMiss: i32 = 1;
export const certainHit: i32 = 2;

const edgeRounding: f64 = 8.881784197001252e-16; // 2^-50
const planeRounding: f64 = 1.7763568394002505e-15; // 2^-49
const underflow: f64 = reinterpret<f64>((<u64>(1023 - 860)) << 52);

/** Tests the box of six doubles at `box` against the triangle of nine doubles at `p`. */
export function testBox(box: usize, p: usize): i32 {
  let between = 0;
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const low = load<f64>(box + axis);
    const high = load<f64>(box + axis, 24);
    const a = load<f64>(p + axis);
    const b = load<f64>(p + axis, 24);
    const c = load<f64>(p + axis, 48);
    const least = min(a, min(b, c));
    const most = max(a, max(b, c));
    if (least > high || most < low) return certainMiss;
    if (least >= low && most <= high) between++;
  }
  if (between >= 2) return certainHit;
  for (let corner: usize = 0; corner < 72; corner += 24) if (holds(box, p + corner)) return certainHit;
  let state = testPlane(box, p);
  if (state === certainMiss) return certainMiss;
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const edges = testEdges(box, p, axis === 16 ? 0 : axis + 8, axis === 0 ? 16 : axis - 8);
    if (edges === certainMiss) return certainMiss;
    if (edges === 0) state = 0;
  }
  return state;
}

function holds(box: usize, p: usize): bool {
  const x = load<f64>(p);
  const y = load<f64>(p, 8);
  const z = load<f64>(p, 16);
  return (
    x >= load<f64>(box) &&
    y >= load<f64>(box, 8) &&
    z >= load<f64>(box, 16) &&
    x <= load<f64>(box, 24) &&
    y <= load<f64>(box, 32) &&
    z <= load<f64>(box, 40)
  );
}

/** The triangle's normal: certainMiss if it separates, certainHit if it does not, 0 if that is open. */
function testPlane(box: usize, p: usize): i32 {
  let least: f64 = 0;
  let most: f64 = 0;
  let size: f64 = 0;
  let slanted = 0;
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const i: usize = axis === 16 ? 0 : axis + 8;
    const j: usize = axis === 0 ? 16 : axis - 8;
    const ai = load<f64>(p + i);
    const aj = load<f64>(p + j);
    const ui = load<f64>(p + i, 24) - ai;
    const uj = load<f64>(p + j, 24) - aj;
    const vi = load<f64>(p + i, 48) - ai;
    const vj = load<f64>(p + j, 48) - aj;
    // A difference is 0 if and only if the doubles are equal, so this component is certainly 0.
    if ((ui === 0 || vj === 0) && (uj === 0 || vi === 0)) continue;
    slanted++;
    const first = ui * vj;
    const second = uj * vi;
    const n = first - second;
    const a = load<f64>(p + axis);
    const low = load<f64>(box + axis) - a;
    const high = load<f64>(box + axis, 24) - a;
    const atLow = n * low;
    const atHigh = n * high;
    least += min(atLow, atHigh);
    most += max(atLow, atHigh);
    size += (abs(first) + abs(second)) * max(abs(low), abs(high));
  }
  if (slanted < 2) return certainHit;
  const error = planeRounding * size + underflow;
  if (least > error || most < -error) return certainMiss;
  return least <= -error && most >= error ? certainHit : 0;
}

/** The cross products of the three edges with one axis, by the other two, i and j. Results as of `testPlane`. */
function testEdges(box: usize, p: usize, i: usize, j: usize): i32 {
  const lowI = load<f64>(box + i);
  const lowJ = load<f64>(box + j);
  const highI = load<f64>(box + i, 24);
  const highJ = load<f64>(box + j, 24);
  let state = certainHit;
  for (let edge: usize = 0; edge < 72; edge += 24) {
    const next: usize = edge === 48 ? 0 : edge + 24;
    const other: usize = edge === 0 ? 48 : edge - 24;
    const pi = load<f64>(p + edge + i);
    const pj = load<f64>(p + edge + j);
    const u = load<f64>(p + next + i) - pi;
    const v = load<f64>(p + next + j) - pj;
    // Then the direction is an axis, or the edge is along this one.
    if (u === 0 || v === 0) continue;
    const thirdU = u * (load<f64>(p + other + j) - pj);
    const thirdV = v * (load<f64>(p + other + i) - pi);
    const third = thirdU - thirdV;
    const thirdError = edgeRounding * (abs(thirdU) + abs(thirdV)) + underflow;
    const mostU = u * ((u > 0 ? highJ : lowJ) - pj);
    const mostV = v * ((v > 0 ? lowI : highI) - pi);
    const most = mostU - mostV;
    const mostError = edgeRounding * (abs(mostU) + abs(mostV)) + underflow;
    const leastU = u * ((u > 0 ? lowJ : highJ) - pj);
    const leastV = v * ((v > 0 ? highI : lowI) - pi);
    const least = leastU - leastV;
    const leastError = edgeRounding * (abs(leastU) + abs(leastV)) + underflow;
    if (most + mostError < min<f64>(0, third - thirdError)) return certainMiss;
    if (least - leastError > max<f64>(0, third + thirdError)) return certainMiss;
    const isOpen =
      most - mostError < min<f64>(0, third + thirdError) ||
      least + leastError > max<f64>(0, third - thirdError);
    if (isOpen) state = 0;
  }
  return state;
}
