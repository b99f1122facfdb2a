// What the kernels are told of a question: one uniform buffer, written before every submission.

import type { SceneFrame } from '../../../bvh/gpu/bodies/body-table.ts';
import { noneGiven, QueryLayout } from '../../../candidates/gpu/layouts.ts';
import type { Resources } from '../../../gpu/kernel.ts';
import { neverEnough } from './layouts.ts';
import { enoughFor, type HierarchyOptions } from './options.ts';

export class QueryBuffer {
  readonly #device: GPUDevice;
  readonly #buffer: GPUBuffer;
  readonly #threads: number;
  readonly #words = new Uint32Array(QueryLayout.words);
  /** Number of the last submission. */
  serial = 0;

  constructor(device: GPUDevice, resources: Resources, threads: number) {
    this.#device = device;
    this.#threads = threads;
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#buffer = device.createBuffer({ label: 'query', size: QueryLayout.bytes, usage });
    resources.set('query', this.#buffer);
  }

  write(bodyCount: number, { origin, exponent }: SceneFrame, options: HierarchyOptions): void {
    const words = this.#words;
    const { at } = QueryLayout;
    originDoubles.set(origin);
    for (let axis = 0; axis < 3; axis++) {
      words[at.originLow + axis] = originBits[2 * axis];
      words[at.originHigh + axis] = originBits[2 * axis + 1];
    }
    words[at.originLow + 3] = exponent;
    words[at.bodyCount] = bodyCount;
    words[at.givenCandidates] = options.candidates === undefined ? noneGiven : options.candidates.length / 2;
    words[at.selfTest] = options.self ? 1 : 0;
    words[at.threads] = this.#threads;
    words[at.bruteForce] = options.traversal === 'brute-force' ? 1 : 0;
    words[at.enough] = enoughFor(options) ?? neverEnough;
    words[at.serial] = ++this.serial;
    // Half as much on every side of both boxes, rounded up.
    const margin = ((options.clearance ?? 0) / 2) * 2 ** -exponent * (1 + 2 ** -20);
    margins[0] = Math.min(Number.isNaN(margin) ? Infinity : margin, 2 ** 61);
    words[at.margin] = marginBits[0];
    this.#device.queue.writeBuffer(this.#buffer, 0, words);
  }

  destroy(): void {
    this.#buffer.destroy();
  }
}

const margins = new Float32Array(1);
const marginBits = new Uint32Array(margins.buffer);
const originDoubles = new Float64Array(3);
const originBits = new Uint32Array(originDoubles.buffer);
