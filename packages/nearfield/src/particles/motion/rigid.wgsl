// Where moving colliders are. The CPU computes the place of each at the window's first tick, in double; from there a
// life or two is a small step.

@group(0) @binding(5) var<storage, read> colliders: array<Collider>;

/**
 * The share of a turn at a tick. Turns per tick have 64 bits, so that a window two lives away from the tick loses
 * nothing.
 */
fn turnSince(collider: u32, tick: u32) -> u32 {
  let ticks = tick - window.fromLow;
  let low = colliders[collider].turnLow;
  let product = multiplyWide(low, ticks).y + colliders[collider].turnHigh * ticks;
  return colliders[collider].turn + product - select(0u, low, i32(ticks) < 0);
}

/** Where a place in a collider's own coordinates, about its centre, is at a tick plus a fraction of one. */
fn placeOn(collider: u32, own: vec3f, tick: u32, rest: f32) -> vec3f {
  var place = own;
  let flags = colliders[collider].flags;
  if ((flags & turnsFlag) != 0u) {
    let pivot = colliders[collider].pivot.xyz;
    place = turned(own - pivot, colliders[collider].axis.xyz, turnOf(turnSince(collider, tick))) + pivot;
  }
  if ((flags & movesFlag) != 0u) {
    let time = f32(i32(tick - window.fromLow)) * 0x1p-30 + rest;
    place += colliders[collider].offset.xyz
      + (colliders[collider].velocity.xyz + 0.5 * colliders[collider].acceleration.xyz * time) * time;
  }
  return colliders[collider].centre.xyz + place;
}
