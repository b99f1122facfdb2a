// What a crossing search asks about two solids: whether a translation separates them, and which translations around it are
// forbidden because convex pieces of both overlap, although no two of their triangles cross. That is so if one solid lies
// in the other, or if faces are flush.

import type { SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import type { Plane } from '../bounds/frontier.ts';
import { type Difference, Forbidden } from '../bounds/lower.ts';
import { Overlap } from '../overlap.ts';
import type { Piece } from '../pieces/piece.ts';
import { carvePiece, type Pieces } from '../pieces/pieces.ts';
import { type PlacedSolid, transform } from '../placement.ts';
import type { Judge } from './crossing-search.ts';
import type { Forbidding } from './triangle-difference.ts';

/** Evaluations per search for the deepest place of an overlap. */
const evaluations = 50;
/** An overlap smaller than this, in the frame of A's tree, is searched for where surfaces meet. */
const shallow = 1e-4;
/** Half-spaces beyond facets are too large by less than this share of the size. */
const slack = 2 ** -40;

export class SolidJudge implements Judge {
  readonly overlap: Overlap;
  readonly #forbidden: Forbidden;
  readonly #pieces: { readonly a: Pieces | undefined; readonly b: Pieces | undefined };

  /** `pieces` are those whose union is the whole solid, as far as there are any. */
  constructor(
    engine: CpuEngine,
    a: SnapshotBody,
    b: SnapshotBody,
    pieces: { readonly a: Pieces | undefined; readonly b: Pieces | undefined } = { a: undefined, b: undefined },
  ) {
    this.overlap = new Overlap(engine, a, b);
    this.#forbidden = new Forbidden(this.overlap);
    this.#pieces = pieces;
  }

  isFree(translation: Float64Array): boolean {
    return this.overlap.separatingBy(translation) !== undefined;
  }

  within([x, y, z]: Float64Array, scale: number, number: number): Forbidding | undefined {
    const { overlap } = this;
    const t = transform(overlap.frame.toA, x, y, z);
    const difference = this.#forbidden.holding(t[0], t[1], t[2], slack) ?? this.#differenceAt(t);
    return difference && this.#inWorld(difference, scale, number);
  }

  /** The difference of two pieces that hold the deepest place of the overlap which a translation leaves. */
  #differenceAt([x, y, z]: Float64Array): Difference | undefined {
    const { overlap } = this;
    const { kernels, solidA, solidB, frame } = overlap;
    overlap.resume();
    overlap.moveTo(x, y, z);
    let deepest = kernels.deepest(evaluations);
    if (!(deepest.sum > shallow)) deepest = overlap.shallowAt(x, y, z, deepest);
    if (!(deepest.sum > 0)) return undefined;
    const { point } = deepest;
    const a = this.#pieceAt(solidA, this.#pieces.a, point);
    const q = [point[0] - frame.place[0] - x, point[1] - frame.place[1] - y, point[2] - frame.place[2] - z];
    const b = a && this.#pieceAt(solidB, this.#pieces.b, transform(frame.inverse, q[0], q[1], q[2]));
    if (b === undefined || this.#forbidden.addPair(a!, b) === undefined) return undefined;
    return this.#forbidden.holding(x, y, z, slack);
  }

  #pieceAt({ shape }: PlacedSolid, whole: Pieces | undefined, p: Float64Array): Piece | undefined {
    if (whole?.pieces.length === 1) return whole.pieces[0];
    const { kernels } = this.overlap;
    return carvePiece(kernels, shape, kernels.growBall(shape, p[0], p[1], p[2]))?.piece;
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
