// The GPU engine: trees kept on the device, one submission and one read-back a question. It decides only what
// its certified filter proves (math/filter.md); everything else it hands on as unsure.

import { createTreeKernels, GpuTrees, type Preparation, type TreeKernels } from '../bvh/gpu-trees.ts';
import { NearfieldError } from '../errors.ts';
import {
  createSampler,
  destroySampler,
  type GpuSampler,
  keepAnswers,
  turnOf,
} from '../methods/field/gpu/sampler.ts';
import type { SamplingTurn } from '../methods/field/sampling.ts';
import { Hierarchy, type HierarchyOptions } from '../methods/hierarchy/gpu/hierarchy.ts';
import {
  createHierarchyKernels,
  type HierarchyKernels,
  type Traversal,
} from '../methods/hierarchy/gpu/kernels.ts';
import type { Room } from '../methods/hierarchy/gpu/lists.ts';
import type { VisibilityOptions } from '../methods/visibility/options.ts';
import {
  createVisibility,
  pairsLeft,
  type Visibility,
  type VisibilityCulling,
  type VisibilityRoom,
} from '../methods/visibility/visibility.ts';
import { ClosestSearch } from '../proximity/distance/gpu/closest-search.ts';
import { createClosestKernel, createDistanceKernels } from '../proximity/distance/gpu/kernels.ts';
import type { DistanceRoom } from '../proximity/distance/gpu/lists.ts';
import { NearestSearch } from '../proximity/distance/gpu/nearest-search.ts';
import { type BufferLayout, type HeldCopy, isAnyHeld } from '../scene/bodies/held.ts';
import { bodiesOf } from '../scene/bodies/table.ts';
import type {
  Bodies,
  BodyList,
  Engine,
  Form,
  InterfereRequest,
  Limits,
  NearestPairsRequest,
  NearTriangles,
  Placed,
  RawAnswer,
  RawNearest,
  Shape,
} from '../scene/engine.ts';
import { type OpenedDevice, openDevice, wrapDevice } from './device.ts';
import { HeldCopies } from './held-copies.ts';
import { Stopwatch } from './stopwatch.ts';

export interface GpuEngineOptions {
  /** The application's own device, shared and never destroyed here. */
  readonly device?: GPUDevice | undefined;
  /** Refuse a software adapter (error 'no-gpu'). */
  readonly hardwareOnly?: boolean | undefined;
  /** Room for records at first; for tests of growth. */
  readonly room?: Room | undefined;
  readonly distanceRoom?: DistanceRoom | undefined;
  readonly visibilityRoom?: VisibilityRoom | undefined;
  /** Bodies from which on the broad phase puts them in order; for tests of both ways. */
  readonly orderFrom?: number | undefined;
}

const usualRoom: Room = {
  candidates: 4096,
  leafPairs: 2 ** 18,
  certain: 2 ** 15,
  unsure: 2 ** 12,
  nodePairs: 2 ** 17,
};

export async function createGpuEngine(options: GpuEngineOptions = {}): Promise<GpuEngine> {
  const opened = options.device === undefined ? await openDevice() : wrapDevice(options.device);
  if (opened.software && options.hardwareOnly) {
    if (opened.owned) opened.device.destroy();
    throw new NearfieldError('no-gpu', `the only adapter is in software: ${opened.name}`);
  }
  return new GpuEngine(await prepare(opened, options), options);
}

/** Everything that dies with a device. */
interface Session {
  readonly opened: OpenedDevice;
  readonly trees: GpuTrees;
  readonly hierarchy: Hierarchy;
  readonly stopwatch: Stopwatch;
  readonly heldCopies: HeldCopies;
  /** Made by the first question that samples. */
  sampler: Promise<GpuSampler> | undefined;
  /** The same once it is there: closing cannot wait. */
  sampled: GpuSampler | undefined;
  /** Made by the first question about distances. */
  nearest: Promise<NearestSearch> | undefined;
  closest: Promise<ClosestSearch> | undefined;
  /** Made by the first question that looks at images. */
  visibility: Promise<Visibility> | undefined;
  lost: boolean;
}

async function prepare(
  opened: OpenedDevice,
  { room = usualRoom, orderFrom }: GpuEngineOptions,
): Promise<Session> {
  const { device, software } = opened;
  const [treeKernels, hierarchyKernels]: [TreeKernels, HierarchyKernels] = await Promise.all([
    createTreeKernels(device),
    createHierarchyKernels(device),
  ]);
  const trees = new GpuTrees(device, treeKernels);
  const stopwatch = new Stopwatch(device);
  const hierarchy = new Hierarchy(device, hierarchyKernels, trees, stopwatch, { software, room, orderFrom });
  const heldCopies = new HeldCopies(device);
  const session: Session = {
    opened,
    trees,
    hierarchy,
    stopwatch,
    heldCopies,
    sampler: undefined,
    sampled: undefined,
    nearest: undefined,
    closest: undefined,
    visibility: undefined,
    lost: false,
  };
  device.lost.then(() => {
    session.lost = true;
  });
  return session;
}

export class GpuEngine implements Engine {
  readonly backend = 'gpu';
  readonly name: string;
  /**
   * How trees are traversed where a question leaves it open. Every way gives the same answers. 'auto' is the walk: on an
   * H200 it took 0.23 ms where level by level took 0.30 (all pairs of 2 × 69,620 triangles), and never more against one
   * body itself (8,000 to 800,000 triangles), with three dispatches in place of twenty.
   */
  traversal: 'auto' | Exclude<Traversal, 'brute-force'> = 'auto';
  readonly #options: GpuEngineOptions;
  #session: Session;
  #closed = false;
  /** Questions share buffers, so each waits for the one before. */
  #last: Promise<unknown> = Promise.resolve();

  /** Use `createGpuEngine()`. */
  constructor(session: Session, options: GpuEngineOptions) {
    this.#session = session;
    this.#options = options;
    this.name = session.opened.name;
  }

  /** The device in use; another one after a loss. */
  get device(): GPUDevice {
    return this.#session.opened.device;
  }
  /** Whether the adapter is a program on the processor. */
  get software(): boolean {
    return this.#session.opened.software;
  }

  /** Switches GPU timing on (where the device has timestamps); `gpuMilliseconds` then tells of the last query. */
  set timing(on: boolean) {
    this.#session.stopwatch.running = on;
    this.#session.trees.stopwatch.running = on;
  }
  get gpuMilliseconds(): number | undefined {
    return this.#session.stopwatch.milliseconds;
  }

  interfere(bodies: BodyList, request: InterfereRequest): Promise<RawAnswer> {
    const { detail, candidates, visibility } = request;
    const asked = request.traversal ?? 'auto';
    const traversal = asked === 'auto' ? this.#usualTraversal : asked;
    return this.#ask(bodiesOf(bodies), { detail, candidates, traversal }, request, visibility);
  }

  /**
   * Brings trees up to date ahead of a question and waits for it: what a question would do first. Returns the GPU
   * milliseconds of the last batch of trees where timing is on.
   */
  async build(bodies: readonly Placed[], { welded = false } = {}): Promise<number | undefined> {
    await this.#last;
    const { opened, trees } = this.#session;
    const { device } = opened;
    const shapes = shapesOf(bodiesOf(bodies));
    device.pushErrorScope('out-of-memory');
    device.pushErrorScope('validation');
    const dispatches = trees.update(shapes, welded);
    for (const error of await Promise.all([device.popErrorScope(), device.popErrorScope()])) {
      if (error === null) continue;
      for (const shape of shapes) trees.forget(shape);
      throw new NearfieldError('out-of-memory', `the GPU refused to build trees: ${error.message}`);
    }
    if (dispatches === 0) return undefined;
    await device.queue.onSubmittedWorkDone();
    await trees.stopwatch.read(device);
    return trees.stopwatch.milliseconds;
  }

  selfIntersect(body: Placed, limits: Limits): Promise<RawAnswer> {
    const candidates = new Uint32Array([0, 0]);
    const traversal = this.#usualTraversal;
    return this.#ask(bodiesOf([body]), { detail: 'list', candidates, traversal, self: true }, limits);
  }

  get #usualTraversal(): Traversal {
    return this.traversal === 'auto' ? 'walk' : this.traversal;
  }

  hold(buffer: object, vertexCount: number, layout: BufferLayout, owner: string): HeldCopy {
    return this.#session.heldCopies.copy(buffer, vertexCount, layout, owner);
  }

  forget(shape: Shape): void {
    this.#session.trees.forget(shape);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#session.sampled !== undefined) keepAnswers(this.#session.sampled);
    this.#session.trees.destroy();
    this.#session.hierarchy.destroy();
    this.#session.stopwatch.destroy();
    this.#session.heldCopies.destroy();
    this.#session.sampler?.then(destroySampler, () => {});
    for (const made of [this.#session.nearest, this.#session.closest, this.#session.visibility]) {
      made?.then(
        search => search.destroy(),
        () => {},
      );
    }
    if (this.#session.opened.owned) this.#session.opened.device.destroy();
  }

  sample<A>(bodies: readonly Placed[], limits: Limits, work: (turn: SamplingTurn) => Promise<A>): Promise<A> {
    return this.#inTurn(async () => {
      this.#check(limits);
      const { opened, trees, stopwatch } = this.#session;
      this.#session.sampler ??= createSampler(opened.device, trees, stopwatch, opened);
      const sampler = await this.#session.sampler;
      this.#session.sampled = sampler;
      const checkpoint = (done: number) => {
        this.#check(limits);
        limits.progress?.(done);
      };
      const shapes = new Set(bodies.map(({ shape }) => shape));
      const preparation = trees.prepare(shapes, false);
      try {
        return await work(turnOf(sampler, preparation, checkpoint));
      } catch (error) {
        if (preparation !== undefined) for (const shape of shapes) trees.forget(shape);
        throw error;
      }
    });
  }

  nearestPairs(list: BodyList, request: NearestPairsRequest): Promise<RawNearest> {
    const bodies = bodiesOf(list);
    return this.#inTurn(async () => {
      this.#check(request);
      const { trees } = this.#session;
      const search = await (this.#session.nearest ??= this.#createNearest());
      const checkpoint = (done: number) => {
        this.#check(request);
        request.progress?.(done);
      };
      const { upTo, visibility } = request;
      const shapes = shapesOf(bodies);
      const culling = visibility && (await (await this.#visibility()).culling('bodies', visibility));
      const preparation = trees.prepare(shapes, false);
      try {
        const left = culling && (await this.#bodiesLeft(bodies, request, culling, preparation));
        const answer = await search.run(bodies, {
          candidates: left ?? request.candidates,
          upTo,
          preparation: left ? undefined : preparation,
          checkpoint,
        });
        if (culling) answer.stats.visibility = culling.stats;
        if (isAnyHeld(bodies.forms)) await this.#learnHeld(shapes);
        checkpoint(1);
        return answer;
      } catch (error) {
        if (preparation !== undefined) for (const shape of shapes) trees.forget(shape);
        throw error;
      }
    });
  }

  nearTriangles(
    body: Placed,
    points: Float64Array,
    upTo: number,
    limits: Limits,
  ): Promise<NearTriangles | undefined> {
    return this.#inTurn(async () => {
      this.#check(limits);
      const { opened, trees } = this.#session;
      this.#session.closest ??= createClosestKernel(opened.device).then(
        kernel => new ClosestSearch(opened.device, kernel, trees),
      );
      const search = await this.#session.closest;
      const preparation = trees.prepare([body.shape], false);
      try {
        return await search.run(body, points, upTo, preparation, () => this.#check(limits));
      } catch (error) {
        if (preparation !== undefined) trees.forget(body.shape);
        throw error;
      }
    });
  }

  /** The pairs of bodies that may be nearer than asked, less those of bodies that a culling leaves out. */
  async #bodiesLeft(
    bodies: Bodies,
    { candidates, upTo }: NearestPairsRequest,
    culling: VisibilityCulling,
    preparation: Preparation | undefined,
  ): Promise<Uint32Array> {
    const { hierarchy } = this.#session;
    const options = { detail: 'list', traversal: 'walk', candidates, clearance: upTo } as const;
    return pairsLeft(await hierarchy.run(bodies, { ...options, culling, preparation }));
  }

  async #createNearest(): Promise<NearestSearch> {
    const { opened, trees, stopwatch } = this.#session;
    const kernels = await createDistanceKernels(opened.device);
    const { software, device } = opened;
    return new NearestSearch(device, kernels, trees, stopwatch, {
      software,
      room: this.#options.distanceRoom,
    });
  }

  #ask(
    bodies: Bodies,
    options: HierarchyOptions,
    limits: Limits,
    visibility?: VisibilityOptions,
  ): Promise<RawAnswer> {
    return this.#inTurn(() => this.#answer(bodies, options, limits, visibility));
  }

  /** Questions wait for each other; one that the device was lost under is asked once more, of another. */
  #inTurn<A>(ask: () => Promise<A>): Promise<A> {
    const answer = this.#last.then(async () => {
      try {
        return await ask();
      } catch (error) {
        if (!(await this.#wasLost())) throw error;
        await this.#reopen();
        try {
          return await ask();
        } catch (again) {
          if (!(await this.#wasLost())) throw again;
          throw new NearfieldError(
            'gpu-lost',
            'the GPU was lost, and lost again when the question was repeated',
            {
              cause: again,
            },
          );
        }
      }
    });
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #answer(
    bodies: Bodies,
    options: HierarchyOptions,
    limits: Limits,
    visibility?: VisibilityOptions,
  ): Promise<RawAnswer> {
    this.#check(limits);
    const { hierarchy, trees } = this.#session;
    const checkpoint = (done: number) => {
      this.#check(limits);
      limits.progress?.(done);
    };
    const shapes = shapesOf(bodies);
    const culling = visibility && (await (await this.#visibility()).culling(options.detail, visibility));
    const preparation = trees.prepare(shapes, options.self ?? false);
    const held = isAnyHeld(bodies.forms);
    try {
      const answer = await hierarchy.run(bodies, { ...options, checkpoint, preparation, held, culling });
      if (held) await this.#learnHeld(shapes);
      checkpoint(1);
      if (culling) answer.stats.visibility = culling.stats;
      return answer;
    } catch (error) {
      // Trees and question are one submission: refused, it left nothing behind, or not all.
      if (preparation !== undefined) for (const shape of shapes) trees.forget(shape);
      throw error;
    }
  }

  #visibility(): Promise<Visibility> {
    const { opened, trees, hierarchy } = this.#session;
    const { device, software } = opened;
    const room = this.#options.visibilityRoom;
    return (this.#session.visibility ??= createVisibility(device, trees, hierarchy.resources, {
      software,
      room,
    }));
  }

  /** Whether the copies were made at all, and what the trees found out about them. */
  async #learnHeld(shapes: Iterable<Shape>): Promise<void> {
    for (const { held } of shapes) await held?.copy.copied;
    for (const shape of shapes) {
      if (shape.held !== undefined) shape.held.weldsKept = this.#session.trees.entryOf(shape).weldsHold;
    }
  }

  #check(limits: Limits): void {
    if (this.#closed) throw new NearfieldError('closed', 'this GPU engine has been closed');
    if (limits.signal?.aborted) throw new NearfieldError('aborted', 'the question was cancelled');
  }

  /** A failure may come before the news of the loss that caused it: let the news arrive. */
  async #wasLost(): Promise<boolean> {
    if (this.#closed) return false;
    const { device } = this.#session.opened;
    await Promise.race([device.lost, new Promise(resolve => setTimeout(resolve, 0))]);
    return this.#session.lost;
  }

  async #reopen(): Promise<void> {
    if (!this.#session.opened.owned) {
      throw new NearfieldError('gpu-lost', 'the device that was passed to open() has been lost');
    }
    this.#session = await prepare(await openDevice(), this.#options);
  }
}

const shapesOfForms = new WeakMap<readonly Form[], Set<Shape>>();

/** Every shape once. A list of forms stays as it is, so that of a scene is gone through when bodies come, go or deform. */
function shapesOf({ forms }: Bodies): Set<Shape> {
  let shapes = shapesOfForms.get(forms);
  if (shapes === undefined) {
    shapes = new Set();
    let last: Shape | undefined;
    for (const { shape } of forms) {
      if (shape !== last) shapes.add(shape);
      last = shape;
    }
    shapesOfForms.set(forms, shapes);
  }
  return shapes;
}
