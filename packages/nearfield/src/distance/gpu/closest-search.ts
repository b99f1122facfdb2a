// Which triangles of a body may be nearest to each of many points? On the GPU, a thread a point; whoever asks decides among
// them in double. Points and the body's pose are brought here to single precision, relative to the body's local origin C
// and in units of 2^g, g such that the linear part L of the pose, with the shape's own scale, has its largest entry in [1/2, 1).
//
// A vertex is C + L·q up to `vertexError` (math/gpu/filter.md, section 2): the rounding of q and of the world doubles. p − C is
// one rounding of itself off.
// Rows N of the inverse, rounded to single: along one a vertex lies at its stored place up to what N·L is off from the unit
// matrix and |N|·vertexError. The metric is 1/‖N‖, by the row sums of N·Nᵀ.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import type { Entry, GpuTrees } from '../../bvh/gpu/trees.ts';
import { newStats } from '../../core/stats.ts';
import { CountedLists } from '../../gpu/buffers/counted-lists.ts';
import type { Piece } from '../../gpu/buffers/read-back.ts';
import type { ReadList } from '../../gpu/buffers/read-list.ts';
import { GpuQuery, Opening, type Preparation } from '../../gpu/gpu-query.ts';
import { type Kernel, Launch, Resources } from '../../gpu/kernel.ts';
import { layout } from '../../gpu/layout.ts';
import { throwIfRefused } from '../../gpu/submit.ts';
import { applyPose } from '../../math/pose.ts';
import type { NearTriangles } from '../request.ts';

export const CloudLayout = layout('Cloud', {
  linear: ['vec4f', 3],
  /** Rows of the inverse; w: what a vertex may be off along it. */
  inverse: ['vec4f', 3],
  nodeOffset: 'u32',
  leafOffset: 'u32',
  leafCount: 'u32',
  depth: 'u32',
  pointCount: 'u32',
  serial: 'u32',
  metric: 'f32',
  vertexError: 'f32',
  /** How far to look, rounded up. */
  reach: 'f32',
});

/** Points of one submission. */
const mostPoints = 2 ** 20;
/** Points no nearer than this are all alike to the kernel; single precision holds it. */
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
  #serial = 0;

  constructor(device: GPUDevice, kernel: Kernel, trees: GpuTrees) {
    this.#device = device;
    this.#trees = trees;
    this.#launch = new Launch(device, kernel, this.#resources);
    this.#query = new GpuQuery(device);
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#cloud = device.createBuffer({ label: 'cloud', size: CloudLayout.bytes, usage });
    this.#lists = new CountedLists(device, 'closest points', recordBytes, { found: 2 ** 14, head: 1 });
    this.#found = this.#lists.reader('found');
  }

  /** Undefined where single precision is of no use: the pose squeezes, or numbers are too large or too small for it. */
  async run(
    body: Placed,
    points: Float64Array,
    upTo: number,
    preparation: Preparation | undefined,
    checkpoint: (done: number) => void,
  ): Promise<NearTriangles | undefined> {
    const count = points.length / 3;
    const ranges = new Uint32Array(2 * count);
    const parts: Uint32Array[] = [];
    const opening = new Opening(preparation);
    let total = 0;
    for (let from = 0; from < count; from += mostPoints) {
      const end = Math.min(count, from + mostPoints);
      const found = await this.#query.run({
        stats: newStats(),
        opening,
        label: closestLabel,
        encode: encoder => {
          const cloud = cloudOf(body, this.#trees.entryOf(body.shape), upTo);
          return cloud && [this.#encode(encoder, cloud, points, from, end)];
        },
        checkSubmission: ([[head]]) => throwIfRefused(head[1], this.#serial),
        take: ([[head, own, listed]]) => {
          if (this.#lists.grow({ found: head[0] })) return undefined;
          return { own: own.slice(), listed: this.#found.take(listed, head[0]) };
        },
      });
      if (found === undefined) return undefined;
      const { own, listed } = found;
      for (let i = 0; i < own.length; i += 2) {
        ranges[2 * from + i] = own[i] + total;
        ranges[2 * from + i + 1] = own[i + 1];
      }
      parts.push(...(await this.#query.rest(listed)));
      total += listed.count;
      checkpoint(end / count);
    }
    const triangles = new Uint32Array(total);
    let at = 0;
    for (const part of parts) {
      triangles.set(part, at);
      at += part.length;
    }
    return { ranges, triangles };
  }

  destroy(): void {
    this.#query.destroy();
    this.#cloud.destroy();
    this.#lists.destroy();
  }

  /** Returns what is to be read: the head, ranges of the points, and what they are ranges of. */
  #encode(
    encoder: GPUCommandEncoder,
    { words, origin, unit }: Cloud,
    points: Float64Array,
    from: number,
    end: number,
  ): Piece[] {
    const count = end - from;
    const relative = new Float32Array(3 * count);
    for (let i = 0; i < relative.length; i++) {
      const place = (points[3 * from + i] - origin[i % 3]) / unit;
      relative[i] = Math.max(-mostPlace, Math.min(mostPlace, place));
    }
    const { at } = CloudLayout;
    words[at.pointCount] = count;
    words[at.serial] = ++this.#serial;
    const { queue } = this.#device;
    const lists = this.#lists;
    lists.lengthen('points', count);
    lists.lengthen('ranges', count);
    lists.reserve();
    queue.writeBuffer(this.#cloud, 0, words);
    queue.writeBuffer(lists.buffers.points.buffer, 0, relative);
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
const recordBytes = { points: 12, ranges: 8, found: 4, head: 8 };

interface Cloud {
  readonly words: Uint32Array<ArrayBuffer>;
  readonly origin: Float64Array;
  readonly unit: number;
}

const axes: readonly number[] = [0, 1, 2];

function cloudOf({ pose }: Placed, entry: Entry, upTo: number): Cloud | undefined {
  const { origin: local, exponent, reach } = entry.frame;
  let largest = 0;
  for (const row of axes)
    for (const column of axes) largest = Math.max(largest, Math.abs(pose[4 * column + row]));
  const unit = 2 ** (Math.floor(Math.log2(largest)) + 1 + exponent);
  if (!(unit > 1e-200 && unit < 1e200) || entry.leafCount === 0) return undefined;
  const scale = 2 ** exponent / unit;
  const l = axes.map(row => axes.map(column => pose[4 * column + row] * scale));
  const origin = new Float64Array(3);
  applyPose(pose, local[0], local[1], local[2], origin, 0);
  let world = 0;
  for (const row of axes) {
    const linear = axes.reduce((sum, column) => sum + Math.abs(l[row][column]) * reach[column], 0);
    world = Math.max(world, linear + Math.abs(origin[row]) / unit);
  }
  // As place-body.wgsl: 16·2^-53 of what world positions are rounded from, 3.01·2^-30 for the stored ones.
  const vertexError = 2 ** -49 * world + 3.01 * 2 ** -30;
  const n = inverseOf(l);
  if (n === undefined) return undefined;
  const metric = 1 / normOf(n);
  if (!(metric > 1 / 64) || vertexError > 2 ** -8) return undefined;
  const words = new Uint32Array(CloudLayout.words);
  const floats = new Float32Array(words.buffer);
  const { at } = CloudLayout;
  for (const row of axes) {
    let off = 0;
    for (const column of axes) {
      floats[at.linear + 4 * row + column] = l[row][column];
      floats[at.inverse + 4 * row + column] = n[row][column];
      const product = axes.reduce((sum, k) => sum + n[row][k] * l[k][column], 0);
      off += Math.abs(product - (row === column ? 1 : 0));
    }
    const size = Math.abs(n[row][0]) + Math.abs(n[row][1]) + Math.abs(n[row][2]);
    floats[at.inverse + 4 * row + 3] = (1 + 2 ** -20) * (off + size * vertexError + 2 ** -40);
  }
  words[at.nodeOffset] = entry.nodeOffset;
  words[at.leafOffset] = entry.leafOffset;
  words[at.leafCount] = entry.leafCount;
  words[at.depth] = entry.leafCount <= 1 ? 0 : 32 - Math.clz32(entry.leafCount - 1);
  floats[at.metric] = metric * (1 - 2 ** -19);
  floats[at.vertexError] = vertexError * (1 + 2 ** -20);
  floats[at.reach] = Math.min(2 ** 60, (upTo / unit) * (1 + 2 ** -20) + 2 ** -100);
  return { words, origin, unit };
}

/** Rounded to single. Undefined where there is none of use. */
function inverseOf([x, y, z]: readonly (readonly number[])[]): number[][] | undefined {
  const cross = (u: readonly number[], v: readonly number[]) => [
    u[1] * v[2] - u[2] * v[1],
    u[2] * v[0] - u[0] * v[2],
    u[0] * v[1] - u[1] * v[0],
  ];
  const columns = [cross(y, z), cross(z, x), cross(x, y)];
  const determinant = x[0] * columns[0][0] + x[1] * columns[0][1] + x[2] * columns[0][2];
  if (!(Math.abs(determinant) > 1e-9)) return undefined;
  return axes.map(row => axes.map(column => Math.fround(columns[column][row] / determinant)));
}

/** No less than the spectral norm: the largest row sum of N·Nᵀ bounds its square. */
function normOf(n: readonly (readonly number[])[]): number {
  let most = 0;
  for (const u of n) {
    let sum = 0;
    for (const v of n) sum += Math.abs(u[0] * v[0] + u[1] * v[1] + u[2] * v[2]);
    most = Math.max(most, sum);
  }
  return Math.sqrt(most) * (1 + 2 ** -40);
}
