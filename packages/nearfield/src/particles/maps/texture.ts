// Impact maps as textures on the device: texels that impacts changed are scattered into them.

import { NearfieldError } from '../../core/errors.ts';
import { GrowingBuffer } from '../../gpu/buffers/buffers.ts';
import { make, submit } from '../../gpu/submit.ts';
import type { Setup } from '../compiled.ts';
import scatterSource from './scatter-texels.wgsl';

export class MapTextures {
  readonly #device: GPUDevice;
  readonly #setup: Setup;
  readonly #hear: (refused: Promise<string | undefined>) => void;
  readonly #textures = new Map<number, GPUTexture>();
  readonly #texels: GrowingBuffer;
  readonly #values: GrowingBuffer;
  #scatter: GPUBuffer | undefined;
  #pipeline: GPUComputePipeline | undefined;

  /**
   * `hear` is called with everything that the device may refuse. What it refused stays refused, and has to be replaced.
   */
  constructor(device: GPUDevice, setup: Setup, hear: (refused: Promise<string | undefined>) => void) {
    this.#device = device;
    this.#hear = hear;
    this.#setup = setup;
    this.#texels = new GrowingBuffer(device, 'map texels');
    this.#values = new GrowingBuffer(device, 'map values');
  }

  /** rgba32float; all 0 at first. */
  of(collider: number): GPUTexture {
    const known = this.#textures.get(collider);
    if (known !== undefined) return known;
    const map = this.#setup.colliders[collider]?.given.map;
    if (map === undefined) throw new NearfieldError('bad-option', `collider ${collider} has no impact map`);
    const descriptor: GPUTextureDescriptor = {
      label: `impact map of collider ${collider}`,
      size: [map.width, map.height],
      format: 'rgba32float',
      usage:
        GPUTextureUsage.STORAGE_BINDING |
        GPUTextureUsage.TEXTURE_BINDING |
        GPUTextureUsage.COPY_SRC |
        GPUTextureUsage.COPY_DST,
    };
    const [texture, refused] = make(this.#device, () => this.#device.createTexture(descriptor));
    this.#hear(refused);
    this.#textures.set(collider, texture);
    return texture;
  }

  /** Texels by their index, row by row, and four numbers per texel. */
  paint(collider: number, texels: Uint32Array, values: Float32Array): void {
    if (texels.length === 0) return;
    const texture = this.of(collider);
    const [, refused] = make(this.#device, () => this.#paint(texture, texels, values));
    this.#hear(refused);
  }

  #paint(texture: GPUTexture, texels: Uint32Array, values: Float32Array): void {
    const device = this.#device;
    if (this.#pipeline === undefined) {
      const module = device.createShaderModule({ label: 'scatter-texels', code: scatterSource });
      const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
      this.#scatter ??= device.createBuffer({ label: 'map scatter', size: 16, usage });
      this.#pipeline = device.createComputePipeline({
        layout: 'auto',
        compute: { module, entryPoint: 'main' },
      });
    }
    const { queue } = device;
    queue.writeBuffer(this.#scatter!, 0, new Uint32Array([texels.length, texture.width, 0, 0]));
    queue.writeBuffer(this.#texels.reserve(texels.byteLength), 0, texels as Uint32Array<ArrayBuffer>);
    queue.writeBuffer(this.#values.reserve(values.byteLength), 0, values as Float32Array<ArrayBuffer>);
    const group = device.createBindGroup({
      layout: this.#pipeline.getBindGroupLayout(0),
      entries: [
        { binding: 0, resource: { buffer: this.#scatter! } },
        { binding: 1, resource: { buffer: this.#texels.buffer } },
        { binding: 2, resource: { buffer: this.#values.buffer } },
        { binding: 3, resource: texture.createView() },
      ],
    });
    const encoder = device.createCommandEncoder({ label: 'impact map' });
    const pass = encoder.beginComputePass({ label: 'impact map' });
    pass.setPipeline(this.#pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(Math.min(65535, Math.ceil(texels.length / 64)));
    pass.end();
    this.#hear(submit(device, encoder));
  }

  destroy(): void {
    for (const texture of this.#textures.values()) texture.destroy();
    this.#textures.clear();
    this.#texels.destroy();
    this.#values.destroy();
    this.#scatter?.destroy();
  }
}
