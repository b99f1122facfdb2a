// Closed polygons in the plane: the outlines of solids. They run counter-clockwise unless stated otherwise.

import { aFiniteNumber, checkOptions, lengthAbove0, numbers, type Rules } from '../../core/arguments.ts';
import { unitAt } from '../../math/elementary/angles.ts';
import { aChain, segmentsRule } from '../rules.ts';

/** A point (x, y). */
export type Point2 = readonly [x: number, y: number];
/** The corners of a polygon in order. The last is joined to the first. */
export type Loop = readonly Point2[];

/** The size of a circle and its middle. Lengths are in the user's units. */
export interface CircleOptions {
  /** The radius. Default 1. */
  radius?: number;
  /** The number of corners. Default 64. */
  segments?: number;
  /** The centre. Default: the origin. */
  center?: Point2;
  /** The direction of the first corner, in radians. Default 0. */
  phase?: number;
}

const circleRules: Rules<CircleOptions> = {
  radius: lengthAbove0,
  segments: segmentsRule,
  center: numbers(2),
  phase: aFiniteNumber,
};

/**
 * A regular polygon with its corners on the circle. Corners are `center + radius·direction`, rounded once each. So
 * two circles of one radius, one made around c and one made around 0 and then moved by c, coincide exactly.
 */
export function circle(options: CircleOptions = {}): Loop {
  checkOptions(options, circleRules, 'circle');
  const { radius = 1, segments = 64, center = [0, 0], phase = 0 } = options;
  return Array.from({ length: segments }, (_, i) => {
    const [cos, sin] = direction(i, segments, phase);
    return [center[0] + radius * cos, center[1] + radius * sin] as const;
  });
}

/** The cosine and sine of phase + 2π·i/n, exact in the four axis directions. */
export function direction(i: number, n: number, phase = 0): [number, number] {
  if (phase === 0 && (4 * i) % n === 0) {
    const quarter = ((4 * i) / n) % 4;
    return [[1, 0, -1, 0][quarter], [0, 1, 0, -1][quarter]];
  }
  return unitAt(phase + (2 * Math.PI * i) / n);
}

/** A rectangle between two corners, counter-clockwise if x0 < x1 and y0 < y1. Throws 'bad-option' for what are not finite numbers. */
export function rectangle(x0: number, y0: number, x1: number, y1: number): Loop {
  aFiniteNumber(x0, 'x0');
  aFiniteNumber(y0, 'y0');
  aFiniteNumber(x1, 'x1');
  aFiniteNumber(y1, 'y1');
  return [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
  ];
}

export const reversed = (loop: Loop): Loop => [...loop].reverse();

export function signedArea(loop: Loop): number {
  let twice = 0;
  for (let i = 0; i < loop.length; i++) {
    const [x0, y0] = loop[i];
    const [x1, y1] = loop[(i + 1) % loop.length];
    twice += x0 * y1 - x1 * y0;
  }
  return twice / 2;
}

/**
 * The convex hull of points (Andrew's monotone chain), counter-clockwise: outlines such as a belt around several circles.
 * Throws 'bad-option' for what are not points.
 */
export function hull(points: readonly Point2[]): Loop {
  aChain(0)(points, 'points');
  const sorted = [...points].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const half = (input: readonly Point2[]): Point2[] => {
    const chain: Point2[] = [];
    for (const p of input) {
      while (chain.length >= 2 && turn(chain[chain.length - 2], chain[chain.length - 1], p) <= 0) chain.pop();
      chain.push(p);
    }
    chain.pop();
    return chain;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

const turn = (a: Point2, b: Point2, c: Point2): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
