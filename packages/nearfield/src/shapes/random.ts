// A small seeded random generator for generated shapes, tests and benchmarks: a 32-bit counter with a full period (an
// odd step), whitened by a multiply-xorshift mixing function. The same seed gives the same numbers on every machine:
// it uses 32-bit integer arithmetic, and for directions a sine that is the same everywhere.

import { aFiniteNumber, aNumber } from '../core/arguments.ts';
import { unitAt } from '../math/elementary/angles.ts';

/** A source of random numbers. */
export interface Random {
  /** 32 random bits, 0 to 2³² − 1. */
  bits(): number;
  /** A multiple of 2⁻⁵³ in [0, 1). */
  next(): number;
  /** A number in [low, high). */
  between(low: number, high: number): number;
  /** An integer from 0 to below − 1. */
  integer(below: number): number;
  /** A unit vector, evenly spread over the sphere. */
  direction(): [number, number, number];
}

const aBound = aNumber('a finite number, 0 or more', value => value >= 0 && value < Infinity);

/** Random numbers that are the same for the same seed, in every JavaScript engine. Throws 'bad-option' for a seed that is not finite. */
export function createRandom(seed: number): Random {
  aFiniteNumber(seed, 'seed');
  let counter = mix(seed | 0);
  const bits = () => mix((counter = (counter + 0x9e3779b9) | 0)) >>> 0;
  const next = () => ((bits() >>> 5) * 2 ** 26 + (bits() >>> 6)) * 2 ** -53;
  return {
    bits,
    next,
    between(low, high) {
      aFiniteNumber(low, 'low');
      aFiniteNumber(high, 'high');
      return low + (high - low) * next();
    },
    integer(below) {
      aBound(below, 'below');
      return Math.floor(next() * below);
    },
    direction() {
      const z = 2 * next() - 1;
      const [cos, sin] = unitAt(2 * Math.PI * next());
      const r = Math.sqrt(1 - z * z);
      return [r * cos, r * sin, z];
    },
  };
}

/** A bijection on 32-bit integers that spreads every input bit over every output bit. */
export function mix(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}
