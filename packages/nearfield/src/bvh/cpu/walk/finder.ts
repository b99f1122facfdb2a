// Which triangles of one body lie near a ray or in a box? Found by a walk through its tree. By a linear search over all
// triangles if there are few of them, or if there is no tree and only few questions have been asked.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { CpuEngine } from '../../../cpu/engine.ts';
import { treesOf } from '../build/trees.ts';
import { LinearSearch } from './linear-search.ts';
import { Walks } from './walks.ts';

/** What exact questions need from an engine. */
export interface TriangleFinder {
  /**
   * Every triangle of the body that has a world point within `slack` of the ray origin + s·direction, s ≥ 0, and maybe
   * others. Sorted. The array belongs to the finder, and the next call overwrites it.
   */
  trianglesOnRay(
    body: Placed,
    origin: ArrayLike<number>,
    direction: ArrayLike<number>,
    slack: number,
  ): Uint32Array;
  /**
   * Every triangle of the body that has a world point in the box, and maybe others. Sorted. The next call overwrites
   * it.
   */
  trianglesInBox(body: Placed, box: ArrayLike<number>): Uint32Array;
}

/** The finder of an engine. */
export const finderOf = (engine: CpuEngine): TriangleFinder => engine.part(createFinder);

const createFinder = (engine: CpuEngine): TriangleFinder => new CpuFinder(engine, false);

/** The same without building any tree: however many questions are asked, shapes without a tree are searched linearly. */
export const treelessFinderOf = (engine: CpuEngine): TriangleFinder => engine.part(createTreelessFinder);

const createTreelessFinder = (engine: CpuEngine): TriangleFinder => new CpuFinder(engine, true);

/** A linear search over this many triangles takes less time than entering a tree does. */
const fewTriangles = 32;

class CpuFinder implements TriangleFinder {
  readonly #engine: CpuEngine;
  readonly #walks: Walks;
  readonly #linear = new LinearSearch();
  readonly #treeless: boolean;

  constructor(engine: CpuEngine, treeless: boolean) {
    this.#engine = engine;
    this.#treeless = treeless;
    this.#walks = new Walks(engine);
  }

  trianglesOnRay(
    body: Placed,
    origin: ArrayLike<number>,
    direction: ArrayLike<number>,
    slack: number,
  ): Uint32Array {
    const way = this.#isLinear(body) ? this.#linear : this.#walks;
    return way.onRay(body, origin, direction, slack);
  }

  trianglesInBox(body: Placed, box: ArrayLike<number>): Uint32Array {
    return (this.#isLinear(body) ? this.#linear : this.#walks).inBox(body, box);
  }

  /** Whether to search linearly: the body is small, or it has no tree and few questions have needed one. */
  #isLinear(body: Placed): boolean {
    this.#engine.checkOpen();
    const isSmall = body.shape.mesh.triangleCount <= fewTriangles;
    if (!isSmall && treesOf(this.#engine).has(body.shape)) return false;
    return this.#linear.maySearch(body, isSmall || this.#treeless);
  }
}
