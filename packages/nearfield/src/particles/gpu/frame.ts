// The frame the GPU computes in: the setup's origin and powers of two for lengths and times, so that numbers are about
// 1 and only the rounding of a start or a collider is lost; and the system's constants in it.

import { bad } from '../../core/arguments.ts';
import { largestBinding } from '../../gpu/buffers/buffers.ts';
import type { Vector } from '../colliders/shapes.ts';
import type { CompiledRegion, CompiledStepped, Setup, SpreadTicks } from '../compiled.ts';
import { relativeOrigin } from '../motion/stepped/force-program.ts';
import { unitsOfGain, unitsOfPlace, unitsOfVelocity } from '../motion/stepped/stepped.ts';
import { SystemLayout, startKinds } from './layouts.ts';

/** WGSL's unit of rounding (math/gpu/filter.md). */
export const unit = 2 ** -23;

/** Clamps to ±2^60, which stands for infinity. */
export const clipped = (value: number): number => Math.max(-(2 ** 60), Math.min(2 ** 60, value));

export class Frame {
  readonly origin: readonly [number, number, number];
  /** World units per unit of length, seconds per unit of time; the factors for velocities and accelerations. */
  readonly length: number;
  readonly time: number;
  readonly velocity: number;
  readonly acceleration: number;
  /** How far the reference's own rounding may move a place, and a velocity. */
  readonly referenceX: number;
  readonly referenceV: number;

  constructor({ origin, lengthExponent, timeExponent }: Setup, greatestSpeed: number) {
    this.origin = origin;
    this.length = 2 ** lengthExponent;
    this.time = 2 ** timeExponent;
    this.velocity = 2 ** (timeExponent - lengthExponent);
    this.acceleration = 2 ** (2 * timeExponent - lengthExponent);
    const reach = Math.hypot(...origin) / this.length + 2;
    this.referenceX = 2 ** -38 * reach + 2 ** -40;
    this.referenceV = 2 ** -46 * greatestSpeed * this.velocity + 2 ** -40;
  }

  /** A place's coordinate along an axis. */
  place(value: number, axis: number): number {
    return clipped((value - this.origin[axis]) / this.length);
  }
}

/** Rows of four words kept per particle. */
export const rowsOfLife = ({ bounces, stepped }: Setup): number => (bounces || stepped !== undefined ? 4 : 1);

/** The most particles one chunk may have on a device, so that every binding fits. */
export function chunkOf(device: GPUDevice, setup: Setup): number {
  const bytes = Math.max(16 * rowsOfLife(setup), setup.start.kind === 'arrays' ? 48 : 16);
  return Math.floor((largestBinding(device) - 256) / bytes);
}

/** A bound of any start's speed, in world units. */
export function startSpeed({ start }: Setup): number {
  if (start.kind === 'rule') {
    const { box } = start.velocity;
    return Math.hypot(...[0, 1, 2].map(axis => Math.max(Math.abs(box[axis]), Math.abs(box[axis + 3]))));
  }
  let most = 0;
  for (let i = 0; i < start.velocity.length; i++) most = Math.max(most, Math.abs(start.velocity[i]));
  for (let i = 3; i < 6; i++) most += Math.abs(start.vary?.[i] ?? 0);
  return Math.sqrt(3) * most;
}

/** The words of the `System` for the particles from `first` on. */
export function systemWords(
  setup: Setup,
  frame: Frame,
  first: number,
  count: number,
): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(SystemLayout.words);
  const floats = new Float32Array(words.buffer);
  const { at } = SystemLayout;
  const pull = setup.acceleration.map(value => value * frame.acceleration);
  floats.set(pull, at.acceleration);
  floats[at.acceleration + 3] = 2 * unit * Math.hypot(...pull) + 2 ** -60;
  floats[at.referenceX] = frame.referenceX;
  floats[at.referenceV] = frame.referenceV;
  floats[at.scale] = frame.length;
  floats[at.speedScale] = 1 / frame.velocity;
  floats[at.tickSeconds] = setup.tick;
  words[at.count] = count;
  words[at.first] = first;
  words[at.seed] = setup.seed;
  words[at.generations] = Math.min(setup.generations, 2 ** 32 - 1);
  words[at.stride] = rowsOfLife(setup);
  const { start, stepped } = setup;
  if (stepped !== undefined) {
    words.set(stepped.gain, at.gain);
    words[at.stepTicks] = stepped.stepTicks;
    words[at.stepShift] = stepped.shift;
    words[at.drag] = stepped.drag;
    floats[at.steppedVelocity] = stepped.perStep / frame.velocity;
    writeProgram(floats, stepped, setup.origin);
  }
  if (start.kind === 'arrays') {
    words[at.positionKind] = startKinds.arrays;
    if (start.vary !== undefined) {
      words[at.varies] = 1;
      for (let axis = 0; axis < 3; axis++) {
        floats[at.position + axis] = start.vary[axis] / frame.length;
        floats[at.velocity + axis] = start.vary[3 + axis] * frame.velocity;
      }
      floats[at.startErrorX] = 8 * unit * (Math.hypot(...start.vary.subarray(0, 3)) / frame.length + 2);
      floats[at.startErrorV] = 8 * unit * Math.hypot(...start.vary.subarray(3)) * frame.velocity;
    }
    return words;
  }
  words[at.positionKind] = startKinds[start.from.kind];
  words[at.velocityKind] = startKinds[start.velocity.kind];
  const places = regionNumbers(start.from, (value, axis) => frame.place(value, axis), 1 / frame.length);
  const speeds = regionNumbers(start.velocity, value => value * frame.velocity, frame.velocity);
  floats.set(places, at.position);
  floats.set(speeds, at.velocity);
  // Sums and products of a box round three times; sines and roots of the others more often.
  const roundings = (kind: CompiledRegion['kind']) => (kind === 'point' || kind === 'box' ? 4 : 16);
  floats[at.startErrorX] = roundings(start.from.kind) * unit * Math.hypot(...places);
  const fastest =
    start.velocity.kind === 'cone'
      ? 2 * (Math.abs(speeds[10]) + Math.abs(speeds[11]))
      : Math.hypot(...speeds);
  floats[at.startErrorV] = roundings(start.velocity.kind) * unit * fastest;
  spread(words, setup.lifeTicks as SpreadTicks, at.lifeBase, undefined, at.lifeAbove, at.lifeBelow);
  const births = setup.birthTicks as SpreadTicks;
  spread(words, births, at.birthBaseLow, at.birthBaseHigh, at.birthAbove, at.birthBelow);
  return words;
}

/** The numbers of a force given as WGSL. Bounds are rounded up, so that none is flushed to 0. */
function writeProgram(floats: Float32Array, stepped: CompiledStepped, origin: Vector): void {
  const { program, unit: length, perStep, gainTime, step } = stepped;
  if (program === undefined) return;
  const { at } = SystemLayout;
  const { slopes, error, greatest } = program;
  const up = (bound: number) => (bound > 0 ? Math.max(2 ** -100, bound * (1 + unit)) : 0);
  floats.set([...relativeOrigin(program, origin), length], at.programOrigin);
  floats.set([1 / perStep, gainTime * perStep, step, up(greatest)], at.programScale);
  floats.set([up(slopes.place), up(slopes.velocity), up(slopes.time), up(error)], at.programSlopes);
  const written = floats.subarray(at.programOrigin, at.programOrigin + 12);
  if (!written.every(Number.isFinite)) throw bad('motion: force: too large for single precision');
}

/** The numbers of a region in the frame: its place, and its lengths measured from there. */
function regionNumbers(
  { kind, numbers }: CompiledRegion,
  place: (value: number, axis: number) => number,
  scale: number,
): number[] {
  // A cone's axes have no unit, but its speeds do.
  if (kind === 'cone') return Array.from(numbers, (value, i) => (i < 10 ? value : value * scale));
  return Array.from(numbers, (value, i) => (i < 3 ? place(value, i) : value * scale));
}

function spread(
  words: Uint32Array,
  { base, range }: SpreadTicks,
  low: number,
  high: number | undefined,
  above: number,
  below: number,
): void {
  words[low] = lowWord(base);
  if (high !== undefined) words[high] = highWord(base);
  words[above] = Math.floor(range * 2 ** -24);
  words[below] = range - Math.floor(range * 2 ** -24) * 2 ** 24;
}

/** The two words of an integer; negative ones as two's complement. */
export const lowWord = (value: number): number => value - Math.floor(value * 2 ** -32) * 2 ** 32;
export const highWord = (value: number): number => Math.floor(value * 2 ** -32) >>> 0;

/**
 * Starts from arrays, as start.wgsl reads them: three rows per particle; with stepped motion in its integers
 * (stepped.wgsl).
 */
export function startWords(
  setup: Setup,
  frame: Frame,
  first: number,
  count: number,
): Uint32Array<ArrayBuffer> {
  const { start, stepped, lifeTicks, birthTicks } = setup;
  if (start.kind !== 'arrays') return new Uint32Array(4);
  const words = new Uint32Array(12 * count);
  const floats = new Float32Array(words.buffer);
  const lives = lifeTicks as Uint32Array | SpreadTicks;
  const births = birthTicks as Float64Array | SpreadTicks;
  for (let i = 0; i < count; i++) {
    const particle = first + i;
    const at = 12 * i;
    for (let axis = 0; axis < 3; axis++) {
      floats[at + axis] = frame.place(start.position[3 * particle + axis], axis);
      floats[at + 4 + axis] = start.velocity[3 * particle + axis] * frame.velocity;
      const pull = start.acceleration?.[3 * particle + axis] ?? setup.acceleration[axis];
      floats[at + 8 + axis] = pull * frame.acceleration;
      if (stepped === undefined) continue;
      words[at + axis] = unitsOfPlace(stepped, setup.origin[axis], start.position[3 * particle + axis]);
      words[at + 4 + axis] = unitsOfVelocity(stepped, start.velocity[3 * particle + axis]);
      words[at + 8 + axis] = unitsOfGain(stepped, pull);
    }
    // With arrays a distribution has no range: all are alike.
    const birth = 'range' in births ? births.base : births[particle];
    words[at + 3] = 'range' in lives ? lives.base : lives[particle];
    words[at + 7] = lowWord(birth);
    words[at + 11] = highWord(birth);
  }
  return words;
}
