// Finds the triangles of a body that each of many probes meets or may meet, on the GPU, with one thread per probe. A
// probe is a ray, a box or a sphere; its kernel tests nodes and leaves in single precision and appends what it cannot
// rule out to one list (probes.wgsl). The caller decides the rest in double.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { EngineStats } from '../../../core/stats.ts';
import { CountedLists } from '../../../gpu/buffers/counted-lists.ts';
import type { Piece } from '../../../gpu/buffers/read-back.ts';
import type { ReadList } from '../../../gpu/buffers/read-list.ts';
import { GpuQuery, Opening, type Preparation } from '../../../gpu/gpu-query.ts';
import { type Kernel, Launch, Resources } from '../../../gpu/kernel.ts';
import { layout } from '../../../gpu/layout.ts';
import { throwIfRefused } from '../../../gpu/submit.ts';
import { type GivenTriangles, leftOpen } from '../../given-triangles.ts';
import type { GpuTrees } from '../trees.ts';
import { type PlacedTree, placedTreeFields, placeTree, writePlacedTree } from './placed-tree.ts';

export const ProbesLayout = layout('Probes', {
  ...placedTreeFields,
  /** A lower bound on how much a length along the rows of the inverse is in the world. */
  metric: 'f32',
  count: 'u32',
  serial: 'u32',
  /** 1 if a probe needs no more than what it meets first: its first hit, or any triangle. */
  first: 'u32',
  /** The walk of a probe ends if there are more records than this in all. */
  most: 'u32',
});

/** Probes in single precision. */
export interface Probes {
  readonly count: number;
  /** Numbers per probe. */
  readonly numbers: number;
  readonly first: boolean;
  /** Writes probes [from, end) in the tree's units. */
  write(tree: PlacedTree, from: number, end: number, out: Float32Array): void;
}

/** The maximum number of probes per submission. */
const mostProbes = 2 ** 18;
/** More records than this per submission would not fit, or take longer than on the CPU. */
const mostFound = 2 ** 25;

const recordBytes = { probes: 4, found: 8, head: 8 };

export class ProbeSearch {
  readonly #device: GPUDevice;
  readonly #trees: GpuTrees;
  readonly #launch: Launch;
  readonly #label: GPUObjectDescriptorBase;
  readonly #resources = new Resources();
  readonly #query: GpuQuery;
  readonly #uniform: GPUBuffer;
  readonly #lists: CountedLists<keyof typeof recordBytes>;
  readonly #found: ReadList;
  #serial = 0;

  constructor(device: GPUDevice, kernel: Kernel, trees: GpuTrees) {
    this.#device = device;
    this.#trees = trees;
    this.#label = { label: kernel.label };
    this.#launch = new Launch(device, kernel, this.#resources);
    this.#query = new GpuQuery(device);
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#uniform = device.createBuffer({ label: kernel.label, size: ProbesLayout.bytes, usage });
    this.#lists = new CountedLists(device, kernel.label, recordBytes, { found: 2 ** 14, head: 1 });
    this.#found = this.#lists.reader('found');
  }

  /** Undefined if single precision is of no use for this body, or if there is too much to list. */
  async run(
    body: Placed,
    probes: Probes,
    stats: EngineStats,
    preparation: Preparation | undefined,
    checkpoint: (done: number) => void,
  ): Promise<GivenTriangles | undefined> {
    const opening = new Opening(preparation);
    const parts: Uint32Array[] = [];
    const numbers = new ProbeNumbers(probes);
    for (let from = 0; from < probes.count; from += mostProbes) {
      const end = Math.min(probes.count, from + mostProbes);
      const finding = this.#query.run({
        stats,
        opening,
        label: this.#label,
        encode: encoder => {
          const entry = this.#trees.entryOf(body.shape);
          const tree = placeTree(body, entry);
          if (tree === undefined) return undefined;
          const words = new Uint32Array(ProbesLayout.words);
          writePlacedTree(tree, entry, words, ProbesLayout.at);
          new Float32Array(words.buffer)[ProbesLayout.at.metric] = tree.metric * (1 - 2 ** -19);
          return [this.#encode(encoder, words, numbers.of(tree, from, end), probes)];
        },
        checkSubmission: ([[head]]) => throwIfRefused(head[1], this.#serial),
        take: ([[head, listed]]) => {
          const [count] = head;
          if (count > mostFound) return 'too many';
          if (this.#lists.grow({ found: count })) return undefined;
          return this.#found.take(listed, count);
        },
      });
      // Write the next probes while the GPU works; not before the trees are accepted, since the body's frame may change until then.
      let found: Awaited<typeof finding>;
      try {
        if (opening.isDone) numbers.writeAhead(end);
      } finally {
        found = await finding;
      }
      if (found === undefined || found === 'too many') return undefined;
      stats.dispatches++;
      const [records] = await this.#query.rest(found);
      for (let i = 0; i < records.length; i += 2) records[i] += from;
      parts.push(records);
      checkpoint(end / probes.count);
    }
    return byProbe(parts, probes.count);
  }

  destroy(): void {
    this.#query.destroy();
    this.#uniform.destroy();
    this.#lists.destroy();
  }

  /** Returns the pieces to read back: the head and the records. */
  #encode(
    encoder: GPUCommandEncoder,
    words: Uint32Array<ArrayBuffer>,
    numbers: Float32Array<ArrayBuffer>,
    probes: Probes,
  ): Piece[] {
    const count = numbers.length / probes.numbers;
    const { at } = ProbesLayout;
    words[at.count] = count;
    words[at.serial] = ++this.#serial;
    words[at.first] = probes.first ? 1 : 0;
    words[at.most] = mostFound;
    const { queue } = this.#device;
    const lists = this.#lists;
    lists.lengthen('probes', numbers.length);
    lists.reserve();
    queue.writeBuffer(this.#uniform, 0, words);
    queue.writeBuffer(lists.buffers.probes.buffer, 0, numbers);
    const resources = this.#resources;
    this.#trees.bind(resources);
    lists.bind(resources);
    resources.set('tree', this.#uniform);
    const head = lists.buffers.head.buffer;
    encoder.clearBuffer(head, 0, 8);
    const pass = encoder.beginComputePass(this.#label);
    this.#launch.encode(pass, Math.ceil(count / 64));
    pass.end();
    return [{ buffer: head, offset: 0, bytes: 8 }, this.#found.piece];
  }
}

/** The numbers of probes, by submission. Those of the next submission are written ahead. */
class ProbeNumbers {
  readonly #probes: Probes;
  readonly #ahead = new Map<number, Float32Array<ArrayBuffer>>();
  #tree: PlacedTree | undefined;

  constructor(probes: Probes) {
    this.#probes = probes;
  }

  /** The numbers of probes [from, end). */
  of(tree: PlacedTree, from: number, end: number): Float32Array<ArrayBuffer> {
    const known = this.#ahead.get(from);
    this.#ahead.clear();
    this.#tree = tree;
    return known ?? this.#write(tree, from, end);
  }

  /** Writes the probes of the submission that begins at `from`. */
  writeAhead(from: number): void {
    const end = Math.min(this.#probes.count, from + mostProbes);
    if (from < end && this.#tree !== undefined) this.#ahead.set(from, this.#write(this.#tree, from, end));
  }

  #write(tree: PlacedTree, from: number, end: number): Float32Array<ArrayBuffer> {
    const numbers = new Float32Array(this.#probes.numbers * (end - from));
    this.#probes.write(tree, from, end, numbers);
    return numbers;
  }
}

/** The records in order of the probes. */
function byProbe(parts: readonly Uint32Array[], count: number): GivenTriangles {
  const ranges = new Uint32Array(2 * count);
  for (const records of parts) {
    for (let i = 0; i < records.length; i += 2) {
      const at = 2 * records[i] + 1;
      if (records[i + 1] === leftOpen) ranges[at] = leftOpen;
      else if (ranges[at] !== leftOpen) ranges[at]++;
    }
  }
  let total = 0;
  for (let at = 0; at < ranges.length; at += 2) {
    ranges[at] = total;
    if (ranges[at + 1] !== leftOpen) total += ranges[at + 1];
  }
  const words = new Uint32Array(total);
  const next = new Uint32Array(count);
  for (const records of parts) {
    for (let i = 0; i < records.length; i += 2) {
      const probe = records[i];
      if (ranges[2 * probe + 1] !== leftOpen) words[ranges[2 * probe] + next[probe]++] = records[i + 1];
    }
  }
  return { ranges, words };
}
