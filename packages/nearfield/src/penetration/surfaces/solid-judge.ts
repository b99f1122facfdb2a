// What a crossing search asks about two solids: whether a translation separates them, and which translations around it are
// forbidden because convex pieces of both overlap, although no two of their triangles cross. That is so if one solid lies
// in the other, or if faces are flush.

import type { SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import { finderOf } from '../../bvh/cpu/walk/finder.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import type { Plane } from '../bounds/frontier.ts';
import { type Difference, Forbidden } from '../bounds/lower.ts';
import { Overlap } from '../overlap.ts';
import type { Piece } from '../pieces/piece.ts';
import { carvePiece } from '../pieces/pieces.ts';
import { type PlacedSolid, transform } from '../placement.ts';
import { isCovered } from './covered.ts';
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
  readonly overlap: Overlap;
  readonly #engine: CpuEngine;
  readonly #bodies: readonly [SnapshotBody, SnapshotBody];
  readonly #forbidden: Forbidden;

  constructor(engine: CpuEngine, a: SnapshotBody, b: SnapshotBody) {
    this.#engine = engine;
    this.#bodies = [a, b];
    this.overlap = new Overlap(engine, a, b);
    this.#forbidden = new Forbidden(this.overlap);
  }

  bounds(side: 0 | 1, triangle: number): boolean {
    return !isCovered(finderOf(this.#engine), this.#bodies[side], triangle);
  }

  isFree(translation: Float64Array): boolean {
    return this.overlap.separatingBy(translation) !== undefined;
  }

  within([x, y, z]: Float64Array, scale: number, number: number, thorough: boolean): Forbidding | undefined {
    const { overlap } = this;
    const t = transform(overlap.frame.toA, x, y, z);
    const difference = this.#holding(t) ?? this.#differenceAt(t, thorough);
    return difference && this.#inWorld(difference, scale, number);
  }

  #holding([x, y, z]: Float64Array): Difference | undefined {
    return this.#forbidden.holding(x, y, z, slack + clear * Math.hypot(x, y, z));
  }

  /**
   * The difference of two pieces around the deepest place of the overlap which a translation leaves: of large pieces near
   * it, or if that does not hold the translation, of pieces that certainly hold the place.
   */
  #differenceAt(t: Float64Array, thorough: boolean): Difference | undefined {
    const { overlap } = this;
    const { kernels, solidA, solidB, frame } = overlap;
    const [x, y, z] = t;
    overlap.resume();
    overlap.moveTo(x, y, z);
    let deepest = kernels.deepest(evaluations);
    if (!(deepest.sum > shallow)) {
      if (!thorough) return undefined;
      deepest = overlap.shallowAt(x, y, z, deepest);
    }
    if (!(deepest.sum > 0)) return undefined;
    const { point } = deepest;
    const inB = transform(
      frame.inverse,
      point[0] - frame.place[0] - x,
      point[1] - frame.place[1] - y,
      point[2] - frame.place[2] - z,
    );
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
