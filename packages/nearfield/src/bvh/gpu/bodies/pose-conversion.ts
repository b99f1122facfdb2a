// Takes poses from an application's buffer into the body table without leaving the GPU (convert-poses.wgsl).

import type { GpuPoses } from '../../../bodies/on-gpu/gpu-poses.ts';
import type { Piece } from '../../../gpu/buffers/read-back.ts';
import { createKernel, type Kernel, Launch, Resources } from '../../../gpu/kernel.ts';
import convertSource from './convert-poses.wgsl';

/** Facts about all poses together. */
export interface PoseFacts {
  /** The box of the translations. */
  readonly low: readonly number[];
  readonly high: readonly number[];
  /** Entries of linear parts are below two to this power. */
  readonly largestExponent: number;
}

const factWords = 8;

export class PoseConversion {
  readonly #device: GPUDevice;
  readonly #kernel: Kernel;
  readonly #resources = new Resources();
  /** Bindings by the copy they read. Two copies alternate. */
  readonly #launches = new WeakMap<object, Launch>();
  readonly #facts: GPUBuffer;
  readonly #extent: GPUBuffer;
  readonly #words = new Uint32Array(2);

  static async create(device: GPUDevice): Promise<PoseConversion> {
    return new PoseConversion(device, await createKernel(device, 'convert-poses', [convertSource]));
  }

  private constructor(device: GPUDevice, kernel: Kernel) {
    this.#device = device;
    this.#kernel = kernel;
    const { STORAGE, UNIFORM, COPY_DST, COPY_SRC } = GPUBufferUsage;
    this.#facts = device.createBuffer({
      label: 'pose facts',
      size: 4 * factWords,
      usage: STORAGE | COPY_DST | COPY_SRC,
    });
    this.#extent = device.createBuffer({ label: 'poses to convert', size: 8, usage: UNIFORM | COPY_DST });
    this.#resources.set('poseFacts', this.#facts);
    this.#resources.set('extent', this.#extent);
  }

  encode(encoder: GPUCommandEncoder, { copy }: GpuPoses, count: number, poses: GPUBuffer): void {
    const words = this.#words;
    if (words[0] !== copy.stride || words[1] !== count) {
      words[0] = copy.stride;
      words[1] = count;
      this.#device.queue.writeBuffer(this.#extent, 0, words);
    }
    this.#resources.set('poses', poses);
    encoder.clearBuffer(this.#facts);
    const pass = encoder.beginComputePass();
    this.#launchOf(copy.buffer).encode(pass, Math.ceil(count / 64));
    pass.end();
  }

  #launchOf(buffer: object): Launch {
    let launch = this.#launches.get(buffer);
    if (launch === undefined) {
      const resources = new Resources(this.#resources);
      resources.set('appPoses', buffer as GPUBuffer);
      launch = new Launch(this.#device, this.#kernel, resources);
      this.#launches.set(buffer, launch);
    }
    return launch;
  }

  /** The pieces to read back, for `factsOf`. */
  get piece(): Piece {
    return { buffer: this.#facts, offset: 0, bytes: 4 * factWords };
  }

  destroy(): void {
    this.#facts.destroy();
    this.#extent.destroy();
  }
}

/** Undefined if some pose is not plainly a pose. */
export function factsOf(words: Uint32Array): PoseFacts | undefined {
  if (words[0] !== 0) return undefined;
  const high = [1, 2, 3].map(k => inOrder(words[k]));
  const low = [4, 5, 6].map(k => inOrder(~words[k] >>> 0));
  return { low, high, largestExponent: words[7] - 126 };
}

const bits = new Uint32Array(1);
const single = new Float32Array(bits.buffer);

/** Converts a rank in the order of singles back to the number. */
function inOrder(ordered: number): number {
  bits[0] = ordered >>> 31 === 1 ? ordered ^ 0x80000000 : ~ordered;
  return single[0];
}
