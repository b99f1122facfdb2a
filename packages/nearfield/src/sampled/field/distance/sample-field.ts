// The distance field of a body on the CPU. Every sample of some slices is measured against the body's tree, and the
// crossings of its column give the sign.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { worldBox } from '../../../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../../../bvh/cpu/walk/finder.ts';
import { finderOf } from '../../../bvh/cpu/walk/finder.ts';
import {
  aFlag,
  bad,
  checkOptions,
  distanceAbove0,
  lengthAbove0,
  limitRules,
  oneOf,
  type Rules,
} from '../../../core/arguments.ts';
import { NearfieldError } from '../../../core/errors.ts';
import type { Limits } from '../../../core/limits.ts';
import { newStats } from '../../../core/stats.ts';
import type { CpuEngine } from '../../../cpu/engine.ts';
import { type BoundaryEdges, boundaryOf, boundaryWinding } from '../../../inside/boundary-winding.ts';
import { type Box, isEmptyBox } from '../../../math/box.ts';
import type { RawField } from '../field.ts';
import { aBox, checkSampling, type Grid, gridOver, type Sampling, samplingRules } from '../grid.ts';
import { checkCell } from '../singles.ts';
import { type Crossings, sampled, windingStep } from '../slices/columns.ts';
import { crossingsOf } from '../slices/slices.ts';
import { type Measured, pointsAtOnce } from './measured.ts';
import { measurePoints } from './measurer.ts';

/** The options of a distance field: the region that is sampled, and how finely. */
export interface FieldOptions extends Sampling, Limits {
  /** The part of the world to sample; default the body's box plus a margin (`upTo`, or a tenth of its longest side). */
  readonly box?: ArrayLike<number> | undefined;
  /** The distance at which to stop: samples this far away or farther are ±Infinity and have no owner. */
  readonly upTo?: number | undefined;
  /**
   * Whether distances inside are negative; default true. For a solid body every sign is exact. Otherwise a sample is
   * inside if the surface winds around it at least half a time, and samples for which that is close are listed as
   * `unsure`.
   */
  readonly signed?: boolean | undefined;
  /**
   * How the GPU finds distances. 'tree': each sample traverses the body's tree. 'raster': slice by slice, by drawing
   * what each triangle can reach (Hoff et al., section 5.2). Owners, signs and distances are the same. 'auto' takes
   * 'tree': on an H200 its textures were ready 5 to 17 times sooner for 5,000 triangles (64³ to 256³ samples), 50 to
   * 190 times for 82,000 (to 128³).
   *
   * 'distance-meshes' is the paper's own form, on both backends: the distance to each face, edge and corner is a mesh
   * over each slice, drawn into a depth buffer with owners. Its distances are approximate. Each is off by at most
   * `field.meshes.error`, and the owner is at most twice that farther away than the nearest triangle. Signs are exact.
   * Which samples are nearer than `upTo` is certain up to that error only.
   */
  readonly form?: 'auto' | 'tree' | 'raster' | 'distance-meshes' | undefined;
  /**
   * For the form 'distance-meshes': how far a mesh may lie above the true distance, in the user's units. By default
   * everything together stays within `tolerance`. A smaller value costs more triangles per mesh, and no more samples.
   */
  readonly meshTolerance?: number | undefined;
}

export const fieldRules: Rules<FieldOptions> = {
  ...limitRules,
  ...samplingRules,
  box: aBox,
  upTo: distanceAbove0,
  signed: aFlag,
  form: oneOf('auto', 'tree', 'raster', 'distance-meshes'),
  meshTolerance: lengthAbove0,
};

/** A grid and the checked options of its field. */
export interface FieldTask {
  readonly grid: Grid;
  readonly upTo: number;
  readonly signed: boolean;
  readonly form: 'tree' | 'raster' | 'distance-meshes';
  readonly meshTolerance: number | undefined;
}

/** The slices from `first` up to, but not including, `end`. */
export interface Slab {
  readonly first: number;
  readonly end: number;
}

export function fieldTask(body: Placed, options: FieldOptions): FieldTask {
  checkOptions(options, fieldRules, 'field');
  checkSampling(options);
  const { upTo = Infinity, signed = true, form = 'auto', meshTolerance } = options;
  if (meshTolerance !== undefined && form !== 'distance-meshes') {
    throw bad(`meshTolerance is for the form 'distance-meshes'; the form is '${form}'`);
  }
  const box = options.box === undefined ? surroundingBox(body, upTo) : Float64Array.from(options.box);
  const grid = gridOver(box, options);
  checkCell(grid);
  return { grid, upTo, signed, form: form === 'auto' ? 'tree' : form, meshTolerance };
}

function surroundingBox(body: Placed, upTo: number): Box {
  const own = worldBox(body);
  if (isEmptyBox(own)) {
    throw bad('a body without triangles has no default box: give one');
  }
  const longest = Math.max(own[3] - own[0], own[4] - own[1], own[5] - own[2]);
  const margin = upTo < Infinity ? upTo : longest / 10;
  return own.map((x, i) => (i < 3 ? x - margin : x + margin));
}

/** Slabs of at most `most` samples, and at least one slice. */
export function slabsOf({ dimensions: [nx, ny, nz] }: Grid, most: number): Slab[] {
  const slices = Math.max(1, Math.floor(most / (nx * ny)));
  return Array.from({ length: Math.ceil(nz / slices) }, (_, i) => ({
    first: i * slices,
    end: Math.min(nz, (i + 1) * slices),
  }));
}

/** Allocates the samples of a slab. */
export function createField(grid: Grid, { first, end }: Slab): Omit<RawField, 'unsure'> {
  const count = grid.dimensions[0] * grid.dimensions[1] * (end - first);
  try {
    return {
      grid,
      firstSlice: first,
      sliceCount: end - first,
      distance: new Float32Array(count),
      owner: new Uint32Array(count),
      feature: new Uint8Array(count),
      stats: newStats(),
    };
  } catch (cause) {
    const message = `a field of ${count} samples does not fit in memory: use fieldSlabs`;
    throw new NearfieldError('out-of-memory', message, { cause });
  }
}

/** Samples a slab. Yields the share done. */
export function* sampleField(
  engine: CpuEngine,
  body: Placed,
  task: FieldTask,
  slab: Slab,
): Generator<number, RawField> {
  const field = createField(task.grid, slab);
  const { grid, upTo } = task;
  const samples = sampled(grid, {
    low: [0, 0, slab.first],
    high: [grid.dimensions[0], grid.dimensions[1], slab.end],
  });
  const { x, y, z } = samples;
  const out: Measured = { distance: field.distance, triangle: field.owner, feature: field.feature };
  const points = new Float64Array(3 * pointsAtOnce);
  const total = field.distance.length;
  for (let first = 0; first < total; first += pointsAtOnce) {
    const count = Math.min(pointsAtOnce, total - first);
    let i = first % x.length;
    let j = Math.floor(first / x.length) % y.length;
    let k = Math.floor(first / (x.length * y.length));
    for (let at = 0; at < 3 * count; at += 3) {
      points[at] = x[i];
      points[at + 1] = y[j];
      points[at + 2] = z[k];
      if (++i < x.length) continue;
      i = 0;
      if (++j < y.length) continue;
      j = 0;
      k++;
    }
    measurePoints(engine, body, points, count, upTo, out, first);
    yield (0.9 * (first + count)) / total;
  }
  if (!task.signed) return { ...field, unsure: new Uint32Array(0) };
  return yield* signField(finderOf(engine), body, field);
}

/** Gives the distances of a field their signs. */
export function* signField(
  finder: TriangleFinder,
  body: Placed,
  field: Omit<RawField, 'unsure'>,
): Generator<number, RawField> {
  const { grid, firstSlice, sliceCount } = field;
  const [nx, ny] = grid.dimensions;
  const samples = sampled(grid, { low: [0, 0, firstSlice], high: [nx, ny, firstSlice + sliceCount] });
  const { x, y, z } = samples;
  const crossings = crossingsOf(finder, body, samples, field.stats);
  if (body.shape.mesh.solid) {
    signByCrossings(field.distance, crossings, x.length * y.length, z.length);
    return { ...field, unsure: new Uint32Array(0) };
  }
  const unsure = yield* signByWinding(field.distance, crossings, boundaryOf(body), samples);
  field.stats.unsure = unsure.length;
  return { ...field, unsure };
}

/** Makes distances negative between crossings where the winding number is nonzero. */
function signByCrossings(
  distance: Float32Array,
  { start, levels }: Crossings,
  columns: number,
  slices: number,
): void {
  for (let column = 0; column < columns; column++) {
    let winding = 0;
    for (let at = start[column]; at < start[column + 1]; at++) {
      winding += windingStep(levels[at]);
      if (winding === 0) continue;
      const end = at + 1 < start[column + 1] ? levels[at + 1] >> 1 : slices;
      for (let k = levels[at] >> 1; k < end; k++) distance[k * columns + column] *= -1;
    }
  }
}

/** If a winding number is this near to a half, the sign of the sample is unsure. */
export const undecided = 0.1;

function* signByWinding(
  distance: Float32Array,
  { start, levels }: Crossings,
  boundary: BoundaryEdges,
  { x, y, z }: { x: Float64Array; y: Float64Array; z: Float64Array },
): Generator<number, Uint32Array> {
  const columns = x.length * y.length;
  const unsure: number[] = [];
  for (let column = 0; column < columns; column++) {
    let at = start[column];
    let crossings = 0;
    for (let k = 0; k < z.length; k++) {
      for (; at < start[column + 1] && levels[at] >> 1 <= k; at++) crossings += windingStep(levels[at]);
      const i = column % x.length;
      const winding = crossings + boundaryWinding(boundary, x[i], y[(column - i) / x.length], z[k]);
      const sample = k * columns + column;
      if (Math.abs(winding) >= 0.5) distance[sample] *= -1;
      if (Math.abs(Math.abs(winding) - 0.5) < undecided) unsure.push(sample);
    }
    if (column % 64 === 63) yield 0.9 + (0.1 * column) / columns;
  }
  return Uint32Array.from(unsure).sort();
}
