// The answer of `within`: pairs of bodies that are nearer to each other than a clearance.

import type { Body } from '../bodies/body.ts';
import type { Answer } from '../interferences/answer.ts';
import type { InterferenceStats } from '../interferences/request.ts';
import type { Separation } from './separation.ts';

/**
 * Two bodies that are nearer to each other than the clearance, a.index < b.index. The exact distance is computed on
 * first use.
 */
export class Proximity implements Separation {
  readonly a: Body;
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
  get pointA(): Float64Array {
    return this.#separation.pointA;
  }
  get pointB(): Float64Array {
    return this.#separation.pointB;
  }
  get triangleA(): number {
    return this.#separation.triangleA;
  }
  get triangleB(): number {
    return this.#separation.triangleB;
  }
}

/** Every pair of bodies nearer than a clearance, in order of a.index, then b.index. */
export class Proximities implements Answer, Iterable<Proximity> {
  constructor(
    readonly pairs: readonly Proximity[],
    readonly backend: 'cpu' | 'gpu',
    readonly stats: InterferenceStats,
    readonly method: 'hierarchy' | 'visibility' = 'hierarchy',
  ) {}
  get length(): number {
    return this.pairs.length;
  }
  [Symbol.iterator](): Iterator<Proximity> {
    return this.pairs[Symbol.iterator]();
  }
}
