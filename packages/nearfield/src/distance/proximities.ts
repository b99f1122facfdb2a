// The answer of `within`: pairs of bodies that are nearer to each other than a clearance.

import type { Body } from '../bodies/body.ts';
import type { Answer } from '../interferences/answer/answer.ts';
import type { AnswerStats } from '../interferences/request.ts';
import type { Separation } from './separation.ts';

/**
 * Two bodies that are nearer to each other than the clearance, a.index < b.index. The exact distance is computed on
 * first use.
 */
export class Proximity implements Separation {
  /** The body with the lower index. */
  readonly a: Body;
  /** The body with the higher index. */
  readonly b: Body;
  readonly #meets: boolean;
  readonly #resolve: () => Separation;
  #found: Separation | undefined;

  /** Created by `within`. */
  constructor(a: Body, b: Body, meets: boolean, resolve: () => Separation) {
    this.a = a;
    this.b = b;
    this.#meets = meets;
    this.#resolve = resolve;
  }
  get #separation(): Separation {
    return (this.#found ??= this.#resolve());
  }
  /** Correctly rounded; 0 if the bodies meet. */
  get distance(): number {
    return this.#meets ? 0 : this.#separation.distance;
  }
  /** The nearest point of a, in the world, each coordinate correctly rounded: x, y, z. */
  get pointA(): Float64Array {
    return this.#separation.pointA;
  }
  /** The nearest point of b, in the world, likewise. */
  get pointB(): Float64Array {
    return this.#separation.pointB;
  }
  /** The triangle of a that holds the point, the lowest among equals; −1 if one solid lies inside the other. */
  get triangleA(): number {
    return this.#separation.triangleA;
  }
  /** The triangle of b that holds the point: the lowest with `triangleA`; −1 likewise. */
  get triangleB(): number {
    return this.#separation.triangleB;
  }
}

/** Every pair of bodies nearer than a clearance, in order of a.index, then b.index. */
export class Proximities implements Answer, Iterable<Proximity> {
  constructor(
    /** The pairs, a.index < b.index. */
    readonly pairs: readonly Proximity[],
    /** Where near triangles were searched. */
    readonly backend: 'cpu' | 'gpu',
    /** What the search took. */
    readonly stats: AnswerStats,
    /** The method that was used. */
    readonly method: 'hierarchy' | 'visibility' = 'hierarchy',
  ) {}
  /** The number of pairs. */
  get length(): number {
    return this.pairs.length;
  }
  /** The pairs, in order. */
  [Symbol.iterator](): Iterator<Proximity> {
    return this.pairs[Symbol.iterator]();
  }
}
