// Knott's algorithms 1 to 5 as published, on the render pipeline. This way is used for `counting: 'stencil'`,
// `'queries'` and `'pixels'`, and so for every question with `allowOpen`. Edges give each pixel a depth, faces before it
// are counted in the stencil buffer, and the count is read by a reduction, by occlusion queries or pixel by pixel. Only the nearest edge of each
// pixel is examined (section 4.5.4). So each finding is true to a few pixels, but an interference of any size may be
// missed, whatever was drawn: proof.md has two boxes that show it.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { Entry, GpuTrees } from '../../../bvh/gpu/trees.ts';
import { type EngineStats, newStats } from '../../../core/stats.ts';
import { GrowingBuffer } from '../../../gpu/buffers/buffers.ts';
import type { Piece } from '../../../gpu/buffers/read-back.ts';
import { GpuQuery, Opening, type Preparation } from '../../../gpu/gpu-query.ts';
import type { EdgeSource } from '../edges/edge-source.ts';
import type { RawRaycast, RaycastTask } from '../sampling.ts';
import { boxAround, boxesOf, directionsOf, windowsOf } from '../windows.ts';
import { collect, type Drawn, type Seen } from './collect.ts';
import { DrawnState, DrawnViewLayout, drawnStateWords } from './layouts.ts';
import { Passes } from './passes.ts';
import { createDrawnPipelines, type DrawnPipelines, mostNarrow, type NamingPipelines } from './pipelines.ts';
import { hasPositive, namesIn } from './pixels.ts';
import { type DrawnPicture, type Participants, pictureOf, writeBodies, writePicture } from './placings.ts';
import { WatchedPicture } from './watched.ts';

const label = { label: 'raycast' };

interface DrawnWith extends Drawn {
  readonly naming: NamingPipelines;
}

export class Drawing {
  readonly #device: GPUDevice;
  readonly #trees: GpuTrees;
  readonly #edges: EdgeSource;
  readonly #pipelines: DrawnPipelines;
  readonly #passes: Passes;
  readonly #query: GpuQuery;
  /** Copies pictures to the CPU while the query that draws them is under way. */
  readonly #copying: GpuQuery;
  readonly #view: GPUBuffer;
  readonly #bodies: GrowingBuffer;
  readonly #state: GrowingBuffer;
  readonly #candidates: GrowingBuffer;
  readonly #hits: GrowingBuffer;
  #hitRoom = 2 ** 12;
  #watched: WatchedPicture | undefined;

  static async create(device: GPUDevice, trees: GpuTrees, edges: EdgeSource): Promise<Drawing> {
    return new Drawing(device, await createDrawnPipelines(device), trees, edges);
  }

  private constructor(device: GPUDevice, pipelines: DrawnPipelines, trees: GpuTrees, edges: EdgeSource) {
    this.#device = device;
    this.#trees = trees;
    this.#edges = edges;
    this.#query = new GpuQuery(device);
    this.#copying = new GpuQuery(device);
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#view = device.createBuffer({ label: 'picture', size: DrawnViewLayout.bytes, usage });
    this.#bodies = new GrowingBuffer(device, 'drawn bodies');
    this.#state = new GrowingBuffer(device, 'drawn state');
    this.#candidates = new GrowingBuffer(device, 'drawn candidates');
    this.#hits = new GrowingBuffer(device, 'points of edges');
    this.#pipelines = pipelines;
    this.#passes = new Passes(device, pipelines, edges.resources);
  }

  async cast(
    bodies: readonly Placed[],
    task: RaycastTask,
    preparation: Preparation | undefined,
    checkpoint: (done: number) => void,
  ): Promise<RawRaycast> {
    const stats = newStats();
    const boxes = boxesOf(bodies);
    const window = boxAround(task.windows ?? windowsOf(boxes, task.candidates));
    const everything = boxAround(boxes);
    const isWide = bodies.length > mostNarrow || task.ask === 'edges' || task.watch !== undefined;
    const naming = await this.#pipelines.naming(isWide ? 'wide' : 'narrow');
    const drawn: DrawnWith = { bodies, candidates: Uint32Array.from(task.candidates), naming };
    const seen: Seen[] = [];
    const opening = new Opening(preparation);
    const axes = directionsOf(window, 0, task.views);
    for (let i = 0; i < axes.length; i++) {
      const picture = pictureOf(everything, window, axes[i], task.resolution, task.offset);
      seen.push(await this.#drawPicture(drawn, task, picture, opening, stats));
      checkpoint((i + 1) / axes.length);
      if (task.ask === 'any' && seen[i].any) break;
    }
    return collect(drawn, task, seen, stats);
  }

  destroy(): void {
    this.#view.destroy();
    this.#passes.destroy();
    this.#query.destroy();
    this.#copying.destroy();
    this.#watched?.destroy();
    for (const buffer of [this.#bodies, this.#state, this.#candidates, this.#hits]) buffer.destroy();
  }

  /** Draws one picture: finds whose edges are enclosed, and then, if asked for, by which body. */
  async #drawPicture(
    drawn: DrawnWith,
    task: RaycastTask,
    picture: DrawnPicture,
    opening: Opening,
    stats: EngineStats,
  ): Promise<Seen> {
    const { ask, counting, filtered } = task;
    if (counting === 'pixels') return this.#readPicture(drawn, task, picture, opening, stats);
    const byQueries = counting === 'queries';
    const bodyWords = Math.ceil(drawn.bodies.length / 32);
    let participants: Participants;
    let inverseAge = -1;
    const first = await this.#query.run({
      stats,
      opening,
      label,
      encode: encoder => {
        const entries = drawn.bodies.map(({ shape }) => this.#trees.entryOf(shape));
        participants = this.#write(drawn, entries, task, picture);
        stats.triangleTests += participants.faces;
        stats.dispatches += this.#passes.encodeEdges(encoder, this.#edges, participants);
        inverseAge = this.#edges.recordedAt;
        stats.dispatches += byQueries
          ? this.#passes.encodeQueries(encoder, participants, ask === 'any')
          : this.#passes.encodeCounts(encoder, participants);
        const { watched } = participants;
        return [this.#pieces(participants, byQueries, !byQueries), watched ? [watched.piece] : []];
      },
      take: ([[stateView, answeredView], [watchedView]]): Seen => {
        this.#edges.noteAnswer(inverseAge);
        const state = byQueries ? new Uint32Array(drawnStateWords) : stateView.slice();
        const answered = answeredView.slice();
        const { watched } = participants;
        if (watched) task.watch?.(watched.decode(watchedView.slice(), picture.view, picture.offset));
        return {
          picture,
          state,
          bodyWords,
          penetrating: byQueries ? answered : state.subarray(drawnStateWords, drawnStateWords + bodyWords),
          byQueries,
          any: byQueries ? answered.some(passed => passed !== 0) : state[DrawnState.byOthers] > 0,
          hits: new Uint32Array(0),
          penetrated: undefined,
          named: undefined,
        };
      },
    });
    // If nothing is enclosed and nothing is open, no body has to be named (section 4.5.2). Whether an open body's count
    // is below 0 is not known before it is counted alone: in the count of all faces together, other bodies may hide it.
    const open = task.hasOpen;
    const byName = ask === 'both' || ask === 'pairs' || ask === 'edges' || filtered;
    if (!(first.any && byName) && !open) return first;
    return this.#name(first, participants!, open, stats);
  }

  /**
   * Draws one picture and examines its pixels on the CPU. Rendering and copying are submitted apart, so that the time of
   * each is known, but one right after the other: nothing is awaited between them.
   */
  async #readPicture(
    drawn: DrawnWith,
    task: RaycastTask,
    picture: DrawnPicture,
    opening: Opening,
    stats: EngineStats,
  ): Promise<Seen> {
    const [isAny, withNames] = [
      task.ask === 'any' && !task.filtered,
      task.ask !== 'penetrating' || task.filtered,
    ];
    let participants: Participants;
    let inverseAge = -1;
    const started = performance.now();
    let rendered = started;
    const wasOpen = !opening.isDone;
    const rendering = this.#query.run({
      stats,
      opening,
      label,
      encode: encoder => {
        const entries = drawn.bodies.map(({ shape }) => this.#trees.entryOf(shape));
        participants = this.#write(drawn, entries, task, picture);
        stats.triangleTests += participants.faces;
        stats.dispatches += this.#passes.encodeEdges(encoder, this.#edges, participants);
        inverseAge = this.#edges.recordedAt;
        stats.dispatches += isAny
          ? this.#passes.encodeStencil(encoder, participants)
          : this.#passes.encodeColours(encoder, participants, withNames);
        // A few words, to know when the picture is finished.
        return [[{ buffer: this.#state.buffer, offset: 0, bytes: 4 * drawnStateWords }]];
      },
      take: () => {
        rendered = performance.now();
        this.#edges.noteAnswer(inverseAge);
        return true;
      },
    });
    // A picture of trees that are not accepted yet may have to be drawn again.
    if (wasOpen) await rendering;
    const { piece, layout } = this.#passes.pixels(isAny ? 'stencil' : drawn.naming.width);
    const copying = this.#device.createCommandEncoder(label);
    const reading = this.#copying.read(copying, [piece], ([words]): Seen => {
      const read = performance.now();
      const { bodyWords, stateWords } = participants!;
      const named = isAny
        ? new Uint32Array(stateWords)
        : namesIn(words, layout, participants!, drawn.candidates);
      const penetrating = named.subarray(drawnStateWords, drawnStateWords + bodyWords);
      const any = isAny ? hasPositive(words, layout) : penetrating.some(bits => bits !== 0);
      const phases = { render: rendered - started, read: read - rendered, parse: performance.now() - read };
      return {
        ...{ picture, bodyWords, any, penetrating, named, phases, byQueries: false },
        state: new Uint32Array(drawnStateWords),
        hits: new Uint32Array(0),
        penetrated: undefined,
      };
    });
    const [seen] = await Promise.all([reading, rendering]);
    return seen;
  }

  /** Finds which bodies enclose edges and which are not closed. */
  async #name(first: Seen, participants: Participants, open: boolean, stats: EngineStats): Promise<Seen> {
    const { byQueries } = first;
    const sumsUp = open || !byQueries;
    return this.#query.run({
      stats,
      label,
      encode: encoder => {
        stats.dispatches += this.#passes.encodeNames(encoder, participants, open, byQueries);
        const hits = { buffer: this.#hits.buffer, offset: 0, bytes: 16 * participants.hitRoom };
        return [[...this.#pieces(participants, byQueries, sumsUp), hits]];
      },
      take: ([[summed, answered, list]]): Seen | undefined => {
        const state = sumsUp ? summed : new Uint32Array(participants.stateWords);
        const count = state[DrawnState.hits];
        if (count > participants.hitRoom) {
          this.#hitRoom = Math.ceil(1.25 * count);
          participants = this.#bind(participants);
          return undefined;
        }
        const penetrated = byQueries ? answered.slice() : undefined;
        return { ...first, penetrated, named: state.slice(), hits: list.slice(0, 4 * count) };
      },
    });
  }

  /** The pieces to read back: the state if pixels were summed up, and the results of queries, two words each. */
  #pieces({ stateWords, queries }: Participants, byQueries: boolean, sumsUp: boolean): Piece[] {
    return [
      { buffer: this.#state.buffer, offset: 0, bytes: sumsUp ? 4 * stateWords : 0 },
      { buffer: this.#passes.passed, offset: 0, bytes: byQueries ? 8 * queries : 0 },
    ];
  }

  #write(
    drawn: DrawnWith,
    entries: readonly Entry[],
    task: RaycastTask,
    picture: DrawnPicture,
  ): Participants {
    const { queue } = this.#device;
    const { bodies, candidates } = drawn;
    const records = bodies.map(({ shape }) => this.#edges.recordsOf(shape.mesh));
    this.#edges.bind(new Set(entries));
    const bodyWords = Math.ceil(bodies.length / 32);
    const hitRoom = task.ask === 'edges' ? this.#hitRoom : 0;
    const words = writeBodies(bodies, entries, picture, records);
    queue.writeBuffer(this.#bodies.reserve(words.byteLength), 0, words);
    queue.writeBuffer(this.#candidates.reserve(candidates.byteLength), 0, candidates);
    const candidateCount = candidates.length / 2;
    const stateWords = drawnStateWords + 2 * bodyWords + candidateCount;
    this.#state.reserve(4 * stateWords);
    if (task.watch) {
      this.#watched ??= new WatchedPicture(this.#device);
      this.#watched.begin(picture.view.columns, picture.view.rows);
    }
    return this.#bind({
      picture,
      candidateCount,
      bodyWords,
      hitRoom,
      bodies: bodies.length,
      faceVertices: entries.map(({ leafCount }) => 3 * leafCount),
      edgeVertices: records.map(({ count }) => 2 * count),
      faces: entries.reduce((sum, { leafCount }) => sum + leafCount, 0),
      queries: task.ask === 'any' ? 1 : bodies.length,
      stateWords,
      isRead: task.counting === 'pixels',
      edgesRead: task.counting === 'stencil' || task.hasOpen || task.watch !== undefined,
      naming: drawn.naming,
      watched: task.watch && this.#watched,
    });
  }

  /** Binds the buffers, with the current capacity for points of edges. */
  #bind(given: Participants): Participants {
    const participants = { ...given, hitRoom: given.hitRoom === 0 ? 0 : this.#hitRoom };
    this.#hits.reserve(16 * this.#hitRoom);
    this.#device.queue.writeBuffer(this.#view, 0, writePicture(participants));
    this.#passes.bind(participants, {
      view: this.#view,
      bodies: this.#bodies.buffer,
      state: this.#state.buffer,
      candidates: this.#candidates.buffer,
      hits: this.#hits.buffer,
    });
    return participants;
  }
}
