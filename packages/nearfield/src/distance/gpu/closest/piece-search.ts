// Asks the GPU about the points of one submission. There they become whole numbers (place-points.wgsl), are sorted so that
// neighbours among threads are neighbours in space (point-keys.wgsl), and are searched for, one thread per point
// (closest-points.wgsl).

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { GpuTrees } from '../../../bvh/gpu/trees.ts';
import { checkPoints } from '../../../core/arguments.ts';
import { newStats } from '../../../core/stats.ts';
import { CountedLists } from '../../../gpu/buffers/counted-lists.ts';
import type { Piece } from '../../../gpu/buffers/read-back.ts';
import type { PartlyRead, ReadList } from '../../../gpu/buffers/read-list.ts';
import { Staging } from '../../../gpu/buffers/staging.ts';
import { GpuQuery, type Opening } from '../../../gpu/gpu-query.ts';
import { type Kernel, Launch, Resources } from '../../../gpu/kernel.ts';
import { RadixSort, type SortKernels } from '../../../gpu/sort/radix-sort.ts';
import { throwIfRefused } from '../../../gpu/submit.ts';
import { CloudLayout, cloudOf } from './cloud.ts';

export interface ClosestKernels {
  readonly place: Kernel;
  readonly keys: Kernel;
  readonly sample: Kernel;
  readonly search: Kernel;
  readonly sort: SortKernels;
}

const label = { label: 'closest points' };
/** As many points as one of them is asked about first (closest-points.wgsl). */
const sampled = 16;
const recordBytes = { doubles: 24, points: 12, extent: 32, answers: 4, found: 4, head: 4 };
/** No points: no least and largest coordinates, none too far away, none that is not finite (place-points.wgsl). */
const noExtent = Int32Array.of(1, 1, 1, -1, -1, -1, 0, 0).map(x => x * 0x7fffffff);
const tooFarAt = 6;
const notFiniteAt = 7;

export class PieceSearch {
  readonly #device: GPUDevice;
  readonly #trees: GpuTrees;
  readonly #place: Launch;
  readonly #keys: Launch;
  readonly #sample: Launch;
  readonly #search: Launch;
  readonly #resources = new Resources();
  readonly #query: GpuQuery;
  readonly #sort: RadixSort;
  readonly #cloud: GPUBuffer;
  readonly #lists: CountedLists<keyof typeof recordBytes>;
  readonly #found: ReadList;
  readonly #staging: Staging;
  #serial = 0;

  constructor(device: GPUDevice, kernels: ClosestKernels, trees: GpuTrees) {
    this.#device = device;
    this.#trees = trees;
    this.#staging = new Staging(device);
    this.#place = new Launch(device, kernels.place, this.#resources);
    this.#keys = new Launch(device, kernels.keys, this.#resources);
    this.#sample = new Launch(device, kernels.sample, this.#resources);
    this.#search = new Launch(device, kernels.search, this.#resources);
    this.#sort = new RadixSort(device, kernels.sort);
    this.#query = new GpuQuery(device);
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#cloud = device.createBuffer({ label: 'cloud', size: CloudLayout.bytes, usage });
    this.#lists = new CountedLists(device, 'closest points', recordBytes, { found: 2 ** 14, extent: 1 });
    this.#found = this.#lists.reader('found');
  }

  /** Writes a word per point to `answers` (`NearTriangles`). Returns the lists; undefined if single precision is of no use. */
  async run(
    body: Placed,
    { points, all }: { readonly points: Float64Array; readonly all: Float64Array },
    upTo: number,
    opening: Opening,
    answers: () => Uint32Array,
  ): Promise<Uint32Array | undefined> {
    let farPoints: Float64Array | undefined;
    const found = await this.#query.run<PartlyRead, readonly Piece[][] | undefined>({
      stats: newStats(),
      opening,
      label,
      encode: encoder => {
        const words = cloudOf(body, this.#trees.entryOf(body.shape), upTo, farPoints);
        return words && this.#encode(encoder, words, points as Float64Array<ArrayBuffer>);
      },
      checkSubmission: ([[head]]) => {
        this.#staging.recycle();
        throwIfRefused(head[1], this.#serial);
      },
      take: ([[head, extent, own, listed]]) => {
        // The error names the first such point of all pieces.
        if (extent[notFiniteAt] > 0) checkPoints(all);
        // Once more, with units that are large enough.
        if (extent[tooFarAt] > 0 && farPoints === undefined) {
          farPoints = points;
          return undefined;
        }
        if (this.#lists.grow({ found: head[0] })) return undefined;
        answers().set(own);
        return this.#found.take(listed, head[0]);
      },
    });
    return found && (await this.#query.rest(found))[0];
  }

  destroy(): void {
    this.#query.destroy();
    this.#cloud.destroy();
    this.#lists.destroy();
    this.#sort.destroy();
    this.#staging.destroy();
  }

  /** Returns the pieces to read back: the head, the points' extent, the answers, and the lists they refer to. */
  #encode(
    encoder: GPUCommandEncoder,
    words: Uint32Array<ArrayBuffer>,
    points: Float64Array<ArrayBuffer>,
  ): Piece[][] {
    const count = points.length / 3;
    words[CloudLayout.at.pointCount] = count;
    words[CloudLayout.at.serial] = ++this.#serial;
    const { queue } = this.#device;
    const lists = this.#lists;
    lists.lengthen('doubles', count);
    lists.lengthen('points', count);
    lists.lengthen('answers', count);
    lists.lengthen('head', 2 + Math.ceil(count / sampled));
    lists.reserve();
    const { doubles, extent, answers, head } = lists.buffers;
    queue.writeBuffer(this.#cloud, 0, words);
    queue.writeBuffer(extent.buffer, 0, noExtent);
    if (!this.#staging.write(encoder, doubles.buffer, 0, points))
      queue.writeBuffer(doubles.buffer, 0, points);
    const resources = this.#resources;
    this.#trees.bind(resources);
    lists.bind(resources);
    resources.set('turns', this.#sort.reserve(count));
    resources.set('layers', this.#cloud);
    encoder.clearBuffer(head.buffer, 0, 8);
    const pass = encoder.beginComputePass(label);
    this.#place.encode(pass, Math.ceil(count / 256));
    this.#keys.encode(pass, Math.ceil(count / 256));
    this.#sort.encode(pass, count);
    this.#sample.encode(pass, Math.ceil(count / sampled / 64));
    this.#search.encode(pass, Math.ceil(count / 64));
    pass.end();
    return [
      [
        { buffer: head.buffer, offset: 0, bytes: 8 },
        { buffer: extent.buffer, offset: 0, bytes: 32 },
        { buffer: answers.buffer, offset: 0, bytes: 4 * count },
        this.#found.piece,
      ],
    ];
  }
}
