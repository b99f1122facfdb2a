// The samples of a field that single precision leaves open: the GPU lists them, the CPU measures them, and they are
// written back before the samples are read.

import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { newStats } from '../../../../core/stats.ts';
import type { CpuEngine } from '../../../../cpu/engine.ts';
import { GrowingBuffer } from '../../../../gpu/buffers/buffers.ts';
import { ReadList } from '../../../../gpu/buffers/read-list.ts';
import { GpuQuery } from '../../../../gpu/gpu-query.ts';
import { createKernel, Launch, type Resources } from '../../../../gpu/kernel.ts';
import { submit } from '../../../../gpu/submit.ts';
import { type Measured, pointsAtOnce } from '../../distance/measured.ts';
import { measurePoints } from '../../distance/measurer.ts';
import type { FieldTask, Slab } from '../../distance/sample-field.ts';
import { featureShift, noOwner } from '../../field.ts';
import { samplePosition } from '../../grid.ts';
import { declarations } from '../slices/kernels.ts';
import decideSource from './decide-samples.wgsl';
import listSource from './list-undecided.wgsl';

const label = { label: 'undecided samples' };
const usualRoom = 2 ** 12;

export class UndecidedSamples {
  readonly #device: GPUDevice;
  readonly #resources: Resources;
  readonly #list: Launch;
  readonly #decide: Launch;
  readonly #query: GpuQuery;
  readonly #samples: ReadList;
  readonly #listed: GrowingBuffer;
  readonly #decisions: GrowingBuffer;
  #room = usualRoom;

  /** `resources` are those of the sweep: its parameters, windows and samples. */
  static async create(device: GPUDevice, resources: Resources): Promise<UndecidedSamples> {
    const [list, decide] = await Promise.all([
      createKernel(device, 'list-undecided', [...declarations, listSource], {}),
      createKernel(device, 'decide-samples', [...declarations, decideSource], {}),
    ]);
    const launch = (kernel: typeof list) => new Launch(device, kernel, resources);
    return new UndecidedSamples(device, resources, launch(list), launch(decide));
  }

  private constructor(device: GPUDevice, resources: Resources, list: Launch, decide: Launch) {
    this.#device = device;
    this.#resources = resources;
    this.#list = list;
    this.#decide = decide;
    this.#query = new GpuQuery(device);
    this.#listed = new GrowingBuffer(device, 'undecided samples');
    this.#decisions = new GrowingBuffer(device, 'decided samples');
    // The list begins with the number of samples.
    this.#samples = new ReadList(4, () => ({ buffer: this.#listed.buffer, offset: 4, room: this.#room }));
  }

  /** Decides the open samples of a part that was just measured. Returns how many there were. */
  async settle(
    measurer: CpuEngine,
    body: Placed,
    task: FieldTask,
    part: Slab,
    checkpoint: () => void,
  ): Promise<number> {
    const samples = await this.#read(task, part);
    if (samples.length === 0) return 0;
    // Threads list samples in any order. Sorted, neighbours follow each other and are measured faster.
    samples.sort();
    const words = new Uint32Array(1 + 3 * samples.length);
    words[0] = samples.length;
    const floats = new Float32Array(words.buffer);
    const points = new Float64Array(3 * pointsAtOnce);
    const found = {
      distance: new Float32Array(pointsAtOnce),
      triangle: new Uint32Array(pointsAtOnce),
      feature: new Uint8Array(pointsAtOnce),
    } satisfies Measured;
    const [nx, ny] = task.grid.dimensions;
    for (let from = 0; from < samples.length; from += pointsAtOnce) {
      checkpoint();
      const count = Math.min(pointsAtOnce, samples.length - from);
      for (let i = 0; i < count; i++) {
        const sample = samples[from + i];
        const at = [sample % nx, Math.floor(sample / nx) % ny, part.first + Math.floor(sample / (nx * ny))];
        for (let axis = 0; axis < 3; axis++) points[3 * i + axis] = samplePosition(task.grid, axis, at[axis]);
      }
      measurePoints(measurer, body, points, count, task.upTo, found, 0);
      for (let i = 0; i < count; i++) {
        const to = 1 + 3 * (from + i);
        const owner = found.triangle[i];
        words[to] = samples[from + i];
        floats[to + 1] = found.distance[i];
        words[to + 2] = owner === noOwner ? noOwner : (owner | (found.feature[i] << featureShift)) >>> 0;
      }
    }
    this.#write(words);
    return samples.length;
  }

  destroy(): void {
    this.#query.destroy();
    this.#listed.destroy();
    this.#decisions.destroy();
  }

  async #read(task: FieldTask, { first, end }: Slab): Promise<Uint32Array> {
    const [nx, ny] = task.grid.dimensions;
    const groups = Math.ceil((nx * ny * (end - first)) / 64);
    const found = await this.#query.run({
      stats: newStats(),
      label,
      encode: encoder => {
        const buffer = this.#listed.reserve(4 * (1 + this.#room));
        this.#room = Math.floor(this.#listed.bytes / 4) - 1;
        this.#resources.set('undecidedSamples', buffer);
        encoder.clearBuffer(buffer, 0, 4);
        const pass = encoder.beginComputePass(label);
        this.#list.encode(pass, groups);
        pass.end();
        return [[{ buffer, offset: 0, bytes: 4 }, this.#samples.piece]];
      },
      take: ([[[count], samples]]) => {
        if (count <= this.#room) return this.#samples.take(samples, count);
        this.#room = Math.ceil(1.25 * count);
        return undefined;
      },
    });
    return (await this.#query.rest(found))[0];
  }

  #write(words: Uint32Array<ArrayBuffer>): void {
    const buffer = this.#decisions.reserve(words.byteLength);
    this.#device.queue.writeBuffer(buffer, 0, words);
    this.#resources.set('decisions', buffer);
    const encoder = this.#device.createCommandEncoder(label);
    const pass = encoder.beginComputePass(label);
    this.#decide.encode(pass, Math.ceil(words.length / 192));
    pass.end();
    submit(this.#device, encoder);
  }
}
