// The work for a pair of bodies whose distance is asked for. The frame gets additional values: how distances in
// either body's local frame compare with those in the pair's, and how far to search.
//
// slack[side].w: with y = N·x the local coordinates that the rows N of `into` give a point x, |Δx| ≥ |Δy|/‖N‖. The
// rows are those of the body's inverse: N·L = I + E with |E| within w of the rows (place-body.wgsl), so ‖N‖ ≤ (1 +
// 1.8·w)/σ, where σ is the least singular value of L; and ‖N‖ is at most its Frobenius norm. σ² is at least
// min_i(m_ii − Σ_j |m_ij|) for m = L·Lᵀ and for m = LᵀL (Gershgorin): tight for rotations, scales along either axes,
// and their products. Sums of three entries of at most 3, each five roundings off, are off by less than 2^-17.
// linear[0].w: the bits of the distance beyond which not to search, in the pair's unit, rounded up.
// linear[1].w: 1 if the pair is left to the CPU.
// linear[2].w: the bits of the bound below which the bodies are certainly nearer than was asked for.
// far: 1 if everything is in the terms of far-distance.wgsl.

/**
 * Bodies are far apart if the pair's exponent exceeds the larger body's by this: their way is then at least 256 of
 * its units.
 */
const farPowers = 6;
/** Bodies whose sizes differ by more powers of two than this are not measured in one unit. */
const likePowers = 6;

/** At first no bound is known for a pair. */
fn firstWord(items: u32) -> u32 { return 0u; }

/** The exponent of the pair's unit, in which the way from body to body is less than 8 along each axis. */
fn pairExponent(a: u32, b: u32) -> i32 {
  var exponent = max(bodies[a].exponent, bodies[b].exponent);
  for (var row = 0u; row < 3u; row++) {
    let difference = subtractDoubles(
      decodeDouble(vec2u(bodies[b].centreLow[row], bodies[b].centreHigh[row])),
      decodeDouble(vec2u(bodies[a].centreLow[row], bodies[a].centreHigh[row])),
    );
    exponent = max(exponent, wideExponent(difference) - 3);
  }
  return exponent;
}

/** The number of blocks of the body with more leaves: 64 of its leaves each, or all of them. */
fn pairWork(pair: u32, pairCount: u32, a: u32, b: u32) -> u32 {
  let exponent = pairExponent(a, b);
  let metricA = metricOf(a) * frames[pair].scaleA;
  let metricB = metricOf(b) * frames[pair].scaleB;
  frames[pair].slack[0].w = metricA;
  frames[pair].slack[1].w = metricB;
  let reach = reachIn(exponent);
  frames[pair].linear[0].w = bitcast<i32>(reach);
  // The reach was rounded up by less than 2^-19, unless it is too small to tell.
  frames[pair].linear[2].w = bitcast<i32>(select(0.0, reach * (1.0 - 0x1p-18), reach > 0x1p-90));
  // Single precision distinguishes little if the bodies are far apart compared with their size, if one is far smaller
  // than the other, or if a pose squeezes. Then either the triangles are few enough to list, or the CPU takes the
  // pair.
  let few = f32(bodies[a].leafCount) * f32(bodies[b].leafCount) <= 0x1p16;
  let larger = max(bodies[a].exponent, bodies[b].exponent);
  let smaller = min(bodies[a].exponent, bodies[b].exponent);
  let far = exponent - larger >= farPowers && larger - smaller <= likePowers
    && max(bodies[a].error, bodies[b].error) < 0x1p-8;
  let distant = exponent - smaller > 12;
  let squeezed = metricA * 64.0 < frames[pair].normA || metricB * 64.0 < frames[pair].normB;
  let left = frames[pair].hopeless == 1u || ((distant || squeezed) && !few && !far);
  if (far) { frameFar(pair, a, b, larger, exponent - larger); }
  frames[pair].linear[1].w = select(0, 1, left);
  let walker = select(1u, 0u, bodies[a].leafCount >= bodies[b].leafCount);
  let leaves = select(bodies[a].leafCount, bodies[b].leafCount, walker == 1u);
  let height = min(blockHeight, select(bodies[a].depth, bodies[b].depth, walker == 1u));
  frames[pair].walker = walker;
  frames[pair].halvings = height;
  if (left || bodies[a].leafCount == 0u || bodies[b].leafCount == 0u) { return 0u; }
  return (leaves + (1u << height) - 1u) >> height;
}

/**
 * Writes the frame in the terms of far-distance.wgsl. The unit is 2^larger; the way from body to body is 2^down times
 * that in the pair's unit.
 */
fn frameFar(pair: u32, a: u32, b: u32, larger: i32, down: i32) {
  frames[pair].far = 1u;
  let scaleA = powerOfTwo(bodies[a].exponent - larger);
  let scaleB = powerOfTwo(bodies[b].exponent - larger);
  var way = vec3f(0.0);
  var rowA = vec3f(0.0);
  var rowB = vec3f(0.0);
  for (var row = 0u; row < 3u; row++) {
    way[row] = f32(frames[pair].linear[3u + row].w) * 0x1p-27 + frames[pair].rest[row];
  }
  let direction = way / length(way);
  for (var row = 0u; row < 3u; row++) {
    rowA -= direction[row] * vec3f(bodies[a].linear[row].xyz) * 0x1p-30 * scaleA;
    rowB += direction[row] * vec3f(bodies[b].linear[row].xyz) * 0x1p-30 * scaleB;
  }
  let reach = 3.0 * (longestRow(a) * scaleA + longestRow(b) * scaleB);
  let errors = 1.7321 * (bodies[a].error * scaleA + bodies[b].error * scaleB);
  let slack = 1.001 * (64.0 * unit * reach + errors) + 0x1p-100;
  let shift = 2.0 * reach;
  // Limiting it makes lower bounds lower and upper bounds higher.
  let away = length(way) * powerOfTwo(min(down, 60));
  frames[pair].into[0] = vec4f(rowA, shift - slack);
  frames[pair].into[1] = vec4f(rowB, slack);
  frames[pair].into[2] = vec4f(direction, away);
  frames[pair].into[3] = vec4f(shift, scaleA, scaleB, 0.0);
  // The asked distance in the same terms. Both it and t are known to 8u of themselves.
  let asked = reachIn(larger);
  var most = 0x1p60;
  var certain = 0x1p60;
  if (query.upToHigh < 0x7ff00000u) {
    let rounding = 16.0 * unit * (asked + away);
    certain = select(0.0, (asked - away) + shift - rounding, down <= 60 && asked < 0x1p59);
    if (down <= 60) { most = clamp((asked - away) + shift + rounding, 0x1p-100, 0x1p60); }
  }
  frames[pair].linear[0].w = bitcast<i32>(most);
  frames[pair].linear[2].w = bitcast<i32>(certain);
}

/** `upTo` in units of 2^exponent, rounded up. */
fn reachIn(exponent: i32) -> f32 {
  if (query.upToHigh >= 0x7ff00000u) { return 0x1p60; }
  let reach = wideToFloat(decodeDouble(vec2u(query.upToLow, query.upToHigh)), -exponent);
  return clamp(reach * (1.0 + 0x1p-20), 0x1p-100, 0x1p60);
}

fn metricOf(body: u32) -> f32 {
  let x = vec3f(bodies[body].linear[0].xyz) * 0x1p-30;
  let y = vec3f(bodies[body].linear[1].xyz) * 0x1p-30;
  let z = vec3f(bodies[body].linear[2].xyz) * 0x1p-30;
  let least = max(leastEigenvalue(x, y, z), leastEigenvalue(
    vec3f(x.x, y.x, z.x), vec3f(x.y, y.y, z.y), vec3f(x.z, y.z, z.z)));
  let n0 = bodies[body].inverse[0];
  let n1 = bodies[body].inverse[1];
  let n2 = bodies[body].inverse[2];
  let off = 1.8 * max(max(n0.w, n1.w), n2.w);
  let frobenius = sqrt(dot(n0.xyz, n0.xyz) + dot(n1.xyz, n1.xyz) + dot(n2.xyz, n2.xyz));
  let general = select(0.0, 1.0 / frobenius, frobenius > 0.0);
  return max(sqrt(max(least, 0.0)) / (1.0 + off), general) * (1.0 - 0x1p-19);
}

fn leastEigenvalue(u: vec3f, v: vec3f, w: vec3f) -> f32 {
  let uv = abs(dot(u, v));
  let vw = abs(dot(v, w));
  let wu = abs(dot(w, u));
  return min(min(dot(u, u) - uv - wu, dot(v, v) - uv - vw), dot(w, w) - vw - wu) - 0x1p-17;
}
