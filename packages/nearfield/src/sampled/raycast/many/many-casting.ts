// The raycast method by lists, for many candidates (raycast.ts says when). The GPU finds the candidates, lays out
// tiles, samples, casts and collects, in one submission and one read-back. Only pairs are read back, never candidates,
// tiles or pixels.

import type { Snapshot } from '../../../bodies/snapshot/snapshot.ts';
import type { PairFront } from '../../../candidates/gpu/pair-front.ts';
import type { EngineStats } from '../../../core/stats.ts';
import { GrowingBuffer } from '../../../gpu/buffers/buffers.ts';
import { type Piece, ReadBack } from '../../../gpu/buffers/read-back.ts';
import { softwareGroups } from '../../../gpu/device.ts';
import type { Preparation } from '../../../gpu/gpu-query.ts';
import { Launch, Resources } from '../../../gpu/kernel.ts';
import type { Stopwatch } from '../../../gpu/stopwatch.ts';
import { RasterState } from '../../raster/layouts.ts';
import type { Raster } from '../../raster/raster.ts';
import type { EdgeSource } from '../edges/edge-source.ts';
import { CastState } from '../lists/layouts.ts';
import { type CastKernels, type CastRoom, ListCast } from '../lists/list-cast.ts';
import type { ManyTask, RawMany } from '../sampling.ts';
import { collectMany } from './collected.ts';
import type { LayingKernels } from './kernels.ts';
import { type Laid, type LayingRoom, TileLaying } from './laying.ts';

const label = { label: 'raycast of many' };

export interface ManyOptions {
  readonly software: boolean;
  readonly room?: CastRoom | undefined;
  readonly layingRoom?: LayingRoom | undefined;
}

/** How many records are read back with the answer. If there are more, a second read-back gets them. */
interface Expected {
  found: number;
  lines: number;
  hits: number;
}

export class ManyCasting {
  readonly #device: GPUDevice;
  readonly #front: PairFront;
  readonly #raster: Raster;
  readonly #edges: EdgeSource;
  readonly #stopwatch: Stopwatch;
  readonly #readBack: ReadBack;
  readonly #lists: ListCast;
  /** For tests. */
  readonly laying: TileLaying;
  readonly #collect: Launch;
  readonly #resources: Resources;
  readonly #buffers: Record<'foundPairs' | 'openLines', GrowingBuffer>;
  readonly #groups: number;
  readonly #expected: Expected = { found: 1024, lines: 64, hits: 256 };
  /** The sizes of the last question; the next dispatches are made as large. */
  #last: Pick<Laid, 'pixels' | 'triangles' | 'edges'> = {
    pixels: 2 ** 18,
    triangles: 2 ** 18,
    edges: 2 ** 18,
  };

  constructor(
    device: GPUDevice,
    kernels: CastKernels & { readonly laying: LayingKernels },
    front: PairFront,
    raster: Raster,
    edges: EdgeSource,
    stopwatch: Stopwatch,
    options: ManyOptions,
  ) {
    this.#device = device;
    this.#front = front;
    this.#raster = raster;
    this.#edges = edges;
    this.#stopwatch = stopwatch;
    this.#readBack = new ReadBack(device);
    this.#lists = new ListCast(device, kernels, raster.laidResources, edges, options);
    const { laying } = kernels;
    this.laying = new TileLaying(device, laying, raster, edges, front.resources, options.layingRoom);
    this.#resources = new Resources(this.#lists.resources);
    this.#collect = new Launch(device, laying.collect, this.#resources);
    this.#buffers = {
      foundPairs: new GrowingBuffer(device, 'found pairs'),
      openLines: new GrowingBuffer(device, 'open lines'),
    };
    this.#groups = options.software ? softwareGroups : 1024;
  }

  /** Undefined if it cannot be done like this: then tiles have to be laid out one by one (lists/). */
  async cast(
    bodies: Snapshot,
    task: ManyTask,
    preparation: Preparation | undefined,
    checkpoint: (done: number) => void,
  ): Promise<RawMany | undefined> {
    const stats: EngineStats = { triangleTests: 0, unsure: 0, boxTests: 0, dispatches: 0, growths: 0 };
    const [front, raster, lists] = [this.#front, this.#raster, this.#lists];
    await front.prepare(bodies);
    let pending = preparation;
    for (;;) {
      const encoder = this.#device.createCommandEncoder(label);
      stats.dispatches += pending?.encode(encoder) ?? 0;
      await front.update(bodies, encoder);
      stats.dispatches += this.#encode(encoder, bodies, task);
      const { found, lines, hits } = this.#expect();
      const pieces: Piece[] = [
        front.headPiece,
        this.laying.statePiece,
        raster.statePiece,
        lists.statePiece(0),
        this.#piece('foundPairs', found),
        this.#piece('openLines', lines),
        lists.hitPiece(hits),
        this.#stopwatch.piece ?? lists.hitPiece(0),
        ...(pending?.pieces ?? []),
      ];
      const read = await this.#readBack.submit(encoder, pieces);
      const [head, laidState, state, castState, foundRead, linesRead, hitsRead, times, ...extra] = read;
      front.submitted(head);
      this.#stopwatch.take(times.length > 0 ? times : undefined);
      const accepted = pending === undefined || pending.accept(extra);
      if (accepted) pending = undefined;
      if (accepted) front.check(head);
      const known = accepted && !front.grow(head, false);
      const laid = known ? this.laying.accept(laidState, task.views) : 'again';
      // Tiles that were not laid out were not sampled either, so the raster's capacity says nothing about them.
      const sampled = raster.accept(state) === 'ok' && lists.accept(castState);
      if (laid === 'unfit') return undefined;
      if (laid === 'again' || !sampled) {
        stats.growths++;
        checkpoint(0);
        continue;
      }
      const counts: Expected = {
        found: castState[CastState.found],
        lines: state[RasterState.unsure],
        hits: castState[CastState.hits],
      };
      this.#last = laid;
      Object.assign(this.#expected, {
        found: Math.ceil(1.5 * counts.found) + 64,
        lines: Math.ceil(1.5 * counts.lines) + 16,
        hits: Math.ceil(1.5 * counts.hits) + 64,
      });
      stats.triangleTests = laid.triangles;
      stats.unsure = counts.lines;
      return collectMany(task, {
        laid,
        sceneOrigin: front.table.scene.origin,
        error: raster.errorOf(state) + laid.noise,
        fragments: state[RasterState.fragments],
        edgeFragments: castState[CastState.edgeFragments],
        found: await this.#readBack.rest(
          foundRead,
          4 * counts.found,
          this.#piece('foundPairs', counts.found),
        ),
        lines: await this.#readBack.rest(linesRead, 8 * counts.lines, this.#piece('openLines', counts.lines)),
        hits: await this.#readBack.rest(hitsRead, 4 * counts.hits, lists.hitPiece(counts.hits)),
        stats,
      });
    }
  }

  destroy(): void {
    this.#readBack.destroy();
    this.#lists.destroy();
    this.laying.destroy();
    for (const buffer of Object.values(this.#buffers)) buffer.destroy();
  }

  /** Records the question. The body table must be up to date. Returns the number of dispatches. */
  #encode(
    encoder: GPUCommandEncoder,
    bodies: Snapshot,
    { candidates, resolution, views, ask }: ManyTask,
  ): number {
    const [front, raster, lists, laying] = [this.#front, this.#raster, this.#lists, this.laying];
    const { entries } = front.table;
    front.reserve(bodies.count, candidates);
    front.write(bodies.count, { candidates }, {});
    laying.reserve(entries, resolution, views);
    this.#edges.bind(entries);
    lists.reserve(laying.room.tiles, ask);
    this.#buffers.foundPairs.reserve(16 * laying.room.tiles);
    this.#buffers.openLines.reserve(32 * raster.unsureRoom);
    laying.bind(this.#resources);
    for (const [name, { buffer }] of Object.entries(this.#buffers)) this.#resources.set(name, buffer);
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

  #expect(): Expected {
    const { found, lines, hits } = this.#expected;
    const { foundPairs, openLines } = this.#buffers;
    return {
      found: Math.min(found, Math.floor(foundPairs.bytes / 16)),
      lines: Math.min(lines, Math.floor(openLines.bytes / 32)),
      hits: Math.min(hits, this.#lists.hitRoom),
    };
  }

  #piece(name: 'foundPairs' | 'openLines', count: number): Piece {
    const bytes = (name === 'foundPairs' ? 16 : 32) * count;
    return { buffer: this.#buffers[name].buffer, offset: 0, bytes };
  }
}
