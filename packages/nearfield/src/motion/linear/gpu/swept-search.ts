// Pairs of triangles of two bodies, or of one and itself, that may meet while their vertices move linearly, on the
// GPU: positions at both times in one frame → a tree per time, in the order of the body's own tree → leaf pairs that
// no axis separates at both times → tests of their triangles (culling.md) → what meets at time 0 or may meet later.
// One submission and one read-back.

import type { Shape } from '../../../bodies/snapshot/snapshot.ts';
import { BatchBuilds } from '../../../bvh/gpu/build/batches/batch-builds.ts';
import { type TreeBuildSource, writeTreeBuild } from '../../../bvh/gpu/build/batches/tree-builds.ts';
import { type LocalFrame, localFrame } from '../../../bvh/gpu/build/local.ts';
import { depthOf, nodeSlots, TreeBuildLayout } from '../../../bvh/gpu/layouts.ts';
import { createTreeKernels, type GpuTrees, type TreeKernels } from '../../../bvh/gpu/trees.ts';
import type { EngineStats } from '../../../core/stats.ts';
import { GrowingBuffer } from '../../../gpu/buffers/buffers.ts';
import { CountedLists } from '../../../gpu/buffers/counted-lists.ts';
import type { Piece } from '../../../gpu/buffers/read-back.ts';
import type { ReadList } from '../../../gpu/buffers/read-list.ts';
import { GpuQuery, Opening, type Preparation } from '../../../gpu/gpu-query.ts';
import { createKernel, type Kernel, Launch, Resources } from '../../../gpu/kernel.ts';
import { throwIfRefused } from '../../../gpu/submit.ts';
import collectModule from '../../../interferences/hierarchy/gpu/traverse/collect-leaves.wgsl';
import { type Box, halfOfBox, unionOfBoxes } from '../../../math/box.ts';
import filterModule from '../../../math/gpu/filter.wgsl';
import trianglesModule from '../../../math/triangles/triangle-triangle.wgsl';
import type { Positions } from '../../../mesh/mesh.ts';
import type { SweptBody } from '../driver.ts';
import { resultWgsl, resultWordCount, SweptLayout, SweptResult } from './layouts.ts';
import featuresModule from './swept-features.wgsl';
import sweptTrianglesModule from './swept-triangles.wgsl';
import testSource from './test-swept.wgsl';
import walkSource from './walk-swept.wgsl';

export interface SweptKernels {
  readonly trees: TreeKernels;
  readonly walk: Kernel;
  readonly test: Kernel;
}

/** More leaf pairs than this are not listed: the CPU, which keeps no list of them, searches instead. */
const mostLeafPairs = 2 ** 25;

export async function createSweptKernels(device: GPUDevice): Promise<SweptKernels> {
  const common = [SweptLayout.wgsl, resultWgsl];
  const triangles = [filterModule, trianglesModule, sweptTrianglesModule, featuresModule];
  const [trees, walk, test] = await Promise.all([
    createTreeKernels(device),
    createKernel(device, 'walk-swept', [...common, collectModule, walkSource], { tooMany: mostLeafPairs }),
    createKernel(device, 'test-swept', [...common, ...triangles, testSource]),
  ]);
  return { trees, walk, test };
}

/** Initial capacities. */
export interface SweptRoom {
  readonly leafPairs: number;
  readonly found: number;
  /** More leaf pairs than this are not searched. */
  readonly most?: number | undefined;
}

const usualRoom: SweptRoom = { leafPairs: 2 ** 20, found: 2 ** 14 };
const recordBytes = { leafPairs: 12, found: 8, results: 4 };
const label = { label: 'moving triangles' };

/** One body at one time: a record for the kernels that build trees. */
interface Stage extends TreeBuildSource {
  readonly positions: Positions;
  /** The body's leaves in the trees of the engine, whose order it takes. */
  readonly orderFrom: number;
}

export class SweptSearch {
  readonly #device: GPUDevice;
  readonly #trees: GpuTrees;
  readonly #groups: number;
  readonly #most: number;
  readonly #resources = new Resources();
  readonly #builds: BatchBuilds;
  readonly #pools: Record<'positions' | 'vertices' | 'leaves' | 'nodes' | 'order', GrowingBuffer>;
  readonly #uniform: GPUBuffer;
  readonly #lists: CountedLists<keyof typeof recordBytes>;
  readonly #found: ReadList;
  readonly #walk: Launch;
  readonly #test: Launch;
  readonly #query: GpuQuery;
  #serial = 0;

  constructor(
    device: GPUDevice,
    kernels: SweptKernels,
    trees: GpuTrees,
    { groups, room = usualRoom }: { readonly groups: number; readonly room?: SweptRoom | undefined },
  ) {
    this.#device = device;
    this.#trees = trees;
    this.#groups = groups;
    this.#most = room.most ?? mostLeafPairs;
    this.#builds = new BatchBuilds(device, kernels.trees, this.#resources);
    const buffer = (name: string) => new GrowingBuffer(device, `moving ${name}`);
    this.#pools = {
      positions: buffer('positions'),
      vertices: buffer('vertices'),
      leaves: buffer('leaves'),
      nodes: buffer('nodes'),
      order: buffer('order'),
    };
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#uniform = device.createBuffer({ ...label, size: SweptLayout.bytes, usage });
    this.#resources.set('swept', this.#uniform);
    this.#lists = new CountedLists(device, label.label, recordBytes, {
      ...{ leafPairs: room.leafPairs, found: room.found, results: resultWordCount },
    });
    this.#found = this.#lists.reader('found');
    this.#walk = new Launch(device, kernels.walk, this.#resources);
    this.#test = new Launch(device, kernels.test, this.#resources);
    this.#query = new GpuQuery(device);
  }

  /**
   * Pairs of triangles, two words each, the first with `meetsAtStart` if they certainly meet at time 0. Undefined if
   * there is too much to list. One body and itself: `b` is `a`. Trees of both shapes must be up to date; those of one
   * body welded.
   */
  async run(
    a: SweptBody,
    b: SweptBody,
    stats: Pick<EngineStats, 'dispatches' | 'growths'>,
    preparation: Preparation | undefined,
    checkpoint: (done: number) => void,
  ): Promise<Uint32Array | undefined> {
    const found = await this.#query.run({
      stats,
      checkpoint,
      label,
      opening: new Opening(preparation),
      encode: encoder => [this.#encode(encoder, a, b, stats)],
      checkSubmission: ([[head]]) => throwIfRefused(head[SweptResult.serial], this.#serial),
      take: ([[head, listed]]) => {
        const { [SweptResult.leafPairs]: leafPairs, [SweptResult.found]: count } = head;
        if (leafPairs >= this.#most) return 'too many';
        // If not all leaf pairs are listed, the second count is too low, so the lists grow in turn.
        if (this.#lists.grow({ leafPairs, found: count })) return undefined;
        return this.#found.take(listed, count);
      },
    });
    if (found === 'too many') return undefined;
    const [records] = await this.#query.rest(found);
    return records;
  }

  destroy(): void {
    this.#query.destroy();
    this.#uniform.destroy();
    this.#lists.destroy();
    this.#builds.destroy();
    for (const pool of Object.values(this.#pools)) pool.destroy();
  }

  #encode(
    encoder: GPUCommandEncoder,
    a: SweptBody,
    b: SweptBody,
    stats: Pick<EngineStats, 'dispatches'>,
  ): Piece[] {
    const frame = frameOf(a.extent, b.extent);
    const stages: Stage[] = [];
    for (const body of a === b ? [a] : [a, b]) {
      for (const positions of [body.start, body.end])
        stages.push(this.#stageOf(body.shape, positions, frame, stages.at(-1)));
    }
    const lists = this.#lists;
    lists.reserve();
    const encodeTrees = this.#writeTrees(encoder, stages);
    const [a0, a1, b0 = a0, b1 = a1] = stages;
    this.#writeUniform(a0, a1, b0, b1, a === b);
    lists.bind(this.#resources);
    const { buffer } = lists.buffers.results;
    encoder.clearBuffer(buffer, 0, 4 * resultWordCount);
    const pass = encoder.beginComputePass(label);
    stats.dispatches += encodeTrees(pass) + 2;
    this.#walk.encode(pass, Math.min(this.#groups, Math.ceil(Math.max(a0.leafCount, b0.leafCount) / 64)));
    this.#test.encode(pass, this.#groups);
    pass.end();
    return [{ buffer, offset: 0, bytes: 4 * resultWordCount }, this.#found.piece];
  }

  /**
   * A body at one time. Its data lie behind those of `before` in all buffers. If both have the same array of
   * positions, it is uploaded once.
   */
  #stageOf(shape: Shape, positions: Positions, frame: LocalFrame, before: Stage | undefined): Stage {
    const {
      leafCount,
      vertexCount,
      cornerOffset,
      weldOffset,
      leafOffset: orderFrom,
    } = this.#trees.entryOf(shape);
    const stride = positions instanceof Float64Array ? 6 : 3;
    const isSame = before?.positions === positions;
    const wordsEnd = before === undefined ? 0 : before.wordOffset + before.stride * before.vertexCount;
    return {
      ...{ positions, orderFrom, frame, leafCount, vertexCount, cornerOffset, weldOffset, stride },
      nodeOffset: before === undefined ? 0 : before.nodeOffset + nodeSlots(before.leafCount),
      leafOffset: before === undefined ? 0 : before.leafOffset + before.leafCount,
      // Doubles lie at even words.
      wordOffset: isSame ? before.wordOffset : wordsEnd + (wordsEnd % 2),
      doubles: stride === 6,
      welded: weldOffset >= 0,
      weldsHold: true,
      shape: { onGpu: undefined },
      index: 0,
    };
  }

  /** Uploads what the trees are made of. Returns what records the kernels that make them, and counts its dispatches. */
  #writeTrees(encoder: GPUCommandEncoder, stages: readonly Stage[]): (pass: GPUComputePassEncoder) => number {
    const last = stages[stages.length - 1];
    const { positions, vertices, leaves, nodes, order } = this.#pools;
    const leafCount = last.leafOffset + last.leafCount;
    const vertexCount = stages.reduce((sum, stage) => sum + stage.vertexCount, 0);
    positions.reserve(4 * (last.wordOffset + last.stride * last.vertexCount));
    vertices.reserve(16 * vertexCount);
    leaves.reserve(48 * leafCount);
    order.reserve(4 * leafCount);
    nodes.reserve(32 * (last.nodeOffset + nodeSlots(last.leafCount)));
    const { buffers } = this.#trees;
    const treeBuilds = this.#builds.takeTreeBuilds(stages.length);
    let firstVertex = 0;
    stages.forEach((stage, i) => {
      if (stages[i - 1]?.positions !== stage.positions) {
        const words = stage.positions as Positions & ArrayBufferView<ArrayBuffer>;
        this.#device.queue.writeBuffer(positions.buffer, 4 * stage.wordOffset, words);
      }
      const { leafOffset, leafCount: count } = stage;
      encoder.copyBufferToBuffer(buffers.order, 4 * stage.orderFrom, order.buffer, 4 * leafOffset, 4 * count);
      writeTreeBuild(treeBuilds, TreeBuildLayout.words * i, stage, leafOffset, firstVertex);
      firstVertex += stage.vertexCount;
    });
    const described = this.#builds.describe(treeBuilds, stages, leafCount, vertexCount, undefined, false);
    const resources = this.#resources;
    this.#trees.bind(resources);
    for (const [name, pool] of Object.entries(this.#pools)) resources.set(name, pool.buffer);
    this.#builds.bind(this.#builds.reserve(described));
    return pass => this.#builds.encode(pass, described);
  }

  #writeUniform(a0: Stage, a1: Stage, b0: Stage, b1: Stage, isSelf: boolean): void {
    const { at } = SweptLayout;
    const words = new Uint32Array(SweptLayout.words);
    // The leaves of the larger body walk: that gives more threads and shorter walks.
    const exchanged = b0.leafCount > a0.leafCount;
    const [walker0, walker1, walked0, walked1] = exchanged ? [b0, b1, a0, a1] : [a0, a1, b0, b1];
    words[at.walkerNodes0] = walker0.nodeOffset;
    words[at.walkerNodes1] = walker1.nodeOffset;
    words[at.walkerFirst] = 2 ** depthOf(walker0.leafCount);
    words[at.walkerCount] = walker0.leafCount;
    words[at.walkedNodes0] = walked0.nodeOffset;
    words[at.walkedNodes1] = walked1.nodeOffset;
    words[at.walkedDepth] = depthOf(walked0.leafCount);
    words[at.walkedCount] = walked0.leafCount;
    words[at.leavesA0] = a0.leafOffset;
    words[at.leavesA1] = a1.leafOffset;
    words[at.leavesB0] = b0.leafOffset;
    words[at.leavesB1] = b1.leafOffset;
    words[at.exchanged] = exchanged ? 1 : 0;
    words[at.selfTest] = isSelf ? 1 : 0;
    words[at.serial] = ++this.#serial;
    this.#device.queue.writeBuffer(this.#uniform, 0, words);
  }
}

/** Beside a body this many times as large, a frame around both has too few digits for the smaller one. */
const mostRatio = 2 ** 10;

/** A frame around both bodies at both times; if one is far larger, around the smaller and what is near it. */
function frameOf(a: Box, b: Box): LocalFrame {
  const both = unionOfBoxes(a, b);
  const smaller = halfOfBox(a) < halfOfBox(b) ? a : b;
  return halfOfBox(both) > mostRatio * halfOfBox(smaller) ? localFrame(smaller, mostRatio) : localFrame(both);
}
