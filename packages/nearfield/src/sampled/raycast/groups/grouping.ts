// Tiles of groups: bodies that candidates connect share a tile, and each is sampled once in it, not once per candidate.
// Pixels are as large as in tiles of single candidates, so what is promised is the same.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { GroupTile } from '../../raster/raster.ts';
import type { View } from '../../raster/view.ts';
import { AxisTile } from '../lists/axis-tile.ts';
import { fewTiles, pixelOf } from '../lists/tiling.ts';
import type { RaycastTask } from '../sampling.ts';
import { boxesOf, directionsOf, windowsOf } from '../windows.ts';

/** A tile, and the candidates among its bodies. */
export interface GroupView extends GroupTile {
  readonly candidates: readonly number[];
}

export interface Grouping {
  readonly tiles: readonly GroupView[];
  /** The number of pixels of all tiles, and the side of a pixel in world units. */
  readonly pixelCount: number;
  readonly pixel: number;
}

/** A triangle costs about as much as this many pixels: it is placed, and its edges are. */
const pixelsPerTriangle = 8;
/** A ray through a body's box has about this many of its faces in the list. */
const facesPerRay = 2;

/**
 * Sharing must save at least this factor. A shared tile is laid out on the CPU, its rays follow all bodies one after the
 * other, and all edges are sampled in it. Tiles of candidates sample those edges alone that rays left open: of randomly
 * placed boxes an eighth of the samples, in far more threads.
 */
const leastSaving = 3.5;

/**
 * The tiles, if that is much less work than a tile per candidate. A group of bodies has one tile per direction, or one per
 * candidate and direction if that is less work for it: bodies far apart in a chain have most of their tile empty.
 */
export function groupsOf(
  bodies: readonly Placed[],
  task: Pick<RaycastTask, 'candidates' | 'resolution' | 'views' | 'windows'>,
): Grouping | undefined {
  const { candidates, views } = task;
  const count = candidates.length / 2;
  // As many candidates as bodies are a chain or a ring: sharing gains nothing.
  if (count <= bodies.length) return undefined;
  const boxes = boxesOf(bodies);
  const windows = task.windows ?? windowsOf(boxes, candidates);
  // Where tiles would be laid out on the GPU, pixels are a power of two wide (gpu-tiles/measure-tiles.wgsl).
  const asked = pixelOf(boxes, windows, task);
  const pixel = count * views > fewTiles ? 2 ** Math.floor(Math.log2(asked * (1 - 2 ** -18))) : asked;
  const tiles: GroupView[] = [];
  let [pixelCount, shared] = [0, 0];
  const trianglesOf = (body: number) => bodies[body].shape.mesh.triangleCount;
  const add = (list: readonly AxisTile[], own: readonly number[], of: readonly number[]) => {
    for (const tile of list) {
      tiles.push(new GroupOfTile(tile, own, of));
      pixelCount += tile.pixelCount;
    }
  };
  for (const group of connected(candidates, bodies.length)) {
    const single = group.candidates.map(c => {
      const [a, b] = [candidates[2 * c], candidates[2 * c + 1]];
      const list = directionsOf(windows, 6 * c, views).map(
        axis => new AxisTile(a, b, c, axis, pixel, windows, 6 * c),
      );
      const covered = list.reduce((sum, { pixelCount }) => sum + 2 * pixelCount, 0);
      return { c, a, b, list, work: workOf(list, covered, trianglesOf(a) + trianglesOf(b)) };
    });
    const around = boxAroundSome(windows, group.candidates);
    const [first, second] = group.bodies;
    const tiles = directionsOf(around, 0, views).map(
      axis => new AxisTile(first, second, 0, axis, pixel, around, 0),
    );
    const triangles = group.bodies.reduce((sum, body) => sum + trianglesOf(body), 0);
    const covered = tiles.reduce((sum, { axis }) => sum + coveredBy(boxes, group.bodies, axis, pixel), 0);
    const apart = single.reduce((sum, { work }) => sum + work, 0);
    if (group.bodies.length > 2 && leastSaving * workOf(tiles, covered, triangles) < apart) {
      add(tiles, group.bodies, group.candidates);
      shared++;
    } else for (const { c, a, b, list } of single) add(list, [a, b], [c]);
  }
  return shared === 0 ? undefined : { tiles, pixelCount, pixel };
}

/** The work of sampling bodies in some views, in pixels. `covered` are the pixels of their boxes, summed over bodies. */
const workOf = (tiles: readonly AxisTile[], covered: number, triangles: number): number =>
  tiles.reduce((sum, { pixelCount }) => sum + pixelCount + pixelsPerTriangle * triangles, 0) +
  facesPerRay * covered;

/** How many pixels the boxes of some bodies cover when seen along an axis. */
function coveredBy(boxes: Float64Array, bodies: readonly number[], axis: number, pixel: number): number {
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  let area = 0;
  for (const body of bodies) {
    const at = 6 * body;
    area += (boxes[at + u + 3] - boxes[at + u]) * (boxes[at + v + 3] - boxes[at + v]);
  }
  return area / (pixel * pixel);
}

class GroupOfTile implements GroupView {
  readonly far: number;
  readonly #tile: AxisTile;

  constructor(
    tile: AxisTile,
    readonly bodies: readonly number[],
    readonly candidates: readonly number[],
  ) {
    this.#tile = tile;
    this.far = tile.far;
  }

  get view(): View {
    return this.#tile.view;
  }
}

interface Group {
  readonly bodies: number[];
  readonly candidates: number[];
}

/** The bodies that candidates connect, directly or through others, in order. */
function connected(candidates: Uint32Array, bodies: number): Group[] {
  const parents = Uint32Array.from({ length: bodies }, (_, i) => i);
  const rootOf = (body: number): number => {
    let root = body;
    while (parents[root] !== root) root = parents[root] = parents[parents[root]];
    return root;
  };
  for (let c = 0; c < candidates.length; c += 2) {
    const [p, q] = [rootOf(candidates[c]), rootOf(candidates[c + 1])];
    parents[Math.max(p, q)] = Math.min(p, q);
  }
  const groups = new Map<number, Group>();
  const groupOf = (body: number): Group => {
    const root = rootOf(body);
    let group = groups.get(root);
    if (group === undefined) groups.set(root, (group = { bodies: [], candidates: [] }));
    return group;
  };
  for (let body = 0; body < bodies; body++) groupOf(body).bodies.push(body);
  for (let c = 0; c < candidates.length / 2; c++) groupOf(candidates[2 * c]).candidates.push(c);
  return [...groups.values()].filter(group => group.candidates.length > 0);
}

function boxAroundSome(windows: Float64Array, some: readonly number[]): Float64Array {
  const box = new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
  for (const c of some) {
    for (let k = 0; k < 3; k++) {
      box[k] = Math.min(box[k], windows[6 * c + k]);
      box[k + 3] = Math.max(box[k + 3], windows[6 * c + k + 3]);
    }
  }
  return box;
}
