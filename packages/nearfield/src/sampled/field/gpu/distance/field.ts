// Distance fields on the GPU, slab by slab (slab.ts), into arrays or into textures that stay on the device.

import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { newStats } from '../../../../core/stats.ts';
import type { CpuEngine } from '../../../../cpu/engine.ts';
import { GpuQuery, Opening, type Preparation } from '../../../../gpu/gpu-query.ts';
import type { OnDemand } from '../../../../gpu/on-demand.ts';
import type { Stopwatch } from '../../../../gpu/stopwatch.ts';
import { submit } from '../../../../gpu/submit.ts';
import { createField, type FieldTask, type Slab } from '../../distance/sample-field.ts';
import { featureShift, noOwner, ownerMask, type RawField } from '../../field.ts';
import type { DistanceMeshes } from '../meshes/meshes.ts';
import type { Sweeper } from '../slices/sweep.ts';
import { type Planes, SlabMeasurer } from './slab.ts';
import { UndecidedSamples } from './undecided.ts';

const label = { label: 'field' };

/** The two textures as they are created here. */
interface Textures {
  readonly distance: GPUTexture;
  readonly owner: GPUTexture;
}

export class GpuFields {
  readonly #device: GPUDevice;
  readonly #slabs: SlabMeasurer;
  readonly #undecided: UndecidedSamples;
  readonly #query: GpuQuery;

  static async create(
    device: GPUDevice,
    sweeper: Sweeper,
    meshes: OnDemand<DistanceMeshes>,
    stopwatch: Stopwatch,
    options: { software: boolean },
  ): Promise<GpuFields> {
    const [slabs, undecided] = await Promise.all([
      SlabMeasurer.create(device, sweeper, meshes, stopwatch, options),
      UndecidedSamples.create(device, sweeper.resources),
    ]);
    return new GpuFields(device, slabs, undecided);
  }

  private constructor(device: GPUDevice, slabs: SlabMeasurer, undecided: UndecidedSamples) {
    this.#device = device;
    this.#slabs = slabs;
    this.#undecided = undecided;
    this.#query = new GpuQuery(device);
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
    const slices = this.#slabs.slicesAtOnce(task);
    const opening = new Opening(preparation);
    const meshed = await this.#slabs.meshesOf(task);
    for (let first = slab.first; first < slab.end; first += slices) {
      const part = { first, end: Math.min(slab.end, first + slices) };
      const [nx] = task.grid.dimensions;
      // Textures are copied in rows of a multiple of 256 bytes.
      const rowWords = task.form === 'tree' ? nx : paddedRow(nx);
      const planes = await this.#slabs.measure(body, task, part, rowWords, opening, field.stats, meshed);
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
    return { ...field, unsure: new Uint32Array(0), meshes: meshed?.work };
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
    const slices = this.#slabs.slicesAtOnce(task);
    const rowWords = paddedRow(nx);
    const opening = new Opening(preparation);
    const meshed = replace === undefined ? await this.#slabs.meshesOf(task) : undefined;
    for (let first = 0; first < nz; first += slices) {
      const part = { first, end: Math.min(nz, first + slices) };
      checkpoint(first / nz);
      if (replace !== undefined) {
        this.#writePart(await replace(part), textures);
        continue;
      }
      const planes = await this.#slabs.measure(body, task, part, rowWords, opening, stats, meshed);
      if (planes === undefined) return false;
      if (meshed === undefined)
        await this.#undecided.settle(measurer, body, task, part, () => checkpoint(first / nz));
      this.#copyPart(planes, textures, part, nx, ny);
    }
    return true;
  }

  destroy(): void {
    this.#slabs.destroy();
    this.#undecided.destroy();
    this.#query.destroy();
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

/** Words per row, padded so that textures can be copied from and to it. */
const paddedRow = (nx: number): number => 64 * Math.ceil(nx / 64);
