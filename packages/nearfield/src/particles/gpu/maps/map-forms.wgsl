// The texel of a place in a collider's impact map. The CPU packs every form as functions that are linear in the
// collider's own coordinates about its centre (pack-maps.ts), in three rows or, for meshes, two per leaf.

/** Rows: (form, width, height, first texel), (what a texel holds, 0, 0, 0), then the functions. */
fn texelOf(map: u32, leaf: u32, place: vec3f) -> u32 {
  if (map == noMap) { return noTexel; }
  let head = rows[map];
  var at = map + 2u;
  if (head.x == leafForm) {
    if (leaf == noLeaf) { return noTexel; }
    at += 2u * leaf;
  }
  let here = vec4f(place, 1.0);
  var u = dot(floatsAt(at), here);
  var v = dot(floatsAt(at + 1u), here);
  if (head.x == aroundForm) {
    u = shareOfTurn(u, v);
    v = dot(floatsAt(at + 2u), here);
  }
  let column = min(u32(clamp(u, 0.0, 1.0) * f32(head.y)), head.y - 1u);
  let row = min(u32(clamp(v, 0.0, 1.0) * f32(head.z)), head.z - 1u);
  return head.w + column + head.y * row;
}

/** The number that an impact gives to its texel. */
fn mapValueOf(map: u32, speed: f32, normalSpeed: f32) -> f32 {
  if (map == noMap) { return 0.0; }
  let holds = rows[map + 1u].x;
  if (holds == oneValue) { return 1.0; }
  return select(normalSpeed, speed, holds == speedValue);
}

/**
 * The angle of a direction as a share of a turn, in [0, 1], to 2^−21: WGSL's own arctangent may be off by 2^−11. The
 * ratio is reduced to at most tan(π/8), where the polynomial (Moshier, Cephes, atanf) is off by less than 2^−23.
 */
fn shareOfTurn(x: f32, y: f32) -> f32 {
  let least = min(abs(x), abs(y));
  let most = max(abs(x), abs(y));
  if (most == 0.0) { return 0.0; }
  var ratio = least / most;
  var angle = 0.0;
  if (ratio > 0.41421356) {
    ratio = (ratio - 1.0) / (ratio + 1.0);
    angle = 0.78539816;
  }
  let z = ratio * ratio;
  angle += ratio + ratio * z
    * (((8.05374449538e-2 * z - 1.38776856032e-1) * z + 1.99777106478e-1) * z - 3.33329491539e-1);
  var turns = angle * 0.15915494;
  if (abs(y) > abs(x)) { turns = 0.25 - turns; }
  if (x < 0.0) { turns = 0.5 - turns; }
  if (y < 0.0) { turns = 1.0 - turns; }
  return turns;
}
