// Improves both bounds of a depth at once. Take the shortest translation that no difference of pieces is known to
// forbid (frontier.ts): its length is a lower bound. If it separates the two solids, its length is the depth. If not,
// pieces carved around the deepest place of the remaining overlap give a difference that forbids it, and the next
// shortest is taken. If the remaining overlap is small, B is also pushed out of A from there: that may give a shorter
// translation than the best one known.

import { Frontier, type Region } from './bounds/frontier.ts';
import type { Difference, Forbidden } from './bounds/lower.ts';
import { awayFrom, improve, pushOut } from './bounds/upper.ts';
import type { OverlappingPair, SeparatingTranslation } from './overlapping-pair.ts';
import type { Piece } from './pieces/piece.ts';
import { carvePiece, type Pieces } from './pieces/pieces.ts';
import { type PlacedSolid, transform } from './placement.ts';
import type { Deepest } from './solids.ts';

/**
 * The amount of work per question without a time limit: mostly facets examined, and searches for the deepest place of
 * an overlap.
 */
const mostWork = 600_000;
const mostOverlapSearches = 12;
/** Evaluations per such search. */
const searchEvaluations = 50;
/**
 * How many pairs of pieces are tried for a translation before the overlap is searched. If the solids are unions of
 * their pieces, all are tried.
 */
const mostTries = 6;
/** If the overlap is smaller than this share of a translation's length, B is pushed out. */
const small = 0.3;
/** An overlap smaller than this counts as none until the exact predicates decide. */
const none = 1e-6;
/** If a translation nearly separates the two, one up to this share longer is tried. */
const nearly = 0.05;

/**
 * How far a translation must keep from differences, as a share of its length: a region has to be farther than the one
 * it came from. To keep a distance d from a plane that lies along a translation makes that longer by (d/length)²/2 of
 * itself, which doubles can tell from 0 for d/length = 2^-20. Some of the longest length of interest is added: facets
 * are off by less (hull.ts).
 */
const clear = 2 ** -20;
const clearOfAll = 2 ** -36;
/** Half-spaces beyond facets are too large by less than this. */
const slackOf = (within: number): number => 2 ** -40 * within;

export class Search {
  readonly overlap: OverlappingPair;
  readonly #forbidden: Forbidden;
  readonly #pieces: { readonly a: Pieces; readonly b: Pieces };
  readonly #frontier = new Frontier();
  /** The longest translation of interest. */
  readonly #within: number;
  /** Whether both solids are the unions of their pieces: then nothing else is searched. */
  readonly #isWhole: boolean;
  /** How many searches for the deepest place of an overlap were made. */
  overlapSearches = 0;
  /** The shortest translation known to separate. */
  best: SeparatingTranslation | undefined;
  /** No shorter translation separates. */
  lower: number;

  /**
   * `first` is a translation that separates the two. It may be omitted only if both solids are the unions of their
   * pieces.
   */
  constructor(
    overlap: OverlappingPair,
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

  /** Tells whether the bounds are known to a ratio. */
  isNearer(ratio: number): boolean {
    return this.best !== undefined && this.best.length <= ratio * this.lower;
  }

  /**
   * Examines the shortest translation that is not known to be forbidden. Returns false if nothing more can be found.
   */
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

  /**
   * A difference that holds the nearest translation of a region; undefined if none does, for example if it separates
   * the two.
   */
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

  /**
   * The deepest place of the overlap that the nearest translation of a region leaves. Undefined if it separates the
   * two; then it is offered as the best.
   */
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
        // Nothing forbids leaving B where it is. The exact relation decides whether the two overlap at all.
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
   * The shortest translation that keeps clear of all differences. The shortest one of all may lead along faces that are
   * flush except for rounding: moving away from the planes that hold it there does not clear B of the others. Only for
   * solids that are the unions of their pieces; nothing can be examined after this.
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

  /**
   * Carves a piece of each solid around the deepest place of their overlap, with B moved by a translation, and adds
   * their difference.
   */
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
