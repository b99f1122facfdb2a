// How far from a site its distance mesh has to reach (Hoff et al., section 5.2: culling by maximum distance and by site).
// Samples are grouped in blocks. With c the middle of a block, ρ its half diagonal and d the distance, every sample of it
// has a distance of at most d(c) + ρ: its bound. A site matters only to blocks that it is as near to as their bound, and
// needs to reach no farther than the largest of these bounds. Lengths are in cells. The GPU has smaller blocks, bounds
// each slice of a block on its own, and leaves out sites whose half-spaces the slice is outside of
// (gpu/meshes/gather-sites.wgsl).

import { At, type Sites, siteNumbers } from './site.ts';

/** Samples along each side of a block. */
export const blockSide = 8;

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
}

export function createBlocks(samples: readonly [number, number], first: number, end: number): Blocks {
  const along = [...samples, end - first].map(count => Math.ceil(count / blockSide));
  const [x, y, z] = along;
  return { samples, first, end, along: [x, y, z], bounds: new Float64Array(x * y * z).fill(-1) };
}

/** The samples of a block from low up to, but not including, high: i, j, k each. */
export function samplesOf({ samples, first, end, along }: Blocks, block: number) {
  const at = [block % along[0], Math.floor(block / along[0]) % along[1], 0];
  at[2] = Math.floor(block / (along[0] * along[1]));
  const low = [blockSide * at[0], blockSide * at[1], first + blockSide * at[2]];
  const ends = [samples[0], samples[1], end];
  return { low, high: low.map((x, axis) => Math.min(x + blockSide, ends[axis])) };
}

/** How far a site has to reach in a layer of blocks; below 0 if it matters to none of them. */
export function reachOf(sites: Sites, site: number, blocks: Blocks, layer: number): number {
  const [across, down] = blocks.along;
  const [nx, ny] = blocks.samples;
  const at = siteNumbers * site;
  const low = at + At.low;
  const high = at + At.high;
  const n = sites.numbers;
  const lowZ = blocks.first + blockSide * layer + 0.5;
  const dz = gap(lowZ, Math.min(lowZ + blockSide - 1, blocks.end - 0.5), n[low + 2], n[high + 2]);
  let reach = -1;
  for (let j = 0; j < down; j++) {
    const lowY = blockSide * j + 0.5;
    const dy = gap(lowY, Math.min(lowY + blockSide - 1, ny - 0.5), n[low + 1], n[high + 1]);
    for (let i = 0; i < across; i++) {
      const bound = blocks.bounds[i + across * (j + down * layer)];
      if (bound <= reach) continue;
      const lowX = blockSide * i + 0.5;
      const dx = gap(lowX, Math.min(lowX + blockSide - 1, nx - 0.5), n[low], n[high]);
      if (dx * dx + dy * dy + dz * dz <= bound * bound) reach = bound;
    }
  }
  return reach;
}

const gap = (lowA: number, highA: number, lowB: number, highB: number): number =>
  Math.max(0, lowA - highB, lowB - highA);
