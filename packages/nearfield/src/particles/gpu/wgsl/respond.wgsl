// The response of a particle to a certain impact: Coulomb friction and restitution in the collider's own coordinates,
// as in lives/response.ts, and the propagation of the segment's errors (gpu/filter.md, section 5).

struct Response {
  /** `goneStep`, `restStep`, `bounceStep`, or that it cannot be decided. */
  step: u32,
  segment: Segment,
}

const goneStep = 0u;
const restStep = 1u;
const bounceStep = 2u;
const unsureStep = 3u;

/** If errors exceed this, a segment is useless. */
const hopeless = 0x1p-4;

fn respond(segment: Segment, birth: u32, collider: u32, leaf: u32, impacts: u32, low: u32, high: u32) -> Response {
  var next = segment;
  if ((colliders[collider].flags & bouncesFlag) == 0u) { return Response(goneStep, next); }
  let began = birth + segment.since;
  let ahead = i32(low - birth) - i32(segment.since) + i32((high - low) / 2u);
  let width = f32(high - low) * 0x1p-31 + 0x1p-30;
  let time = f32(max(ahead, 0)) * 0x1p-30;
  // The time since the segment's true begin is known better than the time itself, which also has the begin's error.
  let spread = max(width - segment.timeError, 0.0) + 0x1p-30 + unit * time;
  let path = pathTo(collider, segment.path, began, segment.timeError);
  var surface = surfaceOf(collider, began, segment.timeError);
  if (anyMeshes && surface.kind == meshKind) {
    if (leaf == noLeaf) { return Response(unsureStep, next); }
    surface = triangleOf(surface, leaf);
  }
  let seen = seenAt(surface, path, time, spread);
  let steepest = normalAt(surface, seen);
  if (steepest.w >= 0.25) { return Response(unsureStep, next); }
  let off = steepest.w;
  let errorW = seen.errorW + seen.pull * spread;
  let along = dot(steepest.xyz, seen.w);
  let normal = select(steepest.xyz, -steepest.xyz, along > 0.0);
  var speed = abs(along);
  var speedError = errorW + (off + 8.0 * unit) * seen.speed;
  // A plane that stands still gives more than the velocity at that time: see `landingOn`.
  let flat = (surface.kind == planeKind || surface.kind == triangleKind) && (surface.flags & (movesFlag | turnsFlag)) == 0u;
  var landing: Landing;
  var landed = false;
  if (flat) {
    landing = landingOn(surface, path, segment.left == collider && segment.leaf == leaf);
    landed = landing.error < speedError;
    if (landed) {
      speed = landing.speed;
      speedError = landing.error;
    }
  }
  if (speed <= speedError) { return Response(unsureStep, next); }
  let restitution = colliders[collider].low.w;
  let friction = colliders[collider].high.w;
  let rebound = restitution * speed;
  let slow = colliders[collider].restSpeed;
  next.since = u32(i32(segment.since) + ahead);
  next.timeError = width + 0x1p-29;
  next.left = collider;
  next.leaf = leaf;
  next.side = select(1, -1, along > 0.0);
  let doubt = restitution * speedError + 4.0 * unit * (rebound + slow);
  if (abs(rebound - slow) <= doubt && impacts < colliders[collider].most) { return Response(unsureStep, next); }
  let velocity = velocityAt(segment.path, time);
  var place = placeAt(segment.path, time);
  var errorX = placeError(segment.path, time) + (length(velocity) + segment.path.pull * spread) * spread;
  if (rebound < slow || impacts >= colliders[collider].most) {
    // The particle rides on the collider, so it is stored in the collider's own coordinates.
    next.path = pathOf(seen.p, vec3f(0.0), segment.path.a, seen.errorP + seen.moved, 0.0, segment.path.errorA);
    return Response(restStep, next);
  }
  let across = seen.w + abs(along) * normal;
  let sliding = length(across);
  let lost = friction * (1.0 + restitution) * speed;
  let kept = select(0.0, 1.0 - lost / max(sliding, 0x1p-100), lost < sliding);
  var change = across * kept + rebound * normal - seen.w;
  var twist = 0.0;
  if (anyTurns && (surface.flags & turnsFlag) != 0u) {
    change = turnedForth(surface, change, time);
    twist = surface.turnError + 16.0 * unit * (2.0 + time * colliders[collider].axis.w);
  }
  let share = friction * (1.0 + restitution);
  // The error of the collider's own velocity is part of the error of the relative one.
  let moving = select(0.0, errorW, (surface.flags & (movesFlag | turnsFlag)) != 0u);
  var errorV = (1.0 + share) * errorW + moving + (2.0 + 2.0 * restitution + share) * (off + twist) * seen.speed
    + 12.0 * unit * seen.speed + 4.0 * unit * length(velocity);
  if (flat) {
    // The particle is on the plane, whatever the time; the error of the time only moves it along the plane.
    let pull = length(path.a - dot(normal, path.a) * normal) + path.errorA + 8.0 * unit * path.pull;
    let slide = length(across) + seen.errorW + 8.0 * unit * seen.speed + pull * spread;
    let height = dot(surface.first.xyz, seen.p) - surface.first.w;
    place -= height * surface.first.xyz;
    let flatX = placeError(segment.path, time) + slide * spread + colliders[collider].centre.w
      + 16.0 * unit * (length(seen.p) + abs(surface.first.w) + length(place));
    errorX = min(errorX + abs(height), flatX);
    let rounding = (2.0 + 2.0 * restitution + share) * off * seen.speed + 16.0 * unit * seen.speed + 4.0 * unit * length(velocity);
    let flatV = (1.0 + share) * (max(1.0, landing.gain) * velocityError(path, time) + landing.rounding + pull * spread) + rounding;
    if (landed) { errorV = min(errorV, flatV); }
  }
  next.path = pathOf(place, velocity + change, segment.path.a,
    1.00001 * errorX + system.referenceX, 1.00001 * errorV + system.referenceV, segment.path.errorA);
  if (next.path.errorX > hopeless || next.path.errorV > hopeless) { return Response(unsureStep, next); }
  return Response(bounceStep, next);
}

/**
 * How fast a path comes down on a plane: the speed, its error, and the part of it that comes from the velocity's own
 * error.
 */
struct Landing {
  speed: f32,
  error: f32,
  /**
   * The factor for the velocity's error at the segment's begin; the rest comes from place, acceleration and rounding.
   */
  gain: f32,
  rounding: f32,
}

/**
 * With h = h₀ + w·σ + ½b·σ² the slope at h = 0 is ±√(w² − 2·b·h₀), whatever the error of the time. h₀ is 0 if the path
 * began on this plane. Only valid for a plane that stands still.
 */
fn landingOn(surface: Surface, path: Path, left: bool) -> Landing {
  let normal = surface.first.xyz;
  let w = dot(normal, path.v);
  let b = dot(normal, path.a);
  let offB = path.errorA + 8.0 * unit * path.pull;
  var h = 0.0;
  var offH = 0.0;
  if (!left) {
    h = dot(normal, path.x) - surface.first.w;
    offH = path.errorX + 8.0 * unit * (path.size + abs(surface.first.w));
  }
  let squared = w * w - 2.0 * b * h;
  let own = 2.0 * abs(w) * path.errorV + path.errorV * path.errorV;
  let others = 16.0 * unit * abs(w) * path.speed + 2.0 * (abs(b) * offH + (abs(h) + offH) * offB)
    + 8.0 * unit * (w * w + 2.0 * abs(b * h));
  let off = 1.00001 * (own + others);
  if (!(squared > 4.0 * off)) { return Landing(0.0, never, 1.0, 0.0); }
  let speed = sqrt(squared);
  // |√q − √q′| ≤ δ / (2√q − δ/√q).
  let share = (1.0 + off / squared) / (2.0 * speed);
  let rounding = share * others + 4.0 * unit * speed;
  return Landing(speed, 1.00001 * (share * own + rounding), 1.00001 * share * (2.0 * abs(w) + path.errorV), 1.00001 * rounding);
}

/** From the collider's own axes to the world's. */
fn turnedForth(surface: Surface, v: vec3f, time: f32) -> vec3f {
  let turns = time * colliders[surface.collider].axis.w;
  let half = u32((turns - floor(turns)) * 0x1p31);
  return turned(v, colliders[surface.collider].axis.xyz, turnOf(surface.turn + 2u * half));
}

/** The unit normal where the path is; w: its error, 1 if it is useless. */
fn normalAt(surface: Surface, seen: Seen) -> vec4f {
  if (surface.kind == planeKind || surface.kind == triangleKind) { return vec4f(surface.first.xyz, 4.0 * unit); }
  var gradient = vec3f(0.0);
  var off = 1.0;
  let near = seen.errorP + seen.moved;
  if (anyQuadrics && surface.kind == quadricKind) {
    gradient = 2.0 * (applied(surface, seen.p) + surface.third.xyz);
    off = 2.0 * surface.first.w * near + 32.0 * unit * (surface.first.w * length(seen.p) + surface.second.w);
  }
  if (anyFields && surface.kind == fieldKind) {
    let found = fieldGradient(surface, seen.p, near);
    gradient = found.xyz;
    off = found.w;
  }
  if (anyBlobs && surface.kind == blobsKind) {
    let found = blobsGradient(surface, seen.p, near);
    gradient = found.xyz;
    off = found.w;
  }
  let size = length(gradient);
  if (4.0 * off >= size) { return vec4f(0.0, 0.0, 0.0, 1.0); }
  return vec4f(gradient / size, 1.34 * off / size + 8.0 * unit);
}
