// The raycast method by lists in tiles of groups. This way is used for `counting: 'lists'` if bodies have so many
// candidates that sampling each body once is less work than sampling it once per candidate (grouping.ts). A pixel's list
// has the faces of all bodies of its group; rays and edges are tested against all of them. Work grows with bodies and
// pixels, as in the thesis, and the answer is as complete as that of one tile per candidate.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { GpuTrees } from '../../../bvh/gpu/trees.ts';
import { GpuQuery, type Opening } from '../../../gpu/gpu-query.ts';
import type { Stopwatch } from '../../../gpu/stopwatch.ts';
import { RasterState, TileLayout } from '../../raster/layouts.ts';
import type { Raster, TileBatch } from '../../raster/raster.ts';
import type { EdgeSource } from '../edges/edge-source.ts';
import { layEdges } from '../edges/lay-edges.ts';
import { Collected } from '../lists/collected.ts';
import { CastState } from '../lists/layouts.ts';
import { type CastKernels, ListCast } from '../lists/list-cast.ts';
import type { CastParts } from '../parts.ts';
import { Found, type RawRaycast, type RaycastTask } from '../sampling.ts';
import type { Grouping, GroupView } from './grouping.ts';
import { Silhouette } from './silhouette.ts';

const label = { label: 'raycast' };

export class GroupCasting {
  readonly #trees: GpuTrees;
  readonly #raster: Raster;
  readonly #edges: EdgeSource;
  readonly #stopwatch: Stopwatch;
  readonly #query: GpuQuery;
  readonly #lists: ListCast;

  constructor(kernels: CastKernels, parts: CastParts) {
    const { device, trees, raster, edges, stopwatch, setup } = parts;
    this.#trees = trees;
    this.#raster = raster;
    this.#edges = edges;
    this.#stopwatch = stopwatch;
    this.#query = new GpuQuery(device, stopwatch);
    this.#lists = new ListCast(device, kernels, raster.resources, edges, setup);
  }

  /**
   * Undefined if the tiles have more pixels than the GPU can hold, if single precision cannot place a group together, or
   * if a ray is in too many bodies at once.
   */
  async cast(
    bodies: readonly Placed[],
    task: RaycastTask,
    groups: Grouping,
    opening: Opening,
    checkpoint: (done: number) => void,
  ): Promise<RawRaycast | undefined> {
    if (groups.pixelCount > this.#raster.mostPixels) return undefined;
    const [raster, lists] = [this.#raster, this.#lists];
    const count = task.candidates.length / 2;
    const found = new Collected(bodies, count, groups.pixel);
    let batch: TileBatch<GroupView> | undefined;
    const read = await this.#query.run({
      stats: found.stats,
      opening,
      label,
      checkpoint,
      encode: encoder => {
        batch = raster.layGroups(bodies, groups.tiles) as TileBatch<GroupView> | undefined;
        if (batch === undefined) return undefined;
        found.stats.dispatches += this.#encode(encoder, bodies, task, batch);
        return [
          [raster.statePiece, raster.unsure.piece],
          [lists.statePiece(count), lists.hits.piece],
        ];
      },
      take: ([[state, unsure], [cast, hits]]) => {
        if (raster.accept(state) === 'again' || !lists.accept(cast)) return undefined;
        if (cast[CastState.overflow] !== 0) return 'overflow';
        return {
          ...{ raw: state.slice(), state: cast.slice() },
          unsure: raster.unsure.take(unsure, state[RasterState.unsure]),
          hits: lists.hits.take(hits, cast[CastState.hits]),
        };
      },
    });
    if (read === undefined || read === 'overflow') return undefined;
    const [points, unsure] = await this.#query.rest(read.hits, read.unsure);
    found.addFound(batch!, read.raw, read.state, raster.errorOf(read.raw), points);
    leaveLines(found, bodies, batch!, task, unsure);
    return found.finish(task, groups.tiles.length);
  }

  destroy(): void {
    this.#query.destroy();
    this.#lists.destroy();
  }

  #encode(
    encoder: GPUCommandEncoder,
    bodies: readonly Placed[],
    { candidates, ask }: RaycastTask,
    batch: TileBatch<GroupView>,
  ): number {
    const [raster, lists] = [this.#raster, this.#lists];
    const sides = batch.tiles.flatMap(tile => tile.bodies.map(body => bodies[body]));
    const edgeCount = layEdges(this.#edges, this.#trees, sides, batch.sideWords);
    raster.write(batch, edgeCount);
    lists.reserve(candidates.length / 2, ask, Uint32Array.from(candidates));
    raster.encodeClear(encoder, batch);
    lists.encodeClear(encoder);
    const pass = encoder.beginComputePass(this.#stopwatch.passOf(label));
    let dispatches = raster.encode(pass, batch) + lists.encodeRays(pass, batch.pixelCount);
    dispatches += lists.encodeEdges(pass, edgeCount);
    pass.end();
    this.#stopwatch.encode(encoder);
    return dispatches;
  }
}

/**
 * Leaves the lines of unsure pixels open for every candidate that no ray has found, where they may cross both of its
 * bodies. A pixel is unsure if any body of the tile is, so most of its lines miss one body or the other of most
 * candidates.
 */
function leaveLines(
  found: Collected,
  bodies: readonly Placed[],
  { tiles, tileWords }: TileBatch<GroupView>,
  { candidates }: RaycastTask,
  unsure: Uint32Array,
): void {
  const firstPixel = (tile: number) => tileWords[TileLayout.words * tile + TileLayout.at.firstPixel];
  const sorted = unsure.sort();
  for (let t = 0, i = 0; t < tiles.length; t++) {
    const own: number[] = [];
    for (; i < sorted.length && (t + 1 === tiles.length || sorted[i] < firstPixel(t + 1)); i++) {
      own.push(sorted[i] - firstPixel(t));
    }
    if (own.length === 0) continue;
    const { view, bodies: sides } = tiles[t];
    /** Per body of the tile, which of the lines may cross it. */
    const crossing = new Map<number, Uint8Array>();
    for (const body of sides) {
      const silhouette = new Silhouette(view, bodies[body]);
      crossing.set(
        body,
        Uint8Array.from(own, at => {
          const [x, y] = view.lineOf(at % view.columns, Math.floor(at / view.columns));
          return silhouette.mayCross(x, y) ? 1 : 0;
        }),
      );
    }
    for (const candidate of tiles[t].candidates) {
      if ((found.flags[candidate] & Found.ray) !== 0) continue;
      const [a, b] = [candidates[2 * candidate], candidates[2 * candidate + 1]];
      const [first, second] = [crossing.get(a)!, crossing.get(b)!];
      const passing = own.filter((_, k) => (first[k] & second[k]) === 1);
      if (passing.length > 0) found.leaveLines({ view, a, b, candidate }, passing);
    }
  }
}
