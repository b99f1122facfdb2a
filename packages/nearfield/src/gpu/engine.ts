// The GPU engine: trees kept on the device, one submission and one read-back a question. It decides only what
// its certified filter proves (math/filter.md); everything else it hands on as unsure.

import { type BufferLayout, type HeldCopy, type HeldItems, isAnyHeld } from '../bodies/held.ts';
import { bodiesLike, bodiesOf, type KnownPoses } from '../bodies/rows.ts';
import { buildTrees } from '../bvh/gpu/build-trees.ts';
import type { Preparation } from '../bvh/gpu/trees.ts';
import { NearfieldError } from '../core/errors.ts';
import { closedUnder, throwIfAborted } from '../core/waiting.ts';
import {
  type Bodies,
  type BodyList,
  type Engine,
  type InterfereRequest,
  type Limits,
  type NearestPairsRequest,
  type NearTriangles,
  type Placed,
  type RawAnswer,
  type RawNearest,
  type SelfRequest,
  type Shape,
  TooManyPairs,
} from '../interferences/engine.ts';
import type { HierarchyOptions } from '../interferences/hierarchy/gpu/hierarchy.ts';
import type { Traversal } from '../interferences/hierarchy/gpu/kernels.ts';
import { mayShareInterior } from '../interferences/relation/containment.ts';
import type { VisibilityRequest } from '../interferences/visibility/options.ts';
import { pairsLeft, type VisibilityCulling } from '../interferences/visibility/visibility.ts';
import { GpuParticles, type ParticleHost } from '../particles/gpu/gpu-particles.ts';
import type { ParticleEngine, Setup } from '../particles/seam.ts';
import type { SamplingTurn } from '../sampled/sampling.ts';
import { learnHeld, shapesOf, whyNotCopied } from './asked-shapes.ts';
import { openDevice, wrapDevice } from './device.ts';
import { ownPoseMemory } from './pose-memory.ts';
import { openSession, type Session, type SessionOptions } from './session.ts';
import { refusedSince, submittedSoFar } from './submit.ts';

export interface GpuEngineOptions extends SessionOptions {
  /** The application's own device, shared and never destroyed here. */
  readonly device?: GPUDevice | undefined;
  /** Refuse a software adapter (error 'no-gpu'). */
  readonly hardwareOnly?: boolean | undefined;
}

export async function createGpuEngine(options: GpuEngineOptions = {}): Promise<GpuEngine> {
  const opened = options.device === undefined ? await openDevice() : wrapDevice(options.device);
  if (opened.software && options.hardwareOnly) {
    if (opened.owned) opened.device.destroy();
    throw new NearfieldError('no-gpu', `the only adapter is in software: ${opened.name}`);
  }
  return new GpuEngine(await openSession(opened, options), options);
}

/** What a question has while it is its turn. */
interface Turn {
  readonly session: Session;
  /** Trees to be brought up to date first, in the same submission. */
  readonly preparation: Preparation | undefined;
  /** Between submissions: throws where the question was cancelled. */
  readonly checkpoint: (done: number) => void;
}

export class GpuEngine implements Engine {
  readonly backend = 'gpu';
  readonly name: string;
  readonly poseMemory = ownPoseMemory;
  /**
   * How trees are traversed where a question leaves it open. Every way gives the same answers. 'auto' is the walk: on an
   * H200 it took 0.23 ms where level by level took 0.30 (all pairs of 2 × 69,620 triangles), and never more against one
   * body itself (8,000 to 800,000 triangles), with three dispatches in place of twenty.
   */
  traversal: 'auto' | Exclude<Traversal, 'brute-force'> = 'auto';
  readonly #options: GpuEngineOptions;
  #session: Session;
  /** Whether a failure may have left the session half changed. The next question then gets a new one. */
  #isSpoilt = false;
  #closed = false;
  /** Where the body was that was last asked about itself. */
  #alone: KnownPoses | undefined;
  /** Questions share buffers, so each waits for the one before. */
  #last: Promise<unknown> = Promise.resolve();
  /** How many are waiting or under way. */
  #waiting = 0;

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
    const { detail, candidates, hasty, most, visibility } = request;
    const asked = request.traversal ?? 'auto';
    const traversal = asked === 'auto' ? this.#usualTraversal : asked;
    return this.#triangles(
      bodiesOf(bodies),
      { detail, candidates, traversal, hasty, most },
      request,
      visibility,
    );
  }

  async selfIntersect(body: Placed, request: SelfRequest): Promise<RawAnswer> {
    const { visibility } = request;
    // Looked at by images, what is left and what lies within a patch are two parts (visibility/survivors/self-pair.wgsl).
    const candidates = new Uint32Array(visibility ? [0, 0, 0, 0] : [0, 0]);
    const options = { detail: 'list', candidates, traversal: this.#usualTraversal, self: true } as const;
    const bodies = bodiesLike([body], this.#alone);
    const { count, poses, table } = bodies;
    this.#alone = { count, poses, table };
    const answer = await this.#triangles(bodies, options, request, visibility);
    return visibility ? asOnePart(answer) : answer;
  }

  /**
   * Brings trees up to date ahead of a question and waits for it: what a question would do first. Returns the GPU
   * milliseconds of the last batch of trees where timing is on.
   */
  async build(bodies: readonly Placed[], { welded = false } = {}): Promise<number | undefined> {
    return this.#inTurn(async () => {
      this.#check({});
      const session = this.#sessionNow();
      try {
        return await buildTrees(session, shapesOf(bodiesOf(bodies)), welded);
      } catch (error) {
        this.#spoil(session);
        throw error;
      }
    });
  }

  get #usualTraversal(): Traversal {
    return this.traversal === 'auto' ? 'walk' : this.traversal;
  }

  hold(buffer: object, items: HeldItems, layout: BufferLayout, owner: string): HeldCopy {
    return this.#session.heldCopies.copy(buffer, items, layout, owner);
  }

  async particles(setup: Setup): Promise<ParticleEngine> {
    this.#check({});
    const engine = this;
    const host: ParticleHost = {
      get session() {
        return engine.#sessionNow();
      },
      inTurn: ask => this.#inTurn(ask),
      check: limits => this.#check(limits),
    };
    return this.#inTurn(() => GpuParticles.create(host, setup, this.#options.livesRoom));
  }

  forget(shape: Shape): void {
    this.#session.trees.forget(shape);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    // Questions under way still use the buffers and end at their next checkpoint: only then are the buffers given back. Destroying
    // a device under work in flight can end the process.
    const session = this.#session;
    if (this.#waiting === 0) session.destroy();
    else void this.#last.then(() => session.destroy());
  }

  sample<A>(bodies: BodyList, limits: Limits, work: (turn: SamplingTurn) => Promise<A>): Promise<A> {
    return this.#ask(
      'table' in bodies ? shapesOf(bodies) : bodies.map(({ shape }) => shape),
      limits,
      async session => session.sampler,
      (sampler, { preparation, checkpoint }) => work(sampler.turn(preparation, checkpoint)),
    );
  }

  nearestPairs(list: BodyList, request: NearestPairsRequest): Promise<RawNearest> {
    const bodies = bodiesOf(list);
    const { candidates, upTo, visibility } = request;
    return this.#ask(
      shapesOf(bodies),
      request,
      async session => ({
        search: await session.nearest(),
        culling: visibility && (await (await session.visibility()).culling('near', visibility)),
      }),
      async ({ search, culling }, turn) => {
        const left = culling && (await bodiesLeft(bodies, request, culling, turn));
        const answer = await search.run(bodies, {
          candidates: left ?? candidates,
          upTo,
          preparation: left ? undefined : turn.preparation,
          checkpoint: turn.checkpoint,
        });
        if (culling) answer.stats.visibility = culling.stats;
        turn.checkpoint(1);
        return answer;
      },
    );
  }

  nearTriangles(
    body: Placed,
    points: Float64Array,
    upTo: number,
    limits: Limits,
  ): Promise<NearTriangles | undefined> {
    return this.#ask(
      [body.shape],
      limits,
      session => session.closest(),
      (search, { preparation, checkpoint }) => search.run(body, points, upTo, preparation, checkpoint),
    );
  }

  #triangles(
    bodies: Bodies,
    options: HierarchyOptions,
    limits: Limits,
    visibility?: VisibilityRequest,
  ): Promise<RawAnswer> {
    return this.#ask(
      shapesOf(bodies),
      limits,
      async session =>
        visibility &&
        (await session.visibility()).culling(options.self ? 'self' : options.detail, visibility),
      async (culling, { session, preparation, checkpoint }) => {
        const held = isAnyHeld(bodies.forms);
        const own = { culling, preparation, checkpoint, held };
        const answer = await session.hierarchy.run(bodies, { ...options, ...own });
        if (bodies.held !== undefined) await bodies.held.copy.copied;
        if (culling) answer.stats.visibility = culling.stats;
        checkpoint(1);
        return answer;
      },
      options.self,
    );
  }

  /**
   * A question in its turn. Trees and question are one submission: refused, it left nothing behind, or not all, and what
   * is known of the shapes is forgotten.
   */
  #ask<R, A>(
    shapes: readonly Shape[],
    limits: Limits,
    ready: (session: Session) => Promise<R>,
    work: (tools: R, turn: Turn) => Promise<A>,
    welded = false,
  ): Promise<A> {
    return this.#inTurn(async () => {
      this.#check(limits);
      const session = this.#sessionNow();
      let stop: unknown;
      const checkpoint = (done: number) => {
        try {
          this.#check(limits);
          limits.progress?.(done);
        } catch (error) {
          stop = error;
          throw error;
        }
      };
      let preparation: Preparation | undefined;
      const { device } = session.opened;
      const before = submittedSoFar(device);
      try {
        const tools = await ready(session);
        this.#check(limits);
        preparation = session.trees.prepare(shapes, welded);
        const answer = await work(tools, { session, preparation, checkpoint });
        await learnHeld(session, shapes);
        const refusal = await refusedSince(device, before);
        if (refusal !== undefined) throw refusal;
        return answer;
      } catch (error) {
        // A question that stops at a checkpoint, or is refused for its input, leaves only its trees unfinished.
        const refusal = await refusedSince(device, before);
        if (refusal !== undefined || (error !== stop && !isAboutInput(error))) this.#spoil(session);
        else if (preparation !== undefined) for (const shape of shapes) session.trees.forget(shape);
        throw error === stop ? error : ((await whyNotCopied(shapes)) ?? refusal ?? error);
      }
    });
  }

  #sessionNow(): Session {
    if (this.#isSpoilt) this.#session = this.#session.renewed();
    this.#isSpoilt = false;
    return this.#session;
  }

  /** Gives the session up: after a failure pools may have moved and writes may be missing. */
  #spoil(session: Session): void {
    if (this.#closed || session !== this.#session) return;
    this.#isSpoilt = true;
    session.destroyParts();
  }

  /** Questions wait for each other; one that the device was lost under is asked once more, of another. */
  #inTurn<A>(ask: () => Promise<A>): Promise<A> {
    this.#waiting++;
    const answer = this.#last.then(async () => {
      try {
        const found = await ask();
        this.#check({});
        return found;
      } catch (error) {
        if (this.#closed) throw closedUnder(error);
        if (!(await this.#wasLost())) throw error;
        await this.#reopen();
        try {
          return await ask();
        } catch (again) {
          if (this.#closed) throw closedUnder(again);
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
    this.#last = answer.then(
      () => this.#waiting--,
      () => this.#waiting--,
    );
    return answer;
  }

  #check(limits: Limits): void {
    if (this.#closed) throw new NearfieldError('closed', 'this GPU engine has been closed');
    throwIfAborted(limits);
  }

  async #wasLost(): Promise<boolean> {
    return !this.#closed && this.#session.wasLost();
  }

  async #reopen(): Promise<void> {
    if (!this.#session.opened.owned) {
      throw new NearfieldError('gpu-lost', 'the device that was passed to open() has been lost');
    }
    const opened = await openDevice();
    let session: Session;
    try {
      session = await openSession(opened, this.#options);
    } catch (error) {
      opened.device.destroy();
      throw error;
    }
    if (this.#closed) {
      session.destroy();
      this.#check({});
    }
    this.#session = session;
    this.#isSpoilt = false;
  }
}

/** Whether an error is about the question itself, so that the device is as it was. */
const isAboutInput = (error: unknown): boolean =>
  error instanceof TooManyPairs ||
  (error instanceof NearfieldError && error.code !== 'out-of-memory' && error.code !== 'gpu-lost');

/** Records of one mesh's two parts as those of one. */
function asOnePart(answer: RawAnswer): RawAnswer {
  for (const records of [answer.certain, answer.unsure]) {
    for (let r = 0; r < records.length; r += 3) records[r] = 0;
  }
  return { ...answer, candidates: new Uint32Array([0, 0]) };
}

/** The pairs of bodies that may be nearer than asked, less those that a culling leaves out. */
async function bodiesLeft(
  bodies: Bodies,
  { candidates, upTo }: NearestPairsRequest,
  culling: VisibilityCulling,
  { session, preparation }: Turn,
): Promise<Uint32Array> {
  const options = { detail: 'count', traversal: 'walk', candidates, clearance: upTo } as const;
  const answer = await session.hierarchy.run(bodies, { ...options, culling, preparation });
  return pairsLeft(answer, (a, b, outside) => mayShareInterior(bodies, a, b, outside));
}
