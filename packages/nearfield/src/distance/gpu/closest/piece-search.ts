// Asks the GPU about the points of one submission. There they become whole numbers (place-points.wgsl), are sorted so that
// neighbours among threads are neighbours in space (point-keys.wgsl), and are searched for, one thread per point
// (closest-points.wgsl).

import type { GpuTrees } from '../../../bvh/gpu/trees.ts';
import { checkPoints } from '../../../core/arguments.ts';
import { newStats } from '../../../core/stats.ts';
import { CountedLists } from '../../../gpu/buffers/counted-lists.ts';
import type { Piece } from '../../../gpu/buffers/read-back.ts';
import type { PartlyRead, ReadList } from '../../../gpu/buffers/read-list.ts';
import { Staging } from '../../../gpu/buffers/staging.ts';
import { GpuQuery } from '../../../gpu/gpu-query.ts';
import { type Kernel, Launch, Resources } from '../../../gpu/kernel.ts';
import { RadixSort, type SortKernels } from '../../../gpu/sort/radix-sort.ts';
import { throwIfRefused } from '../../../gpu/submit.ts';
import type { AskedPoints } from '../../request.ts';
import type { CloudQuestion } from './closest-search.ts';
import { CloudLayout, cloudOf } from './cloud.ts';

export interface ClosestKernels {
  readonly leaves: Kernel;
  readonly place: Kernel;
  readonly keys: Kernel;
  readonly sample: Kernel;
  readonly search: Kernel;
  readonly sort: SortKernels;
}

const label = { label: 'closest points' };
/** From this many points per leaf on, it pays to convert all leaves first (place-leaves.wgsl): a point measures about ten. */
const pointsPerLeaf = 1 / 8;
/** As many points as one of them is asked about first (closest-points.wgsl). */
const sampled = 16;
const recordBytes = { doubles: 24, points: 12, extent: 32, answers: 4, found: 4, head: 4, placed: 48 };
/** No points: no least and largest coordinates, none too far away, none that is not finite (place-points.wgsl). */
const noExtent = Int32Array.of(1, 1, 1, -1, -1, -1, 0, 0).map(x => x * 0x7fffffff);
const tooFarAt = 6;
const notFiniteAt = 7;

export class PieceSearch {
  readonly #device: GPUDevice;
  readonly #trees: GpuTrees;
  readonly #leaves: Launch;
  readonly #place: Launch;
  readonly #keys: Launch;
  readonly #sample: Launch;
  readonly #search: Launch;
  readonly #resources = new Resources();
  /** The same for the search, whose leaves may be in units. */
  readonly #searched = new Resources(this.#resources);
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
    this.#leaves = new Launch(device, kernels.leaves, this.#resources);
    this.#place = new Launch(device, kernels.place, this.#resources);
    this.#keys = new Launch(device, kernels.keys, this.#resources);
    this.#sample = new Launch(device, kernels.sample, this.#searched);
    this.#search = new Launch(device, kernels.search, this.#searched);
    this.#sort = new RadixSort(device, kernels.sort);
    this.#query = new GpuQuery(device);
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#cloud = device.createBuffer({ label: 'cloud', size: CloudLayout.bytes, usage });
    this.#lists = new CountedLists(device, 'closest points', recordBytes, { found: 2 ** 14, extent: 1 });
    this.#found = this.#lists.reader('found');
  }

  /**
   * Writes the answers to points `from` to `end` (`NearTriangles`). Returns their lists, in which the first of these points is
   * number 0; undefined if single precision is of no use.
   */
  async run(
    { body, points, request: { upTo, plain }, opening, answers }: CloudQuestion,
    from: number,
    end: number,
  ): Promise<Uint32Array | undefined> {
    let farPoints: Float64Array | undefined;
    const found = await this.#query.run<PartlyRead, readonly Piece[][] | undefined>({
      stats: newStats(),
      opening,
      label,
      encode: encoder => {
        const words = cloudOf(body, this.#trees.entryOf(body.shape), upTo, farPoints);
        if (words === undefined) return undefined;
        words[CloudLayout.at.plain] = plain ? 1 : 0;
        return this.#encode(encoder, words, doublesOf(points).subarray(3 * from, 3 * end));
      },
      checkSubmission: ([[head]]) => {
        this.#staging.recycle();
        throwIfRefused(head[1], this.#serial);
      },
      take: ([[head, extent, own, listed]]) => {
        // The error names the first such point of all pieces.
        if (extent[notFiniteAt] > 0) checkPoints(points.copy);
        // Once more, with units that are large enough.
        if (extent[tooFarAt] > 0 && farPoints === undefined) {
          farPoints = points.copy.subarray(3 * from, 3 * end);
          return undefined;
        }
        if (this.#lists.grow({ found: head[0] })) return undefined;
        answers().set(own, from);
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
  #encode(encoder: GPUCommandEncoder, words: Uint32Array<ArrayBuffer>, points: Float64Array): Piece[][] {
    const count = points.length / 3;
    const leafCount = words[CloudLayout.at.leafCount];
    const isPlaced = count >= pointsPerLeaf * leafCount;
    words[CloudLayout.at.isPlaced] = isPlaced ? 1 : 0;
    words[CloudLayout.at.pointCount] = count;
    words[CloudLayout.at.serial] = ++this.#serial;
    const { queue } = this.#device;
    const lists = this.#lists;
    lists.lengthen('doubles', count);
    lists.lengthen('points', count);
    lists.lengthen('answers', count);
    lists.lengthen('placed', isPlaced ? leafCount : 1);
    lists.lengthen('head', 2 + Math.ceil(count / sampled));
    lists.reserve();
    const { doubles, extent, answers, head } = lists.buffers;
    queue.writeBuffer(this.#cloud, 0, words);
    queue.writeBuffer(extent.buffer, 0, noExtent);
    const given = points as Float64Array<ArrayBuffer>;
    if (!this.#staging.write(encoder, doubles.buffer, 0, given)) queue.writeBuffer(doubles.buffer, 0, given);
    const resources = this.#resources;
    this.#trees.bind(resources);
    lists.bind(resources);
    this.#searched.set('leaves', isPlaced ? lists.buffers.placed.buffer : resources.get('leaves')!);
    resources.set('turns', this.#sort.reserve(count));
    resources.set('layers', this.#cloud);
    encoder.clearBuffer(head.buffer, 0, 8);
    const pass = encoder.beginComputePass(label);
    if (isPlaced) this.#leaves.encode(pass, Math.ceil((3 * leafCount) / 256));
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

/** The points as they are now, or the copy if they are not doubles in memory that is neither shared nor resizable. */
function doublesOf(points: AskedPoints): Float64Array {
  const { now } = points;
  const isPlain = now.buffer instanceof ArrayBuffer && !(now.buffer as { resizable?: boolean }).resizable;
  return isPlain && now instanceof Float64Array ? now : points.copy;
}
