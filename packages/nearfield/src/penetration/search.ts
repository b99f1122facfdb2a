// Both bounds of a depth at once. Take the shortest translation that no difference of pieces is known to forbid (frontier.ts):
// its length is a lower bound. If it separates the two, its length is the depth. If not, pieces carved around the deepest place
// of the overlap that it leaves give a difference that forbids it, and the next shortest is taken. Where the overlap that is left
// is small, B is also pushed out of A from there: that may be a shorter translation than the best one known.

import { Frontier, type Region } from './bounds/frontier.ts';
import type { Difference, Forbidden } from './bounds/lower.ts';
import { awayFrom, improve, pushOut } from './bounds/upper.ts';
import type { Overlap, SeparatingTranslation } from './overlap.ts';
import type { Piece } from './pieces/piece.ts';
import { carvePiece, type Pieces } from './pieces/pieces.ts';
import { type PlacedSolid, transform } from './placement.ts';
import type { Deepest } from './solids.ts';

/** The work of a question without a time limit: mostly facets examined, and searches for the deepest place of an overlap. */
const mostWork = 600_000;
const mostOverlapSearches = 12;
/** Evaluations of one such search. */
const searchEvaluations = 50;
/** Pairs of pieces tried for a translation before the overlap is searched. All of them, where the solids are unions of their pieces. */
const mostTries = 6;
/** An overlap this small, of a translation's length, is pushed out of. */
const small = 0.3;
/** An overlap smaller than this counts as none until the exact predicates decide. */
const none = 1e-6;
/** If a translation nearly separates the two, one up to this share longer is tried. */
const nearly = 0.05;

/**
 * How far a translation is to keep from differences: this part of its length, since a region has to be farther than the one it
 * came from. To keep a distance d from a plane that lies along a translation makes that longer by (d/length)²/2 of itself, which
 * doubles can tell from 0 for d/length = 2^-20. And some of the longest of interest: facets are off by less (hull.ts).
 */
const clear = 2 ** -20;
const clearOfAll = 2 ** -36;
/** Half-spaces beyond facets are too large by less than this. */
const slackOf = (within: number): number => 2 ** -40 * within;

export class Search {
  readonly overlap: Overlap;
  readonly #forbidden: Forbidden;
  readonly #pieces: { readonly a: Pieces; readonly b: Pieces };
  readonly #frontier = new Frontier();
  /** No translation of interest is longer. */
  readonly #within: number;
  /** Whether both solids are the unions of their pieces: then nothing else is searched. */
  readonly #isWhole: boolean;
  /** Searches for the deepest place of an overlap so far. */
  overlapSearches = 0;
  /** The shortest translation known to separate. */
  best: SeparatingTranslation | undefined;
  /** No shorter one does. */
  lower: number;

  /** `first`, a translation that separates the two, may be left out only if both solids are the unions of their pieces. */
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

  /** Examines the shortest translation that is not known to be forbidden; false if there is nothing more to be found. */
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

  /** A difference that holds the nearest translation of a region; undefined if none does, as when it separates the two. */
  #differenceAt(region: Region): Difference | undefined {
    const { x, y, z } = region;
    const slack = slackOf(this.#within);
    const known = this.#forbidden.holding(x, y, z, slack);
    if (known !== undefined || this.overlapSearches === mostOverlapSearches) return known;
    this.overlapSearches++;
    const deepest = this.#separatesOr(region);
    if (deepest === undefined) return undefined;
    this.addPiecesAt(deepest, x, y, z);
    return this.#forbidden.holding(x, y, z, slack);
  }

  /** The deepest place of the overlap that the nearest translation of a region leaves. Undefined if it separates the two: it is then offered as the best. */
  #separatesOr({ x, y, z, length, planes }: Region): Deepest | undefined {
    const { overlap } = this;
    let deepest: Deepest | undefined;
    if (!this.#isWhole) {
      overlap.moveTo(x, y, z);
      deepest = overlap.kernels.deepest(searchEvaluations);
    }
    if (!(deepest !== undefined && deepest.sum > none * length)) {
      const push = awayFrom(planes);
      const separating = push && overlap.separatingNear([x, y, z], push, nearly);
      const isNear = separating !== undefined && separating.length < (1 + none) * length;
      this.#offer(isNear || !separating ? separating : improve(overlap, separating));
      if (isNear) return undefined;
      if (deepest === undefined) {
        // Nothing forbids to leave B where it is: the exact relation decides whether anything does.
        if (length > 0) this.#offer(this.#separatingClear(clear * length));
        return undefined;
      }
      deepest = overlap.shallowAt(x, y, z, deepest);
    }
    if (!(deepest.sum > 0)) return undefined;
    if (deepest.sum < small * length)
      this.#offer(pushOut(overlap, Float64Array.of(x, y, z), deepest, this.best?.length ?? Infinity));
    return deepest;
  }

  /**
   * The shortest translation that keeps clear of all differences. The shortest one of all may lead along faces that are flush but
   * for rounding: away from the planes that hold it there, B is still not clear of the others. Only if both solids are the unions of
   * their pieces; nothing can be examined after this.
   */
  #separatingClear(distance: number): SeparatingTranslation | undefined {
    const [overlap, forbidden, within] = [this.overlap, this.#forbidden, this.#within];
    const frontier = new Frontier();
    forbidden.keepClear(distance + 4 * overlap.frame.noise + clearOfAll * within);
    const most = forbidden.work + mostWork;
    for (;;) {
      const { nearest, floor } = frontier;
      if (nearest === undefined || nearest.length > floor || forbidden.work > most) return undefined;
      const { x, y, z } = nearest;
      const difference = forbidden.holding(x, y, z, slackOf(within));
      if (difference === undefined) {
        const push = awayFrom(nearest.planes);
        return push && overlap.separatingNear([x, y, z], push, nearly);
      }
      const planes = forbidden.beyond(difference, within);
      if (planes === undefined) return undefined;
      forbidden.work += frontier.divide(planes, this.best?.length ?? within);
    }
  }

  #offer(separating: SeparatingTranslation | undefined): void {
    if (separating !== undefined && !(this.best !== undefined && this.best.length <= separating.length))
      this.best = separating;
  }

  /** Carves a piece of each solid around the deepest place of their overlap, B moved by a translation, and adds their difference. */
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
