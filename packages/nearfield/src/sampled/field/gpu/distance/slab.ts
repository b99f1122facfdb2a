// Distances and signs of a slab of samples on the GPU, as planes in a buffer. Columns are swept for the signs. Distances come from
// traversing the tree, from triangles drawn into bricks of samples, or from distance meshes.

import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import type { EngineStats } from '../../../../core/stats.ts';
import { GrowingBuffer, largestBinding } from '../../../../gpu/buffers/buffers.ts';
import type { PartlyRead } from '../../../../gpu/buffers/read-list.ts';
import { softwareGroups } from '../../../../gpu/device/device.ts';
import { GpuQuery, type Opening } from '../../../../gpu/gpu-query.ts';
import { createKernel, Launch } from '../../../../gpu/kernel.ts';
import { OnDemand } from '../../../../gpu/on-demand.ts';
import type { Stopwatch } from '../../../../gpu/stopwatch.ts';
import { submit } from '../../../../gpu/submit.ts';
import type { FieldTask, Slab } from '../../distance/sample-field.ts';
import type { MeshWork } from '../../field.ts';
import { blockBits, Head } from '../layouts.ts';
import type { DistanceMeshes } from '../meshes/meshes.ts';
import type { MeshPlan } from '../meshes/plan.ts';
import { Raster } from '../raster/raster.ts';
import { certainModules, declarations } from '../slices/kernels.ts';
import { decideCrossings, mostNoise, mostUnsure, type Sweep, type Sweeper } from '../slices/sweep.ts';
import measureSource from './measure-samples.wgsl';

const label = { label: 'field' };
const none = new Uint32Array(0);
/** The maximum number of samples per slab. */
const mostSamples = 2 ** 24;

/** The buffer with the distances and owners of a slab: two planes of rows. */
export interface Planes {
  readonly buffer: GPUBuffer;
  readonly rowWords: number;
  /** Words of one plane. */
  readonly words: number;
}

/** A sweep, and its crossings that the CPU has to decide. */
interface Swept {
  readonly swept: Sweep;
  readonly unsure: PartlyRead;
}

/** The distance meshes of a field, and what they have taken so far. */
export interface Meshed {
  readonly meshes: DistanceMeshes;
  work: MeshWork | undefined;
}

/** Where the samples go that are drawn as distance meshes, and what makes their signs. */
interface DrawnSamples {
  readonly buffer: GPUBuffer;
  readonly rowWords: number;
  readonly corrections: Uint32Array<ArrayBuffer>;
  readonly signed: boolean;
}

/** The kernel without signs, then the one with signs. */
type MeasureLaunches = readonly [Launch, Launch];

export class SlabMeasurer {
  readonly #device: GPUDevice;
  readonly #sweeper: Sweeper;
  readonly #stopwatch: Stopwatch;
  readonly #query: GpuQuery;
  readonly #samples: GrowingBuffer;
  readonly #measure: MeasureLaunches;
  readonly #groups: number;
  readonly #raster = new OnDemand(() => Raster.create(this.#device, this.#sweeper.resources));
  #measureDrawn: Promise<MeasureLaunches> | undefined;
  readonly #meshes: OnDemand<DistanceMeshes>;

  static async create(
    device: GPUDevice,
    sweeper: Sweeper,
    meshes: OnDemand<DistanceMeshes>,
    stopwatch: Stopwatch,
    options: { software: boolean },
  ): Promise<SlabMeasurer> {
    const measure = await createMeasure(device, sweeper, false);
    return new SlabMeasurer(device, sweeper, meshes, stopwatch, measure, options);
  }

  private constructor(
    device: GPUDevice,
    sweeper: Sweeper,
    meshes: OnDemand<DistanceMeshes>,
    stopwatch: Stopwatch,
    measure: MeasureLaunches,
    options: { software: boolean },
  ) {
    this.#device = device;
    this.#sweeper = sweeper;
    this.#meshes = meshes;
    this.#stopwatch = stopwatch;
    this.#measure = measure;
    this.#query = new GpuQuery(device, stopwatch);
    this.#samples = new GrowingBuffer(device, 'samples');
    this.#groups = options.software ? softwareGroups : 65535;
  }

  /** The maximum number of slices per slab. */
  slicesAtOnce({ grid }: FieldTask): number {
    const [nx, ny] = grid.dimensions;
    const most = Math.min(mostSamples, largestBinding(this.#device) / 8, this.#sweeper.mostCounters);
    return Math.max(1, Math.floor(most / (64 * Math.ceil(nx / 64) * ny)));
  }

  /** Writes distances and owners into the samples' buffer. */
  async measure(
    body: Placed,
    task: FieldTask,
    { first, end }: Slab,
    rowWords: number,
    opening: Opening,
    stats: EngineStats,
    meshed: Meshed | undefined,
  ): Promise<Planes | undefined> {
    const [nx, ny] = task.grid.dimensions;
    const window = { low: [0, 0, first], high: [nx, ny, end] } as const;
    // The CPU computes the signs of open meshes.
    const signed = task.signed && body.shape.mesh.solid;
    const words = rowWords * ny * (end - first);
    const prepare = () =>
      this.#sweeper.prepare([body], task.grid, [window], 'within-one', { upTo: task.upTo });
    let corrections: Uint32Array<ArrayBuffer> = none;
    if (signed || (!opening.isDone && meshed === undefined)) {
      const { swept, unsure } = await this.#sweep(prepare, signed, opening, stats);
      stats.unsure += unsure.count;
      if (unsure.count > mostUnsure) return undefined;
      const [entries] = await this.#query.rest(unsure);
      if (entries.length > 0) corrections = decideCrossings(swept, entries);
    }
    if (meshed !== undefined) {
      const prepareBlocks = () =>
        this.#sweeper.prepare([body], task.grid, [window], 'within-one', {
          ...{ upTo: task.upTo, brickBits: blockBits },
        });
      const buffer = this.#samples.reserve(8 * words);
      const drawn = { corrections, rowWords, buffer, signed };
      return (await this.#drawMeshes(prepareBlocks, task, drawn, opening, stats, meshed))
        ? { buffer, rowWords, words }
        : undefined;
    }
    const sweep = prepare();
    if (!isFine(sweep)) return undefined;
    const buffer = this.#samples.reserve(8 * words);
    this.#sweeper.resources.set('samples', buffer);
    this.#sweeper.write(sweep, corrections, rowWords);
    const size = [nx, ny, end - first] as const;
    if (task.form === 'raster') await this.#drawPart(sweep, buffer, rowWords, size, signed, stats);
    else
      await this.#query.run({
        stats,
        label,
        encode: encoder => {
          if (signed) this.#sweeper.encodeClear(encoder, sweep);
          const pass = encoder.beginComputePass(this.#stopwatch.passOf(label));
          if (signed) stats.dispatches += this.#sweeper.encode(pass, sweep, false);
          this.#encodeMeasure(pass, this.#measure, size, signed);
          stats.dispatches++;
          pass.end();
          this.#stopwatch.encode(encoder);
          return [[this.#sweeper.headPiece]];
        },
        checkSubmission: ([[head]]) => this.#sweeper.checkHead(head),
        take: () => true,
      });
    return { buffer, rowWords, words };
  }

  #encodeMeasure(
    pass: GPUComputePassEncoder,
    measure: MeasureLaunches,
    [nx, ny, nz]: readonly [number, number, number],
    signed: boolean,
  ): void {
    const cubes = Math.ceil(nx / 4) * Math.ceil(ny / 4) * Math.ceil(nz / 4);
    measure[signed ? 1 : 0].encode(pass, Math.min(this.#groups, cubes));
  }

  /** For the form 'distance-meshes'; undefined in the others. */
  async meshesOf(task: FieldTask): Promise<Meshed | undefined> {
    if (task.form !== 'distance-meshes') return undefined;
    return { meshes: await this.#meshes.get(), work: undefined };
  }

  /** Draws all blocks of a window, as many at once as fit. False if this device cannot. */
  async #drawMeshes(
    prepare: () => Sweep,
    task: FieldTask,
    { corrections, rowWords, buffer, signed }: DrawnSamples,
    opening: Opening,
    stats: EngineStats,
    meshed: Meshed,
  ): Promise<boolean> {
    const { meshes } = meshed;
    const sweeper = this.#sweeper;
    let atOnce = Infinity;
    let total = 1;
    for (let first = 0; first < total; ) {
      let plan: MeshPlan | undefined;
      const found = await this.#query.run({
        stats,
        opening,
        label,
        encode: encoder => {
          const sweep = prepare();
          if (!isFine(sweep)) return undefined;
          plan = meshes.plan(sweep.bodies, task.grid, sweep.stage.noiseCells, task);
          sweeper.resources.set('samples', buffer);
          sweeper.write(sweep, corrections, rowWords);
          total = sweep.stage.bricks;
          atOnce = Math.min(atOnce, meshes.mostBlocks(sweep.bodies), total - first);
          meshes.write(plan, sweep.stage, { first, count: atOnce, whole: true });
          if (signed) sweeper.encodeClear(encoder, sweep);
          const before = encoder.beginComputePass(this.#stopwatch.passOf(label, 'first'));
          stats.dispatches += meshes.encodeSites(before);
          if (signed) stats.dispatches += sweeper.encode(before, sweep, false);
          stats.dispatches += meshes.encodeMeshes(before) + 1;
          before.end();
          meshes.encodeDrawing(encoder);
          const after = encoder.beginComputePass(this.#stopwatch.passOf(label, 'last'));
          meshes.encodeSamples(after, signed);
          after.end();
          this.#stopwatch.encode(encoder);
          return [[sweeper.headPiece, meshes.piece]];
        },
        checkSubmission: ([[head, drawn]]) => {
          sweeper.checkHead(head);
          meshes.checkHead(drawn);
        },
        take: ([[, drawn]]) => meshes.take(drawn, plan!),
      });
      if (found === undefined) return false;
      if (found === 'never') {
        if (atOnce === 1) return false;
        atOnce = Math.ceil(atOnce / 2);
        continue;
      }
      meshed.work = meshed.work === undefined ? found : sumOf(meshed.work, found);
      first += atOnce;
    }
    return true;
  }

  #submitSweep(sweep: Sweep, stats: EngineStats): void {
    const encoder = this.#device.createCommandEncoder(label);
    this.#sweeper.encodeClear(encoder, sweep);
    const pass = encoder.beginComputePass(label);
    stats.dispatches += this.#sweeper.encode(pass, sweep, false);
    pass.end();
    submit(this.#device, encoder);
  }

  async #drawPart(
    sweep: Sweep,
    buffer: GPUBuffer,
    rowWords: number,
    size: readonly [number, number, number],
    signed: boolean,
    stats: EngineStats,
  ): Promise<void> {
    this.#measureDrawn ??= createMeasure(this.#device, this.#sweeper, true);
    const [raster, measure] = await Promise.all([this.#raster.get(), this.#measureDrawn]);
    raster.check(size);
    if (signed) this.#submitSweep(sweep, stats);
    await this.#query.run({
      stats,
      label,
      encode: encoder => {
        const { piece, passes } = raster.submit(buffer, rowWords, size);
        stats.dispatches += passes;
        const pass = encoder.beginComputePass(label);
        this.#encodeMeasure(pass, measure, size, signed);
        pass.end();
        return [[this.#sweeper.headPiece, piece]];
      },
      checkSubmission: ([[head]]) => this.#sweeper.checkHead(head),
      take: ([[, drawn]]) => (raster.hadRoom(drawn) ? true : undefined),
    });
  }

  /** Runs the sweep alone, to see which crossings the exact stage has to decide. */
  #sweep(prepare: () => Sweep, signed: boolean, opening: Opening, stats: EngineStats): Promise<Swept> {
    const sweeper = this.#sweeper;
    let swept: Sweep;
    return this.#query.run({
      stats,
      opening,
      label,
      encode: encoder => {
        swept = prepare();
        sweeper.write(swept, none);
        if (signed && swept.stage.noiseCells <= mostNoise) {
          sweeper.encodeClear(encoder, swept);
          const pass = encoder.beginComputePass(label);
          stats.dispatches += sweeper.encode(pass, swept, false);
          pass.end();
        }
        return [[sweeper.headPiece, sweeper.unsure.piece]];
      },
      checkSubmission: ([[head]]) => sweeper.checkHead(head),
      take: ([[head, unsure]]) => ({
        swept,
        unsure: sweeper.unsure.take(unsure, signed ? head[Head.unsure] : 0),
      }),
    });
  }

  destroy(): void {
    this.#samples.destroy();
    this.#query.destroy();
    this.#raster.destroy();
  }
}

/** The kernels that measure all samples, or only what was drawn on them. */
async function createMeasure(device: GPUDevice, sweeper: Sweeper, drawn: boolean): Promise<MeasureLaunches> {
  const modules = [...declarations, ...certainModules, measureSource];
  const create = (signed: number) =>
    createKernel(device, 'measure-samples', modules, { signed, drawn: drawn ? 1 : 0 });
  const [plain, signed] = await Promise.all([create(0), create(1)]);
  return [new Launch(device, plain, sweeper.resources), new Launch(device, signed, sweeper.resources)];
}

/** Whether single precision can tell samples and triangles apart. */
const isFine = ({ stage: { noiseCells, unit } }: Sweep): boolean =>
  noiseCells <= mostNoise && unit > 2 ** -100 && unit < 2 ** 60;

const sumOf = (a: MeshWork, b: MeshWork): MeshWork => ({
  ...a,
  meshes: a.meshes + b.meshes,
  pieces: a.pieces + b.pieces,
});
