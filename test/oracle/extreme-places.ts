// Places the shapes of extremes.ts: rotated, sheared, stretched along an axis, far from the origin, at any size.

import { type Random, whole } from './triangles/generators.ts';

export interface ExtremeLimits {
  /** The maximum ratio of length to width. */
  readonly aspect?: number;
  /** Sizes are multiplied by powers of two from −exponent to exponent. */
  readonly exponent?: number;
}

/** Beyond 2^980, a shape sheared by 10^12 could overflow; below 2^-980 widths become denormal and shapes flat. */
export const widest: Required<ExtremeLimits> = { aspect: 1e12, exponent: 980 };
/** Ordinary sizes, for questions whose answers are squares and cubes of lengths. */
export const moderate: Required<ExtremeLimits> = { aspect: 1e6, exponent: 30 };

export type Point = readonly [number, number, number];

/** 1 to `most`, with equal probability per order of magnitude. */
export const upTo = (random: Random, most: number): number => 10 ** (random() * Math.log10(most));

export const chosen = <T>(random: Random, from: readonly T[]): T => from[whole(random, 0, from.length - 1)];

/** Along the axes in any order and sense, which is exact, or with any rotation. */
export function turn(random: Random, points: readonly Point[]): Point[] {
  if (random() < 0.4) {
    const axes = chosen(random, [
      [0, 1, 2],
      [1, 2, 0],
      [2, 0, 1],
      [0, 2, 1],
      [2, 1, 0],
      [1, 0, 2],
    ]);
    const signs = [0, 1, 2].map(() => (random() < 0.5 ? -1 : 1));
    return points.map(point => axes.map((axis, k) => signs[k] * point[axis]) as unknown as Point);
  }
  // A unit quaternion.
  const q = Array.from({ length: 4 }, () => 2 * random() - 1);
  const length = Math.hypot(...q) || 1;
  const [w, x, y, z] = q.map(value => value / length);
  const rows = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
  return points.map(
    point => rows.map(row => row[0] * point[0] + row[1] * point[1] + row[2] * point[2]) as unknown as Point,
  );
}

export interface Placement {
  readonly kind: string;
  place(points: readonly Point[]): Point[];
}

/** Places a shape of size 1: unchanged, sheared, stretched, far away, at any size. */
export function placement(random: Random, limits: ExtremeLimits): Placement {
  const { aspect, exponent } = { ...widest, ...limits };
  const [along, by] = chosen(random, [
    [0, 1],
    [1, 2],
    [2, 0],
    [1, 0],
    [2, 1],
    [0, 2],
  ]);
  const factor = upTo(random, aspect) * (random() < 0.5 ? -1 : 1);
  const bits = whole(random, -exponent, exponent);
  const axisBits = whole(random, -40, 40);
  const offset = [0, 1, 2].map(() => (random() < 0.3 ? 0 : (random() < 0.5 ? -1 : 1) * upTo(random, 1e8)));
  const grain = random() < 0.5;
  const each =
    (change: (value: number, axis: number, point: Point) => number) => (points: readonly Point[]) =>
      points.map(point => point.map((value, axis) => change(value, axis, point)) as unknown as Point);
  const all: readonly Placement[] = [
    { kind: 'as it is', place: each(value => value) },
    {
      kind: `sheared by ${factor.toExponential(1)}`,
      place: each((value, axis, point) => (axis === along ? value + factor * point[by] : value)),
    },
    {
      kind: `stretched by 2^${axisBits} along ${'xyz'[along]}`,
      place: each((value, axis) => (axis === along ? value * 2 ** axisBits : value)),
    },
    {
      kind: `at ${offset.map(value => value.toExponential(1))}`,
      place: each((value, axis) => value + (grain ? Math.round(offset[axis]) : offset[axis])),
    },
    { kind: `times 2^${bits}`, place: each(value => value * 2 ** bits) },
  ];
  const one = chosen(random, all);
  // A fifth of the placed shapes also change size.
  if (random() >= 0.2 || one === all[4]) return one;
  return { kind: `${one.kind}, times 2^${bits}`, place: points => all[4].place(one.place(points)) };
}
