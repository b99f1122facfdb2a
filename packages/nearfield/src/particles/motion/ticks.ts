// Time in whole ticks. A tick is 2^(e − 30) seconds, where 2^e is the least power of two that no life exceeds. So
// births, life spans and generations are integers: the same on every backend and at any time, and nothing is lost late
// in a run. Everything else is relative to a birth.
//
// Generation k of a particle lives from T = (birth + k·life)·tick to before T + life·tick. T is exact: an integer below
// 2^53 times a power of two.

import type { Setup, SpreadTicks } from '../compiled.ts';
import { hash } from './start/hash.ts';

/** The least e with 2^e ≥ life. */
export function exponentOf(life: number): number {
  let e = Math.ceil(Math.log2(life));
  while (2 ** e < life) e++;
  while (2 ** (e - 1) >= life) e--;
  return e;
}

/**
 * base + floor(range·h / 2^24), h of 24 bits. range = q·2^24 + r: q·h and r·h are whole numbers below 2^53, so nothing
 * is rounded.
 */
export function spreadTicks({ base, range, channel }: SpreadTicks, seed: number, particle: number): number {
  if (range === 0) return base;
  const h = hash(seed, particle, 0, channel) >>> 8;
  const q = Math.floor(range * 2 ** -24);
  const r = range - q * 2 ** 24;
  return base + (q * h + Math.floor(r * h * 2 ** -24));
}

export const lifeTicksOf = ({ lifeTicks, seed }: Setup, particle: number): number =>
  'range' in lifeTicks ? spreadTicks(lifeTicks, seed, particle) : lifeTicks[particle];

export const birthTicksOf = ({ birthTicks, seed }: Setup, particle: number): number =>
  'range' in birthTicks ? spreadTicks(birthTicks, seed, particle) : birthTicks[particle];

/**
 * The generation that lives at a time in ticks (any number): floor((time − birth) / life), exactly. Negative before
 * birth.
 */
export function generationAt(timeTicks: number, birth: number, life: number): number {
  // The difference may round, up to a whole life if the time is a fraction just below one: k is then corrected by
  // products that are exact, whole numbers below 2^53.
  let k = Math.floor((timeTicks - birth) / life);
  while (birth + k * life > timeTicks) k--;
  while (birth + (k + 1) * life <= timeTicks) k++;
  return k;
}
