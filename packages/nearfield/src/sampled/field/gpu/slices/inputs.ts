// One buffer with everything that some kernels only read, so that a question needs one write. Each part keeps
// its offset until it outgrows it, so that bind groups stay valid.

import type { Resources } from '../../../../gpu/kernel.ts';

/** On every device, bindings may begin at multiples of this. */
const alignment = 256;

export type InputWords = Uint32Array<ArrayBuffer> | Int32Array<ArrayBuffer>;

interface Part {
  readonly start: number;
  readonly bytes: number;
}

export class Inputs<Name extends string> {
  readonly #device: GPUDevice;
  readonly #label: string;
  readonly #names: readonly Name[];
  readonly #parts = new Map<Name, Part>();
  #buffer: GPUBuffer | undefined;
  #words = new Int32Array(0);

  /** The first part is a uniform, the others are storage. */
  constructor(device: GPUDevice, label: string, names: readonly Name[]) {
    this.#device = device;
    this.#label = label;
    this.#names = names;
  }

  write(inputs: Readonly<Record<Name, InputWords>>, resources: Resources): void {
    if (this.#names.some(name => inputs[name].byteLength > (this.#parts.get(name)?.bytes ?? 0))) {
      this.#place(inputs, resources);
    }
    let end = 0;
    for (const name of this.#names) {
      const { start } = this.#parts.get(name)!;
      this.#words.set(inputs[name], start / 4);
      end = start + inputs[name].byteLength;
    }
    this.#device.queue.writeBuffer(this.#buffer!, 0, this.#words, 0, end / 4);
  }

  destroy(): void {
    this.#buffer?.destroy();
    this.#buffer = undefined;
    this.#parts.clear();
  }

  #place(inputs: Readonly<Record<Name, InputWords>>, resources: Resources): void {
    let start = 0;
    for (const name of this.#names) {
      const wanted = inputs[name].byteLength;
      const known = this.#parts.get(name)?.bytes ?? 0;
      const bytes =
        wanted <= known ? known : alignment * Math.ceil(Math.max(wanted, 1.5 * known) / alignment);
      this.#parts.set(name, { start, bytes });
      start += bytes;
    }
    this.#buffer?.destroy();
    const { UNIFORM, STORAGE, COPY_DST } = GPUBufferUsage;
    const usage = UNIFORM | STORAGE | COPY_DST;
    const buffer = this.#device.createBuffer({ label: this.#label, size: start, usage });
    this.#buffer = buffer;
    this.#words = new Int32Array(start / 4);
    for (const [name, part] of this.#parts) {
      resources.set(name, { buffer, offset: part.start, size: part.bytes });
    }
  }
}
