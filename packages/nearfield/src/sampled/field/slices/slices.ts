// The intersection of bodies, slice by slice, on the CPU (Hoff et al., sections 4 and 5.1): localise, cross the
// remaining columns with each body's triangles, keep the samples that lie in two bodies.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { worldBox } from '../../../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../../../bvh/cpu/walk/finder.ts';
import { LinearSearch } from '../../../bvh/cpu/walk/linear-search.ts';
import {
  checkOptions,
  limitRules,
  type Rule as OptionRule,
  oneOf,
  type Rules,
  wholeNumber,
  wrong,
} from '../../../core/arguments.ts';
import type { Limits } from '../../../core/limits.ts';
import { type EngineStats, newStats } from '../../../core/stats.ts';
import { windingNumber } from '../../../inside/winding.ts';
import { isEmptyBox } from '../../../math/box.ts';
import {
  aBox,
  cellOf,
  checkSampling,
  type Grid,
  gridOver,
  type Sampling,
  samplingRules,
  type Window,
  wholeWindow,
  windowBox,
} from '../grid.ts';
import type { RawVolume, VolumeWork } from '../volume.ts';
import { type Crossings, crossColumns, type Sampled, sampled } from './columns.ts';
import { CellList, collectCells, type Rule } from './common-cells.ts';
import { commonBox, localise, type Surroundings } from './localise.ts';
import { sweepSlabs } from './slabs.ts';

/** How finely, and where, the intersection of bodies is sampled. */
export interface VolumeRequest extends Sampling, Limits {
  /** Only this part of the world is sampled. */
  readonly box?: ArrayLike<number> | undefined;
  /**
   * How often boxes are narrowed and halved before sampling (Hoff et al., sections 4 and 6). Default 0, because
   * counting crossings is cheap by now. Higher values cost CPU time and save samples. The points found are the same.
   */
  readonly localisation?: number | undefined;
  /**
   * How samples are found to be inside. 'auto' and 'columns': winding numbers along columns. 'slabs' is the paper's own form
   * (Hoff et al., section 5.1), without a tree: each crossing flips a bit. On the CPU triangles are sorted into buckets by
   * their lowest point, and slabs between slices are swept upwards with a list of active triangles. On a GPU all slabs
   * are drawn at once, each crossing into its own, and summed up from slice to slice. The points are the same for solids
   * that do not overlap themselves. A part of a body that overlaps itself an even number of times counts as outside, and
   * `complete` is false then.
   */
  readonly form?: 'auto' | 'columns' | 'slabs' | undefined;
  /**
   * Whether to compute `depths`: how far each point is from the nearest surface, and in which direction. With true, each
   * point's nearest triangle is searched. 'distance-meshes' is the paper's own form (sections 5.2 to 5.4): a distance field
   * of each body by distance meshes, as in `field`, around the points only, and its differences. These depths are off by at
   * most `depths.meshes.error`, which is half the diagonal of a cell unless coordinates are very large.
   */
  readonly depths?: VolumeDepths | undefined;
}

/** Whether depths are computed, and how. */
export type VolumeDepths = boolean | 'distance-meshes';

const deepest = 30;

const depthsRule: OptionRule = (given, what) => {
  if (given === 'distance-meshes' || typeof given === 'boolean') return;
  throw wrong(what, "true, false or 'distance-meshes'", given);
};

export const volumeRules: Rules<VolumeRequest> = {
  ...limitRules,
  ...samplingRules,
  box: aBox,
  localisation: wholeNumber(0, deepest),
  form: oneOf('auto', 'columns', 'slabs'),
  depths: depthsRule,
};

/** A window with many samples is split into pieces of this many columns, and other work may run in between. */
const columnsAtOnce = 2 ** 16;

/** A grid, and the rule by which its samples count. Undefined if there is nothing to sample. */
export interface VolumeTask {
  readonly grid: Grid;
  readonly rule: Rule;
  /** Whether crossings flip a bit, slab by slab. */
  readonly slabs: boolean;
}

/** The grid over the region that the bodies may share. */
export function volumeTask(bodies: readonly Placed[], request: VolumeRequest): VolumeTask | undefined {
  checkOptions(request, volumeRules, 'intersectionVolume');
  checkSampling(request);
  const common = bodies.length === 1 ? worldBox(bodies[0]) : commonBox(bodies);
  const rule = bodies.length === 1 ? 'twice-in-one' : 'two-bodies';
  // The grid depends on the given box, or on the bodies' boxes, but never on how far localisation goes.
  const box = request.box === undefined ? common : Float64Array.from(request.box);
  if (isEmptyBox(common) || isEmptyBox(box)) return undefined;
  return { grid: gridOver(box, request), rule, slabs: request.form === 'slabs' };
}

/** The answer if nothing is sampled. */
export function emptyVolume(request: VolumeRequest): RawVolume {
  const { tolerance } = request;
  const cell = tolerance === undefined ? 0 : cellOf(tolerance);
  const grid: Grid = { origin: [0, 0, 0], cell, dimensions: [0, 0, 0] };
  const stats = newStats();
  const cells = new Uint32Array(0);
  const nothing = { grid, count: 0, cells, stats, work: { regions: 0, samples: 0, triangles: 0 } };
  if (!request.depths) return nothing;
  const depths = {
    depth: new Float32Array(0),
    direction: new Float32Array(0),
    body: new Uint32Array(0),
    triangle: new Uint32Array(0),
  };
  return { ...nothing, depths: () => depths };
}

/** Samples the volume. Yields the share done between pieces of work, and returns the points found. */
export function* sampleVolume(
  finder: TriangleFinder,
  bodies: readonly Placed[],
  request: VolumeRequest,
): Generator<number, RawVolume> {
  const stats = newStats();
  const task = volumeTask(bodies, request);
  if (task === undefined) {
    return emptyVolume(request);
  }
  const { grid, rule, slabs } = task;
  const depth = rule === 'two-bodies' ? (request.localisation ?? 0) : 0;
  const around = surroundings(slabs ? linearFinder() : finder);
  const regions = localise(bodies, grid, wholeWindow(grid), depth, around);
  const found = new CellList();
  const work = { ...workIn(regions), triangles: 0 };
  let complete = true;
  const windows = slabs ? regions : regions.flatMap(inPieces);
  for (let i = 0; i < windows.length; i++) {
    const samples = sampled(grid, windows[i]);
    if (slabs) {
      const swept = yield* sweepSlabs(bodies, samples, rule, found, [
        i / windows.length,
        (i + 1) / windows.length,
      ]);
      work.triangles += swept.triangles;
      complete &&= swept.isWinding;
    } else {
      const before = stats.triangleTests;
      const layers = bodies.map(body => crossingsOf(finder, body, samples, stats));
      work.triangles += stats.triangleTests - before;
      collectCells(samples, layers, rule, found);
    }
    yield (i + 1) / windows.length;
  }
  const cells = found.finish();
  if (windows.length > 1 || slabs) cells.sort();
  return { grid, count: cells.length, cells, stats, work, complete };
}

/** The regions and samples of some windows. */
export const workIn = (windows: readonly Window[]): Pick<VolumeWork, 'regions' | 'samples'> => ({
  regions: windows.length,
  samples: windows.reduce(
    (sum, { low, high }) => sum + (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]),
    0,
  ),
});

/** Searches all triangles: nothing is built beforehand. */
export function linearFinder(): TriangleFinder {
  const search = new LinearSearch();
  return {
    trianglesInBox: (body, box) => search.inBox(body, box),
    trianglesOnRay: (body, origin, direction, slack) => search.onRay(body, origin, direction, slack),
  };
}

/** Crossings of a body's surface with the columns of a window. */
export function crossingsOf(
  finder: TriangleFinder,
  body: Placed,
  samples: Sampled,
  stats: EngineStats,
): Crossings {
  const prism = windowBox(samples.grid, samples.window);
  // Columns are swept from below the body.
  prism[2] = Math.min(prism[2], worldBox(body)[2]);
  const triangles = finder.trianglesInBox(body, prism);
  stats.triangleTests += triangles.length;
  return crossColumns(body, triangles, samples);
}

export const surroundings = (finder: TriangleFinder): Surroundings => ({
  trianglesInBox: (body, box) => finder.trianglesInBox(body, box).slice(),
  windingAt: (body, point) => windingNumber(finder, body, point).winding,
});

/** Splits a window into rows of columns, so that no piece of work is long. */
function inPieces({ low, high }: Window): Window[] {
  const rows = Math.max(1, Math.floor(columnsAtOnce / (high[0] - low[0])));
  const pieces: Window[] = [];
  for (let j = low[1]; j < high[1]; j += rows) {
    pieces.push({
      low: [low[0], j, low[2]],
      high: [high[0], Math.min(high[1], j + rows), high[2]],
    });
  }
  return pieces;
}
