// The CPU engine's side of penetration (penetration/solids.ts): copies questions to the kernels and answers back.

import type { Shape } from '../../bodies/snapshot/snapshot.ts';
import { type Trees, treesOf } from '../../bvh/cpu/build/trees.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import type { Deepest, SolidKernels, SweepContact, TreeFrame } from '../solids.ts';
import * as layout from './kernels.layout.ts';
import { type ModuleKernels, solidModule } from './module.ts';

/** The engine's penetration kernels. */
export const solidsOf = (engine: CpuEngine): SolidKernels => engine.part(createSolids);

const createSolids = (engine: CpuEngine): PenetrationKernels => new PenetrationKernels(engine);

const mostSamples = 4096;

export class PenetrationKernels implements SolidKernels {
  readonly #kernels: ModuleKernels;
  readonly #trees: Trees;
  /** Models of one solid and of two, and room for samples. */
  #single = 0;
  #pair = 0;
  #samples = 0;
  #box = 0;

  constructor(engine: CpuEngine) {
    this.#kernels = engine.kernels(solidModule);
    this.#trees = treesOf(engine);
  }

  makeReady(shape: Shape): Generator<undefined, void> {
    return this.#trees.make(shape);
  }

  frameOf(shape: Shape): TreeFrame {
    const tree = this.#trees.of(shape).at;
    return {
      centre: this.#copy(tree + layout.Tree.centreX, 3),
      scale: this.#copy(tree + layout.Tree.scale, 1)[0],
      half: this.#copy(tree + layout.Tree.halfX, 3),
      reach: this.#copy(tree + layout.Tree.reachX, 3),
    };
  }

  support(shape: Shape, x: number, y: number, z: number, out: Float64Array): number {
    const { call, memory } = this.#kernels;
    const tree = this.#trees.of(shape).at;
    const work = this.#one() + layout.modelWork;
    const reach = call.support(tree, x, y, z, -Infinity, work);
    const { f64 } = memory;
    out[0] = f64[work / 8];
    out[1] = f64[work / 8 + 1];
    out[2] = f64[work / 8 + 2];
    return reach;
  }

  convexExcess(shape: Shape, sign: number, tolerance: number, from: number, count: number): number {
    const { call } = this.#kernels;
    const tree = this.#trees.of(shape).at;
    return call.convexExcess(tree, sign, tolerance, from, count, this.#one() + layout.modelWork);
  }

  sampleInside(shape: Shape, budget: number): Float64Array {
    const { call, memory } = this.#kernels;
    const model = this.#oneOf(shape);
    if (this.#samples === 0) this.#samples = memory.allocate(mostSamples * 32, 'points within a solid');
    const count = call.sampleInside(model, Math.min(budget, mostSamples), this.#samples);
    return this.#copy(this.#samples, 4 * count);
  }

  growBall(shape: Shape, x: number, y: number, z: number): Float64Array {
    const { call } = this.#kernels;
    const model = this.#oneOf(shape);
    const radius = call.growBall(model, x, y, z);
    const found = this.#copy(model + layout.modelOut, 4);
    return new Float64Array([found[1], found[2], found[3], radius]);
  }

  carve(shape: Shape, x: number, y: number, z: number): Float64Array | undefined {
    const { call } = this.#kernels;
    const model = this.#oneOf(shape);
    const count = call.carve(model, x, y, z);
    return count === 0 ? undefined : this.#copy(model + layout.modelWork, 4 * count);
  }

  setPair(a: Shape, b: Shape, r: Float64Array, inverse: Float64Array, stretch: number): void {
    const { memory } = this.#kernels;
    const [treeA, treeB] = [this.#trees.of(a).at, this.#trees.of(b).at];
    if (this.#pair === 0) this.#pair = memory.allocate(layout.modelBytes, 'a pair of solids');
    memory.u32[(this.#pair + layout.Model.treeA) / 4] = treeA;
    memory.u32[(this.#pair + layout.Model.treeB) / 4] = treeB;
    memory.f64.set(r, (this.#pair + layout.modelR) / 8);
    memory.f64.set(inverse, (this.#pair + layout.modelInverse) / 8);
    memory.f64[(this.#pair + layout.Model.stretch) / 8] = stretch;
  }

  setPlace(x: number, y: number, z: number): void {
    const { memory } = this.#kernels;
    const at = (this.#pair + layout.Model.tX) / 8;
    memory.f64[at] = x;
    memory.f64[at + 1] = y;
    memory.f64[at + 2] = z;
  }

  deepest(budget: number, box?: Float64Array): Deepest {
    const { call, memory } = this.#kernels;
    if (this.#box === 0) this.#box = memory.allocate(48, 'a box');
    if (box !== undefined) memory.f64.set(box, this.#box / 8);
    call.deepest(this.#pair, budget, box === undefined ? 0 : this.#box);
    const found = this.#copy(this.#pair + layout.modelOut, 12);
    return {
      sum: found[0],
      point: found.subarray(1, 4),
      depthA: found[4],
      depthB: found[5],
      nearA: found.subarray(6, 9),
      nearB: found.subarray(9, 12),
    };
  }

  depthOf(x: number, y: number, z: number, inB: boolean): number {
    return this.#kernels.call.depthOf(this.#pair, x, y, z, inB);
  }

  sweepOut(x: number, y: number, z: number, enough: number): SweepContact | undefined {
    return this.#sweep(x, y, z, 0, enough, true);
  }

  sweepIn(x: number, y: number, z: number, until: number): SweepContact | undefined {
    return this.#sweep(x, y, z, until, 0, false);
  }

  #sweep(
    x: number,
    y: number,
    z: number,
    from: number,
    enough: number,
    out: boolean,
  ): SweepContact | undefined {
    const { call, memory } = this.#kernels;
    call.sweep(this.#pair, x, y, z, from, enough, out);
    const swept = this.#pair + layout.modelOut;
    if (memory.f64[(swept + layout.Swept.found) / 8] === 0) return undefined;
    const time = memory.f64[(swept + layout.Swept.time) / 8];
    return { time, normal: this.#copy(swept + layout.Swept.normalX, 3) };
  }

  #one(): number {
    const { memory } = this.#kernels;
    if (this.#single === 0) this.#single = memory.allocate(layout.modelBytes, 'a solid');
    return this.#single;
  }

  #oneOf(shape: Shape): number {
    const { memory } = this.#kernels;
    const tree = this.#trees.of(shape).at;
    const model = this.#one();
    memory.u32[(model + layout.Model.treeA) / 4] = tree;
    return model;
  }

  #copy(at: number, count: number): Float64Array {
    return this.#kernels.memory.f64.slice(at / 8, at / 8 + count);
  }
}
