// Combines the findings of all pictures: an interference seen in any of them counts.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { EngineStats } from '../../../core/stats.ts';
import type { PixelPhases } from '../options.ts';
import { Found, type RawEdges, type RawRaycast, type RaycastTask } from '../sampling.ts';
import { DrawnState, drawnStateWords } from './layouts.ts';
import type { DrawnPicture } from './placings.ts';

/** The bodies that are drawn. Each is in some candidate. */
export interface Drawn {
  readonly bodies: readonly Placed[];
  readonly candidates: Uint32Array<ArrayBuffer>;
}

/** The findings of one picture. */
export interface Seen {
  readonly picture: DrawnPicture;
  readonly byQueries: boolean;
  readonly bodyWords: number;
  /** Whether some body encloses an edge of another. */
  readonly any: boolean;
  readonly state: Uint32Array;
  /** The bodies whose edges are enclosed: one bit per body; with queries two words per body, or two in all. */
  readonly penetrating: Uint32Array;
  /**
   * The bodies that enclose an edge, if they were named: two words per body from queries; else the state after naming.
   */
  readonly penetrated: Uint32Array | undefined;
  readonly named: Uint32Array | undefined;
  /** Points of edges, four words each (reduce-pixels.wgsl). */
  readonly hits: Uint32Array;
  /** Milliseconds, if pixels were read back. */
  readonly phases?: PixelPhases | undefined;
}

export function collect(
  drawn: Drawn,
  task: RaycastTask,
  seen: readonly Seen[],
  stats: EngineStats,
): RawRaycast {
  const { ask, counting, filtered } = task;
  const count = drawn.bodies.length;
  const found = new Uint8Array(task.candidates.length / 2);
  const marks = { penetrating: new Set<number>(), penetrated: new Set<number>(), open: new Set<number>() };
  let any = false;
  let several = 0;
  const total = { enclosed: 0, byOthers: 0, edgePixels: 0 };
  for (const one of seen) {
    const { named, bodyWords } = one;
    if (named !== undefined) {
      const flagsAt = drawnStateWords + 2 * bodyWords;
      for (let c = 0; c < found.length; c++) found[c] |= named[flagsAt + c];
      const open = named.subarray(drawnStateWords + bodyWords, flagsAt);
      for (let i = 0; i < count; i++) if (hasBit(open, i)) marks.open.add(i);
    }
    const passed = one.byQueries ? hasPassed : hasBit;
    if (ask !== 'any') {
      for (let i = 0; i < count; i++) if (passed(one.penetrating, i)) marks.penetrating.add(i);
    }
    if (one.penetrated !== undefined) {
      for (let i = 0; i < count; i++) if (hasPassed(one.penetrated, i)) marks.penetrated.add(i);
    }
    any ||= one.any;
    several += one.state[DrawnState.several];
    total.enclosed += one.state[DrawnState.enclosed];
    total.byOthers += one.state[DrawnState.byOthers];
    total.edgePixels += one.state[DrawnState.edgePixels];
  }
  // The findings are by pairs, if the pictures distinguish them. The bodies follow from the pairs.
  const byPairs =
    ask === 'pairs' || ask === 'edges' || filtered || (ask === 'both' && counting !== 'queries');
  if (byPairs) any = found.some(flags => flags !== 0);
  const toPlaces = (numbers: Set<number>) => Uint32Array.from(numbers).sort();
  const notClosed = toPlaces(marks.open);
  if (byPairs) markPairs(found, drawn.candidates, marks);
  // An interference that was not found may still exist (proof.md). Nothing is missed only if everything that could
  // exist was found.
  const { size: penetrating } = marks.penetrating;
  const isAll = {
    any,
    pairs: found.every(flags => flags !== 0),
    penetrating: penetrating === count,
    both: penetrating === count && marks.penetrated.size === count,
    // Not all edges are listed: only the nearest one of a pixel is examined.
    edges: false,
  };
  // An open body may seem to enclose anything, so nothing that it seems to meet is certain.
  const isOpen = task.hasOpen || notClosed.length > 0;
  const complete = isAll[ask] && !isOpen;
  const { pixel } = seen[0].picture.view;
  return {
    any,
    found,
    byPairs,
    penetrating: byPairs ? none : toPlaces(marks.penetrating),
    penetrated: byPairs ? none : toPlaces(marks.penetrated),
    notClosed,
    edges: ask === 'edges' ? edgesOf(seen) : undefined,
    lines: [],
    mayMissBelow: complete ? 0 : Infinity,
    mayReportWithin: isOpen ? Infinity : Math.max(...seen.map(reportsWithin)),
    complete,
    raycast: {
      resolution: task.resolution,
      pixel,
      directions: seen.length,
      tiles: seen.length,
      fragments: 0,
      edgeFragments: total.edgePixels,
      recast: 0,
      byRaysAlone: 0,
      byEdgesAlone: 0,
      ...(counting === 'stencil'
        ? { selfHits: Math.max(0, total.enclosed - total.byOthers), inSeveral: several }
        : {}),
      early: seen.every(one => one.named === undefined),
      phases: phasesOf(seen),
    },
    stats,
  };
}

const none = new Uint32Array(0);

function phasesOf(seen: readonly Seen[]): PixelPhases | undefined {
  if (seen[0].phases === undefined) return undefined;
  const sum = (phase: keyof PixelPhases) => seen.reduce((total, { phases }) => total + phases![phase], 0);
  return { render: sum('render'), read: sum('read'), parse: sum('parse') };
}

/** Marks the bodies of the pairs found: those with an edge in the other, and those that contain the edges. */
function markPairs(
  found: Uint8Array,
  candidates: Uint32Array,
  marks: { readonly penetrating: Set<number>; readonly penetrated: Set<number> },
): void {
  marks.penetrating.clear();
  for (let c = 0; c < found.length; c++) {
    const [a, b] = [candidates[2 * c], candidates[2 * c + 1]];
    for (const [bit, own, other] of [
      [Found.firstInSecond, a, b],
      [Found.secondInFirst, b, a],
    ]) {
      if ((found[c] & bit) === 0) continue;
      marks.penetrating.add(own);
      marks.penetrated.add(other);
    }
  }
}

const hasBit = (words: Uint32Array, i: number): boolean => ((words[i >> 5] >>> (i & 31)) & 1) === 1;
const hasPassed = (words: Uint32Array, i: number): boolean => words[2 * i] !== 0 || words[2 * i + 1] !== 0;

/**
 * How far a reported edge may be from the other body. An edge is drawn up to twice the offset outward. A sample of its
 * line is a pixel's middle within 0.71 pixels of it, plus a sixteenth for the hardware's snapping, and up to 1.06 along
 * it if the line was lengthened. Faces are snapped too: two pixels are more than all of it. Depths are off by less than
 * 2^-16 of their range.
 */
function reportsWithin({ picture }: Seen): number {
  const { view, offset, near, far } = picture;
  return 2 * offset + 2 * view.pixel + 2 ** -16 * (far - near);
}

/** World points from pixel and depth (section 4.5.5). */
function edgesOf(seen: readonly Seen[]): RawEdges {
  const count = seen.reduce((sum, { hits }) => sum + hits.length / 4, 0);
  const owners = new Uint32Array(2 * count);
  const points = new Float64Array(3 * count);
  let at = 0;
  for (const { hits, picture } of seen) {
    const { view } = picture;
    const depths = new Float32Array(hits.buffer, hits.byteOffset, hits.length);
    for (let i = 0; i < hits.length; i += 4, at++) {
      owners[2 * at] = hits[i];
      owners[2 * at + 1] = hits[i + 1];
      const [column, row] = [hits[i + 2] % view.columns, Math.floor(hits[i + 2] / view.columns)];
      // Pictures are stored from the top, and rows are drawn upward.
      const world = view.toWorld(column + 0.5, view.rows - row - 0.5, depths[i + 3] * view.pixel);
      points.set(world, 3 * at);
    }
  }
  return { owners, along: undefined, points };
}
