// Stepped motion in integers, the steps of motion/stepped.ts: v' = v + gain − floor((v − wind)·drag / 2^31), x' = x + v' rounded to units.
// Only places are made here, from the segment's own integers; what stepped particles hit is asked of the evaluator.

struct Steps {
  x: vec3i,
  v: vec3i,
  gain: vec3i,
}

/** floor(a·share / 2^31), a below 2^31 in magnitude and share at most 2^31. */
fn partOf(a: i32, share: u32) -> i32 {
  let product = multiplyWide(u32(abs(a)), share);
  let whole = i32((product.y << 1u) | (product.x >> 31u));
  if (a >= 0) { return whole; }
  return -whole - select(0, 1, (product.x & 0x7fffffffu) != 0u);
}

/** The wind in the cell of a place; still outside of its grid. */
fn windOf(x: vec3i) -> vec3i {
  if (system.windAt == noWind) { return vec3i(0); }
  let low = rows[system.windAt];
  let size = rows[system.windAt + 1u];
  let way = x - vec3i(low.xyz);
  let cell = way / i32(low.w);
  if (any(way < vec3i(0)) || any(cell >= vec3i(size.xyz))) { return vec3i(0); }
  let word = size.w + 3u * u32((cell.z * i32(size.y) + cell.y) * i32(size.x) + cell.x);
  return vec3i(i32(wordAt(word)), i32(wordAt(word + 1u)), i32(wordAt(word + 2u)));
}

/** Coordinates beyond this are out of range, and the particle stays where it got. */
const farthestUnits = 0x40000000;

fn makeStep(steps: ptr<function, Steps>) -> bool {
  let blown = windOf((*steps).x);
  let half = select(0, 1 << (system.stepShift - 1u), system.stepShift > 0u);
  var faster = (*steps).v + (*steps).gain;
  for (var axis = 0u; axis < 3u; axis++) { faster[axis] -= partOf((*steps).v[axis] - blown[axis], system.drag); }
  let farther = (*steps).x + ((faster + vec3i(half)) >> vec3u(system.stepShift));
  if (any(abs(farther) > vec3i(farthestUnits)) || any(abs(faster) > vec3i(farthestUnits))) { return false; }
  (*steps).x = farther;
  (*steps).v = faster;
  return true;
}

/** The place after so many ticks, on the chord of the step that is then being made; units of length. */
fn steppedPlace(start: Steps, ticks: u32, rest: f32) -> vec3f {
  var steps = start;
  let count = ticks / system.stepTicks;
  for (var i = 0u; i < count; i++) {
    if (!makeStep(&steps)) { return vec3f(steps.x) * 0x1p-28; }
  }
  let before = steps.x;
  let share = (f32(ticks % system.stepTicks) + rest * 0x1p30) / f32(system.stepTicks);
  if (!makeStep(&steps)) { return vec3f(before) * 0x1p-28; }
  return (vec3f(before) + share * vec3f(steps.x - before)) * 0x1p-28;
}
