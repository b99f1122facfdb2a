// Asks the GPU about the points of one submission. They are sorted there, so that neighbours among its threads are
// neighbours in space (point-keys.wgsl), and then searched for, one thread per point (closest-points.wgsl).

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { GpuTrees } from '../../../bvh/gpu/trees.ts';
import { newStats } from '../../../core/stats.ts';
import { CountedLists } from '../../../gpu/buffers/counted-lists.ts';
import type { Piece } from '../../../gpu/buffers/read-back.ts';
import type { PartlyRead, ReadList } from '../../../gpu/buffers/read-list.ts';
import { GpuQuery, type Opening } from '../../../gpu/gpu-query.ts';
import { type Kernel, Launch, Resources } from '../../../gpu/kernel.ts';
import { RadixSort, type SortKernels } from '../../../gpu/sort/radix-sort.ts';
import { throwIfRefused } from '../../../gpu/submit.ts';
import { CloudLayout, cloudOf, writePlaces } from './cloud.ts';

export interface ClosestKernels {
  readonly keys: Kernel;
  readonly search: Kernel;
  readonly sort: SortKernels;
}

const label = { label: 'closest points' };
const recordBytes = { points: 12, answers: 4, found: 4, head: 8 };

export class PieceSearch {
  readonly #device: GPUDevice;
  readonly #trees: GpuTrees;
  readonly #keys: Launch;
  readonly #search: Launch;
  readonly #resources = new Resources();
  readonly #query: GpuQuery;
  readonly #sort: RadixSort;
  readonly #cloud: GPUBuffer;
  readonly #lists: CountedLists<keyof typeof recordBytes>;
  readonly #found: ReadList;
  #places = new Int32Array(0);
  #serial = 0;

  constructor(device: GPUDevice, kernels: ClosestKernels, trees: GpuTrees) {
    this.#device = device;
    this.#trees = trees;
    this.#keys = new Launch(device, kernels.keys, this.#resources);
    this.#search = new Launch(device, kernels.search, this.#resources);
    this.#sort = new RadixSort(device, kernels.sort);
    this.#query = new GpuQuery(device);
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#cloud = device.createBuffer({ label: 'cloud', size: CloudLayout.bytes, usage });
    this.#lists = new CountedLists(device, 'closest points', recordBytes, { found: 2 ** 14, head: 1 });
    this.#found = this.#lists.reader('found');
  }

  /** Writes a word per point to `answers` (`NearTriangles`). Returns the lists; undefined if single precision is of no use. */
  async run(
    body: Placed,
    points: Float64Array,
    upTo: number,
    opening: Opening,
    answers: Uint32Array,
  ): Promise<Uint32Array | undefined> {
    const found = await this.#query.run<PartlyRead, readonly Piece[][] | undefined>({
      stats: newStats(),
      opening,
      label,
      encode: encoder => this.#encode(encoder, body, points, upTo),
      checkSubmission: ([[head]]) => throwIfRefused(head[1], this.#serial),
      take: ([[head, own, listed]]) => {
        if (this.#lists.grow({ found: head[0] })) return undefined;
        answers.set(own);
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
  }

  /** Returns the pieces to read back: the head, the answers, and the lists they refer to. */
  #encode(
    encoder: GPUCommandEncoder,
    body: Placed,
    points: Float64Array,
    upTo: number,
  ): Piece[][] | undefined {
    const cloud = cloudOf(body, this.#trees.entryOf(body.shape), points, upTo);
    if (cloud === undefined) return undefined;
    const count = points.length / 3;
    if (this.#places.length < points.length) this.#places = new Int32Array(points.length);
    const places = this.#places.subarray(0, points.length);
    writePlaces(cloud, points, places);
    cloud.words[CloudLayout.at.serial] = ++this.#serial;
    const { queue } = this.#device;
    const lists = this.#lists;
    lists.lengthen('points', count);
    lists.lengthen('answers', count);
    lists.reserve();
    queue.writeBuffer(this.#cloud, 0, cloud.words);
    queue.writeBuffer(lists.buffers.points.buffer, 0, places as Int32Array<ArrayBuffer>);
    const resources = this.#resources;
    this.#trees.bind(resources);
    lists.bind(resources);
    resources.set('turns', this.#sort.reserve(count));
    resources.set('layers', this.#cloud);
    const head = lists.buffers.head.buffer;
    encoder.clearBuffer(head, 0, 8);
    const pass = encoder.beginComputePass(label);
    this.#keys.encode(pass, Math.ceil(count / 256));
    this.#sort.encode(pass, count);
    this.#search.encode(pass, Math.ceil(count / 64));
    pass.end();
    return [
      [
        { buffer: head, offset: 0, bytes: 8 },
        { buffer: lists.buffers.answers.buffer, offset: 0, bytes: 4 * count },
        this.#found.piece,
      ],
    ];
  }
}
