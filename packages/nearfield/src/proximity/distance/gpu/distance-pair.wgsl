// What there is to do for a pair of bodies whose distance is asked for, and what its frame holds beside: how distances in
// either body's local frame compare with those of the pair's, and how far to look.
//
// slack[side].w: with y = N·x the local coordinates that the rows N of `into` give a point x, |Δx| ≥ |Δy|/‖N‖. Rows are
// those of the body's inverse: N·L = I + E with |E| within w of the rows (place-body.wgsl), so ‖N‖ ≤ (1 + 1.8·w)/σ, σ the
// least singular value of L; and ‖N‖ is no more than its Frobenius norm. σ² is at least min_i(m_ii − Σ_j |m_ij|) for m = L·Lᵀ
// and for LᵀL (Gershgorin): tight for rotations, scales along either axes, and their products. Sums of three entries
// of at most 3, each five roundings off, are off by less than 2^-17.
// linear[0].w: bits of the distance to look no farther than, in the pair's unit, rounded up.
// linear[1].w: 1 where the pair is left to the CPU.

/** No bound is known of a pair at first. */
fn firstWord(items: u32) -> u32 { return 0u; }

/** The pair's unit also holds the way from body to body: less than 8 along an axis. */
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

/** Blocks of the body with more leaves: 64 of its leaves each, or all it has. */
fn pairWork(pair: u32, pairCount: u32, a: u32, b: u32) -> u32 {
  let exponent = pairExponent(a, b);
  let metricA = metricOf(a) * frames[pair].scaleA;
  let metricB = metricOf(b) * frames[pair].scaleB;
  frames[pair].slack[0].w = metricA;
  frames[pair].slack[1].w = metricB;
  frames[pair].linear[0].w = bitcast<i32>(reachIn(exponent));
  // Single precision tells little apart where bodies are far from each other beside their size, or one is far smaller,
  // or a pose squeezes; then triangles are few enough to list, or the CPU takes the pair.
  let few = f32(bodies[a].leafCount) * f32(bodies[b].leafCount) <= 0x1p16;
  let distant = exponent - min(bodies[a].exponent, bodies[b].exponent) > 12;
  let squeezed = metricA * 64.0 < frames[pair].normA || metricB * 64.0 < frames[pair].normB;
  let left = frames[pair].hopeless == 1u || ((distant || squeezed) && !few);
  frames[pair].linear[1].w = select(0, 1, left);
  let walker = select(1u, 0u, bodies[a].leafCount >= bodies[b].leafCount);
  let leaves = select(bodies[a].leafCount, bodies[b].leafCount, walker == 1u);
  let height = min(blockHeight, select(bodies[a].depth, bodies[b].depth, walker == 1u));
  frames[pair].walker = walker;
  frames[pair].halvings = height;
  if (left || bodies[a].leafCount == 0u || bodies[b].leafCount == 0u) { return 0u; }
  return (leaves + (1u << height) - 1u) >> height;
}

/** `upTo` in units of 2^exponent, no less than it is. */
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
