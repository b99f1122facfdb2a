// The intersection of bodies, sampled on the GPU in one submission: crossings of columns, winding numbers, the points
// in order, the depth of each. A second submission follows only if a crossing was too close to call. The CPU decides it
// exactly and the sweep runs again with the correction, so the points are those that the CPU finds.

import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import type { GpuTrees } from '../../../../bvh/gpu/trees.ts';
import { type EngineStats, newStats } from '../../../../core/stats.ts';
import { GrowingBuffer, largestBinding } from '../../../../gpu/buffers/buffers.ts';
import { ReadList } from '../../../../gpu/buffers/read-list.ts';
import { softwareGroups } from '../../../../gpu/device/device.ts';
import { Opening, type Preparation } from '../../../../gpu/gpu-query.ts';
import { Launch } from '../../../../gpu/kernel.ts';
import type { Stopwatch } from '../../../../gpu/stopwatch.ts';
import type { MeshWork } from '../../field.ts';
import type { Window } from '../../grid.ts';
import { type VolumeTask, workIn } from '../../slices/slices.ts';
import type { PointDepths, RawVolume } from '../../volume.ts';
import type { Stage } from '../layers.ts';
import { blockBits, Head } from '../layouts.ts';
import type { DistanceMeshes } from '../meshes/meshes.ts';
import type { MeshPlan } from '../meshes/plan.ts';
import type { SliceKernels } from './kernels.ts';
import { PointReader, PointWords } from './point-reader.ts';
import { decideCrossings, mostNoise, mostUnsure, type Sweep, Sweeper } from './sweep.ts';

const label = { label: 'slices' };
const noCorrections = new Uint32Array(0);
/** The initial capacity of the list of points, and of the list of bricks. */
const usualRoom = 2 ** 16;
const usualBrickRoom = 2 ** 14;
/**
 * Up to the first number of points, each point is a brick of its own; from the second on, bricks have four samples per
 * side instead of two. On an H200, 500 points took 0.03 ms with bricks of one sample per side and 0.05 ms with two;
 * 11,000 points took 0.08 ms with two and 0.14 ms with four; 90,000 points took 0.15 ms with four.
 */
const fewPoints = 2 ** 11;
const manyPoints = 2 ** 15;
/** The maximum bytes of the list of bricks. If it would take more, bricks are smaller, with shorter records. */
const mostBrickBytes = 2 ** 28;

export interface VolumesOptions {
  readonly software: boolean;
  /** The logarithm of a brick's edge, 0 to 2, whatever the number of points. Tests use it to cover every size. */
  readonly brickBits?: number | undefined;
}

export class GpuVolumes {
  readonly sweeper: Sweeper;
  readonly #device: GPUDevice;
  readonly #stopwatch: Stopwatch;
  readonly #reader: PointReader;
  readonly #readers: Readonly<Record<'cells' | 'measured', ReadList>>;
  readonly #points: GrowingBuffer;
  readonly #bricks: GrowingBuffer;
  readonly #launches: Record<'emitCells' | 'listBricks' | 'measure', Launch>;
  readonly #groups: number;
  readonly #options: VolumesOptions;
  #room = usualRoom;
  #brickRoom = usualBrickRoom;
  /** A little more than the number of points of the last answers. */
  #expected = 256;

  constructor(
    device: GPUDevice,
    kernels: SliceKernels,
    trees: GpuTrees,
    stopwatch: Stopwatch,
    options: VolumesOptions,
  ) {
    this.#device = device;
    this.#stopwatch = stopwatch;
    this.#reader = new PointReader(device, stopwatch);
    this.#points = new GrowingBuffer(device, 'points');
    const place = () => ({ buffer: this.#points.buffer, room: this.#room });
    this.#readers = { cells: new ReadList(4, place, 1.125), measured: new ReadList(16, place, 1.125) };
    this.#bricks = new GrowingBuffer(device, 'bricks of points');
    this.#groups = options.software ? softwareGroups : 2 ** 14;
    this.#options = options;
    this.sweeper = new Sweeper(device, trees, kernels);
    const { resources } = this.sweeper;
    this.#launches = {
      emitCells: new Launch(device, kernels.emitCells, resources),
      listBricks: new Launch(device, kernels.listBricks, resources),
      measure: new Launch(device, kernels.measure, resources),
    };
  }

  /** Undefined if single precision leaves too much undecided; then the CPU has to answer. */
  async find(
    bodies: readonly Placed[],
    task: VolumeTask,
    windows: readonly Window[],
    depths: boolean,
    preparation: Preparation | undefined,
    checkpoint: (done: number) => void,
    /** Given if depths are to be drawn as distance meshes. */
    meshes?: DistanceMeshes,
  ): Promise<RawVolume | undefined> {
    const stats = newStats();
    const batches = inBatches(windows, bodies.length, this.sweeper.mostCounters);
    const parts: Part[] = [];
    const opening = new Opening(preparation);
    for (let i = 0; i < batches.length; i++) {
      const part = await this.#findPart(bodies, task, batches[i], depths, opening, stats, meshes);
      if (part === undefined) return undefined;
      parts.push(part);
      checkpoint((i + 1) / batches.length);
    }
    const pointWords = depths ? 4 : 1;
    const count = parts.reduce((sum, { points }) => sum + points.length / pointWords, 0);
    const mixed = windows.length > 1 || batches.length > 1;
    let known: Ordered | undefined;
    const ordered = () => (known ??= cellsOf(parts, pointWords, count, mixed));
    return {
      grid: task.grid,
      count,
      get cells() {
        return ordered().cells;
      },
      depths: depths ? () => depthsOf(parts, bodies.length, ordered().order) : undefined,
      stats,
      work: { ...workIn(windows), triangles: parts.reduce((sum, { triangles }) => sum + triangles, 0) },
      complete: parts.every(({ complete }) => complete),
    };
  }

  /** Copies into answers whatever they still need from the device. */
  keepAnswers(): void {
    this.#reader.keep();
  }

  destroy(): void {
    this.keepAnswers();
    this.#reader.destroy();
    this.sweeper.destroy();
    this.#points.destroy();
    this.#bricks.destroy();
  }

  async #findPart(
    bodies: readonly Placed[],
    { grid, rule, slabs }: VolumeTask,
    windows: readonly Window[],
    depths: boolean,
    opening: Opening,
    stats: EngineStats,
    meshes: DistanceMeshes | undefined,
  ): Promise<Part | undefined> {
    let corrections: Uint32Array<ArrayBuffer> | undefined;
    const points = this.#readers[depths ? 'measured' : 'cells'];
    const pointWords = depths ? 4 : 1;
    for (;;) {
      let sweep: Sweep | undefined;
      let plan: MeshPlan | undefined;
      const found = await this.#reader.run({
        stats,
        opening,
        label,
        encode: encoder => {
          const brickBits = meshes !== undefined ? blockBits : depths ? this.#brickBits : 0;
          sweep = this.sweeper.prepare(bodies, grid, windows, rule, { brickBits, slabs });
          // Also true if it is NaN: the world is then too small or too large for this.
          if (!(sweep.stage.noiseCells <= mostNoise)) return undefined;
          if (meshes === undefined) this.#encode(encoder, sweep, corrections ?? noCorrections, depths, stats);
          else {
            plan = meshes.plan(bodies, grid, sweep.stage.noiseCells, {
              upTo: Infinity,
              meshTolerance: undefined,
            });
            this.#encodeDrawn(encoder, sweep, corrections ?? noCorrections, meshes, plan, stats);
          }
          const { headPiece, unsure } = this.sweeper;
          return [[headPiece, unsure.piece, points.piece, ...(meshes === undefined ? [] : [meshes.piece])]];
        },
        checkSubmission: ([[head, , , drawn]]) => {
          this.sweeper.checkHead(head);
          meshes?.checkHead(drawn);
        },
        take: ([[head, unsure, listed, drawn]]) => {
          const { stage } = sweep!;
          stats.triangleTests += stage.firsts[stage.firsts.length - 1];
          const count = head[Head.points];
          // Follows the number of points of moving bodies, up at once and down slowly.
          this.#expected = Math.max(256, Math.ceil(1.125 * count), Math.floor(0.99 * this.#expected));
          const open = corrections === undefined ? head[Head.unsure] : 0;
          const work = meshes?.take(drawn, plan!);
          const hadRoom = head[Head.points] <= this.#room && head[Head.bricks] <= this.#brickRoom;
          const isDrawn = meshes === undefined || work !== undefined;
          if (!(hadRoom && isDrawn) && open === 0) return this.#grow(head);
          return {
            head: head.slice(),
            count,
            work,
            unsure: this.sweeper.unsure.take(unsure, open),
            known:
              hadRoom && isDrawn ? this.#reader.leave(listed.subarray(0, pointWords * count)) : undefined,
          };
        },
      });
      // Undecided crossings are settled first: with other points, other blocks are drawn.
      if (found === undefined || (found.work === 'never' && found.unsure.count === 0)) return undefined;
      const { head, count, unsure, known, work } = found;
      if (unsure.count > 0) {
        stats.unsure += unsure.count;
        if (unsure.count > mostUnsure) return undefined;
        corrections = decideCrossings(sweep!, (await this.#reader.rest(unsure))[0]);
        if (corrections.length > 0) continue;
      }
      if (work === 'never') return undefined;
      if (known !== undefined) {
        const triangles = slabs ? head[Head.slabs] : sweep!.stage.firsts[sweep!.stage.firsts.length - 1];
        const complete = head[Head.even] === 0;
        return {
          ...{ points: await this.#whole(points, known, count), stage: sweep!.stage },
          ...{ triangles, complete, meshes: work },
        };
      }
      this.#grow(head);
      stats.growths++;
    }
  }

  async #whole(list: ReadList, known: PointWords, count: number): Promise<PointWords> {
    // A whole list may stay in mapped memory.
    if (list.isWhole(known.length, count)) return known;
    const [words] = await this.#reader.rest({ list, known: known.words, count });
    return new PointWords(words, () => {});
  }

  /** The logarithm of a brick's edge, large enough that there are not too many bricks. */
  get #brickBits(): number {
    const { brickBits, software } = this.#options;
    if (brickBits !== undefined) return brickBits;
    if (this.#expected <= fewPoints && !software) return 0;
    const most = Math.min(mostBrickBytes, largestBinding(this.#device));
    let bits = this.#expected <= manyPoints ? 1 : 2;
    while (bits > 0 && brickBytes(bits) * this.#brickRoom > most) bits--;
    return bits;
  }

  #grow(head: Uint32Array): undefined {
    const [points, bricks] = [head[Head.points], head[Head.bricks]];
    if (points > this.#room) this.#room = Math.ceil(1.25 * points);
    if (bricks > this.#brickRoom) this.#brickRoom = Math.ceil(1.25 * bricks);
  }

  #encode(
    encoder: GPUCommandEncoder,
    sweep: Sweep,
    corrections: Uint32Array<ArrayBuffer>,
    depths: boolean,
    stats: EngineStats,
  ): void {
    const { columns, bricks, brickBits } = sweep.stage;
    const { resources } = this.sweeper;
    resources.set('points', this.#points.reserve(16 * this.#room));
    resources.set('bricks', this.#bricks.reserve(brickBytes(brickBits) * this.#brickRoom));
    this.sweeper.write(sweep, corrections);
    this.sweeper.encodeClear(encoder, sweep);
    const pass = encoder.beginComputePass(this.#stopwatch.passOf(label));
    stats.dispatches += this.sweeper.encode(pass, sweep, true);
    if (depths) {
      this.#launches.listBricks.encode(pass, Math.ceil(bricks / 128));
      this.#launches.measure.encode(pass, Math.min(this.#groups, bricks));
    } else this.#launches.emitCells.encode(pass, Math.ceil(columns / 64));
    stats.dispatches += depths ? 2 : 1;
    pass.end();
    this.#stopwatch.encode(encoder);
  }

  /** The same with depths by distance meshes: points first, then the meshes around them, all in one submission. */
  #encodeDrawn(
    encoder: GPUCommandEncoder,
    sweep: Sweep,
    corrections: Uint32Array<ArrayBuffer>,
    meshes: DistanceMeshes,
    plan: MeshPlan,
    stats: EngineStats,
  ): void {
    this.sweeper.resources.set('points', this.#points.reserve(16 * this.#room));
    this.sweeper.write(sweep, corrections);
    meshes.write(plan, sweep.stage, { first: 0, count: sweep.stage.bricks, whole: false });
    this.sweeper.encodeClear(encoder, sweep);
    const before = encoder.beginComputePass(this.#stopwatch.passOf(label, 'first'));
    stats.dispatches += meshes.encodeSites(before) + this.sweeper.encode(before, sweep, true);
    stats.dispatches += meshes.encodeMeshes(before) + 1;
    before.end();
    meshes.encodeDrawing(encoder);
    const after = encoder.beginComputePass(this.#stopwatch.passOf(label, 'last'));
    meshes.encodeDepths(after);
    after.end();
    this.#stopwatch.encode(encoder);
  }
}

/** Bytes of a brick's record (list-bricks.wgsl). */
const brickBytes = (brickBits: number): number => 16 * (1 + 8 ** brickBits);

/** The points that one sweep found, as words, and the stage they refer to. */
interface Part {
  readonly points: PointWords;
  readonly stage: Stage;
  readonly triangles: number;
  readonly complete: boolean;
  readonly meshes: MeshWork | undefined;
}

/** Groups windows so that their counters fit. A window that does not fit is cut along y, then x. */
export function inBatches(windows: readonly Window[], layers: number, most: number): Window[][] {
  const batches: Window[][] = [];
  let left = 0;
  for (const window of windows.flatMap(whole => cut(whole, layers, most))) {
    const size = countersOf(window, layers);
    if (batches.length === 0 || size > left) {
      batches.push([]);
      left = most;
    }
    batches[batches.length - 1].push(window);
    left -= size;
  }
  return batches;
}

const countersOf = ({ low, high }: Window, layers: number): number =>
  layers * (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);

function cut(window: Window, layers: number, most: number): Window[] {
  if (countersOf(window, layers) <= most) return [window];
  const { low, high } = window;
  const axis = high[1] - low[1] > 1 ? 1 : high[0] - low[0] > 1 ? 0 : 2;
  const middle = (low[axis] + high[axis]) >> 1;
  const end = [...high] as [number, number, number];
  const start = [...low] as [number, number, number];
  end[axis] = middle;
  start[axis] = middle;
  return [...cut({ low, high: end }, layers, most), ...cut({ low: start, high }, layers, most)];
}

/** The samples in ascending order, and the index of each among those found; undefined if the order is the same. */
interface Ordered {
  readonly cells: Uint32Array;
  readonly order: Uint32Array | undefined;
}

function cellsOf(parts: readonly Part[], pointWords: number, count: number, mixed: boolean): Ordered {
  const cells = new Uint32Array(count);
  let at = 0;
  for (const { points } of parts) {
    const { words } = points;
    for (let i = 0; i < words.length; i += pointWords) cells[at++] = words[i];
  }
  if (!mixed) return { cells, order: undefined };
  const order = Uint32Array.from({ length: count }, (_, i) => i).sort((a, b) => cells[a] - cells[b]);
  return { cells: cells.slice().sort(), order };
}

function depthsOf(parts: readonly Part[], bodyCount: number, order: Uint32Array | undefined): PointDepths {
  const count = parts.reduce((sum, { points }) => sum + points.length / 4, 0);
  const place = new Uint32Array(count);
  if (order === undefined) for (let i = 0; i < count; i++) place[i] = i;
  else for (let i = 0; i < count; i++) place[order[i]] = i;
  const depth = new Float32Array(count);
  const direction = new Float32Array(3 * count);
  const body = new Uint32Array(count);
  const triangle = new Uint32Array(count);
  let number = 0;
  for (const { points, stage } of parts) {
    const { words } = points;
    const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
    let layer = 0;
    for (let at = 0; at < words.length; at += 4) {
      const to = place[number++];
      depth[to] = floats[at + 1] * stage.unit;
      decodeDirection(words[at + 2], direction, 3 * to);
      const owner = words[at + 3];
      if (owner < stage.firsts[layer] || owner >= stage.firsts[layer + 1])
        layer = layerOf(stage.firsts, owner);
      body[to] = layer % bodyCount;
      triangle[to] = owner - stage.firsts[layer];
    }
  }
  return { depth, direction, body, triangle, meshes: workOf(parts) };
}

/** What drawing all parts took. */
function workOf(parts: readonly Part[]): MeshWork | undefined {
  const works = parts.flatMap(({ meshes }) => meshes ?? []);
  if (works.length === 0) return undefined;
  const sum = (of: (work: MeshWork) => number) => works.reduce((total, work) => total + of(work), 0);
  return {
    ...{ error: Math.max(...works.map(({ error }) => error)), sites: works[0].sites },
    ...{ meshes: sum(({ meshes }) => meshes), pieces: sum(({ pieces }) => pieces), fill: undefined },
  };
}

function layerOf(firsts: Uint32Array, owner: number): number {
  let low = 0;
  let high = firsts.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (firsts[middle] <= owner) low = middle;
    else high = middle;
  }
  return low;
}

/** The inverse of `encodeDirection` (measure-points.wgsl). */
function decodeDirection(packed: number, out: Float32Array, at: number): void {
  if (packed === 0) return;
  let x = ((packed & 0xffff) - 32768) / 32767;
  let y = ((packed >>> 16) - 32768) / 32767;
  const z = 1 - Math.abs(x) - Math.abs(y);
  if (z < 0) {
    const flipped = (1 - Math.abs(y)) * (x >= 0 ? 1 : -1);
    y = (1 - Math.abs(x)) * (y >= 0 ? 1 : -1);
    x = flipped;
  }
  const length = Math.hypot(x, y, z);
  out[at] = x / length;
  out[at + 1] = y / length;
  out[at + 2] = z / length;
}
