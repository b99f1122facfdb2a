// The answer to `scene.intersectionVolume`: the sampled intersection of bodies.

import type { EngineStats } from '../../core/stats.ts';
import { type Box, emptyBox, growBox } from '../../math/box.ts';
import type { MeshWork } from './field.ts';
import { type Grid, samplePosition, toleranceOf } from './grid.ts';
import { labelRegions, type RegionLabels } from './slices/regions.ts';

/** How deep each point of an intersection lies (Hoff et al., section 5.4), one entry per point. */
export interface PointDepths {
  /**
   * The distance from the point to the nearest point of any of the bodies' surfaces. On the CPU it is right to 2^-23 of
   * itself. On a GPU it is off by at most 2^-18 of the distance from the point to the farthest corner of the triangle,
   * plus 2^-22 of the longest side of bodies and grid. If a triangle has an angle within 2^-4 of a straight one, it is
   * off by at most the triangle's width. By distance meshes it is off by at most `meshes.error`.
   */
  readonly depth: Float32Array;
  /**
   * Unit vectors, three numbers per point: towards that nearest point, the shortest way out. 0 0 0 on the surface. By
   * distance meshes, the direction in which the field of the nearest body falls, by differences over a cell.
   */
  readonly direction: Float32Array;
  /**
   * The body whose surface is nearest, as an index into the list that was asked about. On the CPU, the first among
   * equals.
   */
  readonly body: Uint32Array;
  /**
   * Its nearest triangle. On the CPU, the lowest among equals; on a GPU, one of those that its depths cannot tell
   * apart. By distance meshes, one at most 2·`meshes.error` farther away than the nearest.
   */
  readonly triangle: Uint32Array;
  /** What the depths took and how right they are, if they were drawn by distance meshes. */
  readonly meshes?: MeshWork | undefined;
}

/** The raw answer of an engine. */
export interface RawVolume {
  readonly grid: Grid;
  readonly count: number;
  /** The samples' numbers, ascending: (j·nx + i)·nz + k. May be computed on first use. */
  readonly cells: Uint32Array;
  /** The depths, computed on first use; undefined if depths were not asked for. */
  readonly depths?: (() => PointDepths) | undefined;
  readonly stats: EngineStats;
  readonly work: VolumeWork;
  /** False if parity and winding numbers differ at some sample; undefined is true. */
  readonly complete?: boolean | undefined;
}

/**
 * The load of a sampled intersection (Hoff et al., section 6): deeper localisation fills fewer samples and costs time on
 * the CPU.
 */
export interface VolumeWork {
  /** The disjoint boxes that localisation left to sample. */
  readonly regions: number;
  /** The samples in them. */
  readonly samples: number;
  /**
   * How many triangles were drawn over samples: in the form 'slabs' once per slab that a triangle passes through, else once
   * per region that may meet it. (On a GPU, single precision decides which slabs these are.)
   */
  readonly triangles: number;
}

/** A connected part: samples that are connected through the faces of their cells. */
export interface VolumeRegion {
  /** The indices of its points in `points` and `depths`. */
  readonly numbers: Uint32Array;
  /** World x, y, z per point. */
  readonly points: Float64Array;
  /** The number of points times a cell's volume, in cubic units. */
  readonly volume: number;
  /** The box of its points. */
  readonly bounds: Box;
}

/** The sampled intersection of bodies. */
export class IntersectionVolume {
  /** Volumes are sampled by this method (Hoff et al.). */
  readonly method = 'field';
  /** How many samples lie in two of the bodies (or in one twice). */
  readonly count: number;
  /** In cubic units, `count` times a cell's volume: off by up to the surface area of the common part × `tolerance`. */
  readonly volume: number;
  /** Where samples lie. */
  readonly grid: Grid;
  /** Half the diagonal of a cell: the boundary of the sampled region is nowhere farther off than this. */
  readonly tolerance: number;
  /** A common part that holds no ball of this radius may have no sample. */
  readonly mayMissBelow: number;
  /** Every sample reported is inside, exactly. */
  readonly mayReportWithin = 0;
  /**
   * True if every sample was examined and counted by its winding number. False in the form 'slabs' if a body overlaps
   * itself: samples that it winds around an even number of times count as outside there.
   */
  readonly complete: boolean;
  /** How many regions, samples and triangles it took. */
  readonly work: VolumeWork;
  readonly #raw: RawVolume;
  #points: Float64Array | undefined;
  #bounds: Box | undefined;
  #regions: readonly VolumeRegion[] | undefined;
  #depths: PointDepths | undefined;

  constructor(
    raw: RawVolume,
    /** Where it was computed. */
    readonly backend: 'cpu' | 'gpu',
  ) {
    this.#raw = raw;
    this.grid = raw.grid;
    this.count = raw.count;
    this.volume = this.count * cubed(raw.grid.cell);
    this.tolerance = toleranceOf(raw.grid.cell);
    this.mayMissBelow = this.tolerance;
    this.stats = raw.stats;
    this.work = raw.work;
    this.complete = raw.complete ?? true;
  }
  /** How much work it was. */
  readonly stats: EngineStats;

  /** World positions of the samples, x, y, z each: column by column along z, columns by x, then y. */
  get points(): Float64Array {
    return (this.#points ??= pointsOf(this.grid, this.#raw.cells));
  }

  /** The box of all points; empty (low above high) if there are none. */
  get bounds(): Box {
    return (this.#bounds ??= boundsOf(this.points));
  }

  /** Connected regions, in the order of their first points. */
  get regions(): readonly VolumeRegion[] {
    return (this.#regions ??= regionsOf(this.grid, this.#raw.cells));
  }

  /**
   * How deep the points lie, if the question asked for it. Throws 'unsupported' if depths are too large or cells too small for
   * single precision.
   */
  get depths(): PointDepths | undefined {
    return (this.#depths ??= this.#raw.depths?.());
  }
}

function pointsOf(grid: Grid, cells: Uint32Array): Float64Array {
  const [nx, , nz] = grid.dimensions;
  const points = new Float64Array(3 * cells.length);
  for (let at = 0; at < cells.length; at++) {
    const k = cells[at] % nz;
    const column = (cells[at] - k) / nz;
    const i = column % nx;
    points[3 * at] = samplePosition(grid, 0, i);
    points[3 * at + 1] = samplePosition(grid, 1, (column - i) / nx);
    points[3 * at + 2] = samplePosition(grid, 2, k);
  }
  return points;
}

/** Not written as a power, whose last digits JavaScript engines round differently. */
const cubed = (x: number): number => x * x * x;

function boundsOf(points: Float64Array): Box {
  const box = emptyBox();
  for (let i = 0; i < points.length; i += 3) growBox(box, points[i], points[i + 1], points[i + 2]);
  return box;
}

function regionsOf(grid: Grid, cells: Uint32Array): readonly VolumeRegion[] {
  const { regionOf, regionCount }: RegionLabels = labelRegions(grid, cells);
  const sizes = new Uint32Array(regionCount);
  for (const region of regionOf) sizes[region]++;
  const lists = Array.from(sizes, size => new Uint32Array(size));
  sizes.fill(0);
  for (let i = 0; i < cells.length; i++) lists[regionOf[i]][sizes[regionOf[i]]++] = i;
  return lists.map(numbers => {
    const points = pointsOf(
      grid,
      numbers.map(i => cells[i]),
    );
    return { numbers, points, volume: numbers.length * cubed(grid.cell), bounds: boundsOf(points) };
  });
}
