// Which sites matter to which samples, and how far their distance meshes have to reach (Hoff et al., section 5.2: culling by
// maximum distance and by site). Samples are grouped in blocks. With q the point of the body that is nearest to the middle of
// a block, every sample p of it has a distance of at most |p − q|, and the farthest corner of the block bounds them all. A site
// matters only to blocks that it is as near to as their bound, and that do not lie wholly outside one of its half-spaces.
// Lengths are in cells. The GPU bounds each slice of a block on its own (gpu/meshes/gather-sites.wgsl).

import { At, type Sites, siteNumbers } from './site.ts';

/** Samples along each side of a block. */
export const blockSide = 4;

/** The blocks of some slices, x first, then y, then z. */
export interface Blocks {
  /** Samples along x and y, the first slice, and the one after the last. */
  readonly samples: readonly [number, number];
  readonly first: number;
  readonly end: number;
  /** Blocks along x, y and z. */
  readonly along: readonly [number, number, number];
  /** The bound of each; below 0 if no sample of the block needs a distance. */
  readonly bounds: Float64Array;
  /** The body's point that is nearest to the middle of each. */
  readonly feet: Float64Array;
}

export function createBlocks(samples: readonly [number, number], first: number, end: number): Blocks {
  const along = [...samples, end - first].map(count => Math.ceil(count / blockSide));
  const [x, y, z] = along;
  const count = x * y * z;
  const [bounds, feet] = [new Float64Array(count).fill(-1), new Float64Array(3 * count)];
  return { samples, first, end, along: [x, y, z], bounds, feet };
}

/** The samples of a block from low up to, but not including, high: i, j, k each. */
export function samplesOf({ samples, first, end, along }: Blocks, block: number) {
  const at = [block % along[0], Math.floor(block / along[0]) % along[1], 0];
  at[2] = Math.floor(block / (along[0] * along[1]));
  const low = [blockSide * at[0], blockSide * at[1], first + blockSide * at[2]];
  const ends = [samples[0], samples[1], end];
  return { low, high: low.map((x, axis) => Math.min(x + blockSide, ends[axis])) };
}

/**
 * A bound of the distances between the block's foot and samples from low up to, but not including, high. An eighth of a cell and
 * 2^-20 of the distance are added, which is more than all rounding.
 */
export function farthest({ feet }: Blocks, block: number, low: readonly number[], high: readonly number[]) {
  let squared = 0;
  for (let axis = 0; axis < 3; axis++) {
    const foot = feet[3 * block + axis];
    const most = Math.max(high[axis] - 0.5 - foot, foot - low[axis] - 0.5);
    squared += most * most;
  }
  return Math.sqrt(squared) * (1 + 2 ** -20) + 1 / 8;
}

/** Sites that may be nearest to samples of a block, in the order of all sites. */
export interface NearList {
  count: number;
  readonly sites: Uint32Array;
  /** The slices of the grid that each may matter to. */
  readonly firsts: Int32Array;
  readonly lasts: Int32Array;
}

/** Sites that follow each other in a mesh are mostly close together: so many share a box. */
const groupSize = 16;

/** Finds the sites that may be nearest to samples of a block. */
export class NearSites {
  readonly list: NearList;
  readonly #sites: Sites;
  readonly #blocks: Blocks;
  /** How far off half-spaces may be. */
  readonly #margin: number;
  /** The lowest and highest coordinates of each group. */
  readonly #boxes: Float64Array;
  /** The middle of the block's samples, and half their extent. */
  readonly #middle = new Float64Array(3);
  readonly #half = new Float64Array(3);

  constructor(sites: Sites, blocks: Blocks, margin: number) {
    this.#sites = sites;
    this.#blocks = blocks;
    this.#margin = margin;
    const { count } = sites;
    this.list = {
      count: 0,
      sites: new Uint32Array(count),
      firsts: new Int32Array(count),
      lasts: new Int32Array(count),
    };
    this.#boxes = boxesOf(sites);
  }

  /** Fills `list` for a block. */
  find(block: number): void {
    const { low, high } = samplesOf(this.#blocks, block);
    for (let axis = 0; axis < 3; axis++) {
      this.#middle[axis] = (low[axis] + high[axis]) / 2;
      this.#half[axis] = (high[axis] - low[axis] - 1) / 2;
    }
    const { numbers, count } = this.#sites;
    const bound = this.#blocks.bounds[block];
    this.list.count = 0;
    for (let first = 0, box = 0; first < count; first += groupSize, box += 6) {
      if (!this.#isNear(this.#boxes, box, box + 3, bound)) continue;
      const end = Math.min(count, first + groupSize);
      for (let site = first; site < end; site++) {
        const at = siteNumbers * site;
        if (this.#isNear(numbers, at + At.low, at + At.high, bound)) this.#add(site);
      }
    }
  }

  #isNear(boxes: Float64Array, low: number, high: number, bound: number): boolean {
    let squared = 0;
    for (let axis = 0; axis < 3; axis++) {
      const middle = this.#middle[axis];
      const gap = Math.max(boxes[low + axis] - middle, middle - boxes[high + axis]) - this.#half[axis];
      if (gap > 0) squared += gap * gap;
    }
    return squared <= bound * bound;
  }

  /** Adds a site to the list, if some slice of the block is not wholly outside one of its half-spaces. */
  #add(site: number): void {
    const { numbers: n, spaceCounts } = this.#sites;
    const at = siteNumbers * site;
    const middle = this.#middle;
    const half = this.#half;
    let low = middle[2] - half[2];
    let high = middle[2] + half[2];
    const last = at + At.spaces + 4 * spaceCounts[site];
    for (let space = at + At.spaces; space < last; space += 4) {
      const mx = n[space];
      const my = n[space + 1];
      const mz = n[space + 2];
      // The largest value that the half-space has in the block, at the height of the site.
      const across = mx * (middle[0] - n[at]) + Math.abs(mx) * half[0];
      const down = my * (middle[1] - n[at + 1]) + Math.abs(my) * half[1];
      const most = across + down + n[space + 3] + this.#margin;
      const end = n[at + 2] - most / mz;
      if (mz > 0) low = Math.max(low, end);
      else if (mz < 0) high = Math.min(high, end);
      else if (most < 0) return;
      if (low > high) return;
    }
    const { list } = this;
    // The middle of slice k is at the height k + 1/2.
    list.firsts[list.count] = Math.ceil(low - 0.5);
    list.lasts[list.count] = Math.floor(high - 0.5);
    list.sites[list.count++] = site;
  }
}

function boxesOf({ numbers, count }: Sites): Float64Array {
  const boxes = new Float64Array(6 * Math.ceil(count / groupSize));
  for (let site = 0; site < count; site++) {
    const box = 6 * Math.floor(site / groupSize);
    const isFirst = site % groupSize === 0;
    for (let at = 0; at < 3; at++) {
      const low = numbers[siteNumbers * site + At.low + at];
      const high = numbers[siteNumbers * site + At.high + at];
      boxes[box + at] = isFirst ? low : Math.min(boxes[box + at], low);
      boxes[box + 3 + at] = isFirst ? high : Math.max(boxes[box + 3 + at], high);
    }
  }
  return boxes;
}
