// A force given as WGSL: the application's module has `acceleration`, in world units. What it adds to a velocity in a
// step differs from what the TypeScript adds (motion/stepped/force-program.ts). The stated slopes and error bound the
// difference (gpu/filter.md, section 6).

/** Whether there is one: otherwise its code is left out of the kernel. */
override anyProgram: bool;

struct Push {
  /** The gain of the velocity, and how far the TypeScript's may be from it, in units of velocity. */
  gain: vec3i,
  off: f32,
}

/** A bound that is larger than any error. */
const anythingOff = 0x1p30;

/** For the middle of a step and a velocity in the steps' units, each known to within its error per coordinate. */
fn pushAt(steps: Steps, middle: vec3i, offMiddle: f32, v: vec3f, offV: f32) -> Push {
  let scale = system.programScale;
  let slopes = system.programSlopes;
  let near = system.programOrigin.w * vec3f(middle);
  let velocity = scale.x * v;
  let since = (f32(steps.made) + 0.5) * scale.z;
  let pull = acceleration(system.programOrigin.xyz + near, velocity, steps.began + since);
  let isFinite = all((bitcast<vec3u>(pull) & vec3u(0x7f800000u)) != vec3u(0x7f800000u));
  if (!isFinite || largest(pull) > 1.0001 * (scale.w + slopes.w)) { return Push(vec3i(0), anythingOff); }
  let offPlace = 1.7321 * system.programOrigin.w * offMiddle + 4.0 * unit * (length(near) + length(system.programOrigin.xyz));
  let offVelocity = 1.7321 * scale.x * offV + 8.0 * unit * length(velocity);
  let offTime = steps.offBegan + 8.0 * unit * (abs(steps.began) + since);
  let offPull = slopes.x * offPlace + slopes.y * offVelocity + slopes.z * offTime + slopes.w;
  let gain = scale.y * pull;
  return Push(vec3i(round(gain)), 1.0001 * (scale.y * offPull + 4.0 * unit * largest(gain)) + 1.0);
}

/** The same steps, which begin so many ticks after a birth. */
fn begunAt(steps: Steps, index: u32, generation: u32, since: u32, timeError: f32) -> Steps {
  var begun = steps;
  if (anyProgram) {
    let born = addWide(birthTicksOf(index), multiplyWide(generation, lifeTicksOf(index)));
    let at = addWide(born, vec2u(since, 0u));
    begun.began = (f32(i32(at.y)) * 0x1p32 + f32(at.x)) * system.tickSeconds;
    begun.offBegan = (1.0001 * 0x1p30) * timeError * system.tickSeconds + 8.0 * unit * (abs(begun.began) + 0x1p32 * system.tickSeconds);
  }
  return begun;
}
