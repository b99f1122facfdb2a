// A distance field by distance meshes, on the CPU: block by block and slice by slice, the pieces of the meshes of near sites
// are filled row by row into a depth buffer with owners. Doubles decide which samples a piece covers, so that only the
// mesh's own error is left (proof.md).

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { finderOf } from '../../../bvh/cpu/walk/finder.ts';
import type { CpuEngine } from '../../../cpu/engine.ts';
import { type Measured, pointsAtOnce } from '../distance/measured.ts';
import { measurePoints } from '../distance/measurer.ts';
import { createField, type FieldTask, type Slab, signField } from '../distance/sample-field.ts';
import { featureShift, type MeshWork, noOwner, ownerMask, type RawField } from '../field.ts';
import { samplePosition } from '../grid.ts';
import { toSingle } from '../singles.ts';
import { BlockImage } from './block-image.ts';
import { type Blocks, blockSide, createBlocks, farthest, NearSites, samplesOf } from './blocks.ts';
import { SiteKinds } from './site.ts';
import { sitesOf } from './sites.ts';
import { tessellate } from './tessellate.ts';

/** The errors of drawing, in cells, for sites and samples with coordinates up to `size` (proof.md, section 4). */
export const cpuErrors = (size: number) => ({ margin: 2 ** -23 * size, drawing: 2 ** -19 * size });

/** How far and how finely meshes are wanted, in the user's units. */
export type MeshNeeds = Pick<FieldTask, 'upTo' | 'meshTolerance'>;

/** The error that meshes may have, in cells, if everything together is to stay within half the diagonal of a cell. */
export function meshToleranceOf({ meshTolerance }: MeshNeeds, cell: number, drawing: number): number {
  if (meshTolerance !== undefined) return meshTolerance / cell;
  const halfDiagonal = Math.sqrt(3) / 2;
  // However large the coordinates, meshes stay of a sensible size: the stated error grows instead.
  return Math.max(halfDiagonal - drawing, halfDiagonal / 8);
}

/** How far from the grid sites matter, in cells: a cell more than `upTo`, and more than any rounding. */
export const reachInCells = ({ upTo, grid }: FieldTask): number => (upTo / grid.cell) * (1 + 2 ** -20) + 1;

/** Draws a slab. Yields the share done. */
export function* drawField(
  engine: CpuEngine,
  body: Placed,
  task: FieldTask,
  slab: Slab,
): Generator<number, RawField> {
  const field = createField(task.grid, slab);
  // Samples without a near site stay like this.
  field.distance.fill(Infinity);
  field.owner.fill(noOwner);
  const { grid } = task;
  const [nx, ny] = grid.dimensions;
  const sites = sitesOf(body, grid, reachInCells(task));
  const size = Math.max(sites.size, ...grid.dimensions);
  const { margin, drawing } = cpuErrors(size);
  const tolerance = meshToleranceOf(task, grid.cell, drawing);
  const blocks = createBlocks([nx, ny], slab.first, slab.end);
  boundBlocks(engine, body, task, blocks, tolerance + drawing);
  const image = new BlockImage();
  const near = new NearSites(sites, blocks, margin);
  const meshing = { tolerance, margin };
  let meshes = 0;
  const { bounds } = blocks;
  const { sites: list, firsts, lasts } = near.list;
  const drawBlock = (block: number) => {
    const { low, high } = samplesOf(blocks, block);
    near.find(block);
    const { count } = near.list;
    for (let k = low[2]; k < high[2]; k++) {
      image.clear(low, high);
      let bound = Math.min(
        bounds[block],
        farthest(blocks, block, [low[0], low[1], k], [high[0], high[1], k + 1]),
      );
      let isFace = true;
      for (let i = 0; i < count; i++) {
        if (k < firsts[i] || k > lasts[i]) continue;
        const site = list[i];
        if (isFace && sites.kinds[site] !== SiteKinds.face) {
          // An edge or a corner is not nearest if it is farther than all distances that the faces left (proof.md, section 1).
          bound = Math.min(bound, image.most);
          isFace = false;
        }
        const reach = image.begin(sites, site, k + 0.5, bound, margin);
        if (reach < 0) continue;
        meshes++;
        tessellate(sites, site, k + 0.5, reach, meshing, image.draw, image.disc);
      }
      readSlice(image, task, field, low, high, k);
    }
  };
  for (let block = 0; block < bounds.length; block++) {
    if (bounds[block] >= 0) drawBlock(block);
    yield (0.9 * block) / bounds.length;
  }
  const work: MeshWork = {
    ...{ error: (tolerance + drawing) * grid.cell, sites: sites.count, meshes },
    ...{ pieces: image.pieces, fill: image.fill },
  };
  if (!task.signed) return { ...field, unsure: new Uint32Array(0), meshes: work };
  return { ...(yield* signField(finderOf(engine), body, field)), meshes: work };
}

/** Finds what is nearest to the middles of all blocks. */
function boundBlocks(engine: CpuEngine, body: Placed, task: FieldTask, blocks: Blocks, error: number): void {
  const { grid, upTo } = task;
  const count = blocks.bounds.length;
  const points = new Float64Array(3 * pointsAtOnce);
  const found = {
    distance: new Float32Array(pointsAtOnce),
    triangle: new Uint32Array(pointsAtOnce),
    toward: new Float32Array(3 * pointsAtOnce),
  } satisfies Measured;
  const most = upTo / grid.cell + error;
  for (let first = 0; first < count; first += pointsAtOnce) {
    const some = Math.min(pointsAtOnce, count - first);
    for (let i = 0; i < some; i++) {
      const { low, high } = samplesOf(blocks, first + i);
      for (let axis = 0; axis < 3; axis++) {
        const [from, to] = [
          samplePosition(grid, axis, low[axis]),
          samplePosition(grid, axis, high[axis] - 1),
        ];
        points[3 * i + axis] = (from + to) / 2;
      }
    }
    measurePoints(engine, body, points, some, Infinity, found, 0);
    for (let i = 0; i < some; i++) {
      const block = first + i;
      const { low, high } = samplesOf(blocks, block);
      let squared = 0;
      for (let axis = 0; axis < 3; axis++) {
        const middle = (low[axis] + high[axis]) / 2;
        squared += ((high[axis] - low[axis]) / 2) ** 2;
        blocks.feet[3 * block + axis] = middle + found.toward[3 * i + axis] / grid.cell;
      }
      const bound = farthest(blocks, block, low, high);
      if (found.distance[i] / grid.cell - Math.sqrt(squared) <= most)
        blocks.bounds[block] = Math.min(bound, most);
    }
  }
}

/** Writes a slice of a block to a field. */
function readSlice(
  { distance: distances, owner }: BlockImage,
  { grid, upTo }: FieldTask,
  field: Omit<RawField, 'unsure'>,
  low: readonly number[],
  high: readonly number[],
  k: number,
): void {
  const [nx, ny] = grid.dimensions;
  for (let j = low[1]; j < high[1]; j++) {
    for (let i = low[0]; i < high[0]; i++) {
      const from = blockSide * (j - low[1]) + i - low[0];
      const distance = distances[from] * grid.cell;
      if (!(distance < upTo)) continue;
      const to = nx * (ny * (k - field.firstSlice) + j) + i;
      field.distance[to] = toSingle(distance);
      field.owner[to] = owner[from] & ownerMask;
      field.feature[to] = owner[from] >>> featureShift;
    }
  }
}
