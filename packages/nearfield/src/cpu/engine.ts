// The CPU engine: the `hierarchy` method (Gress & Zachmann, CG-2004-2) in AssemblyScript with SIMD, behind the seam
// that the scene asks (interferences/engine.ts). Kernels stop and resume, so the asynchronous form yields to the event loop.

import { bodiesOf } from '../bodies/rows.ts';
import { poseMemoryOf } from '../bvh/cpu/body-rows.ts';
import { LinearSearch } from '../bvh/cpu/linear-search.ts';
import { Trees } from '../bvh/cpu/trees.ts';
import { Walks } from '../bvh/cpu/walks.ts';
import { NearfieldError } from '../core/errors.ts';
import { inSlices, throwIfAborted, toEnd } from '../core/waiting.ts';
import { ProximitySearch } from '../distance/cpu/search.ts';
import type { TreeBoxes } from '../inspect/seen.ts';
import { treeLevels } from '../inspect/tree-levels.ts';
import type {
  Bodies,
  BodyList,
  Detail,
  GroupedRecords,
  InterfereRequest,
  Limits,
  NearestRequest,
  NearTriangles,
  Placed,
  PoseMemory,
  RawAnswer,
  RawClosest,
  RawNearest,
  Shape,
  SyncEngine,
} from '../interferences/engine.ts';
import { Job } from '../interferences/hierarchy/cpu/job.ts';
import { type Kernel, Runner } from '../interferences/hierarchy/cpu/runner.ts';
import type { SecondThread } from '../interferences/hierarchy/cpu/second-thread.ts';
import { PenetrationKernels } from '../penetration/kernels/kernels.ts';
import type { Measured } from '../sampled/field/distance/measured.ts';
import { Measurer } from '../sampled/field/distance/measurer.ts';
import { createKernels, type Kernels } from './kernels.ts';

/** Jobs that have held more bodies than a few are left to their scenes, while there are not too many of them. */
const fewRows = 256;
const mostIdle = 4;

/** An engine with its own memory, ready to be asked. */
export async function createCpuEngine(): Promise<CpuEngine> {
  return new CpuEngine(await createKernels());
}

export class CpuEngine implements SyncEngine {
  readonly backend = 'cpu';
  readonly name = 'WebAssembly SIMD';
  readonly #kernels: Kernels;
  readonly #trees: Trees;
  readonly #runner: Runner;
  readonly #idle: Job[] = [];
  readonly #searches: ProximitySearch[] = [];
  readonly #solids: PenetrationKernels;
  readonly poseMemory: PoseMemory | undefined;
  readonly #walks: Walks;
  readonly #linear = new LinearSearch();
  #measurer: Measurer | undefined;
  #closed = false;

  constructor(kernels: Kernels) {
    this.#kernels = kernels;
    this.#trees = new Trees(kernels);
    this.#runner = new Runner(kernels, this.#trees);
    this.#walks = new Walks(kernels, this.#trees);
    this.#solids = new PenetrationKernels(kernels, this.#trees);
    this.poseMemory = kernels.memory.stays ? poseMemoryOf(kernels) : undefined;
  }

  get closed(): boolean {
    return this.#closed;
  }

  get solids(): PenetrationKernels {
    this.#checkOpen();
    return this.#solids;
  }

  broadSync(list: BodyList, clearance = 0): Uint32Array {
    const bodies = bodiesOf(list);
    const job = this.#start({}, bodies.table);
    let boxes = 0;
    try {
      job.rows.update(bodies);
      if (clearance > 0) boxes = this.#enlargedBoxes(job, clearance);
      job.findCandidates(bodies.count, undefined, boxes || job.rows.boxes);
      return job.candidates();
    } finally {
      if (boxes !== 0) this.#kernels.memory.free(boxes);
      this.#finish(job);
    }
  }

  nearestSync(list: BodyList, request: NearestRequest): RawNearest {
    const { work, end } = this.#nearest(list, request);
    try {
      return toEnd(work);
    } finally {
      end();
    }
  }

  async nearest(list: BodyList, request: NearestRequest): Promise<RawNearest> {
    const { work, end } = this.#nearest(list, request);
    try {
      return await inSlices(work, request, this.#checkOpen);
    } finally {
      end();
    }
  }

  closestPointsSync(body: Placed, points: Float64Array, upTo: number, limits: Limits): RawClosest {
    this.#checkOpen();
    throwIfAborted(limits);
    const search = this.#takeSearch();
    try {
      return toEnd(search.closest(body, points, upTo));
    } finally {
      this.#searches.push(search);
    }
  }

  async closestPoints(
    body: Placed,
    points: Float64Array,
    upTo: number,
    limits: Limits,
    near?: NearTriangles,
  ): Promise<RawClosest> {
    this.#checkOpen();
    throwIfAborted(limits);
    const search = this.#takeSearch();
    try {
      return await inSlices(search.closest(body, points, upTo, near), limits, this.#checkOpen);
    } finally {
      this.#searches.push(search);
    }
  }

  interfereSync(list: BodyList, request: InterfereRequest): RawAnswer {
    const bodies = bodiesOf(list);
    const job = this.#start(request, bodies.table);
    try {
      this.#prepare(job, bodies, request);
      const second = this.#runner.toEnd(job, this.#traversalOf(request), false);
      return { ...answerOf(job, request.detail, false, second), hasty: isHasty(request) };
    } finally {
      this.#finish(job);
    }
  }

  async interfere(list: BodyList, request: InterfereRequest): Promise<RawAnswer> {
    const bodies = bodiesOf(list);
    const job = this.#start(request, bodies.table);
    try {
      this.#prepare(job, bodies, request);
      job.hold();
      const second = await this.#runner.inSlices(job, this.#traversalOf(request), false, request);
      return { ...answerOf(job, request.detail, false, second), hasty: isHasty(request) };
    } finally {
      this.#finish(job);
    }
  }

  selfIntersectSync(body: Placed, limits: Limits): RawAnswer {
    const job = this.#start(limits);
    try {
      this.#prepareSelf(job, body);
      const second = this.#runner.toEnd(job, this.#kernels.call.traverseSelf, true);
      return answerOf(job, 'list', true, second);
    } finally {
      this.#finish(job);
    }
  }

  async selfIntersect(body: Placed, limits: Limits): Promise<RawAnswer> {
    const job = this.#start(limits);
    try {
      this.#prepareSelf(job, body);
      job.hold();
      const second = await this.#runner.inSlices(job, this.#kernels.call.traverseSelf, true, limits);
      return answerOf(job, 'list', true, second);
    } finally {
      this.#finish(job);
    }
  }

  trianglesOnRay(
    body: Placed,
    origin: ArrayLike<number>,
    direction: ArrayLike<number>,
    slack: number,
  ): Uint32Array {
    if (this.#isLinear(body)) return this.#linear.onRay(body, origin, direction, slack);
    return this.#walks.onRay(body, origin, direction, slack);
  }

  trianglesInBox(body: Placed, box: ArrayLike<number>): Uint32Array {
    if (this.#isLinear(body)) return this.#linear.inBox(body, box);
    return this.#walks.inBox(body, box);
  }

  treeOf({ shape }: Placed): TreeBoxes {
    this.#checkOpen();
    return treeLevels(this.#kernels, this.#trees.of(shape));
  }

  measurePoints(
    body: Placed,
    points: Float64Array,
    count: number,
    upTo: number | ArrayLike<number>,
    out: Measured,
    at: number,
  ): void {
    this.#checkOpen();
    this.#measurer ??= this.#kernels.memory.orNothing(() => new Measurer(this.#kernels, this.#trees));
    this.#measurer.measure(body, points, count, upTo, out, at);
  }

  /** Sorts records of three by their first, second and third number, in place. */
  sortRecords(records: Uint32Array): void {
    const count = records.length / 3;
    if (count < 2) return;
    const { call, layout, memory } = this.#kernels;
    const bytes = records.length * 4;
    const scratch = memory.allocate(bytes * 2 + layout.recordScratchBytes, `sorting ${count} pairs`);
    memory.u32.set(records, scratch / 4);
    call.sortRecords(scratch, scratch + bytes, scratch + bytes * 2, count);
    records.set(memory.u32.subarray(scratch / 4, scratch / 4 + records.length));
    memory.free(scratch);
  }

  groupRecords(first: Uint32Array, second: Uint32Array, groups: number): GroupedRecords {
    const { call, layout, memory } = this.#kernels;
    const words = first.length + second.length;
    const what = `sorting ${words / 3} pairs`;
    const { recordScratchBytes } = layout;
    const bytes = Math.ceil(words / 16) * 64;
    const records = memory.allocate(2 * bytes + recordScratchBytes + groups * 4 + 4, what);
    memory.u32.set(first, records / 4);
    memory.u32.set(second, records / 4 + first.length);
    const other = records + bytes;
    const scratch = other + bytes;
    const start = scratch + recordScratchBytes;
    const pairs = (call.groupRecords(records, other, scratch, words / 3, groups, start) >>> 0) / 4;
    try {
      return {
        start: memory.u32.slice(start / 4, start / 4 + groups + 1),
        pairs: memory.u32.slice(pairs, pairs + (words / 3) * 2),
      };
    } finally {
      memory.free(records);
    }
  }

  /** Whether a second thread waits for a long question. The first such question starts it. */
  get secondThreadReady(): boolean {
    return this.#runner.secondThreadReady;
  }

  /** Bytes that trees and questions hold in the kernels' memory. */
  get usedBytes(): number {
    return this.#kernels.memory.usedBytes;
  }

  forget(shape: Shape): void {
    this.#trees.forget(shape);
  }

  close(): void {
    this.#closed = true;
    this.#runner.close();
    this.#idle.length = 0;
  }

  readonly #checkOpen = (): void => {
    if (this.#closed) throw new NearfieldError('closed', 'the engine was closed');
  };

  #nearest(list: BodyList, request: NearestRequest) {
    const bodies = bodiesOf(list);
    const job = this.#start(request, bodies.table);
    let search: ProximitySearch | undefined;
    const end = () => {
      this.#finish(job);
      if (search !== undefined) this.#searches.push(search);
    };
    try {
      search = this.#takeSearch();
      job.rows.update(bodies);
      job.hold();
      return { work: search.nearest(job, bodies, request), end };
    } catch (error) {
      end();
      throw error;
    }
  }

  /**
   * World boxes so enlarged that those of bodies nearer than the clearance meet; an ulp or two more for the rounding. They
   * stay finite whatever the clearance; those of bodies without triangles, which are not, stay as they are.
   */
  #enlargedBoxes({ rows }: Job, clearance: number): number {
    const { memory } = this.#kernels;
    const at = memory.allocate(rows.count * 48, 'enlarged boxes');
    const boxes = memory.f64.subarray(rows.boxes / 8, rows.boxes / 8 + 6 * rows.count);
    const out = memory.f64.subarray(at / 8, at / 8 + 6 * rows.count);
    const half = clearance / 2;
    for (let i = 0; i < boxes.length; i++) {
      const more = half + 2 ** -51 * (Math.abs(boxes[i]) + half);
      const edge = i % 6 < 3 ? boxes[i] - more : boxes[i] + more;
      out[i] = Number.isFinite(boxes[i])
        ? Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, edge))
        : boxes[i];
    }
    return at;
  }

  /** A job that has seen the table before, else the smallest, so that a question about two bodies leaves it to a scene. */
  #start(limits: Limits, table = 0): Job {
    if (this.#closed) throw new NearfieldError('closed', 'the engine was closed');
    throwIfAborted(limits);
    const idle = this.#idle;
    let best = -1;
    for (let i = 0; i < idle.length; i++) {
      const { number, count } = idle[i].rows;
      if (table > 0 && number === table) {
        best = i;
        break;
      }
      if (best < 0 || count < idle[best].rows.count) best = i;
    }
    const wanted = best >= 0 && idle[best].rows.number === table;
    if (best < 0 || (!wanted && idle.length < mostIdle && idle[best].rows.count > fewRows)) {
      return this.#newJob();
    }
    return idle.splice(best, 1)[0];
  }

  #prepare(job: Job, bodies: Bodies, request: InterfereRequest): void {
    job.rows.update(bodies);
    job.findCandidates(bodies.count, request.candidates);
    job.begin(isHasty(request) ? 'first' : request.detail, request.traversal ?? 'auto', request.most);
  }

  #traversalOf({ traversal }: InterfereRequest): Kernel {
    const { traverseLevels, traversePairs } = this.#kernels.call;
    return traversal === 'breadth-first' ? traverseLevels : traversePairs;
  }

  #prepareSelf(job: Job, body: Placed): void {
    job.rows.single(body);
    this.#trees.weld(this.#trees.of(body.shape), body.shape);
    job.beginSelf();
  }

  #finish(job: Job): void {
    job.finish();
    if (!this.#closed) this.#idle.push(job);
  }

  /** Whether all triangles of a body are looked at: there is no tree of it, and few questions have wanted one. */
  #isLinear(body: Placed): boolean {
    this.#checkOpen();
    return !this.#trees.has(body.shape) && this.#linear.mayLook(body);
  }

  /** Takes all the memory of a job, or none. */
  #newJob(): Job {
    return this.#kernels.memory.orNothing(() => new Job(this.#kernels, this.#trees));
  }

  #takeSearch(): ProximitySearch {
    const { memory } = this.#kernels;
    const create = () => new ProximitySearch(this.#kernels, this.#trees);
    return this.#searches.pop() ?? memory.orNothing(create);
  }
}

const isHasty = ({ detail, hasty }: InterfereRequest): boolean => detail === 'any' && hasty === true;

/** What a job and the second thread found; frees the second thread. */
function answerOf(job: Job, detail: Detail, self: boolean, second: SecondThread | undefined): RawAnswer {
  try {
    return job.answer(detail, self, second?.job);
  } finally {
    second?.release();
  }
}
