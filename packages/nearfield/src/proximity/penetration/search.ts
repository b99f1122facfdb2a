// Both bounds of a depth at once. The nearest translation that no difference of pieces is known to forbid is looked at
// (frontier.ts): its length is a lower bound. If it separates the two, it is the depth. If not, pieces of both around where they
// overlap there most give a difference that forbids it, and the next nearest is looked at. From where the overlap is small, B is
// pushed out of A: that may be a shorter way than the best one known.

import { Frontier, type Region } from './frontier.ts';
import type { Difference, Forbidden } from './lower.ts';
import type { Overlap, SeparatingTranslation } from './overlap.ts';
import type { Piece } from './pieces/piece.ts';
import { carvePiece, type Pieces } from './pieces/pieces.ts';
import { type PlacedSolid, transform } from './placement.ts';
import type { Deepest } from './solids.ts';
import { awayFrom, improve, pushOut } from './upper.ts';

/** The work of a question that is given no time: facets looked at, mostly, and looks at what they leave open. */
const mostWork = 600_000;
const mostLooks = 12;
/** Evaluations of a look. */
const lookSearch = 50;
/** Pairs of pieces tried for a translation, before a look. Where pieces are all there is, all of them. */
const mostTries = 6;
/** An overlap this small, of a translation's length, is pushed out of. */
const small = 0.3;
/** One this small is none, as far as is known before the predicates are asked. */
const none = 1e-6;
/** How far beyond a translation that nearly separates the two, of its length, one is looked for that does. */
const nearly = 0.05;

export class Search {
  readonly overlap: Overlap;
  readonly #forbidden: Forbidden;
  readonly #pieces: { readonly a: Pieces; readonly b: Pieces };
  readonly #frontier = new Frontier();
  /** No translation of interest is longer. */
  readonly #within: number;
  /** Whether pieces are all there is of both solids, and nothing else is looked at. */
  readonly #isWhole: boolean;
  /** Made so far. */
  looks = 0;
  /** The shortest translation known to separate. */
  best: SeparatingTranslation | undefined;
  /** No shorter one does. */
  lower: number;

  /** Without a first translation that separates the two, the pieces have to be all there is of both. */
  constructor(
    overlap: Overlap,
    forbidden: Forbidden,
    pieces: { readonly a: Pieces; readonly b: Pieces },
    first: SeparatingTranslation | undefined,
  ) {
    this.overlap = overlap;
    this.#forbidden = forbidden;
    this.#pieces = pieces;
    this.best = first;
    this.lower = forbidden.lower;
    this.#isWhole = first === undefined;
    forbidden.setPieces(pieces.a.pieces, pieces.b.pieces, this.#isWhole ? Infinity : mostTries);
    forbidden.work = 0;
    this.#within = first?.length ?? forbidden.reach;
  }

  /** Whether the bounds are known to a ratio. */
  isNearer(ratio: number): boolean {
    return this.best !== undefined && this.best.length <= ratio * this.lower;
  }

  /** Looks at the nearest translation that is not known to be forbidden; false where there is nothing more to be found. */
  step(): boolean {
    const [frontier, forbidden] = [this.#frontier, this.#forbidden];
    const { nearest, floor } = frontier;
    if (nearest === undefined || nearest.length > floor || forbidden.work > mostWork) return false;
    const difference = this.#differenceAt(nearest);
    const planes = difference && forbidden.beyond(difference, this.#within);
    if (planes !== undefined) forbidden.work += frontier.divide(planes, this.best?.length ?? this.#within);
    const length = frontier.nearest?.length ?? Infinity;
    const bound = Math.min(length, frontier.floor, this.best?.length ?? this.#within);
    this.lower = Math.max(this.lower, bound);
    return planes !== undefined;
  }

  /** A difference that holds the nearest translation of a region; undefined where there is none, as where it separates the two. */
  #differenceAt(region: Region): Difference | undefined {
    const { x, y, z } = region;
    // Half-spaces beyond facets are too large by less than this.
    const slack = 2 ** -40 * this.#within;
    const known = this.#forbidden.holding(x, y, z, slack);
    if (known !== undefined || this.looks === mostLooks) return known;
    this.looks++;
    const deepest = this.#separatesOr(region);
    if (deepest === undefined) return undefined;
    this.addPiecesAt(deepest, x, y, z);
    return this.#forbidden.holding(x, y, z, slack);
  }

  /** Whether the nearest translation of a region separates the two, which is then the best; else where they overlap most there. */
  #separatesOr({ x, y, z, length, planes }: Region): Deepest | undefined {
    const { overlap } = this;
    let deepest: Deepest | undefined;
    if (!this.#isWhole) {
      overlap.moveTo(x, y, z);
      deepest = overlap.kernels.deepest(lookSearch);
    }
    if (!(deepest !== undefined && deepest.sum > none * length)) {
      const push = awayFrom(planes);
      const separating = push && overlap.separatingNear([x, y, z], push, nearly);
      const isNear = separating !== undefined && separating.length < (1 + none) * length;
      this.#offer(isNear || !separating ? separating : improve(overlap, separating));
      if (isNear || deepest === undefined) return undefined;
      deepest = overlap.shallowAt(x, y, z, deepest);
    }
    if (!(deepest.sum > 0)) return undefined;
    if (deepest.sum < small * length)
      this.#offer(pushOut(overlap, Float64Array.of(x, y, z), deepest, this.best?.length ?? Infinity));
    return deepest;
  }

  #offer(separating: SeparatingTranslation | undefined): void {
    if (separating !== undefined && !(this.best !== undefined && this.best.length <= separating.length))
      this.best = separating;
  }

  /** The difference of pieces around the point where the two overlap most, B moved by a translation. */
  addPiecesAt({ point }: Deepest, x: number, y: number, z: number): void {
    const { solidA, solidB, frame } = this.overlap;
    const a = this.#pieceAt(solidA, this.#pieces.a, point);
    const q = [point[0] - frame.place[0] - x, point[1] - frame.place[1] - y, point[2] - frame.place[2] - z];
    const b = a && this.#pieceAt(solidB, this.#pieces.b, transform(frame.inverse, q[0], q[1], q[2]));
    if (b !== undefined) this.#forbidden.addPair(a!, b);
  }

  #pieceAt({ shape }: PlacedSolid, { pieces, whole }: Pieces, p: Float64Array): Piece | undefined {
    if (whole && pieces.length === 1) return pieces[0];
    const { kernels } = this.overlap;
    return carvePiece(kernels, shape, kernels.growBall(shape, p[0], p[1], p[2]))?.piece;
  }
}
