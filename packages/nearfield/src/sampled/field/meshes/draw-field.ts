// A distance field by distance meshes, on the CPU: slice by slice, the pieces of every site's mesh are filled row by row
// into a depth buffer with owners. Doubles decide which samples a piece covers, so that only the mesh's own error is left
// (proof.md).

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { finderOf } from '../../../bvh/cpu/walk/finder.ts';
import type { CpuEngine } from '../../../cpu/engine.ts';
import { type Measured, pointsAtOnce } from '../distance/measured.ts';
import { measurePoints } from '../distance/measurer.ts';
import { createField, type FieldTask, type Slab, signField } from '../distance/sample-field.ts';
import { featureShift, type MeshWork, noOwner, ownerMask, type RawField } from '../field.ts';
import { samplePosition } from '../grid.ts';
import { type Blocks, blockSide, createBlocks, reachOf, samplesOf } from './blocks.ts';
import { At, type Sites, siteNumbers } from './site.ts';
import { sitesOf } from './sites.ts';
import { type DrawPiece, tessellate } from './tessellate.ts';

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
  const { grid } = task;
  const [nx, ny] = grid.dimensions;
  const sites = sitesOf(body, grid, reachInCells(task));
  const size = Math.max(sites.size, ...grid.dimensions);
  const { margin, drawing } = cpuErrors(size);
  const tolerance = meshToleranceOf(task, grid.cell, drawing);
  const blocks = createBlocks([nx, ny], slab.first, slab.end);
  boundBlocks(engine, body, task, blocks, tolerance + drawing);
  const image = new Image(nx, ny);
  const reaches = new Float64Array(sites.count);
  let meshes = 0;
  for (let k = slab.first; k < slab.end; k++) {
    const layer = Math.floor((k - slab.first) / blockSide);
    if ((k - slab.first) % blockSide === 0) {
      for (let site = 0; site < sites.count; site++) reaches[site] = reachOf(sites, site, blocks, layer);
    }
    image.clear();
    for (let site = 0; site < sites.count; site++) {
      if (!image.begin(sites, site, k + 0.5, reaches[site], margin)) continue;
      meshes++;
      tessellate(sites, site, k + 0.5, reaches[site], { tolerance, margin }, image.draw);
    }
    image.read(task, field, (k - slab.first) * nx * ny);
    yield (0.9 * (k + 1 - slab.first)) / (slab.end - slab.first);
  }
  const work: MeshWork = {
    ...{ error: (tolerance + drawing) * grid.cell, sites: sites.count, meshes },
    ...{ pieces: image.pieces, fill: image.fill },
  };
  if (!task.signed) return { ...field, unsure: new Uint32Array(0), meshes: work };
  return { ...(yield* signField(finderOf(engine), body, field)), meshes: work };
}

/** Measures the middles of all blocks. */
function boundBlocks(engine: CpuEngine, body: Placed, task: FieldTask, blocks: Blocks, error: number): void {
  const { grid, upTo } = task;
  const count = blocks.bounds.length;
  const points = new Float64Array(3 * pointsAtOnce);
  const found = {
    distance: new Float32Array(pointsAtOnce),
    triangle: new Uint32Array(pointsAtOnce),
  } satisfies Measured;
  for (let first = 0; first < count; first += pointsAtOnce) {
    const some = Math.min(pointsAtOnce, count - first);
    const radii = new Float64Array(some);
    for (let i = 0; i < some; i++) {
      const { low, high } = samplesOf(blocks, first + i);
      let squared = 0;
      for (let axis = 0; axis < 3; axis++) {
        const ends = [low[axis], high[axis] - 1].map(at => samplePosition(grid, axis, at));
        points[3 * i + axis] = (ends[0] + ends[1]) / 2;
        squared += ((high[axis] - low[axis]) / 2) ** 2;
      }
      radii[i] = Math.sqrt(squared);
    }
    measurePoints(engine, body, points, some, Infinity, found, 0);
    for (let i = 0; i < some; i++) {
      const middle = found.distance[i] / grid.cell;
      const most = upTo / grid.cell + error;
      // Half a cell more than the samples' own half diagonal is on the safe side of every rounding.
      if (middle - radii[i] <= most) blocks.bounds[first + i] = Math.min(middle + radii[i], most);
    }
  }
}

/** One slice: the least distance drawn so far, and whose it is. */
class Image {
  readonly #distance: Float64Array;
  readonly #owner: Uint32Array;
  /** The site being drawn. */
  #place: readonly [number, number] = [0, 0];
  #ownerNow = 0;
  /** The samples it may reach. */
  #window: readonly [number, number, number, number] = [0, 0, 0, 0];
  pieces = 0;
  fill = 0;

  constructor(
    readonly nx: number,
    readonly ny: number,
  ) {
    this.#distance = new Float64Array(nx * ny);
    this.#owner = new Uint32Array(nx * ny);
  }

  clear(): void {
    this.#distance.fill(Infinity);
    this.#owner.fill(noOwner);
  }

  /** False if the site cannot reach any sample of the slice at height z. */
  begin(sites: Sites, site: number, z: number, reach: number, margin: number): boolean {
    const { numbers, owners } = sites;
    const at = siteNumbers * site;
    const away = Math.max(0, numbers[at + At.low + 2] - z, z - numbers[at + At.high + 2]);
    if (!(away <= reach)) return false;
    const around = Math.sqrt(reach * reach - away * away);
    const low = [0, 1].map(axis => Math.max(0, Math.ceil(numbers[at + At.low + axis] - around - 0.5)));
    const ends = [this.nx, this.ny];
    const high = [0, 1].map(axis =>
      Math.min(ends[axis] - 1, Math.floor(numbers[at + At.high + axis] + around - 0.5)),
    );
    const height = z - numbers[at + At.place + 2];
    const first = at + At.spaces;
    // Each half-space narrows the window: what the one axis can give at most, the other has to.
    for (let s = first; s < first + 4 * sites.spaceCounts[site]; s += 4) {
      const rest = numbers[s + 2] * height + numbers[s + 3] + margin;
      for (let axis = 0; axis < 2; axis++) {
        const other = 1 - axis;
        const [own, beside] = [numbers[s + axis], numbers[s + other]];
        if (own === 0) continue;
        const most = beside * ((beside > 0 ? high[other] : low[other]) + 0.5 - numbers[at + other]);
        const end = -(most + rest) / own + numbers[at + axis] - 0.5;
        if (own > 0) low[axis] = Math.max(low[axis], Math.ceil(end));
        else high[axis] = Math.min(high[axis], Math.floor(end));
      }
    }
    if (low[0] > high[0] || low[1] > high[1]) return false;
    this.#window = [low[0], low[1], high[0], high[1]];
    this.#place = [numbers[at], numbers[at + 1]];
    this.#ownerNow = owners[site];
    return true;
  }

  readonly draw: DrawPiece = (borders, count, x, y, c) => {
    const [lowX, lowY, highX, highY] = this.#window;
    const [px, py] = this.#place;
    // Most pieces lie wholly outside the window.
    for (let b = 0; b < 3 * count; b += 3) {
      const mostX = borders[b] * ((borders[b] > 0 ? highX : lowX) + 0.5 - px);
      const mostY = borders[b + 1] * ((borders[b + 1] > 0 ? highY : lowY) + 0.5 - py);
      if (mostX + mostY + borders[b + 2] < 0) return;
    }
    this.pieces++;
    for (let j = lowY; j <= highY; j++) {
      const atY = j + 0.5 - py;
      let [from, to] = [lowX, highX];
      for (let b = 0; b < 3 * count; b += 3) {
        const slope = borders[b];
        const rest = borders[b + 1] * atY + borders[b + 2];
        if (slope === 0) {
          if (rest < 0) to = -1;
          continue;
        }
        const end = -rest / slope + px - 0.5;
        if (slope > 0) {
          if (end > from) from = Math.ceil(end);
        } else if (end < to) to = Math.floor(end);
      }
      const row = j * this.nx;
      const start = y * atY + c;
      for (let i = from; i <= to; i++) {
        this.fill++;
        const distance = Math.abs(x * (i + 0.5 - px) + start);
        if (!(distance < this.#distance[row + i])) continue;
        this.#distance[row + i] = distance;
        this.#owner[row + i] = this.#ownerNow;
      }
    }
  };

  /** Writes the slice to a field, from sample `at` on. */
  read({ grid, upTo }: FieldTask, field: Omit<RawField, 'unsure'>, at: number): void {
    for (let i = 0; i < this.#distance.length; i++) {
      const distance = this.#distance[i] * grid.cell;
      const isNear = distance < upTo;
      field.distance[at + i] = isNear ? distance : Infinity;
      field.owner[at + i] = isNear ? this.#owner[i] & ownerMask : noOwner;
      field.feature[at + i] = isNear ? this.#owner[i] >>> featureShift : 0;
    }
  }
}
