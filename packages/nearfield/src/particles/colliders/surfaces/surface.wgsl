// A collider's function h along a path, over a piece of time: its value in the middle, and bounds of its slope. Places
// are in the collider's own coordinates about its centre. For a collider with constant acceleration, its motion is
// subtracted from the path's; for one that turns, the path is turned back. gpu/filter.md, section 2.

/** Which kinds there are. The others are left out of the kernel. */
override anyTurns: bool;
override anyQuadrics: bool;
override anyMeshes: bool;
override anyFields: bool;
override anyBlobs: bool;

struct Surface {
  collider: u32,
  kind: u32,
  flags: u32,
  rows: u32,
  count: u32,
  /** For planes: normal, offset. For quadrics: A B C, bound of ‖Q‖; D E F, |G H I|; G H I, J. */
  first: vec4f,
  second: vec4f,
  third: vec4f,
  low: vec3f,
  high: vec3f,
  /** The share of a turn when the segment began, and the error of the angle, in radians. */
  turn: u32,
  turnError: f32,
}

/** For a triangle: its three edges are in its rows. */
const triangleKind = 16u;

fn surfaceOf(collider: u32, began: u32, timeError: f32) -> Surface {
  let kind = colliders[collider].kind;
  let at = colliders[collider].rows;
  var surface: Surface;
  surface.collider = collider;
  surface.kind = kind;
  surface.flags = colliders[collider].flags;
  surface.rows = at;
  surface.count = colliders[collider].count;
  surface.low = colliders[collider].low.xyz;
  surface.high = colliders[collider].high.xyz;
  if (kind == planeKind || kind == quadricKind) {
    surface.first = floatsAt(at);
    surface.second = floatsAt(at + 1u);
    surface.third = floatsAt(at + 2u);
  }
  if (anyTurns && (surface.flags & turnsFlag) != 0u) {
    let turns = colliders[collider].axis.w;
    surface.turn = turnSince(collider, began);
    surface.turnError = 0x1p-26 + 8.0 * timeError * turns;
  }
  return surface;
}

/** The path relative to the collider's centre, not yet turned. */
fn pathTo(collider: u32, path: Path, began: u32, timeError: f32) -> Path {
  let centre = colliders[collider].centre;
  var x = path.x - centre.xyz;
  var v = path.v;
  var a = path.a;
  var errorX = path.errorX + centre.w + unit * path.size;
  var errorV = path.errorV;
  var errorA = path.errorA;
  if ((colliders[collider].flags & movesFlag) != 0u) {
    let time = f32(i32(began - window.fromLow)) * 0x1p-30;
    let offset = colliders[collider].offset;
    let velocity = colliders[collider].velocity;
    let acceleration = colliders[collider].acceleration;
    let ago = abs(time);
    let pull = length(acceleration.xyz);
    let speed = length(velocity.xyz) + ago * pull;
    x -= offset.xyz + (velocity.xyz + 0.5 * acceleration.xyz * time) * time;
    v -= velocity.xyz + acceleration.xyz * time;
    a -= acceleration.xyz;
    errorX += offset.w + ago * (velocity.w + ago * acceleration.w) + timeError * speed
      + 8.0 * unit * (length(offset.xyz) + ago * speed) + unit * path.size;
    errorV += velocity.w + ago * acceleration.w + timeError * pull + 4.0 * unit * (speed + path.speed);
    errorA += acceleration.w + 2.0 * unit * (pull + path.pull);
  }
  return pathOf(x, v, a, 1.00001 * errorX, 1.00001 * errorV, 1.00001 * errorA);
}

/** A path's place and velocity at a time, in the collider's own, maybe turned, coordinates. */
struct Seen {
  p: vec3f,
  w: vec3f,
  errorP: f32,
  errorW: f32,
  /** Within the radius asked for: the greatest speed, distance moved, and acceleration. */
  speed: f32,
  moved: f32,
  pull: f32,
  away: bool,
}

fn seenAt(surface: Surface, path: Path, time: f32, radius: f32) -> Seen {
  var seen: Seen;
  seen.p = placeAt(path, time);
  seen.w = velocityAt(path, time);
  seen.errorP = placeError(path, time);
  seen.errorW = velocityError(path, time);
  seen.pull = path.pull + path.errorA;
  seen.speed = 1.00001 * length(seen.w) + seen.errorW + seen.pull * radius;
  seen.moved = 1.00001 * seen.speed * radius;
  let reach = seen.moved + seen.errorP;
  seen.away = any(seen.p < surface.low - reach) || any(seen.p > surface.high + reach);
  if (anyTurns && (surface.flags & turnsFlag) != 0u && !seen.away) {
    let pivot = colliders[surface.collider].pivot;
    let axis = colliders[surface.collider].axis;
    let rate = pivot.w;
    let arm = seen.p - pivot.xyz;
    let size = 1.00001 * length(arm);
    let turns = time * axis.w;
    let share = turns - floor(turns);
    // Turned back by the angle: the share of a turn, in 2^−32; 2^31 at once would not fit.
    let half = u32(share * 0x1p31);
    let turn = turnOf(0u - (surface.turn + 2u * half));
    let off = surface.turnError + 16.0 * unit * (2.0 + turns);
    let velocity = seen.w - rate * cross(axis.xyz, arm);
    seen.p = turned(arm, axis.xyz, turn) + pivot.xyz;
    seen.w = turned(velocity, axis.xyz, turn);
    let world = seen.speed;
    seen.errorW += rate * seen.errorP + (off + 16.0 * unit) * (world + rate * size);
    seen.errorP += off * size + 4.0 * unit * length(pivot.xyz);
    let farthest = size + seen.moved + seen.errorP;
    seen.pull += 2.0 * rate * world + rate * rate * farthest;
    seen.speed = world + rate * farthest + seen.errorW;
    seen.moved = 1.00001 * seen.speed * radius;
  }
  return seen;
}

/** `left` says that the path begins on this surface: then h is known from there on, whatever the error of its place. */
fn pieceOf(surface: Surface, path: Path, seen: Seen, left: bool, time: f32, radius: f32) -> Piece {
  let turns = anyTurns && (surface.flags & turnsFlag) != 0u;
  let since = left && !turns;
  if (anyQuadrics && surface.kind == quadricKind) { return quadricPiece(surface, path, seen, since, time, radius, turns); }
  if (anyFields && surface.kind == fieldKind) { return fieldPiece(surface, seen, radius); }
  if (anyBlobs && surface.kind == blobsKind) { return blobsPiece(surface, seen, radius); }
  return planePiece(surface, path, seen, since, time, radius, turns);
}

/** The mean velocity since a path began, and its error. */
fn meanVelocity(path: Path, time: f32) -> vec4f {
  return vec4f(path.v + 0.5 * path.a * time,
    path.errorV + time * path.errorA + 4.0 * unit * (path.speed + time * path.pull));
}

fn planePiece(surface: Surface, path: Path, seen: Seen, since: bool, time: f32, radius: f32, turns: bool) -> Piece {
  let normal = surface.first.xyz;
  var value = dot(normal, seen.p) - surface.first.w;
  var error = seen.errorP + 8.0 * unit * (length(seen.p) + abs(surface.first.w));
  if (since) {
    let mean = meanVelocity(path, time);
    value = time * dot(normal, mean.xyz);
    error = time * (mean.w + 8.0 * unit * (path.speed + time * path.pull));
  }
  let slope = dot(normal, seen.w);
  var bend = seen.pull;
  if (!turns) { bend = abs(dot(normal, path.a)) + path.errorA + 4.0 * unit * path.pull; }
  let spread = 1.00001 * (bend * radius + seen.errorW + 8.0 * unit * seen.speed);
  return Piece(value, 1.00001 * error, slope - spread, slope + spread);
}

fn quadricPiece(surface: Surface, path: Path, seen: Seen, since: bool, time: f32, radius: f32, turns: bool) -> Piece {
  let p = seen.p;
  let w = seen.w;
  let norm = surface.first.w;
  let linear = surface.second.w;
  let size = 1.00001 * length(p);
  let half = applied(surface, p);
  var value = dot(p, half + 2.0 * surface.third.xyz) + surface.third.w;
  let gradient = 2.0 * (half + surface.third.xyz);
  let most = 2.0 * (norm * size + linear);
  let steep = 1.00001 * length(gradient) + 8.0 * unit * most;
  var error = steep * seen.errorP + norm * seen.errorP * seen.errorP
    + 16.0 * unit * (norm * size * size + 2.0 * linear * size + abs(surface.third.w));
  if (since) {
    // h(x + w·σ) = h(x) + σ·∇h(x)·w + σ²·wᵀQw, and h(x) = 0.
    let mean = meanVelocity(path, time);
    let fast = path.speed + time * path.pull;
    let begin = 2.0 * (applied(surface, path.x) + surface.third.xyz);
    let rounding = 16.0 * unit * fast;
    value = time * (dot(begin, mean.xyz) + time * dot(mean.xyz, applied(surface, mean.xyz)));
    error = time * (2.0 * norm * path.errorX * fast + 2.0 * (norm * path.size + linear) * (mean.w + rounding)
      + time * norm * (2.0 * fast * (mean.w + rounding) + mean.w * mean.w));
  }
  let slope = dot(gradient, w);
  let slopeError = (steep + 2.0 * norm * seen.errorP) * seen.errorW
    + (2.0 * norm * seen.errorP + 16.0 * unit * most) * seen.speed;
  var bend = 2.0 * norm * seen.speed * seen.speed
    + 2.0 * (norm * (size + seen.moved + seen.errorP) + linear) * seen.pull;
  if (!turns) {
    // h'' in the middle, and how fast it may change.
    let here = abs(2.0 * dot(w, applied(surface, w)) + dot(gradient, path.a));
    let off = 2.0 * norm * (2.0 * seen.speed + seen.errorW) * seen.errorW + 2.0 * norm * seen.errorP * seen.pull
      + steep * path.errorA + 16.0 * unit * (2.0 * norm * seen.speed * seen.speed + most * seen.pull);
    bend = min(bend, here + off + 6.0 * norm * seen.speed * seen.pull * radius);
  }
  let spread = 1.00001 * (bend * radius + slopeError);
  return Piece(value, 1.00001 * error, slope - spread, slope + spread);
}

/** The symmetric part of a quadric, applied to a vector. */
fn applied(surface: Surface, p: vec3f) -> vec3f {
  let d = surface.second.x;
  let e = surface.second.y;
  let f = surface.second.z;
  return vec3f(
    surface.first.x * p.x + d * p.y + e * p.z,
    d * p.x + surface.first.y * p.y + f * p.z,
    e * p.x + f * p.y + surface.first.z * p.z,
  );
}
