// Distance fields on the GPU, slab by slab, into arrays or into textures that stay on the device. Columns are swept for
// the signs, and samples traverse the tree for their distances.

import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { type EngineStats, newStats } from '../../../../core/stats.ts';
import type { CpuEngine } from '../../../../cpu/engine.ts';
import { GrowingBuffer, largestBinding } from '../../../../gpu/buffers/buffers.ts';
import type { PartlyRead } from '../../../../gpu/buffers/read-list.ts';
import { softwareGroups } from '../../../../gpu/device/device.ts';
import { GpuQuery, Opening, type Preparation } from '../../../../gpu/gpu-query.ts';
import { createKernel, Launch } from '../../../../gpu/kernel.ts';
import { OnDemand } from '../../../../gpu/on-demand.ts';
import type { Stopwatch } from '../../../../gpu/stopwatch.ts';
import { submit } from '../../../../gpu/submit.ts';
import { createField, type FieldTask, type Slab } from '../../distance/sample-field.ts';
import { featureShift, type MeshWork, noOwner, ownerMask, type RawField } from '../../field.ts';
import { blockBits, Head } from '../layouts.ts';
import type { DistanceMeshes, MeshPlan } from '../meshes/meshes.ts';
import { Raster } from '../raster/raster.ts';
import { certainModules, declarations } from '../slices/kernels.ts';
import { decideCrossings, mostNoise, mostUnsure, type Sweep, type Sweeper } from '../slices/sweep.ts';
import measureSource from './measure-samples.wgsl';
import { UndecidedSamples } from './undecided.ts';

const label = { label: 'field' };
const none = new Uint32Array(0);
/** The maximum number of samples per slab. */
const mostSamples = 2 ** 24;

/** The buffer with the distances and owners of a slab: two planes of rows. */
interface Planes {
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
interface Meshed {
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

/** The two textures as they are created here. */
interface Textures {
  readonly distance: GPUTexture;
  readonly owner: GPUTexture;
}

/** The kernel without signs, then the one with signs. */
type MeasureLaunches = readonly [Launch, Launch];

export class GpuFields {
  readonly #device: GPUDevice;
  readonly #sweeper: Sweeper;
  readonly #stopwatch: Stopwatch;
  readonly #query: GpuQuery;
  readonly #samples: GrowingBuffer;
  readonly #measure: MeasureLaunches;
  readonly #undecided: UndecidedSamples;
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
  ): Promise<GpuFields> {
    const [measure, undecided] = await Promise.all([
      createMeasure(device, sweeper, false),
      UndecidedSamples.create(device, sweeper.resources),
    ]);
    return new GpuFields(device, sweeper, meshes, stopwatch, measure, undecided, options);
  }

  private constructor(
    device: GPUDevice,
    sweeper: Sweeper,
    meshes: OnDemand<DistanceMeshes>,
    stopwatch: Stopwatch,
    measure: MeasureLaunches,
    undecided: UndecidedSamples,
    options: { software: boolean },
  ) {
    this.#device = device;
    this.#sweeper = sweeper;
    this.#meshes = meshes;
    this.#stopwatch = stopwatch;
    this.#measure = measure;
    this.#undecided = undecided;
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

  /**
   * Undefined if single precision leaves too many signs undecided; then the CPU has to compute the whole field.
   * `measurer` decides the distances and owners that single precision leaves open.
   */
  async find(
    body: Placed,
    task: FieldTask,
    slab: Slab,
    measurer: CpuEngine,
    preparation: Preparation | undefined,
    checkpoint: (done: number) => void,
  ): Promise<RawField | undefined> {
    const field = createField(task.grid, slab);
    const slices = this.slicesAtOnce(task);
    const opening = new Opening(preparation);
    const meshed = await this.#meshesOf(task);
    for (let first = slab.first; first < slab.end; first += slices) {
      const part = { first, end: Math.min(slab.end, first + slices) };
      const [nx] = task.grid.dimensions;
      // Textures are copied in rows of a multiple of 256 bytes.
      const rowWords = task.form === 'tree' ? nx : paddedRow(nx);
      const planes = await this.#measurePart(body, task, part, rowWords, opening, field.stats, meshed);
      if (planes === undefined) return undefined;
      const settled = () => checkpoint((first - slab.first) / (slab.end - slab.first));
      if (meshed === undefined)
        field.stats.unsure += await this.#undecided.settle(measurer, body, task, part, settled);
      await this.#readPart(
        planes,
        field,
        (first - slab.first) * task.grid.dimensions[0] * task.grid.dimensions[1],
      );
      checkpoint((part.end - slab.first) / (slab.end - slab.first));
    }
    return { ...field, unsure: none, meshes: meshed?.work };
  }

  /**
   * Writes the field into two 3D textures, which belong to the caller: r32float distances, and r32uint owners with the
   * feature in the upper three bits. If `replace` is given, it computes the field instead: signs of open meshes are
   * found on the CPU.
   */
  async textures(
    body: Placed,
    task: FieldTask,
    measurer: CpuEngine,
    preparation: Preparation | undefined,
    usage: number,
    replace: ((slab: Slab) => Promise<RawField>) | undefined,
    checkpoint: (done: number) => void,
  ): Promise<Textures | undefined> {
    const [nx, ny, nz] = task.grid.dimensions;
    const create = (name: string, format: GPUTextureFormat) =>
      this.#device.createTexture({
        label: `field ${name}`,
        dimension: '3d',
        size: [nx, ny, nz],
        format,
        usage: usage | GPUTextureUsage.COPY_DST,
      });
    const textures = { distance: create('distance', 'r32float'), owner: create('owner', 'r32uint') };
    let isFilled = false;
    try {
      isFilled = await this.#fill(textures, body, task, measurer, preparation, replace, checkpoint);
    } finally {
      // Also when it was cancelled or failed: nobody else can destroy them then.
      if (!isFilled) for (const texture of Object.values(textures)) texture.destroy();
    }
    return isFilled ? textures : undefined;
  }

  /** False where the GPU cannot tell. */
  async #fill(
    textures: Textures,
    body: Placed,
    task: FieldTask,
    measurer: CpuEngine,
    preparation: Preparation | undefined,
    replace: ((slab: Slab) => Promise<RawField>) | undefined,
    checkpoint: (done: number) => void,
  ): Promise<boolean> {
    const [nx, ny, nz] = task.grid.dimensions;
    const stats = newStats();
    const slices = this.slicesAtOnce(task);
    const rowWords = paddedRow(nx);
    const opening = new Opening(preparation);
    const meshed = replace === undefined ? await this.#meshesOf(task) : undefined;
    for (let first = 0; first < nz; first += slices) {
      const part = { first, end: Math.min(nz, first + slices) };
      checkpoint(first / nz);
      if (replace !== undefined) {
        this.#writePart(await replace(part), textures);
        continue;
      }
      const planes = await this.#measurePart(body, task, part, rowWords, opening, stats, meshed);
      if (planes === undefined) return false;
      if (meshed === undefined)
        await this.#undecided.settle(measurer, body, task, part, () => checkpoint(first / nz));
      this.#copyPart(planes, textures, part, nx, ny);
    }
    return true;
  }

  destroy(): void {
    this.#samples.destroy();
    this.#undecided.destroy();
    this.#query.destroy();
    this.#raster.destroy();
  }

  /** Writes distances and owners into the samples' buffer. */
  async #measurePart(
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
  async #meshesOf(task: FieldTask): Promise<Meshed | undefined> {
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
          meshes.write(plan, sweep.stage, { first, count: atOnce, whole: true, halo: 0 });
          if (signed) sweeper.encodeClear(encoder, sweep);
          const before = encoder.beginComputePass(this.#stopwatch.passOf(label, 'first'));
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

  async #readPart(
    { buffer, words, rowWords }: Planes,
    field: Omit<RawField, 'unsure'>,
    at: number,
  ): Promise<void> {
    const pieces = [{ buffer, offset: 0, bytes: 8 * words }];
    const encoder = this.#device.createCommandEncoder(label);
    await this.#query.read(encoder, pieces, ([view]) => {
      const floats = new Float32Array(view.buffer, view.byteOffset, words);
      const { distance, owner, feature, grid } = field;
      const [nx] = grid.dimensions;
      for (let row = 0, to = at; row < words; row += rowWords, to += nx) {
        distance.set(floats.subarray(row, row + nx), to);
        for (let i = 0; i < nx; i++) {
          const word = view[words + row + i];
          owner[to + i] = word === noOwner ? noOwner : word & ownerMask;
          feature[to + i] = word === noOwner ? 0 : word >>> featureShift;
        }
      }
    });
  }

  #copyPart(
    { buffer, rowWords, words }: Planes,
    textures: Textures,
    { first, end }: Slab,
    nx: number,
    ny: number,
  ) {
    const encoder = this.#device.createCommandEncoder(label);
    [textures.distance, textures.owner].forEach((texture, plane) => {
      encoder.copyBufferToTexture(
        { buffer, offset: 4 * words * plane, bytesPerRow: 4 * rowWords, rowsPerImage: ny },
        { texture, origin: [0, 0, first] },
        [nx, ny, end - first],
      );
    });
    submit(this.#device, encoder);
  }

  #writePart(field: RawField, textures: Textures): void {
    const [nx, ny] = field.grid.dimensions;
    const owners = field.owner.map((owner, i) =>
      owner === noOwner ? noOwner : owner | (field.feature[i] << featureShift),
    );
    const lay = { bytesPerRow: 4 * nx, rowsPerImage: ny };
    const size = [nx, ny, field.sliceCount];
    const origin = [0, 0, field.firstSlice];
    this.#device.queue.writeTexture(
      { texture: textures.distance, origin },
      field.distance as Float32Array<ArrayBuffer>,
      lay,
      size,
    );
    this.#device.queue.writeTexture(
      { texture: textures.owner, origin },
      owners as Uint32Array<ArrayBuffer>,
      lay,
      size,
    );
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

/** Words per row, padded so that textures can be copied from and to it. */
const paddedRow = (nx: number): number => 64 * Math.ceil(nx / 64);
