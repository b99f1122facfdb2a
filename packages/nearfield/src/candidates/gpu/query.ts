// The parameters of a question about pairs, as the kernels read them: one uniform buffer, written before every
// submission.

import type { SceneFrame } from '../../bvh/gpu/bodies/body-table.ts';
import type { Resources } from '../../gpu/kernel.ts';
import { noneGiven, QueryLayout } from './layouts.ts';

export interface FrontQuery {
  /** Pairs of body indices. Without them, the broad phase finds the candidates. */
  readonly candidates?: Uint32Array | undefined;
  /** Bodies nearer than this are candidates, even if their boxes do not meet. World units. */
  readonly clearance?: number | undefined;
}

/** Words of the query that belong to the question. */
export type QueryWords = Partial<Record<keyof typeof QueryLayout.at, number>>;

export class QueryBuffer {
  readonly #device: GPUDevice;
  readonly #buffer: GPUBuffer;
  readonly #words = new Uint32Array(QueryLayout.words);
  /** The number of the last submission. */
  serial = 0;

  constructor(device: GPUDevice, resources: Resources) {
    this.#device = device;
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#buffer = device.createBuffer({ label: 'query', size: QueryLayout.bytes, usage });
    resources.set('query', this.#buffer);
  }

  write(
    bodyCount: number,
    { origin, exponent }: SceneFrame,
    { candidates, clearance = 0 }: FrontQuery,
    own: QueryWords,
  ): void {
    const words = this.#words;
    const { at } = QueryLayout;
    originDoubles.set(origin);
    for (let axis = 0; axis < 3; axis++) {
      words[at.originLow + axis] = originBits[2 * axis];
      words[at.originHigh + axis] = originBits[2 * axis + 1];
    }
    words[at.originLow + 3] = exponent;
    words[at.bodyCount] = bodyCount;
    words[at.givenCandidates] = candidates === undefined ? noneGiven : candidates.length / 2;
    words[at.serial] = ++this.serial;
    // Boxes that are half the clearance larger on every side meet if they are within it. Rounded up.
    const margin = (clearance / 2) * 2 ** -exponent * (1 + 2 ** -20);
    margins[0] = Math.min(Number.isNaN(margin) ? Infinity : margin, 2 ** 61);
    words[at.margin] = marginBits[0];
    for (const name of Object.keys(own) as (keyof QueryWords)[]) words[at[name]] = own[name]!;
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
