// Impact maps that the GPU paints by itself: impacts are scattered into cells by atomics, and textures are made of the
// cells. The CPU touches no texel.

import { NearfieldError } from '../../../core/errors.ts';
import { GrowingBuffer } from '../../../gpu/buffers/buffers.ts';
import { GpuQuery } from '../../../gpu/gpu-query.ts';
import { createKernel, type Kernel, Launch, Resources } from '../../../gpu/kernel.ts';
import { make, refusedSince, submit, submittedSoFar } from '../../../gpu/submit.ts';
import type { Setup } from '../../compiled.ts';
import { columnsAt, columnWords, noTexel, type Points } from '../../seam.ts';
import { constantsOf } from '../layouts.ts';
import composeSource from './compose-map.wgsl';
import { type TexelRanges, texelRangesOf } from './pack-maps.ts';
import paintSource from './paint-points.wgsl';

/** The words of a cell. Ranks say which impact of the window is the last; they are 0 between windows. */
const cell = { timeRank: 0, whoRank: 1, count: 2, sumLow: 3, sumHigh: 4, time: 5, value: 6 } as const;
const cellWords = 7;
const stages = [0, 1, 2, 3] as const;
/** How many workgroups of 64 share a list. */
const mostGroups = 4096;

const cellsWgsl = `${constantsOf(cell, 'Cell')}const cellWords = ${cellWords}u;\n`;
const pointsWgsl = `${constantsOf(columnsAt, 'Column')}const noTexel = ${noTexel}u;\n`;

/** One kernel per stage. */
export type PaintKernels = readonly Kernel[];

export const createPaintKernels = (device: GPUDevice): Promise<PaintKernels> =>
  Promise.all(
    stages.map(stage =>
      createKernel(device, 'paint-points', [cellsWgsl, pointsWgsl, paintSource], { stage }),
    ),
  );

/** Columns of impacts in a buffer: from the word `base` on, `room` words each. */
export interface PointList {
  readonly buffer: GPUBuffer;
  readonly base: number;
  readonly room: number;
  readonly count: number;
}

interface MapOnGpu {
  readonly firstTexel: number;
  readonly uniform: GPUBuffer;
  texture: GPUTexture | undefined;
  group: GPUBindGroup | undefined;
}

export class GpuMaps {
  readonly #device: GPUDevice;
  readonly #setup: Setup;
  readonly #ranges: TexelRanges;
  readonly #unitSpeed: number;
  readonly #kernels: PaintKernels;
  readonly #hear: (refused: Promise<string | undefined>) => void;
  readonly #cells: GPUBuffer;
  readonly #others: GrowingBuffer;
  readonly #maps = new Map<number, MapOnGpu>();
  /** Impacts kept from the window, and those given: each with launches for the stages. */
  readonly #lists: readonly { uniform: GPUBuffer; resources: Resources; launches: Launch[] }[];
  #compose: GPUComputePipeline | undefined;

  /** `unitSpeed` is the unit of sums, in the world's units of speed. */
  constructor(
    device: GPUDevice,
    setup: Setup,
    unitSpeed: number,
    kernels: PaintKernels,
    hear: (refused: Promise<string | undefined>) => void,
  ) {
    this.#device = device;
    this.#setup = setup;
    this.#unitSpeed = unitSpeed;
    this.#kernels = kernels;
    this.#hear = hear;
    this.#ranges = texelRangesOf(setup.colliders);
    const cells = new GrowingBuffer(device, 'map cells');
    this.#cells = cells.reserve(4 * cellWords * this.#ranges.count);
    this.#others = new GrowingBuffer(device, 'map points');
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#lists = [0, 1].map(() => {
      const resources = new Resources();
      const uniform = device.createBuffer({ label: 'map paint', size: 32, usage });
      resources.set('paint', uniform);
      resources.set('cells', this.#cells);
      return {
        uniform,
        resources,
        launches: this.#kernels.map(kernel => new Launch(device, kernel, resources)),
      };
    });
    for (const [collider, firstTexel] of this.#ranges.first) {
      const uniform = device.createBuffer({ label: 'impact map', size: 32, usage });
      device.queue.writeBuffer(uniform, 0, this.#wordsOf(collider, firstTexel));
      this.#maps.set(collider, { firstTexel, uniform, texture: undefined, group: undefined });
    }
  }

  /** Paints the impacts kept on the device, and others. */
  paint(kept: PointList, { others, otherCount, backwards, span }: Points): void {
    const { queue } = this.#device;
    const given = this.#others.reserve(Math.max(4, others.byteLength));
    if (otherCount > 0) queue.writeBuffer(given, 0, others);
    const lists = [kept, { buffer: given, base: 0, room: otherCount, count: otherCount }];
    const encoder = this.#device.createCommandEncoder(label);
    const pass = encoder.beginComputePass(label);
    lists.forEach(({ buffer, base, room, count }, i) => {
      const { uniform, resources } = this.#lists[i];
      resources.set('points', buffer);
      const words = new Uint32Array([count, base, room, Number(backwards), 0, 0, 0, 0]);
      new Float32Array(words.buffer).set([span, this.#unitSpeed], 4);
      queue.writeBuffer(uniform, 0, words);
    });
    for (const stage of stages) {
      lists.forEach(({ count }, i) => {
        if (count > 0)
          this.#lists[i].launches[stage].encode(pass, Math.min(mostGroups, Math.ceil(count / 64)));
      });
    }
    // A texture that nobody asked for is made when somebody does.
    for (const map of this.#maps.values()) if (map.texture !== undefined) this.#encodeTexture(pass, map);
    pass.end();
    this.#hear(submit(this.#device, encoder));
  }

  firstTexelOf(collider: number): number {
    return this.#mapOf(collider).firstTexel;
  }

  /** rgba32float; from now on every `paint` brings it up to date. */
  textureOf(collider: number): GPUTexture {
    const map = this.#mapOf(collider);
    if (map.texture === undefined) {
      const { width, height } = this.#setup.colliders[collider].given.map!;
      const usage =
        GPUTextureUsage.STORAGE_BINDING | GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_SRC;
      const descriptor: GPUTextureDescriptor = {
        label: `impact map of collider ${collider}`,
        size: [width, height],
        format: 'rgba32float',
        usage,
      };
      const [texture, refused] = make(this.#device, () => this.#device.createTexture(descriptor));
      this.#hear(refused);
      map.texture = texture;
      this.#refresh(map);
    }
    return map.texture;
  }

  /** Four numbers per texel, row by row. */
  async read(collider: number): Promise<Float32Array> {
    const device = this.#device;
    const texture = this.textureOf(collider);
    const { width, height } = texture;
    // Rows of texture copies are multiples of 256 bytes.
    const bytesPerRow = 256 * Math.ceil(width / 16);
    const piece = { texture, bytesPerRow, bytes: bytesPerRow * height };
    const values = new Float32Array(4 * width * height);
    // Several maps may be read at the same time.
    const query = new GpuQuery(device);
    const before = submittedSoFar(device);
    try {
      await query.read(device.createCommandEncoder(label), [piece], ([words]) => {
        const rows = new Float32Array(words.buffer, words.byteOffset, words.length);
        for (let row = 0; row < height; row++) {
          const from = (bytesPerRow / 4) * row;
          values.set(rows.subarray(from, from + 4 * width), 4 * width * row);
        }
      });
    } catch (error) {
      throw (await refusedSince(device, before)) ?? error;
    } finally {
      query.destroy();
    }
    const refused = await refusedSince(device, before);
    if (refused !== undefined) throw refused;
    return values;
  }

  clear(collider: number): void {
    const map = this.#mapOf(collider);
    const { width, height } = this.#setup.colliders[collider].given.map!;
    const encoder = this.#device.createCommandEncoder(label);
    encoder.clearBuffer(this.#cells, 4 * cellWords * map.firstTexel, 4 * cellWords * width * height);
    this.#hear(submit(this.#device, encoder));
    if (map.texture !== undefined) this.#refresh(map);
  }

  destroy(): void {
    this.#cells.destroy();
    this.#others.destroy();
    for (const { uniform } of this.#lists) uniform.destroy();
    for (const { uniform, texture } of this.#maps.values()) {
      uniform.destroy();
      texture?.destroy();
    }
  }

  #mapOf(collider: number): MapOnGpu {
    const map = this.#maps.get(collider);
    if (map === undefined) throw new NearfieldError('internal', `collider ${collider} has no map on the GPU`);
    return map;
  }

  #refresh(map: MapOnGpu): void {
    const encoder = this.#device.createCommandEncoder(label);
    const pass = encoder.beginComputePass(label);
    this.#encodeTexture(pass, map);
    pass.end();
    this.#hear(submit(this.#device, encoder));
  }

  #encodeTexture(pass: GPUComputePassEncoder, map: MapOnGpu): void {
    const device = this.#device;
    if (this.#compose === undefined) {
      const module = device.createShaderModule({ label: 'compose-map', code: cellsWgsl + composeSource });
      this.#compose = device.createComputePipeline({
        layout: 'auto',
        compute: { module, entryPoint: 'main' },
      });
    }
    const { width, height } = map.texture!;
    map.group ??= device.createBindGroup({
      layout: this.#compose.getBindGroupLayout(0),
      entries: [
        { binding: 0, resource: { buffer: map.uniform } },
        { binding: 1, resource: { buffer: this.#cells } },
        { binding: 2, resource: map.texture!.createView() },
      ],
    });
    pass.setPipeline(this.#compose);
    pass.setBindGroup(0, map.group);
    pass.dispatchWorkgroups(Math.ceil(width / 8), Math.ceil(height / 8));
  }

  #wordsOf(collider: number, firstTexel: number): Uint32Array<ArrayBuffer> {
    const { width, height, combine, of } = this.#setup.colliders[collider].given.map!;
    const flags = [combine === 'sum', of === 'one', combine === 'overwrite'].map(Number);
    const words = new Uint32Array([firstTexel, width, height, collider + 1, ...flags, 0]);
    new Float32Array(words.buffer)[7] = this.#unitSpeed;
    return words;
  }
}

const label = { label: 'impact maps' };
/** How many words a list of points has. */
export const pointWords = (count: number): number => columnWords * count;
