// Stepped motion in integers, the steps of motion/stepped/stepped.ts: v' = v + gain − floor((v − wind)·drag / 2^31), x' = x +
// v' rounded to units. If a start or a bounce is only known to single precision, the reference's integers differ by as
// much; each step says by how much more (gpu/filter.md, section 6). Between steps the path is a chord, or a parabola with
// motion of second order.
//
// A compiler inlines a step wherever one is made, and a step is long: what is left out for the order in use, and loops
// that make a step at one place only, are most of what a kernel takes to compile.

/** Whether steps are of second order: the code for those of the other order is left out of the kernel. */
override secondOrder: bool;

struct Steps {
  x: vec3i,
  v: vec3i,
  gain: vec3i,
  /** How far the reference's coordinates may be from these, each in its own units; 0 if they are the same. */
  offX: f32,
  offV: f32,
  /**
   * For a force given as WGSL: the time at which the steps begin, in seconds, its possible error, and the number of
   * steps made since.
   */
  began: f32,
  offBegan: f32,
  made: u32,
}

/** Ticks of a step in units of time. */
fn stepTime() -> f32 { return f32(system.stepTicks) * 0x1p-30; }

/** The integers that a life starts with. */
fn stepsAtBirth(index: u32, generation: u32) -> Steps {
  if (system.positionKind != arraysStart) {
    let start = startOf(index, generation);
    return stepsFrom(start.x, start.v, start.errorX, start.errorV, system.gain.xyz);
  }
  // Arrays are given in integers; variations are computed in single precision.
  let row = 3u * index;
  var steps = Steps(vec3i(starts[row].xyz), vec3i(starts[row + 1u].xyz), vec3i(starts[row + 2u].xyz), 0.0, 0.0, 0.0, 0.0, 0u);
  if (system.varies == 1u && generation > 0u) {
    let particle = system.first + index;
    let place = 0x1p28 * system.position[0].xyz;
    let push = system.steppedVelocity * system.velocity[0].xyz;
    for (var axis = 0u; axis < 3u; axis++) {
      let u = uniformOf(system.seed, particle, generation, axis);
      let w = uniformOf(system.seed, particle, generation, 5u + axis);
      steps.x[axis] += i32(round((2.0 * u - 1.0) * place[axis]));
      steps.v[axis] += i32(round((2.0 * w - 1.0) * push[axis]));
    }
    steps.offX = 2.0 + 8.0 * unit * largest(place);
    steps.offV = 2.0 + 8.0 * unit * largest(push);
  }
  return steps;
}

/** The integers of a place and a velocity that are known to within errors: both sides round to the nearest. */
fn stepsFrom(x: vec3f, v: vec3f, errorX: f32, errorV: f32, gain: vec3i) -> Steps {
  let offV = system.steppedVelocity * (errorV + 4.0 * unit * length(v));
  return Steps(vec3i(round(0x1p28 * x)), vec3i(round(system.steppedVelocity * v)), gain,
    1.00001 * (0x1p28 * errorX) + 1.0, 1.00001 * offV + 1.0, 0.0, 0.0, 0u);
}

/** The integers kept for a particle: where its segment begins. */
fn keptSteps(index: u32) -> Steps {
  let row = 4u * index;
  let errors = bitcast<vec2f>(lives[row + 3u].xy);
  var gain = system.gain.xyz;
  if (system.positionKind == arraysStart) { gain = vec3i(starts[3u * index + 2u].xyz); }
  return Steps(vec3i(lives[row + 1u].xyz), vec3i(lives[row + 2u].xyz), gain, errors.x, errors.y, 0.0, 0.0, 0u);
}

/** floor(a·share / 2^31), a below 2^31 in magnitude and share at most 2^31. */
fn partOf(a: i32, share: u32) -> i32 {
  let product = multiplyWide(u32(abs(a)), share);
  let whole = i32((product.y << 1u) | (product.x >> 31u));
  if (a >= 0) { return whole; }
  return -whole - select(0, 1, (product.x & 0x7fffffffu) != 0u);
}

/** The same rounded to the nearest, halves upward. */
fn nearestPartOf(a: i32, share: u32) -> i32 {
  let half = select(0x40000000u, 0x3fffffffu, a < 0);
  let product = addWide(multiplyWide(u32(abs(a)), share), vec2u(half, 0u));
  let whole = i32((product.y << 1u) | (product.x >> 31u));
  return select(whole, -whole, a < 0);
}

/** The wind in the cell of a place; still outside its grid. */
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
/** If coordinates may be off by more than this, nothing is certain any more. */
const mostOff = 0x1p24;

/** Tells whether the reference makes the next step in the same air, and within range. */
fn stepIsSure(steps: Steps) -> bool {
  if (!(steps.offX < mostOff && steps.offV < mostOff)) { return false; }
  let off = i32(ceil(steps.offX));
  let room = farthestUnits - i32(ceil(steps.offV)) - 2;
  // A step is shorter than half of the range.
  if (any(abs(steps.x) > vec3i(farthestUnits / 2 - off)) || any(abs(steps.v) > vec3i(room / 2))) { return false; }
  // With order 2 there are no borders: wind and forces are interpolated.
  if (secondOrder || system.windAt == noWind || steps.offX == 0.0) { return true; }
  let low = rows[system.windAt];
  let cells = vec3i(rows[system.windAt + 1u].xyz);
  let way = steps.x - vec3i(low.xyz);
  let nearest = way - vec3i(off);
  let last = way + vec3i(off);
  if (any(last < vec3i(0)) || any(nearest / i32(low.w) >= cells)) { return true; }
  return all(nearest >= vec3i(0)) && all(nearest / i32(low.w) == last / i32(low.w));
}

fn makeStep(steps: ptr<function, Steps>) -> bool {
  if (secondOrder) { return makeSymmetricStep(steps); }
  let blown = windOf((*steps).x);
  let half = select(0, 1 << (system.stepShift - 1u), system.stepShift > 0u);
  var faster = (*steps).v + (*steps).gain;
  for (var axis = 0u; axis < 3u; axis++) { faster[axis] -= partOf((*steps).v[axis] - blown[axis], system.drag); }
  let farther = (*steps).x + ((faster + vec3i(half)) >> vec3u(system.stepShift));
  if (any(abs(farther) > vec3i(farthestUnits)) || any(abs(faster) > vec3i(farthestUnits))) { return false; }
  (*steps).x = farther;
  (*steps).v = faster;
  if ((*steps).offV > 0.0) {
    if (system.drag > 0u) {
      (*steps).offV = 1.00001 * ((*steps).offV * (1.0 - f32(system.drag) * 0x1p-31) + 1.0);
    }
    (*steps).offX = 1.00001 * ((*steps).offX + stepOff(*steps));
  }
  return true;
}

/** A step of second order (motion/stepped/stepped.ts). */
fn makeSymmetricStep(steps: ptr<function, Steps>) -> bool {
  let shift = system.stepShift;
  let x = (*steps).x;
  let v = (*steps).v;
  let offX = (*steps).offX;
  let offV = (*steps).offV;
  let middle = x + ((v + vec3i(1 << shift)) >> vec3u(shift + 1u));
  let offMiddle = 1.00001 * (offX + ldexp(offV, -1 - i32(shift)) + 1.0);
  var blown = vec3i(0);
  var change = (*steps).gain;
  var grid = system.windAt;
  for (var i = 0u; i < 2u; i++) {
    if (grid != noWind) {
      let sampled = sampledAt(grid, middle);
      if (i == 0u) { blown = sampled; } else { change += sampled; }
    }
    grid = system.forceAt;
  }
  for (var axis = 0u; axis < 3u; axis++) { change[axis] -= nearestPartOf(v[axis] - blown[axis], system.drag); }
  var offChanged = 0.0;
  if (anyProgram || offX > 0.0 || offV > 0.0) { offChanged = offAfter(offV, offMiddle); }
  if (anyProgram) {
    // A force that depends on the velocity is asked again, with the mean of the velocities before and after.
    let rounds = select(1u, 2u, system.programSlopes.y > 0.0);
    var push = Push(vec3i(0), 0.0);
    for (var i = 0u; i < rounds; i++) {
      var velocity = vec3f(v);
      var off = offV;
      if (i > 0u) {
        velocity += 0.5 * vec3f(change + push.gain);
        off = 0.50001 * (offV + offChanged + push.off);
      }
      push = pushAt(*steps, middle, offMiddle, velocity, off);
    }
    change += push.gain;
    offChanged += push.off;
    (*steps).made += 1u;
  }
  let faster = v + change;
  // floor((v + v' + 2^shift) / 2^(shift + 1)), without a sum that may not fit.
  let bits = (v & vec3i(1)) + (faster & vec3i(1));
  var mean = (v >> vec3u(1u)) + (faster >> vec3u(1u));
  if (shift == 0u) {
    mean += (bits + vec3i(1)) >> vec3u(1u);
  } else {
    mean = (mean + vec3i(1 << (shift - 1u)) + (bits >> vec3u(1u))) >> vec3u(shift);
  }
  let farther = x + mean;
  if (any(abs(farther) > vec3i(farthestUnits)) || any(abs(faster) > vec3i(farthestUnits))) { return false; }
  (*steps).x = farther;
  (*steps).v = faster;
  (*steps).offV = 1.00001 * offChanged;
  (*steps).offX = 1.00001 * (offX + symmetricOff(offV, (*steps).offV));
  return true;
}

/** The error of a velocity after a step of second order, without that of a program. */
fn offAfter(offV: f32, offMiddle: f32) -> f32 {
  let share = f32(system.drag) * 0x1p-31;
  var after = offV * (1.0 - share);
  if (system.drag > 0u) { after += 1.0; }
  if (system.windAt != noWind) { after += share * sampledOff(system.windAt, offMiddle); }
  if (system.forceAt != noWind) { after += sampledOff(system.forceAt, offMiddle); }
  return after;
}

/** How much farther off a place is after a step of second order, of velocities that are off by these. */
fn symmetricOff(before: f32, after: f32) -> f32 {
  if (before == 0.0 && after == 0.0) { return 0.0; }
  return ldexp(before + after, -1 - i32(system.stepShift)) + 1.0;
}

/** How much farther off a place is after a step that gave these. */
fn stepOff(after: Steps) -> f32 {
  if (after.offV == 0.0) { return 0.0; }
  return ldexp(after.offV, -i32(system.stepShift)) + 1.0;
}

/** The path of a step. The error of the reference's chord is that of its ends. */
fn chordOf(before: Steps, after: Steps) -> Path {
  let x = 0x1p-28 * vec3f(before.x);
  if (secondOrder) { return parabolaOf(before, after); }
  let v = 0x1p-28 * vec3f(after.x - before.x) / stepTime();
  let errorX = 1.7321 * 0x1p-28 * before.offX + system.referenceX + unit * length(x);
  let errorV = 1.7321 * 0x1p-28 * stepOff(after) / stepTime() + system.referenceV + 8.0 * unit * length(v);
  return pathOf(x, v, vec3f(0.0), 1.00001 * errorX, 1.00001 * errorV, 0.0);
}

/** The parabola of a step of second order: it begins with the old velocity and ends where the step does. */
fn parabolaOf(before: Steps, after: Steps) -> Path {
  let time = stepTime();
  let scale = ldexp(1.0, -28 - i32(system.stepShift)) / time;
  let x = 0x1p-28 * vec3f(before.x);
  let v = scale * vec3f(before.v);
  // Exact in integers: what the way is longer than the old velocity says.
  let longer = ((after.x - before.x) << vec3u(system.stepShift)) - before.v;
  let a = (2.0 * scale / time) * vec3f(longer);
  let offWay = ldexp(symmetricOff(before.offV, after.offV), i32(system.stepShift)) + before.offV;
  let errorX = 1.7321 * 0x1p-28 * before.offX + system.referenceX + unit * length(x);
  let errorV = 1.7321 * scale * before.offV + system.referenceV + 8.0 * unit * length(v);
  let errorA = 1.7321 * (2.0 * scale / time) * offWay + 8.0 * unit * length(a);
  return pathOf(x, v, a, 1.00001 * errorX, 1.00001 * errorV, 1.00001 * errorA);
}

/**
 * From the middle of a parabola to the middle of the next, as one: at the join it has the mean of both velocities, and
 * everywhere the mean of both accelerations. Each of the two is within half of their differences of it.
 */
fn parabolasJoined(first: Path, second: Path) -> Path {
  let time = stepTime();
  let ending = first.v + first.a * time;
  let a = 0.5 * (first.a + second.a);
  let joined = 0.5 * (ending + second.v);
  let back = f32(system.stepTicks - halfStep()) * 0x1p-30;
  let v = joined - a * back;
  let x = second.x - (joined - 0.5 * a * back) * back;
  let rounding = 16.0 * unit * (first.speed + second.speed + time * (first.pull + second.pull));
  let differV = 0.5 * length(second.v - ending) + rounding;
  let differA = 0.5 * length(second.a - first.a) + 4.0 * unit * (first.pull + second.pull);
  let errorA = first.errorA + second.errorA + differA;
  let errorV = first.errorV + second.errorV + differV + time * errorA;
  let errorX = max(first.errorX, second.errorX) + 4.0 * unit * second.size + time * errorV;
  return pathOf(x, v, a, 1.00001 * errorX, 1.00001 * errorV, 1.00001 * errorA);
}

/**
 * From the middle of a step to the middle of the next, as one path: its velocity is the mean of the two, and the chords
 * are within half of their difference of it. `at` is where they join; `chord` and `next` are the paths of both steps.
 */
fn joinOf(before: Steps, at: Steps, after: Steps, chord: Path, next: Path) -> Path {
  if (secondOrder) { return parabolasJoined(chord, next); }
  let time = stepTime();
  let first = 0x1p-28 * vec3f(at.x - before.x) / time;
  let second = 0x1p-28 * vec3f(after.x - at.x) / time;
  let v = 0.5 * (first + second);
  let x = 0x1p-28 * vec3f(at.x) - v * (f32(system.stepTicks - halfStep()) * 0x1p-30);
  let differ = 0.5 * length(second - first) + 8.0 * unit * (length(first) + length(second));
  let errorX = 1.7321 * 0x1p-28 * after.offX + time * differ + system.referenceX + 4.0 * unit * (length(x) + length(v) * time);
  let errorV = 1.7321 * 0x1p-28 * max(stepOff(at), stepOff(after)) / time + differ + system.referenceV;
  return pathOf(x, v, vec3f(0.0), 1.00001 * errorX, 1.00001 * errorV, 0.0);
}

/** Ticks to the middle of a step. */
fn halfStep() -> u32 { return system.stepTicks / 2u; }
/** Added to the index of a chord if an impact is about its end. */
const atJoin = 0x10000u;

/** The place after `ticks` ticks, on the chord of the current step; in units of length. */
fn steppedPlace(start: Steps, ticks: u32, rest: f32) -> vec3f {
  var steps = start;
  let count = ticks / system.stepTicks;
  var before = steps;
  for (var i = 0u; i <= count; i++) {
    before = steps;
    if (!makeStep(&steps)) { return vec3f(before.x) * 0x1p-28; }
  }
  let share = (f32(ticks % system.stepTicks) + rest * 0x1p30) / f32(system.stepTicks);
  if (secondOrder) { return placeAt(parabolaOf(before, steps), share * stepTime()); }
  return (vec3f(before.x) + share * vec3f(steps.x - before.x)) * 0x1p-28;
}
