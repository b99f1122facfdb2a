// Where do two surfaces, or sheets of one surface, cancel? From one side of a plane to the other, a body's winding
// number changes by the sum of its triangles there: plus one for each whose normal points one way, minus one for each
// of the others. This sum, the coverage, is a function on the plane. Where A's coverage is 0, A's winding number does
// not change, however many triangles lie there. Where x times A's coverage plus y times B's is 0, x times A's winding
// number plus y times B's does not change. That combination is called the difference of the bodies here. With x, y ≠ 0
// it is nonzero wherever a point is in one body alone. If the difference changes nowhere, it is 0 everywhere, and no
// point is in one body alone. Examples: x = −y = 1 for a surface and the same surface triangulated differently; x = 2,
// y = −1 for a surface and the same surface repeated twice.
//
// Coverage is compared stack by stack (overlaps.ts), without cutting anything. A sum of triangles of one plane is a
// function that is 0 far away. It is 0 everywhere iff it changes nowhere. It changes across a line by the sum of the
// triangles' sides on that line, with their directions. So it is enough to add up the sides line by line.

import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { orient2dAt, samePosition } from '../../../../math/exact/orient.ts';
import type { PlaneSigns } from '../../../curves/plane-signs.ts';
import { type AllCorners, cornersOfAll, type Stack, stacksOf } from './overlaps.ts';

/** Nothing is computed if the bodies together have more triangles, or for stacks that have more sides. */
const mostTriangles = 2 ** 11;
const mostSides = 2 ** 9;

/** Bits for what may change at a triangle: the winding number of body 0, that of body 1, the difference. */
export const changesOf = [1, 2, 4] as const;
export const changesDifference = 4;
const changesAll = 7;

/**
 * The ratio of both bodies' coverages: the first is `a` and the second `b` times the same function, with no common
 * factor.
 */
interface Ratio {
  readonly a: number;
  readonly b: number;
}

export class Difference {
  /** x and y: the difference is the sum of these times the bodies' winding numbers. */
  readonly factors: readonly [number, number];
  /** Per body and triangle, what may change at it. */
  readonly changes: readonly [Uint8Array, Uint8Array];
  /** Whether the difference is 0 everywhere. */
  readonly isZero: boolean;
  /** Per body and triangle, 1 if at every point of it where one body changes, the other changes too. */
  readonly shared: readonly [Uint8Array, Uint8Array];
  /** Per body and triangle, a number that is the same for triangles of either body with the same corners. */
  readonly places: readonly [Uint32Array, Uint32Array];

  constructor(bodies: readonly [Placed, Placed], planes: PlaneSigns) {
    const [countA, countB] = bodies.map(body => body.shape.mesh.triangleCount);
    const changes = new Uint8Array(countA + countB).fill(changesAll);
    this.changes = [changes.subarray(0, countA), changes.subarray(countA)];
    this.factors = [1, -1];
    this.isZero = false;
    const places = Uint32Array.from(changes, (_, n) => n);
    this.places = [places.subarray(0, countA), places.subarray(countA)];
    const shared = new Uint8Array(changes.length);
    this.shared = [shared.subarray(0, countA), shared.subarray(countA)];
    if (changes.length > mostTriangles) return;
    const all = cornersOfAll(bodies);
    const stacks = stacksOf(all, planes);
    const ratios = stacks.map(stack => ratioOf(all, stack, countA));
    const ratio = mostFrequent(stacks, ratios);
    if (ratio) this.factors = [ratio.b, -ratio.a];
    changes.fill(0);
    stacks.forEach((stack, i) => {
      const own = ratios[i];
      let change = changesAll;
      if (own) {
        change = own.a === 0 ? 0 : changesOf[0];
        if (own.b !== 0) change |= changesOf[1];
        if (own.a * this.factors[0] + own.b * this.factors[1] !== 0) change |= changesDifference;
      }
      for (const n of stack) changes[n] = change;
      if (own && own.a !== 0 && own.b !== 0) for (const n of stack) shared[n] = 1;
      if (stack.length > 1) notePlaces(all, stack, places);
    });
    this.isZero = changes.every(change => !(change & changesDifference));
  }

  /** The difference at a point where the bodies have these winding numbers. */
  at(windings: readonly [number, number]): number {
    return this.factors[0] * windings[0] + this.factors[1] * windings[1];
  }
}

/** Gives triangles of a stack that have the same corners the same number. */
function notePlaces({ corners }: AllCorners, stack: Stack, places: Uint32Array): void {
  const firsts: number[] = [];
  for (const n of stack) {
    const first = firsts.find(other => haveSameCorners(corners, 9 * n, 9 * other));
    if (first === undefined) firsts.push(n);
    else places[n] = first;
  }
}

/**
 * Whether each corner of a triangle is a corner of another. Neither is degenerate, so they then have the same three
 * corners.
 */
function haveSameCorners(p: Float64Array, one: number, other: number): boolean {
  for (let i = one; i < one + 9; i += 3) {
    if (!samePosition(p, i, other) && !samePosition(p, i, other + 3) && !samePosition(p, i, other + 6)) {
      return false;
    }
  }
  return true;
}

/** The most frequent ratio among triangles that both bodies cover. */
function mostFrequent(stacks: readonly Stack[], ratios: readonly (Ratio | undefined)[]): Ratio | undefined {
  const counts = new Map<string, number>();
  let [best, most]: [Ratio | undefined, number] = [undefined, 0];
  ratios.forEach((ratio, i) => {
    if (!ratio || ratio.a === 0 || ratio.b === 0) return;
    const key = `${ratio.a} ${ratio.b}`;
    const count = (counts.get(key) ?? 0) + stacks[i].length;
    counts.set(key, count);
    if (count <= most) return;
    best = ratio;
    most = count;
  });
  return best;
}

/**
 * The ratio of both bodies' coverages if it is constant over a stack, else undefined. 0 and 0 if both are zero
 * everywhere.
 */
function ratioOf(all: AllCorners, stack: Stack, countA: number): Ratio | undefined {
  if (stack.length === 1) return stack[0] < countA ? { a: 1, b: 0 } : { a: 0, b: 1 };
  if (3 * stack.length > mostSides) return undefined;
  let ratio: Ratio = { a: 0, b: 0 };
  for (const line of linesOf(all, stack)) {
    line.sort((one, other) => one.at - other.at);
    let [a, b] = [0, 0];
    for (let i = 0; i < line.length; i++) {
      const { n, at, step } = line[i];
      if (n < countA) a += step;
      else b += step;
      if ((a === 0 && b === 0) || line[i + 1].at === at) continue;
      if (ratio.a === 0 && ratio.b === 0) ratio = reduced(a, b);
      else if (ratio.a * b !== ratio.b * a) return undefined;
    }
  }
  return ratio;
}

function reduced(a: number, b: number): Ratio {
  let [x, y] = [Math.abs(a), Math.abs(b)];
  while (y !== 0) [x, y] = [y, x % y];
  // A ratio and its negative are the same: choose the one whose first nonzero number is positive.
  const divisor = a < 0 || (a === 0 && b < 0) ? -x : x;
  return { a: a / divisor, b: b / divisor };
}

/**
 * An end of a side of triangle n. From here on along the line, the sum of the sides is one more (1) or one less (−1).
 */
interface End {
  readonly n: number;
  readonly at: number;
  readonly step: number;
}

/**
 * The ends of the sides of a stack's triangles, line by line. Seen along the axis, coverage grows by one from the right
 * of a side to its left: a counter-clockwise triangle has its 1 on the left, and a clockwise one has its −1 on the
 * right.
 */
function linesOf({ corners: p, axes }: AllCorners, stack: Stack): End[][] {
  const axis = axes[stack[0]];
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const lines: {
    readonly from: number;
    readonly to: number;
    readonly along: number;
    readonly ends: End[];
  }[] = [];
  for (const n of stack) {
    for (let k = 0; k < 3; k++) {
      const [from, to] = [9 * n + 3 * k, 9 * n + 3 * ((k + 1) % 3)];
      let line = lines.find(
        one =>
          orient2dAt(p, one.from, one.to, from, u, v) === 0 &&
          orient2dAt(p, one.from, one.to, to, u, v) === 0,
      );
      if (line === undefined)
        lines.push((line = { from, to, along: p[from + u] !== p[to + u] ? u : v, ends: [] }));
      // A side that runs backwards along the line ends before it starts, so it adds −1 in between.
      line.ends.push({ n, at: p[from + line.along], step: 1 }, { n, at: p[to + line.along], step: -1 });
    }
  }
  return lines.map(line => line.ends);
}
