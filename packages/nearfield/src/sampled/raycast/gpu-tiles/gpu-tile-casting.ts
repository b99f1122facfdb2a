// The raycast method by lists, with tiles laid out on the GPU. This way is used for `counting: 'lists'` among many
// candidates: more than 256 bodies, or more than 64 tiles unless ask is 'any'. All bodies must be solids, and their
// positions must not come from the GPU. The GPU finds the candidates, lays out tiles, samples, casts and collects, in
// one submission and one read-back. Only pairs are read back, never candidates, tiles or pixels.

import type { Snapshot } from '../../../bodies/snapshot/snapshot.ts';
import type { GpuPairFront } from '../../../candidates/gpu/pair-front.ts';
import { newStats } from '../../../core/stats.ts';
import { CountedLists } from '../../../gpu/buffers/counted-lists.ts';
import type { ReadList } from '../../../gpu/buffers/read-list.ts';
import { softwareGroups } from '../../../gpu/device/device.ts';
import { GpuQuery, Opening, type Preparation } from '../../../gpu/gpu-query.ts';
import { Launch, Resources } from '../../../gpu/kernel.ts';
import type { Stopwatch } from '../../../gpu/stopwatch.ts';
import { RasterState } from '../../raster/layouts.ts';
import type { Raster } from '../../raster/raster.ts';
import type { EdgeSource } from '../edges/edge-source.ts';
import { CastState } from '../lists/layouts.ts';
import { type CastKernels, createCastKernels, ListCast } from '../lists/list-cast.ts';
import type { CastParts } from '../parts.ts';
import type { SceneFindings, SceneTask } from '../sampling.ts';
import { collectFindings } from './collected.ts';
import { createLayingKernels, type LayingKernels } from './kernels.ts';
import { type Laid, TileLaying } from './laying.ts';
import { LayState } from './layouts.ts';

const label = { label: 'raycast of many' };
const recordBytes = { foundPairs: 16, openLines: 32 };

export type GpuTileKernels = CastKernels & { readonly laying: LayingKernels };

export async function createGpuTileKernels(device: GPUDevice): Promise<GpuTileKernels> {
  const [cast, laying] = await Promise.all([createCastKernels(device), createLayingKernels(device)]);
  return { ...cast, laying };
}

export class GpuTileCasting {
  readonly #front: GpuPairFront;
  readonly #raster: Raster;
  readonly #edges: EdgeSource;
  readonly #stopwatch: Stopwatch;
  readonly #query: GpuQuery;
  readonly #lists: ListCast;
  /** For tests. */
  readonly laying: TileLaying;
  readonly #collect: Launch;
  readonly #resources: Resources;
  readonly #buffers: CountedLists<keyof typeof recordBytes>;
  readonly #readers: Readonly<Record<keyof typeof recordBytes, ReadList>>;
  readonly #groups: number;
  /** The sizes of the last question; the next dispatches are made as large. */
  #last: Pick<Laid, 'pixels' | 'triangles' | 'edges'> = {
    pixels: 2 ** 18,
    triangles: 2 ** 18,
    edges: 2 ** 18,
  };

  constructor(kernels: GpuTileKernels, parts: CastParts) {
    const { device, front, raster, edges, stopwatch, setup } = parts;
    this.#front = front;
    this.#raster = raster;
    this.#edges = edges;
    this.#stopwatch = stopwatch;
    this.#query = new GpuQuery(device, stopwatch);
    this.#lists = new ListCast(device, kernels, raster.laidResources, edges, setup);
    const { laying } = kernels;
    this.laying = new TileLaying(device, laying, raster, edges, front.resources, setup.layingRoom);
    this.#resources = new Resources(this.#lists.resources);
    this.#collect = new Launch(device, laying.collect, this.#resources);
    this.#buffers = new CountedLists(device, 'raycast of many', recordBytes);
    this.#readers = {
      foundPairs: this.#buffers.reader('foundPairs'),
      openLines: this.#buffers.reader('openLines'),
    };
    this.#groups = setup.software ? softwareGroups : 1024;
  }

  /**
   * Undefined if it cannot be done like this: then tiles have to be laid out one by one (lists/). 'dense' if there are
   * more candidates than the task allows; nothing is grown for them.
   */
  async cast(
    bodies: Snapshot,
    task: SceneTask,
    preparation: Preparation | undefined,
    checkpoint: (done: number) => void,
  ): Promise<SceneFindings | 'dense' | undefined> {
    const stats = newStats();
    const [front, raster, lists] = [this.#front, this.#raster, this.#lists];
    const { foundPairs, openLines } = this.#readers;
    await bodies.onGpu?.read();
    await front.prepare(bodies);
    const read = await this.#query.run({
      stats,
      opening: new Opening(preparation),
      label,
      checkpoint,
      encode: encoder =>
        front.updateThen(bodies, encoder, () => {
          stats.dispatches += this.#encode(encoder, bodies, task);
          const states = [front.headPiece, this.laying.statePiece, raster.statePiece, lists.statePiece(0)];
          return [states, [foundPairs.piece, openLines.piece, lists.hits.piece]];
        }),
      checkSubmission: ([[head]]) => front.checkSubmission(head),
      take: ([[head, laidState, state, castState], [found, lines, hits]]) => {
        front.check(head);
        if (laidState[LayState.candidates] > (task.mostCandidates ?? Infinity)) return 'dense';
        const laid = front.grow(head, false) ? 'again' : this.laying.accept(laidState, task.views);
        // Tiles that were not laid out were not sampled either, so the raster's capacity says nothing about them.
        const sampled = raster.accept(state) === 'ok' && lists.accept(castState);
        if (laid === 'unfit') return laid;
        if (laid === 'again' || !sampled) return undefined;
        const listed = [
          foundPairs.take(found, castState[CastState.found]),
          openLines.take(lines, state[RasterState.unsure]),
          lists.hits.take(hits, castState[CastState.hits]),
        ];
        return { laid, state: state.slice(), castState: castState.slice(), listed };
      },
    });
    if (read === 'unfit') return undefined;
    if (read === 'dense') return read;
    const { laid, state, castState, listed } = read;
    this.#last = laid;
    stats.triangleTests = laid.triangles;
    stats.unsure = state[RasterState.unsure];
    const [found, lines, hits] = await this.#query.rest(...listed);
    return collectFindings(task, {
      laid,
      sceneOrigin: front.table.scene.origin,
      error: raster.errorOf(state) + laid.noise,
      fragments: state[RasterState.fragments],
      edgeFragments: castState[CastState.edgeFragments],
      ...{ found, lines, hits, stats },
    });
  }

  destroy(): void {
    this.#query.destroy();
    this.#lists.destroy();
    this.laying.destroy();
    this.#buffers.destroy();
  }

  /** Records the question. The body table must be up to date. Returns the number of dispatches. */
  #encode(
    encoder: GPUCommandEncoder,
    bodies: Snapshot,
    { candidates, resolution, views, ask }: SceneTask,
  ): number {
    const [front, raster, lists, laying] = [this.#front, this.#raster, this.#lists, this.laying];
    const { entries } = front.table;
    front.reserve(bodies.count, candidates);
    front.write(bodies.count, { candidates }, {});
    laying.reserve(entries, resolution, views);
    this.#edges.bind(entries);
    lists.reserve(laying.room.tiles, ask);
    this.#buffers.lengthen('foundPairs', laying.room.tiles);
    this.#buffers.lengthen('openLines', raster.unsureRoom);
    laying.bind(this.#resources);
    this.#buffers.bind(this.#resources);
    this.#resources.set('candidates', front.resources.get('candidates')!);
    laying.encodeClear(encoder);
    lists.encodeClear(encoder);
    const pass = encoder.beginComputePass(this.#stopwatch.passOf(label));
    let dispatches = front.encodeCandidates(pass, bodies.count, candidates);
    dispatches += laying.encode(pass);
    const { pixels, triangles, edges } = this.#last;
    dispatches += raster.encodeLaid(pass, triangles);
    dispatches += lists.encodeRays(pass, pixels) + lists.encodeEdges(pass, edges);
    this.#collect.encode(pass, this.#groups);
    pass.end();
    this.#stopwatch.encode(encoder);
    return dispatches + 1;
  }
}
