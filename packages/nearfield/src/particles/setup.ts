// Checks options once and compiles them into what engines and lives work with (compiled.ts).

import {
  anything,
  arrayOf,
  bad,
  checkOptions,
  inWords,
  isObject,
  type Rule,
  type Rules,
} from '../core/arguments.ts';
import { type Box, emptyBox, growBox } from '../math/box.ts';
import { gridBox } from '../sampled/field/grid.ts';
import { atLeastZero, finiteArray, finiteNumber, finiteVector, positive, wholeNumber } from './check.ts';
import { compileColliders, treeOf, withRestSpeed } from './colliders/compile.ts';
import type { Collider, Range, Vector } from './colliders/shapes.ts';
import {
  birthChannel,
  type CompiledCollider,
  type CompiledStart,
  lifeChannel,
  positionChannel,
  type Setup,
  type SpreadTicks,
  velocityChannel,
} from './compiled.ts';
import { checkMap } from './maps/map.ts';
import { checkSurfaceData } from './maps/surface-data.ts';
import { compileRegion } from './motion/start/regions.ts';
import { compileStepped, forcesOf, stepRestSpeed, windSpeed } from './motion/stepped/stepped.ts';
import { checkProgram } from './motion/stepped/try-program.ts';
import { exponentOf } from './motion/ticks.ts';
import type { ParticleOptions, StartArrays, StartRule, Vary } from './options.ts';

const mostParticles = 2 ** 26;

const wholeFrom =
  (low: number, high: number): Rule =>
  (given, what) =>
    wholeNumber(given, low, high, what);

/** The part of a setup that does not depend on colliders. */
type Motions = Omit<Setup, 'colliders' | 'tree' | 'origin' | 'lengthExponent' | 'bounces' | 'stepped'>;

export function compileSetup(options: ParticleOptions): Setup {
  checkOptions(options, particleRules, 'particles');
  const motions = compileMotions(options);
  return withColliders(motions, options, options.colliders);
}

const particleRules: Rules<ParticleOptions> = {
  count: wholeFrom(1, mostParticles),
  seed: wholeFrom(0, 2 ** 32 - 1),
  start: anything,
  acceleration: finiteVector,
  motion: anything,
  colliders: anything,
  response: anything,
  generations: (given, what) => given === Infinity || wholeNumber(given, 1, 2 ** 32 - 1, what),
};
const aRange: Rule = (given, what) => rangeOf(given as Range, what);
const arraysRules: Rules<StartArrays> = {
  ...{ position: anything, velocity: anything, acceleration: anything, life: anything, birth: anything },
  vary: (given, what) => checkOptions(given as Vary, varyRules, what, 'vary'),
};
const varyRules: Rules<Vary> = { position: finiteVector, velocity: finiteVector };
const startRules: Rules<StartRule> = { from: anything, velocity: anything, life: aRange, birth: aRange };

/** The same particles with other colliders. */
export function compileOtherColliders(
  setup: Setup,
  options: ParticleOptions,
  colliders: readonly Collider[],
): Setup {
  return withColliders(setup, options, colliders);
}

function withColliders(motions: Motions, options: ParticleOptions, given: readonly Collider[]): Setup {
  const { longestLifeTicks, tick } = motions;
  const life = longestLifeTicks * tick;
  const { places, speed, acceleration: common } = reachOf(motions);
  const { response = { kind: 'vanish' } } = options;
  const asGiven = compileColliders(given, response);
  for (const collider of asGiven) {
    checkMap(collider);
    checkSurfaceData(collider);
  }
  const around = places.slice();
  for (const { box, bounded } of asGiven) {
    if (!bounded) continue;
    growBox(around, box[0], box[1], box[2]);
    growBox(around, box[3], box[4], box[5]);
  }
  const blown = windSpeed(options.motion);
  const forces = forcesOf(options.motion);
  const acceleration = common + (forces?.greatest ?? 0);
  for (const grid of [options.motion?.wind?.grid, forces?.grid]) {
    if (grid === undefined) continue;
    const box = gridBox(grid);
    growBox(around, box[0], box[1], box[2]);
    growBox(around, box[3], box[4], box[5]);
  }
  const origin = [0, 1, 2].map(axis => 0.5 * around[axis] + 0.5 * around[axis + 3]) as unknown as Vector;
  const half = Math.max(...[0, 1, 2].map(axis => 0.5 * (around[axis + 3] - around[axis])));
  const reach = half + (speed + blown + 0.5 * acceleration * life) * life;
  const lengthExponent = reach > 0 ? exponentOf(reach) : 0;
  const slowest = usualRestSpeed(asGiven, around, speed + blown, acceleration, life);
  // In stepped motion, the rest speed is at least the lowest speed that can be told from rest.
  const told = options.motion === undefined ? 0 : stepRestSpeed(options.motion, tick, lengthExponent);
  const colliders = withRestSpeed(asGiven, Math.max(slowest, told));
  const setup = {
    ...motions,
    colliders,
    tree: treeOf(colliders),
    origin,
    lengthExponent,
    bounces: colliders.some(collider => collider.response.bounces),
  };
  const fastest = speed + blown + acceleration * life;
  const whole = { ...setup, stepped: compileStepped(options.motion, setup, fastest, forces) };
  if (forces?.program !== undefined) checkProgram(whole);
  return whole;
}

/**
 * The default rest speed of responses: 0.1 % of the typical speed of particles. That is the speed of a start, plus what
 * a fall through the system gains: from one end of the starts and colliders to the other √(2·a·extent), or a·life if
 * lives are shorter than that takes. A particle that falls for longer falls past everything.
 */
function usualRestSpeed(
  colliders: readonly CompiledCollider[],
  around: Box,
  speed: number,
  acceleration: number,
  life: number,
): number {
  const box = around.slice();
  const middle = [0, 1, 2].map(axis => 0.5 * around[axis] + 0.5 * around[axis + 3]);
  for (const { bounded, plane, quadric } of colliders) {
    if (bounded) continue;
    // For unbounded colliders, the nearest place: exact for a plane, approximate for a quadric.
    let nearest: readonly number[] = quadric?.centre ?? middle;
    if (plane !== undefined) {
      const { normal, point } = plane;
      const height = normal.reduce((sum, value, axis) => sum + value * (middle[axis] - point[axis]), 0);
      nearest = middle.map((value, axis) => value - height * normal[axis]);
    }
    growBox(box, nearest[0], nearest[1], nearest[2]);
  }
  const extent = Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  const fall = extent > 0 ? Math.min(acceleration * life, Math.sqrt(2 * acceleration * extent)) : 0;
  const usual = 0.001 * (speed + fall);
  return usual > 0 ? usual : Math.max(0.001 * acceleration * life, Number.MIN_VALUE * 2 ** 60);
}

function compileMotions(options: ParticleOptions): Motions {
  const { start } = options;
  const count = wholeNumber(options.count, 1, mostParticles, 'count');
  const { seed = 1, generations = Infinity } = options;
  const acceleration = finiteVector(options.acceleration ?? [0, 0, 0], 'acceleration');
  if (!isObject(start)) throw bad(`start must be arrays or a rule, not ${inWords(start)}`);
  if ('position' in start) checkOptions(start, arraysRules, 'particles', 'start');
  else checkOptions(start, startRules, 'particles', 'start');
  const compiled = 'position' in start ? compileArrays(start, count) : compileRule(start);
  const [shortest, longest] = 'position' in start ? livesOf(start.life, count) : rangeOf(start.life, 'life');
  if (!(shortest > 0)) throw bad(`life must be above 0, not ${shortest}`);
  const timeExponent = exponentOf(longest);
  const tick = 2 ** (timeExponent - 30);
  const inTicks = (seconds: number) => Math.round(seconds / tick);
  const lifeTicks = (seconds: number) => Math.max(1, inTicks(seconds));
  const spread = (
    [low, high]: Range,
    channel: number,
    convert: (seconds: number) => number,
  ): SpreadTicks => ({
    base: convert(low),
    range: convert(high) - convert(low),
    channel,
  });
  const lives =
    'position' in start && typeof start.life !== 'number'
      ? Uint32Array.from(start.life, lifeTicks)
      : spread([shortest, longest], lifeChannel, lifeTicks);
  const births = 'position' in start ? (start.birth ?? 0) : (start.birth ?? ([0, longest] as const));
  if (ArrayBuffer.isView(births)) finiteArray(arrayOf(births, 'birth', Float64Array), count, 1, 'birth');
  const birthTicks =
    births instanceof Float64Array
      ? births.map(inTicks)
      : spread(rangeOf(births as Range | number, 'birth'), birthChannel, inTicks);
  const [first, last] =
    birthTicks instanceof Float64Array
      ? extremes(birthTicks)
      : [birthTicks.base, birthTicks.base + birthTicks.range];
  if (Math.max(Math.abs(first), Math.abs(last)) > 2 ** 52) {
    throw bad(
      `a birth is ${Math.max(Math.abs(first), Math.abs(last)) * tick} s away from 0, more than 2^52 ticks of ${tick} s`,
    );
  }
  // Generations are counted in 32 bits, from the earliest birth on.
  const mostTicks = Math.min(2 ** 53, lifeTicks(shortest) * (2 ** 32 - 2) + Math.min(0, first));
  if (!(mostTicks > 0)) {
    throw bad(`a birth is ${-first * tick} s before 0, more than 2^32 of the shortest lives, ${shortest} s`);
  }
  return {
    count,
    seed,
    tick,
    timeExponent,
    lifeTicks: lives,
    birthTicks,
    longestLifeTicks: lifeTicks(longest),
    shortestLifeTicks: lifeTicks(shortest),
    mostTicks,
    start: compiled,
    acceleration,
    generations,
  };
}

function compileArrays(start: StartArrays, count: number): CompiledStart {
  finiteArray(start.position, 3 * count, 3, 'position');
  finiteArray(start.velocity, 3 * count, 3, 'velocity');
  if (start.acceleration !== undefined) finiteArray(start.acceleration, 3 * count, 3, 'acceleration');
  const { position, velocity, acceleration, vary } = start;
  let widths: Float64Array | undefined;
  if (vary !== undefined) {
    const half = (value: Vector | undefined, what: string) =>
      finiteVector(value ?? [0, 0, 0], what).map(each => atLeastZero(each, what));
    widths = Float64Array.from([
      ...half(vary.position, 'vary: position'),
      ...half(vary.velocity, 'vary: velocity'),
    ]);
  }
  return { kind: 'arrays', position, velocity, acceleration, vary: widths };
}

function compileRule(start: StartRule): CompiledStart {
  const from = compileRegion(start.from, positionChannel, 'from');
  if (from.kind === 'cone') throw bad('from: a cone is for velocities, not for positions');
  return { kind: 'rule', from, velocity: compileRegion(start.velocity, velocityChannel, 'velocity') };
}

function livesOf(life: number | Float64Array, count: number): Range {
  if (typeof life === 'number') return rangeOf(life, 'life');
  finiteArray(arrayOf(life, 'life', Float64Array), count, 1, 'life');
  const [shortest, longest] = extremes(life);
  if (!(shortest > 0))
    throw bad(`life of particle ${life.indexOf(shortest)} must be above 0, not ${shortest}`);
  return [shortest, longest];
}

function rangeOf(given: Range | number, what: string): Range {
  if (typeof given === 'number') {
    finiteNumber(given, what);
    if (what === 'life') positive(given, what);
    return [given, given];
  }
  if (!Array.isArray(given) || given.length !== 2)
    throw bad(`${what} must be a number or two numbers, not ${inWords(given)}`);
  const [low, high] = given.map(value => finiteNumber(value, what));
  if (low > high)
    throw bad(`${what} goes from ${low} to ${high}: the first number must not exceed the second`);
  return [low, high];
}

function extremes(values: ArrayLike<number>): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    if (values[i] < low) low = values[i];
    if (values[i] > high) high = values[i];
  }
  return [low, high];
}

/** The box of all starts, the greatest speed of a start, and the greatest acceleration. */
function reachOf({ start, acceleration }: Motions): { places: Box; speed: number; acceleration: number } {
  const places = emptyBox();
  let speed = 0;
  let fastest = Math.hypot(...acceleration);
  if (start.kind === 'rule') {
    const { box } = start.velocity;
    places.set(start.from.box);
    speed = Math.hypot(...[0, 1, 2].map(axis => Math.max(Math.abs(box[axis]), Math.abs(box[axis + 3]))));
    return { places, speed, acceleration: fastest };
  }
  const { position, velocity, vary } = start;
  let squared = 0;
  let squaredGain = 0;
  for (let i = 0; i < position.length; i += 3) {
    growBox(places, position[i], position[i + 1], position[i + 2]);
    squared = Math.max(squared, velocity[i] ** 2 + velocity[i + 1] ** 2 + velocity[i + 2] ** 2);
    if (start.acceleration === undefined) continue;
    const a = start.acceleration;
    squaredGain = Math.max(squaredGain, a[i] ** 2 + a[i + 1] ** 2 + a[i + 2] ** 2);
  }
  speed = Math.sqrt(squared);
  if (start.acceleration !== undefined) fastest = Math.sqrt(squaredGain);
  if (vary !== undefined) {
    for (let axis = 0; axis < 3; axis++) {
      places[axis] -= vary[axis];
      places[axis + 3] += vary[axis];
    }
    speed += Math.hypot(vary[3], vary[4], vary[5]);
  }
  return { places, speed, acceleration: fastest };
}
