// Lives of particles kept on a device. For each particle the two ticks are known between which its segment holds. A
// window reads only these, lists the particles whose segment does not hold, and follows them: one submission and one
// read-back. What is kept is a cache: a life is a formula, so any window may be asked for, and one that found more than
// the capacity is asked again.

import type { Limits } from '../../core/limits.ts';
import { GrowingBuffer } from '../../gpu/buffers/buffers.ts';
import { GpuQuery } from '../../gpu/gpu-query.ts';
import { type Kernel, Launch, Resources } from '../../gpu/kernel.ts';
import { make, refusal, submit, throwIfRefused } from '../../gpu/submit.ts';
import type { Setup } from '../compiled.ts';
import { MapTextures } from '../maps/texture.ts';
import type { ColumnsWanted, Found, Points } from '../seam.ts';
import { type Chunk, createChunk } from './chunk.ts';
import { tryForce } from './forces/try-force.ts';
import { chunkOf, Frame, highWord, lowWord, rowsOfLife, startSpeed } from './frame.ts';
import { createFollowKernel, createParticleKernels, type Kinds, type ParticleKernels } from './kernels.ts';
import { Head, putWords, WindowLayout } from './layouts.ts';
import { createPaintKernels, GpuMaps, type PaintKernels } from './maps/gpu-maps.ts';
import { texelRangesOf } from './maps/pack-maps.ts';
import { type PackedColliders, packColliders, placeMoving } from './pack/pack-colliders.ts';
import { wordsOfSegments } from './pack/put-words.ts';
import { joined, noStats } from './windows/joined-windows.ts';
import { type RecordsRoom, WindowRecords } from './windows/window-records.ts';

/**
 * Initial capacities for records, and the particles per chunk if fewer than the device allows are wanted; for tests.
 */
export interface LivesRoom extends RecordsRoom {
  readonly chunk?: number | undefined;
  /** Uses one kernel with every kind of collider in it, whichever there are. */
  readonly allKinds?: boolean | undefined;
}

const usualLivesRoom: LivesRoom = { certain: 2 ** 16, decide: 2 ** 13 };

const allKinds = { turns: true, quadrics: true, meshes: true, fields: true, blobs: true };
/** How many workgroups of 64 share the due particles. */
const followGroups = 2048;
/** The most ticks a window may have, or come after another, so that low words alone order times. */
const mostTicks = 2 ** 29;
/** The most steps of stepped motion in a window. */
const mostSteps = 4096;

/** What lives are made of: everything that stays the same when they are made again. */
interface LivesParts {
  readonly setup: Setup;
  readonly frame: Frame;
  readonly packed: PackedColliders;
  readonly kernels: ParticleKernels;
  readonly kinds: Kinds;
  /** If the GPU paints maps. */
  readonly painting: PaintKernels | undefined;
  readonly room: LivesRoom;
}

/** How a window is followed: with which columns, and how long after the begin of all that was asked for. */
interface Following {
  readonly columns: ColumnsWanted;
  readonly since: number;
}

export class GpuLives {
  readonly textures: MapTextures;
  readonly #device: GPUDevice;
  readonly #parts: LivesParts;
  readonly #setup: Setup;
  readonly #frame: Frame;
  readonly #packed: PackedColliders;
  readonly #chunks: Chunk[] = [];
  readonly #resources = new Resources();
  readonly #window: GPUBuffer;
  readonly #colliders: GrowingBuffer;
  readonly #rows: GrowingBuffer;
  readonly #records: WindowRecords;
  readonly #puts: GrowingBuffer;
  readonly #query: GpuQuery;
  #followColumns: Kernel | undefined;
  /** The maps that the GPU paints. */
  readonly #maps: GpuMaps | undefined;
  #positions: GPUBuffer | undefined;
  #pending: Uint32Array<ArrayBuffer>[] = [];
  /** The first tick of the previous window; undefined if nothing is known about any life. */
  #known: number | undefined;
  #serial = 0;
  #isSpoilt = false;

  static async create(device: GPUDevice, setup: Setup, room: LivesRoom = usualLivesRoom): Promise<GpuLives> {
    const frame = new Frame(setup, startSpeed(setup));
    const packed = packColliders(setup, frame);
    const kinds = { ...packed.kinds, ...(room.allKinds ? allKinds : {}) };
    if (kinds.force !== undefined) await tryForce(device, setup, kinds.force);
    const kernels = await createParticleKernels(device, kinds);
    const paints = texelRangesOf(setup.colliders).count > 0;
    const painting = paints ? await createPaintKernels(device) : undefined;
    const parts = { setup, frame, packed, kernels, kinds, painting, room };
    const [lives, refused] = make(device, () => new GpuLives(device, parts));
    const reason = await refused;
    if (reason === undefined) return lives;
    lives.destroy();
    throw refusal(reason);
  }

  /** Use `create()`. */
  constructor(device: GPUDevice, parts: LivesParts) {
    const { setup, frame, packed, room } = parts;
    this.#device = device;
    this.#parts = parts;
    this.#setup = setup;
    this.#frame = frame;
    this.#packed = packed;
    this.#query = new GpuQuery(device);
    this.textures = new MapTextures(device, setup, refused => this.#hear(refused));
    const buffer = (label: string) => new GrowingBuffer(device, `particles: ${label}`);
    this.#colliders = buffer('colliders');
    this.#rows = buffer('rows');
    this.#records = new WindowRecords(device, room, parts.painting !== undefined);
    this.#puts = buffer('segments put');
    this.#maps =
      parts.painting &&
      new GpuMaps(device, setup, 1 / frame.velocity, parts.painting, refused => this.#hear(refused));
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#window = device.createBuffer({ label: 'particles: window', size: WindowLayout.bytes, usage });
    try {
      this.#fill();
    } catch (error) {
      this.destroy();
      throw error;
    }
  }

  #fill(): void {
    const device = this.#device;
    const { setup, frame, packed, kernels, room } = this.#parts;
    this.#resources.set('window', this.#window);
    this.#resources.set('colliders', this.#colliders.reserve(packed.records.byteLength));
    this.#resources.set('rows', this.#rows.reserve(packed.rows.byteLength));
    device.queue.writeBuffer(this.#colliders.buffer, 0, packed.records);
    device.queue.writeBuffer(this.#rows.buffer, 0, packed.rows);
    const chunk = Math.min(room.chunk ?? Infinity, chunkOf(device, setup));
    // A multiple of 16, so that a chunk's part of the positions can be bound.
    const size = Math.max(16, Math.floor(chunk / 16) * 16);
    for (let first = 0; first < setup.count; first += size) {
      const own = Math.min(size, setup.count - first);
      this.#chunks.push(createChunk(device, setup, frame, packed, kernels, this.#resources, first, own));
    }
  }

  /** Whether the device refused something of these lives: then they are useless, and `remade` creates new ones. */
  get isSpoilt(): boolean {
    return this.#isSpoilt;
  }

  /** To be called after a window failed: what it left behind is unknown. */
  spoil(): void {
    this.#isSpoilt = true;
  }

  /** The same lives in new buffers, with nothing known yet. */
  remade(): GpuLives {
    const [lives, refused] = make(this.#device, () => new GpuLives(this.#device, this.#parts));
    lives.#hear(refused);
    return lives;
  }

  /** Remembers refusals of work that is not awaited, for the next use of these lives. */
  #hear(refused: Promise<string | undefined>): void {
    void refused.then(reason => {
      if (reason !== undefined) this.#isSpoilt = true;
    });
  }

  /** Maps that the GPU paints. */
  get maps(): GpuMaps {
    return this.#maps!;
  }

  /** Paints impacts: those whose columns the last window kept, and others. */
  paintPoints(points: Points): void {
    const { buffer, columnsBase: base, certainRoom: room } = this.#records;
    this.maps.paint({ buffer, base, room, count: points.kept }, points);
  }

  async find(
    from: number,
    to: number,
    limits: Limits = {},
    check: () => void = () => {},
    wanted: ColumnsWanted = 'none',
  ): Promise<Found> {
    if (wanted !== 'none') {
      this.#followColumns ??= await createFollowKernel(this.#device, this.#parts.kinds, true);
    }
    const { tick, shortestLifeTicks, stepped } = this.#setup;
    // Lives that end within a window are followed one by one, and so are steps: not too many at once.
    const steps = mostSteps * (stepped?.stepTicks ?? Infinity);
    const step = Math.max(1, Math.min(mostTicks, 1024 * shortestLifeTicks, steps));
    const parts: Found[] = [];
    const isWhole = to <= (Math.floor(from / tick) + step) * tick;
    // The device keeps the columns of one part only. If there are several parts, their columns are read.
    const columns = wanted === 'kept' && !isWhole ? 'read' : wanted;
    for (let at = from; at < to; ) {
      const end = Math.min(to, (Math.floor(at / tick) + step) * tick);
      parts.push(await this.#findPart(at, end, check, { columns, since: from }));
      at = end;
      if (at < to) {
        check();
        limits.progress?.((at - from) / (to - from));
      }
    }
    return parts.length === 1 ? parts[0] : joined(parts);
  }

  async #findPart(from: number, to: number, check: () => void, following: Following): Promise<Found> {
    const isRead = following.columns === 'read';
    const counts = { dispatches: 0, growths: 0 };
    let serial = 0;
    const { due, lists } = await this.#query.run({
      label: windowLabel,
      stats: counts,
      checkpoint: check,
      encode: encoder => {
        const words = this.#windowWords(from, to, 1, following.since);
        // Positions may be drawn before the answer is there. They have serial numbers of their own.
        serial = this.#serial;
        this.#device.queue.writeBuffer(this.#window, 0, words);
        this.#writeMoving();
        counts.dispatches += this.#encode(encoder, words, { columns: following.columns !== 'none' });
        const { head, certain, toDecide, columns } = this.#records;
        return [[head, certain.piece, toDecide.piece, ...(isRead ? columns.map(list => list.piece) : [])]];
      },
      checkSubmission: ([[head]]) => throwIfRefused(head[Head.serial], serial),
      take: ([[head, certain, toDecide, ...columns]]) => {
        if (this.#records.grow(head)) return undefined;
        const { columns: columnLists } = this.#records;
        const lists = [
          this.#records.certain.take(certain, head[Head.certain]),
          this.#records.toDecide.take(toDecide, head[Head.decide]),
          ...columns.map((view, i) => columnLists[i].take(view, head[Head.certain])),
        ];
        return { due: head[Head.due], lists };
      },
    });
    const [certain, toDecide, ...read] = await this.#query.rest(...lists);
    const columns = isRead ? this.#records.named(read) : undefined;
    // The other counts are added when the records are decided.
    const isKept = following.columns !== 'none';
    return { certain, toDecide, stats: { ...noStats, ...counts, due }, columns, isKept };
  }

  put(segments: Float64Array): void {
    if (segments.length === 0) return;
    this.#pending.push(wordsOfSegments(this.#setup, this.#frame, this.#packed, segments));
  }

  /** Forgets all segments, which may be wrong or missing: the next window solves every life anew. */
  forget(): void {
    this.#known = undefined;
    this.#pending = [];
  }

  /** Computes positions at a time, into the caller's encoder or at once. */
  draw(t: number, given?: GPUCommandEncoder): void {
    try {
      this.#draw(t, given);
    } catch (error) {
      // Work that was to be solved or put along with it was lost.
      this.forget();
      throw error;
    }
  }

  #draw(t: number, given: GPUCommandEncoder | undefined): void {
    const device = this.#device;
    const words = this.#windowWords(t, t, 0);
    const encoder = given ?? device.createCommandEncoder({ label: 'particles: positions' });
    if (given === undefined) {
      device.queue.writeBuffer(this.#window, 0, words);
      this.#writeMoving();
    } else {
      this.#stageWindow(encoder, words);
    }
    this.#encode(encoder, words, { places: true });
    if (given === undefined) this.#hear(submit(device, encoder));
  }

  get positions(): GPUBuffer {
    if (this.#positions === undefined) {
      const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.VERTEX | GPUBufferUsage.COPY_SRC;
      const size = Math.max(256, 16 * this.#setup.count);
      const label = 'particles: positions';
      const [buffer, refused] = make(this.#device, () => this.#device.createBuffer({ label, size, usage }));
      this.#positions = buffer;
      this.#hear(refused);
    }
    return this.#positions;
  }

  /** What is kept of the first chunk's lives; for tests. */
  get kept(): { ticks: GPUBuffer; lives: GPUBuffer; stride: number } {
    const [{ ticks, lives }] = this.#chunks;
    return { ticks, lives, stride: rowsOfLife(this.#setup) };
  }

  destroy(): void {
    for (const list of [this.#colliders, this.#rows, this.#records, this.#puts]) list.destroy();
    for (const { buffers } of this.#chunks) for (const buffer of buffers) buffer.destroy();
    this.#window.destroy();
    this.#positions?.destroy();
    this.#query.destroy();
    this.#maps?.destroy();
    this.textures.destroy();
  }

  #windowWords(from: number, to: number, emits: number, since = from): Uint32Array<ArrayBuffer> {
    const { tick } = this.#setup;
    const words = new Uint32Array(WindowLayout.words);
    const { at } = WindowLayout;
    const first = Math.floor(from / tick);
    words[at.fromLow] = lowWord(first);
    words[at.fromHigh] = highWord(first);
    words[at.fromCeiling] = lowWord(Math.ceil(from / tick));
    // A drawing at a birth shows the life that begins: the segment must hold after the first tick.
    words[at.toCeiling] = lowWord(emits === 0 ? first + 1 : Math.ceil(to / tick));
    words[at.fresh] = this.#known === undefined || Math.abs(first - this.#known) > mostTicks ? 1 : 0;
    words[at.emits] = emits;
    words[at.serial] = this.#serial = (this.#serial + 1) >>> 0;
    const floats = new Float32Array(words.buffer);
    floats[at.rest] = (from / tick - first) * 2 ** -30;
    floats[at.since] = first * tick - since;
    words[at.columnsAt] = this.#records.columnsBase;
    words[at.putCount] = this.#pending.reduce((sum, part) => sum + part.length / putWords, 0);
    words[at.certainRoom] = this.#records.certainRoom;
    words[at.decideRoom] = this.#records.decideRoom;
    this.#known = first;
    placeMoving(this.#packed, this.#frame, tick, first * tick);
    return words;
  }

  /** Writes where moving colliders are in this window. */
  #writeMoving(): void {
    if (this.#packed.moving.length === 0) return;
    this.#device.queue.writeBuffer(this.#colliders.buffer, 0, this.#packed.records);
  }

  /** Writes the window through an encoder of the caller, who submits it later. */
  #stageWindow(encoder: GPUCommandEncoder, words: Uint32Array): void {
    const moving = this.#packed.moving.length > 0 ? this.#packed.records : new Uint32Array(0);
    const size = words.byteLength + moving.byteLength;
    const usage = GPUBufferUsage.COPY_SRC;
    const staging = this.#device.createBuffer({
      label: 'particles: drawing',
      size,
      usage,
      mappedAtCreation: true,
    });
    const mapped = new Uint32Array(staging.getMappedRange());
    mapped.set(words);
    mapped.set(moving, words.length);
    staging.unmap();
    encoder.copyBufferToBuffer(staging, 0, this.#window, 0, words.byteLength);
    if (moving.length > 0) {
      encoder.copyBufferToBuffer(staging, words.byteLength, this.#colliders.buffer, 0, moving.byteLength);
    }
  }

  /** Returns the number of dispatches. */
  #encode(
    encoder: GPUCommandEncoder,
    words: Uint32Array,
    { places = false, columns = false }: { places?: boolean; columns?: boolean },
  ): number {
    const resources = this.#resources;
    resources.set('records', this.#records.begin(encoder, columns));
    const puts = words[WindowLayout.at.putCount];
    if (puts > 0) this.#writePuts(puts);
    for (const { due } of this.#chunks) encoder.clearBuffer(due, 0, 4);
    let dispatches = 0;
    let pass: GPUComputePassEncoder | undefined;
    const launch = (
      name: keyof ParticleKernels,
      chunk: Chunk,
      groups: number,
      kernel: Launch = chunk.launches[name],
    ) => {
      pass ??= encoder.beginComputePass({ label: 'particles' });
      kernel.encode(pass, groups);
      dispatches++;
    };
    for (const chunk of this.#chunks) {
      const { count } = chunk;
      if (puts > 0) launch('put', chunk, Math.ceil(puts / 64));
      launch('due', chunk, Math.ceil(count / 1024));
      if (columns && chunk.followColumns === undefined)
        chunk.followColumns = new Launch(this.#device, this.#followColumns!, chunk.resources);
      const follow = columns ? chunk.followColumns : chunk.launches.follow;
      launch('follow', chunk, Math.min(followGroups, Math.ceil(count / 64)), follow);
      if (!places) continue;
      if (!chunk.placed) {
        const binding = { buffer: this.positions, offset: 16 * chunk.first, size: 16 * count };
        chunk.resources.set('positions', binding);
        chunk.placed = true;
      }
      launch('place', chunk, Math.ceil(count / 256));
    }
    pass?.end();
    return dispatches;
  }

  #writePuts(count: number): void {
    const buffer = this.#puts.reserve(4 * putWords * count);
    this.#resources.set('puts', buffer);
    let at = 0;
    for (const part of this.#pending) {
      this.#device.queue.writeBuffer(buffer, at, part);
      at += part.byteLength;
    }
    this.#pending = [];
  }
}

const windowLabel = { label: 'particles: window' };
