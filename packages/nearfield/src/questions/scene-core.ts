// What every question needs from a scene: the engines, a snapshot of the bodies, and the guarantee that this snapshot
// stays unchanged until the question is answered.

import type { Body, BodyHost } from '../bodies/body.ts';
import { Copies } from '../bodies/copies.ts';
import type { Engine } from '../bodies/engine.ts';
import { readFromGpu } from '../bodies/on-gpu/buffers.ts';
import type { GpuPositions } from '../bodies/on-gpu/gpu-positions.ts';
import { SharedShapes } from '../bodies/shapes.ts';
import { BodyTable } from '../bodies/table.ts';
import type { Choice } from '../core/choice.ts';
import { NearfieldError } from '../core/errors.ts';
import type { Limits } from '../core/limits.ts';
import { throwIfAborted, whileOpen } from '../core/waiting.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { checkAmong, checkIsBody } from './checks.ts';
import { Question } from './question.ts';

export class SceneCore {
  /** The engine of the scene's backend: a GPU engine, or the same as `cpu`. */
  readonly engine: Engine;
  readonly cpu: CpuEngine;
  readonly table: BodyTable;
  /** What bodies need from the scene. */
  readonly host: BodyHost;
  readonly #shapes: SharedShapes;
  #closed = false;
  /** Set if the scene may answer on either backend. */
  readonly #choice: Choice | undefined;
  /** How many questions are waiting. */
  #waiting = 0;
  /** While `asOf` asks: the question that saw the bodies. */
  #past: Question | undefined;

  constructor(engine: Engine, cpu: CpuEngine) {
    this.engine = engine;
    this.cpu = cpu;
    this.#choice = engine.costs?.choice(engine);
    this.table = new BodyTable(engine.poseMemory);
    const releaseGpuPositions = (positions: GpuPositions) => positions.release(shape => cpu.forget(shape));
    const shapes = new SharedShapes(shape => {
      engine.forget(shape);
      if (engine !== cpu) cpu.forget(shape);
      if (shape.onGpu !== undefined) releaseGpuPositions(shape.onGpu);
    });
    this.#shapes = shapes;
    this.host = {
      table: this.table,
      acquire: mesh => shapes.acquire(mesh),
      release: shape => shapes.release(shape),
      appBuffers: engine.appBuffers,
      releaseGpuPositions,
      get waiting() {
        return shapes.waiting;
      },
      copies: new Copies(),
    };
  }

  /** A question about a few bodies. Throws if one is not in the scene. */
  questionAbout(...bodies: readonly Body[]): Question {
    return this.questionAboutEach(bodies);
  }

  /** The same for any number of bodies: arguments are limited to some ten thousand. */
  questionAboutEach(bodies: readonly Body[]): Question {
    for (const body of bodies) this.checkBody(body);
    return this.#past === undefined ? Question.of(bodies) : this.#past.about(bodies);
  }

  /** A question about all bodies. */
  questionAboutAll(): Question {
    this.checkOpen();
    if (this.#past !== undefined) return new Question(this.#past.bodies, this.#past.seen);
    return new Question(this.table.bodies, this.table.now());
  }

  /**
   * Asks about the bodies as another question saw them, whatever became of them since. That question must still be waiting.
   * `ask` sees the past until it returns its promise: every question takes its snapshot before it first waits.
   */
  asOf<A>(past: Question, ask: () => A): A {
    if (this.table.isNow(past.seen)) return ask();
    this.#past = past;
    try {
      return ask();
    } finally {
      this.#past = undefined;
    }
  }

  /**
   * Asks the engine that is expected to answer sooner, if the scene may choose. `kind` names the kind of question; if it is
   * undefined, the scene's own engine has to answer. `size` is how much the question is about, by default its triangles and
   * bodies. Without `limits` the question is asked once only.
   */
  sooner<A>(
    kind: string | undefined,
    question: Question,
    limits: Limits | undefined,
    ask: (engine: Engine) => Promise<A>,
    size?: number,
  ): Promise<A> {
    // The arguments are made only if there is a choice.
    return (
      this.#choice?.ask(kind, question, size, {
        limits,
        ask: isCpu => ask(isCpu ? this.cpu : this.engine),
        again: own => this.whileWaiting(question, own, () => ask(this.engine)),
        isAlone: () => this.#waiting === 1,
      }) ?? ask(this.engine)
    );
  }

  /** Runs work that needs every position and pose on the CPU. They are read back first if they are on the GPU. */
  withPositions<A>(question: Question, limits: Limits, work: () => A | Promise<A>): Promise<A> {
    return this.whileWaiting(question, limits, async () => {
      await readAll(question);
      return work();
    });
  }

  /** Runs work during which the question's snapshot stays unchanged: its shapes are neither changed nor freed. */
  async whileWaiting<A>(question: Question, limits: Limits, work: () => Promise<A>): Promise<A> {
    throwIfAborted(limits);
    // One object per call: the same question may be under way twice, as when candidates are narrowed twice.
    const call = {};
    const { seen } = question;
    this.#waiting++;
    this.#shapes.begin(call);
    this.table.hold(seen);
    try {
      const compiling = this.cpu.compile();
      return await this.whileOpen(compiling === undefined ? work : () => compiling.then(work));
    } catch (error) {
      // A question that was cancelled rejects with the signal's reason, whatever else happened meanwhile.
      throwIfAborted(limits);
      throw error;
    } finally {
      this.table.release(seen);
      this.#shapes.end(call);
      this.#waiting--;
    }
  }

  /** Waits for work; rejects with 'closed' if the library was closed meanwhile. */
  whileOpen<A>(work: () => A | Promise<A>): Promise<A> {
    return whileOpen(() => this.cpu.closed, work);
  }

  /** Removes all bodies. Works even when memory is exhausted. */
  close(): void {
    this.#closed = true;
    this.table.close();
  }

  get closed(): boolean {
    return this.#closed;
  }

  checkOpen(): void {
    if (this.#closed && this.#past === undefined)
      throw new NearfieldError('closed', 'this scene has been closed');
  }

  checkBody(body: Body): void {
    this.checkOpen();
    checkIsBody(body);
    if (this.#past !== undefined) checkAmong(this.#past.bodies, body);
    else if (!this.table.has(body)) checkAmong(this.table.bodies, body);
  }

  /** Throws 'stale' if a body was deformed or removed since the question was made. */
  checkUnchanged({ bodies, seen }: Question): void {
    this.checkOpen();
    const { shapeStates } = this.table;
    const changed = bodies.find((body, i) => shapeStates[body.row] !== seen.shapeStates[i]);
    if (changed === undefined) return;
    const what = changed.row < 0 ? 'was removed from the scene' : 'was deformed';
    throw new NearfieldError(
      'stale',
      `${changed.name} ${what} after its candidates were found: find them again`,
    );
  }

  /**
   * Throws unless the scene answers synchronously. Candidates have one class on every backend, so types cannot tell.
   */
  checkSync(question: string): void {
    if (this.engine !== this.cpu) {
      throw new NearfieldError('unsupported', `${question} needs the cpu backend`);
    }
  }
}

/** Reads back all poses and positions of the question that are on the GPU alone. */
export async function readAll(question: Question): Promise<void> {
  if (question.arePosesOnGpu) await question.readPoses();
  if (question.arePositionsOnGpu) await readFromGpu(question.seen.shapeStates);
}
