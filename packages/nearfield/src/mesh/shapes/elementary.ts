// Sine, exponential and their like as applications call them: arguments are looked at first. Inside the library they are called
// as they are, millions of times.

import { aFiniteNumber } from '../../arguments.ts';
import * as angles from '../../math/elementary/angles.ts';
import * as powers from '../../math/elementary/powers.ts';

const looked = <R>(of: (x: number) => R, name: string): ((x: number) => R) => {
  return x => {
    if (!Number.isFinite(x)) aFiniteNumber(x, name);
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
  if (!Number.isFinite(y)) aFiniteNumber(y, 'y');
  if (!Number.isFinite(x)) aFiniteNumber(x, 'x');
  return angles.arctangent(y, x);
};
