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
import { NearfieldError } from '../../core/errors.ts';
import { GrowingBuffer } from '../../gpu/buffers/buffers.ts';
import { type Piece, ReadBack } from '../../gpu/buffers/read-back.ts';
import type { Preparation } from '../../gpu/gpu-query.ts';
import { type Kernel, Launch, Resources } from '../../gpu/kernel.ts';
import { layout } from '../../gpu/layout.ts';
import { submit } from '../../gpu/submit.ts';
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
  readonly #readBack: ReadBack;
  readonly #cloud: GPUBuffer;
  readonly #buffers: Record<'points' | 'ranges' | 'found' | 'head', GrowingBuffer>;
  #room = 2 ** 14;
  #serial = 0;

  constructor(device: GPUDevice, kernel: Kernel, trees: GpuTrees) {
    this.#device = device;
    this.#trees = trees;
    this.#launch = new Launch(device, kernel, this.#resources);
    this.#readBack = new ReadBack(device);
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#cloud = device.createBuffer({ label: 'cloud', size: CloudLayout.bytes, usage });
    const buffer = (name: string) => new GrowingBuffer(device, `closest points: ${name}`);
    this.#buffers = {
      points: buffer('points'),
      ranges: buffer('ranges'),
      found: buffer('found'),
      head: buffer('head'),
    };
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
    let total = 0;
    let pending = preparation;
    for (let from = 0; from < count; ) {
      const end = Math.min(count, from + mostPoints);
      const encoder = this.#device.createCommandEncoder({ label: 'closest points' });
      pending?.encode(encoder);
      const entry = this.#trees.entryOf(body.shape);
      const cloud = cloudOf(body, entry, upTo);
      // Trees that were to be made are made by whoever asks next.
      if (cloud === undefined) {
        if (pending === undefined) return undefined;
        await this.#read(encoder, pending.pieces, views => pending!.accept(views));
        return undefined;
      }
      const { head, own, accepted } = await this.#submit(encoder, cloud, points, from, end, pending);
      if (!accepted) continue;
      pending = undefined;
      if (head[0] > this.#room) {
        this.#room = Math.ceil(1.25 * head[0]);
        continue;
      }
      for (let i = 0; i < own.length; i += 2) {
        ranges[2 * from + i] = own[i] + total;
        ranges[2 * from + i + 1] = own[i + 1];
      }
      const pieces = [{ buffer: this.#buffers.found.buffer, offset: 0, bytes: 4 * head[0] }];
      if (head[0] > 0) {
        const copies = this.#device.createCommandEncoder({ label: 'nearest triangles' });
        await this.#read(copies, pieces, ([view]) => parts.push(view.slice()));
      }
      total += head[0];
      from = end;
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
    this.#readBack.destroy();
    this.#cloud.destroy();
    for (const buffer of Object.values(this.#buffers)) buffer.destroy();
  }

  async #submit(
    encoder: GPUCommandEncoder,
    { words, origin, unit }: Cloud,
    points: Float64Array,
    from: number,
    end: number,
    pending: Preparation | undefined,
  ): Promise<{ head: Uint32Array; own: Uint32Array; accepted: boolean }> {
    const { points: given, ranges, found, head } = this.#buffers;
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
    queue.writeBuffer(this.#cloud, 0, words);
    queue.writeBuffer(given.reserve(12 * count), 0, relative);
    const resources = this.#resources;
    this.#trees.bind(resources);
    resources.set('cloud', this.#cloud);
    resources.set('points', given.buffer);
    resources.set('ranges', ranges.reserve(8 * count));
    resources.set('found', found.reserve(4 * this.#room));
    resources.set('head', head.reserve(8));
    this.#room = Math.floor(found.bytes / 4);
    encoder.clearBuffer(head.buffer, 0, 8);
    const pass = encoder.beginComputePass({ label: 'closest points' });
    this.#launch.encode(pass, Math.ceil(count / 64));
    pass.end();
    const own: Piece[] = [
      { buffer: head.buffer, offset: 0, bytes: 8 },
      { buffer: ranges.buffer, offset: 0, bytes: 8 * count },
    ];
    return this.#read(encoder, [...own, ...(pending?.pieces ?? [])], views => {
      const answer = { head: views[0].slice(), own: views[1].slice() };
      if (answer.head[1] !== this.#serial) {
        const message = 'the GPU refused the work: most likely it is out of memory';
        throw new NearfieldError('out-of-memory', message);
      }
      return { ...answer, accepted: pending === undefined || pending.accept(views.slice(2)) };
    });
  }

  #read<T>(
    encoder: GPUCommandEncoder,
    pieces: readonly Piece[],
    use: (views: Uint32Array[]) => T,
  ): Promise<T> {
    this.#readBack.encode(encoder, pieces);
    submit(this.#device, encoder);
    return this.#readBack.read(pieces, use);
  }
}

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
