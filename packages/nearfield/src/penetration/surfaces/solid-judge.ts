// What a crossing search asks about two solids: whether a translation separates them, and which translations around it are
// forbidden because convex pieces of both overlap, although no two of their triangles cross. That is so if one solid lies
// in the other, or if faces are flush.

import type { SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import { finderOf } from '../../bvh/cpu/walk/finder.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { decidePairs } from '../../interferences/exact.ts';
import { cpuPairs } from '../../interferences/hierarchy/cpu/driver.ts';
import { relationOf } from '../../interferences/relation/relation.ts';
import { thePair } from '../../interferences/request.ts';
import type { Plane } from '../bounds/frontier.ts';
import { type Difference, Forbidden } from '../bounds/lower.ts';
import { OverlappingPair } from '../overlapping-pair.ts';
import type { Piece } from '../pieces/piece.ts';
import { carvePiece } from '../pieces/pieces.ts';
import { type PlacedSolid, transform } from '../placement.ts';
import { coversOf } from './covered.ts';
import type { Judge } from './crossing-search.ts';
import type { Forbidding } from './triangle-difference.ts';

/** Evaluations per search for the deepest place of an overlap. */
const evaluations = 50;
/** An overlap smaller than this, in the frame of A's tree, is searched for where surfaces meet. */
const shallow = 1e-4;
/** Half-spaces beyond facets are too large by less than this share of the size. */
const slack = 2 ** -40;
/** How far a translation has to lie within a difference, as a share of its length: more than the search asks for. */
const clear = 2 ** -21;

export class SolidJudge implements Judge {
  readonly areSolid = true;
  readonly overlap: OverlappingPair;
  readonly #engine: CpuEngine;
  readonly #bodies: readonly [SnapshotBody, SnapshotBody];
  readonly #forbidden: Forbidden;

  constructor(engine: CpuEngine, a: SnapshotBody, b: SnapshotBody) {
    this.#engine = engine;
    this.#bodies = [a, b];
    this.overlap = new OverlappingPair(engine, a, b);
    this.#forbidden = new Forbidden(this.overlap);
  }

  coversOf(side: 0 | 1, triangle: number): readonly Float64Array[] {
    return coversOf(finderOf(this.#engine), this.#bodies[side], triangle);
  }

  isFree(translation: Float64Array): boolean {
    // Other questions may have used the kernels since.
    this.overlap.resume();
    return this.overlap.separatingBy(translation) !== undefined;
  }

  within(
    [x, y, z]: Float64Array,
    scale: number,
    number: number,
    near: Float64Array,
    thorough: boolean,
  ): Forbidding | undefined {
    const { overlap } = this;
    const t = transform(overlap.frame.toA, x, y, z);
    const difference = this.#holding(t) ?? this.#differenceNear(t, near) ?? this.#differenceAt(t, thorough);
    return difference && this.#inWorld(difference, scale, number);
  }

  #holding([x, y, z]: Float64Array): Difference | undefined {
    return this.#forbidden.holding(x, y, z, slack + clear * Math.hypot(x, y, z));
  }

  /** Whether the two share interior where they are: the exact relation says so. */
  shareInterior(): boolean {
    const [a, b] = this.#bodies;
    const raw = cpuPairs(this.#engine).interfereSync([a, b], thePair);
    const { triangles } = decidePairs(raw, i => this.#bodies[i], this.#engine);
    const relation = relationOf(finderOf(this.#engine), a, b, triangles);
    return relation !== 'separate' && relation !== 'touching';
  }

  /**
   * A bound of the depth from below, in the world: the radii of two balls about one point, one in each solid. 0 if none
   * is found.
   */
  ballBound(): number {
    const { overlap } = this;
    overlap.resume();
    overlap.moveTo(0, 0, 0);
    this.#forbidden.addBalls(overlap.kernels.deepest(evaluations).sum);
    return this.#forbidden.lower * overlap.frame.leastWorld * (1 - 1e-14);
  }

  /** The difference of two pieces around a point that lies in both, one of a few in the world. */
  #differenceNear(t: Float64Array, near: Float64Array): Difference | undefined {
    const { overlap } = this;
    const { kernels, solidA, frame } = overlap;
    if (near.length === 0) return undefined;
    overlap.resume();
    overlap.moveTo(t[0], t[1], t[2]);
    for (let k = 0; k < near.length; k += 3) {
      const [x, y, z] = [0, 1, 2].map(i => near[k + i] - solidA.centre[i]);
      const p = transform(frame.toA, x, y, z);
      const isInBoth =
        kernels.depthOf(p[0], p[1], p[2], false) > frame.noise &&
        kernels.depthOf(p[0], p[1], p[2], true) > frame.noise;
      if (!isInBoth) continue;
      const found = this.#differenceAround(p, t);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The same around the deepest place of the overlap which a translation leaves. */
  #differenceAt(t: Float64Array, thorough: boolean): Difference | undefined {
    const { overlap } = this;
    overlap.resume();
    overlap.moveTo(t[0], t[1], t[2]);
    let deepest = overlap.kernels.deepest(evaluations);
    if (!(deepest.sum > shallow)) {
      if (!thorough) return undefined;
      deepest = overlap.shallowAt(t[0], t[1], t[2], deepest);
    }
    return deepest.sum > 0 ? this.#differenceAround(deepest.point, t) : undefined;
  }

  /** The difference of large pieces near a point, or if that does not hold the translation, of pieces that hold the point. */
  #differenceAround(point: Float64Array, t: Float64Array): Difference | undefined {
    const { solidA, solidB, frame } = this.overlap;
    const [x, y, z] = [0, 1, 2].map(k => point[k] - frame.place[k] - t[k]);
    const inB = transform(frame.inverse, x, y, z);
    for (const grow of [true, false]) {
      const a = this.#pieceAt(solidA, point, grow);
      const b = a && this.#pieceAt(solidB, inB, grow);
      const found = b && this.#forbidden.addPair(a, b) && this.#holding(t);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #pieceAt({ shape }: PlacedSolid, p: Float64Array, grow: boolean): Piece | undefined {
    const { kernels } = this.overlap;
    const [x, y, z] = p;
    const ball = grow ? kernels.growBall(shape, x, y, z) : Float64Array.of(x, y, z, 1);
    return carvePiece(kernels, shape, ball)?.piece;
  }

  /** The planes of a difference, which is one of translations in A's frame, for translations in the world. */
  #inWorld(difference: Difference, scale: number, number: number): Forbidding | undefined {
    const { toA } = this.overlap.frame;
    const planes = this.#forbidden.beyond(difference, 4);
    return (
      planes && {
        planes: planes.map(({ x, y, z, height }, i): Plane => {
          const n = [0, 1, 2].map(k => toA[k] * x + toA[3 + k] * y + toA[6 + k] * z);
          const length = Math.hypot(n[0], n[1], n[2]);
          // Rounding of the matrix and of the products: `noise`, which differences lose, is more.
          return {
            x: n[0] / length,
            y: n[1] / length,
            z: n[2] / length,
            height: ((height - slack) * scale) / length,
            number: number + i,
          };
        }),
      }
    );
  }
}
