// Finds the triangles of a body that may be nearest to each of many points, on the GPU, with one thread per point.
// The caller decides among them in double. Points are converted to single precision here, relative to the body's local
// origin (bvh/gpu/probes/placed-tree.ts).

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import {
  type PlacedTree,
  placedTreeFields,
  placeTree,
  writePlacedTree,
  writePlaces,
} from '../../bvh/gpu/probes/placed-tree.ts';
import type { Entry, GpuTrees } from '../../bvh/gpu/trees.ts';
import { newStats } from '../../core/stats.ts';
import { CountedLists } from '../../gpu/buffers/counted-lists.ts';
import type { Piece } from '../../gpu/buffers/read-back.ts';
import type { ReadList } from '../../gpu/buffers/read-list.ts';
import { GpuQuery, Opening, type Preparation } from '../../gpu/gpu-query.ts';
import { type Kernel, Launch, Resources } from '../../gpu/kernel.ts';
import { layout } from '../../gpu/layout.ts';
import { throwIfRefused } from '../../gpu/submit.ts';
import type { OrderedNear } from '../request.ts';

export const CloudLayout = layout('Cloud', {
  ...placedTreeFields,
  pointCount: 'u32',
  /** The number of the first point of the submission. */
  first: 'u32',
  serial: 'u32',
  metric: 'f32',
  /** How far to search, rounded up. */
  reach: 'f32',
});

/** The maximum number of points per submission. */
const mostPoints = 2 ** 20;
/**
 * Coordinates are clamped to this. The kernel treats all points farther away alike, and single precision can hold it.
 */
const mostPlace = 2 ** 41;

export class ClosestSearch {
  readonly #device: GPUDevice;
  readonly #trees: GpuTrees;
  readonly #launch: Launch;
  readonly #resources = new Resources();
  readonly #query: GpuQuery;
  readonly #cloud: GPUBuffer;
  readonly #lists: CountedLists<keyof typeof recordBytes>;
  readonly #found: ReadList;
  readonly #most: number;
  #serial = 0;

  constructor(device: GPUDevice, kernel: Kernel, trees: GpuTrees, most = mostPoints) {
    this.#most = most;
    this.#device = device;
    this.#trees = trees;
    this.#launch = new Launch(device, kernel, this.#resources);
    this.#query = new GpuQuery(device);
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#cloud = device.createBuffer({ label: 'cloud', size: CloudLayout.bytes, usage });
    this.#lists = new CountedLists(device, 'closest points', recordBytes, { found: 2 ** 14, head: 1 });
    this.#found = this.#lists.reader('found');
  }

  /**
   * Searches for all points. `orderOf` lists the points' numbers so that neighbours follow each other, in groups of
   * `most` points. Returns undefined if single precision is of no use: the pose squeezes, or numbers are too large or
   * too small for it.
   */
  async run(
    body: Placed,
    points: Float64Array,
    orderOf: (most: number) => Uint32Array,
    upTo: number,
    preparation: Preparation | undefined,
    checkpoint: (done: number) => void,
  ): Promise<OrderedNear | undefined> {
    const count = points.length / 3;
    const most = this.#most;
    const order = orderOf(most);
    let ranges = new Uint32Array(count > most ? 2 * count : 0);
    const parts: Uint32Array[] = [];
    const opening = new Opening(preparation);
    let total = 0;
    for (let from = 0; from < count; from += most) {
      const end = Math.min(count, from + most);
      const found = await this.#query.run({
        stats: newStats(),
        opening,
        label: closestLabel,
        encode: encoder => {
          const cloud = cloudOf(body, this.#trees.entryOf(body.shape), upTo);
          if (cloud === undefined) return undefined;
          const part = { points: points.subarray(3 * from, 3 * end), order: order.subarray(from, end), from };
          return [this.#encode(encoder, cloud, part)];
        },
        checkSubmission: ([[head]]) => throwIfRefused(head[1], this.#serial),
        take: ([[head, own, listed]]) => {
          if (this.#lists.grow({ found: head[0] })) return undefined;
          return { own: own.slice(), listed: this.#found.take(listed, head[0]) };
        },
      });
      if (found === undefined) return undefined;
      const { own, listed } = found;
      if (count <= most) ranges = own;
      else {
        for (let i = 0; i < own.length; i += 2) {
          ranges[2 * from + i] = own[i] + total;
          ranges[2 * from + i + 1] = own[i + 1];
        }
      }
      parts.push(...(await this.#query.rest(listed)));
      total += listed.count;
      checkpoint(end / count);
    }
    if (parts.length === 1) return { order, ranges, triangles: parts[0] };
    const triangles = new Uint32Array(total);
    let at = 0;
    for (const part of parts) {
      triangles.set(part, at);
      at += part.length;
    }
    return { order, ranges, triangles };
  }

  destroy(): void {
    this.#query.destroy();
    this.#cloud.destroy();
    this.#lists.destroy();
  }

  /** Returns the pieces to read back: the head, the points' ranges, and the triangles they refer to. */
  #encode(encoder: GPUCommandEncoder, { words, tree }: Cloud, { points, order, from }: Part): Piece[] {
    const count = order.length;
    const relative = new Float32Array(3 * count);
    writePlaces(tree, points, relative, mostPlace);
    const { at } = CloudLayout;
    words[at.pointCount] = count;
    words[at.first] = from;
    words[at.serial] = ++this.#serial;
    const { queue } = this.#device;
    const lists = this.#lists;
    lists.lengthen('points', count);
    lists.lengthen('turns', count);
    lists.lengthen('ranges', count);
    lists.reserve();
    queue.writeBuffer(this.#cloud, 0, words);
    queue.writeBuffer(lists.buffers.points.buffer, 0, relative);
    queue.writeBuffer(lists.buffers.turns.buffer, 0, order as Uint32Array<ArrayBuffer>);
    const resources = this.#resources;
    this.#trees.bind(resources);
    lists.bind(resources);
    resources.set('cloud', this.#cloud);
    const head = lists.buffers.head.buffer;
    encoder.clearBuffer(head, 0, 8);
    const pass = encoder.beginComputePass(closestLabel);
    this.#launch.encode(pass, Math.ceil(count / 64));
    pass.end();
    return [
      { buffer: head, offset: 0, bytes: 8 },
      { buffer: lists.buffers.ranges.buffer, offset: 0, bytes: 8 * count },
      this.#found.piece,
    ];
  }
}

const closestLabel = { label: 'closest points' };
const recordBytes = { points: 12, turns: 4, ranges: 8, found: 4, head: 8 };

/** The points of a submission, and where they begin. */
interface Part {
  readonly points: Float64Array;
  readonly order: Uint32Array;
  readonly from: number;
}

interface Cloud {
  readonly words: Uint32Array<ArrayBuffer>;
  readonly tree: PlacedTree;
}

function cloudOf(body: Placed, entry: Entry, upTo: number): Cloud | undefined {
  const tree = placeTree(body, entry);
  if (tree === undefined) return undefined;
  const words = new Uint32Array(CloudLayout.words);
  const floats = new Float32Array(words.buffer);
  const { at } = CloudLayout;
  writePlacedTree(tree, entry, words, at);
  floats[at.metric] = tree.metric * (1 - 2 ** -19);
  floats[at.reach] = Math.min(2 ** 60, (upTo / tree.unit) * (1 + 2 ** -20) + 2 ** -100);
  return { words, tree };
}
