// Sine, exponential and similar functions for applications: they check first that arguments are numbers. Infinities
// and NaN count as numbers, as in `Math`: the exponential of -Infinity is 0. The library itself calls the unchecked
// functions, millions of times.

import { aNumber } from '../core/arguments.ts';
import * as angles from '../math/elementary/angles.ts';
import * as powers from '../math/elementary/powers.ts';

const anyNumber = aNumber('a number', () => true);

const looked = <R>(of: (x: number) => R, name: string): ((x: number) => R) => {
  return x => {
    anyNumber(x, name);
    return of(x);
  };
};

export const sine = looked(angles.sine, 'angle');
export const cosine = looked(angles.cosine, 'angle');
export const unitAt = looked(angles.unitAt, 'angle');
export const arccosine = looked(angles.arccosine, 'cosine');
export const exponential = looked(powers.exponential, 'x');
export const logarithm = looked(powers.logarithm, 'x');
export const cubeRoot = looked(powers.cubeRoot, 'x');
export const arctangent = (y: number, x: number): number => {
  anyNumber(y, 'y');
  anyNumber(x, 'x');
  return angles.arctangent(y, x);
};
