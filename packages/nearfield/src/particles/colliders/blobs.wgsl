// The implicit surface of blobs: h = level − Σ weight·(1 − d²/r²)³ over blobs nearer than their radius, d the distance
// to a point or a segment. For one blob, with q = d²/r²: the slope along d is 6·weight·√q(1 − q)²/r, at most
// 1.7173·weight/r (at q = 1/5); and no second derivative exceeds 6·weight/r², since |(1 − q)(1 − 5q)| ≤ 1 for q in [0,
// 1].

struct BlobsSum {
  value: f32,
  gradient: vec3f,
  /** Over all blobs within reach of a ball: Σ weight, Σ weight/r times 1.7174, Σ weight/r² times 6. */
  weight: f32,
  steep: f32,
  bend: f32,
  /** The error of the value, by rounding. */
  error: f32,
}

fn sumBlobs(surface: Surface, p: vec3f, reach: f32) -> BlobsSum {
  var sum: BlobsSum;
  let size = length(p);
  for (var i = 0u; i < surface.count; i++) {
    let at = floatsAt(surface.rows + 1u + 2u * i);
    let to = floatsAt(surface.rows + 2u + 2u * i);
    let way = p - at.xyz;
    let square = dot(to.xyz, to.xyz);
    let share = clamp(dot(way, to.xyz) / max(square, 0x1p-100), 0.0, 1.0);
    let arm = way - share * to.xyz;
    let radius = at.w;
    let distance = length(arm);
    let near = size + length(at.xyz) + length(to.xyz);
    if (distance > radius + reach + 16.0 * unit * near) { continue; }
    let weight = abs(to.w);
    sum.weight += weight;
    sum.steep += 1.7174 * weight / radius;
    sum.bend += 6.0001 * weight / (radius * radius);
    sum.error += 32.0 * unit * weight * (1.0 + 2.0 * near / radius);
    let rest = 1.0 - dot(arm, arm) / (radius * radius);
    if (rest > 0.0) {
      sum.value += to.w * rest * rest * rest;
      sum.gradient += (6.0 * to.w * rest * rest / (radius * radius)) * arm;
    }
  }
  return sum;
}

fn blobsPiece(surface: Surface, seen: Seen, radius: f32) -> Piece {
  let sum = sumBlobs(surface, seen.p, seen.moved + seen.errorP);
  let level = floatsAt(surface.rows).x;
  let error = sum.error + sum.steep * seen.errorP + 16.0 * unit * (f32(surface.count) * sum.weight + abs(level));
  let slope = dot(sum.gradient, seen.w);
  let slopeError = sum.bend * seen.errorP * seen.speed + sum.steep * seen.errorW
    + 64.0 * unit * (f32(surface.count) + 4.0) * sum.steep * seen.speed;
  let bend = sum.bend * seen.speed * seen.speed + sum.steep * seen.pull;
  let spread = 1.001 * (bend * radius + slopeError);
  return Piece(level - sum.value, 1.001 * error, slope - spread, slope + spread);
}

/** w: the error. */
fn blobsGradient(surface: Surface, p: vec3f, near: f32) -> vec4f {
  let sum = sumBlobs(surface, p, near);
  return vec4f(sum.gradient, 1.001 * (sum.bend * near + 64.0 * unit * (f32(surface.count) + 4.0) * sum.steep));
}
