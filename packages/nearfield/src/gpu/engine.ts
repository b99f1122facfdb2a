// The GPU engine: a device, and questions that take turns on it. It knows no question. Each question brings its
// kernels as parts of the session (session.ts), and the code that asks them as a driver, which is loaded when it is
// first needed.

import type { Engine } from '../bodies/engine.ts';
import type { AppBuffers } from '../bodies/on-gpu/buffers.ts';
import { GpuPoses } from '../bodies/on-gpu/gpu-poses.ts';
import { GpuPositions } from '../bodies/on-gpu/gpu-positions.ts';
import type { Shape } from '../bodies/snapshot/snapshot.ts';
import type { Costs } from '../core/costs.ts';
import { NearfieldError, TooManyPairs } from '../core/errors.ts';
import type { Limits } from '../core/limits.ts';
import { closedUnder, throwIfAborted } from '../core/waiting.ts';
import { type OpenedDevice, openDevice } from './device/device.ts';
import { ownPoseMemory } from './pose-memory.ts';
import { Session, type Settings } from './session.ts';
import { refusedSince, submittedSoFar } from './submit.ts';

/** What a question gets for the length of its turn. */
export interface Turn {
  readonly session: Session;
  /** To be called between submissions. Throws if the question was cancelled. */
  readonly checkpoint: (done: number) => void;
}

/** What to do if a question fails. */
export interface Recovery {
  /** Undoes what was left unfinished. Called if the device is unharmed and the session goes on. */
  undo?(): void;
  /** Finds a better reason for the failure than the device's own, if there is one. */
  explain?(): Promise<unknown>;
}

/** Names the driver of a question. `D` is the driver's interface. */
export interface DriverKey<D> {
  readonly name: string;
  /** Never set: it ties the key to the driver's type. */
  readonly driver?: D;
}

/** A module that creates a driver. */
interface DriverModule {
  createDriver(engine: GpuEngine): unknown;
}

/** Functions that load drivers, by name. */
export type DriverLoaders = Readonly<Record<string, () => Promise<DriverModule>>>;

export class GpuEngine implements Engine {
  readonly backend = 'gpu';
  readonly name: string;
  readonly poseMemory = ownPoseMemory;
  readonly settings: Settings;
  /** What answers take, if the CPU may answer instead. */
  readonly costs: Costs | undefined;
  /** Whether the kernels are compiled that most questions need. */
  isReady = true;
  readonly asked = new Map<string, boolean>();
  readonly #loaders: DriverLoaders;
  readonly #drivers = new Map<string, unknown>();
  #session: Session;
  /** Whether a failure may have left the session half changed. If so, the next question gets a new one. */
  #isSpoilt = false;
  #closed = false;
  /** The last question in the queue. Questions share buffers, so each waits for the one before. */
  #last: Promise<unknown> = Promise.resolve();
  /** How many questions are waiting or in progress. */
  #waiting = 0;

  constructor(opened: OpenedDevice, loaders: DriverLoaders, settings: Settings = {}, costs?: Costs) {
    this.costs = costs;
    this.#session = new Session(opened, settings);
    this.#loaders = loaders;
    this.settings = settings;
    this.name = opened.name;
  }

  /** The device in use. After a loss it is another one. */
  get device(): GPUDevice {
    return this.#session.opened.device;
  }
  /** Whether the adapter is software that runs on the processor. */
  get software(): boolean {
    return this.#session.opened.software;
  }
  get closed(): boolean {
    return this.#closed;
  }

  /** Switches GPU timing on, if the device has timestamps. `gpuMilliseconds` is then the time of the last query. */
  set timing(on: boolean) {
    this.#session.timing = on;
  }
  get gpuMilliseconds(): number | undefined {
    return this.#session.stopwatch.milliseconds;
  }

  /**
   * The driver of a question. It is returned without a promise once it is loaded, so that no question waits for
   * nothing.
   */
  driver<D>(key: DriverKey<D>): D | Promise<D> {
    const known = this.#drivers.get(key.name);
    return known === undefined ? this.#loadDriver(key) : (known as D);
  }

  async #loadDriver<D>({ name }: DriverKey<D>): Promise<D> {
    const load = this.#loaders[name];
    if (load === undefined) {
      throw new NearfieldError('unsupported', `this GPU engine was opened without a driver for ${name}`);
    }
    const { createDriver } = await load();
    const driver = this.#drivers.get(name) ?? createDriver(this);
    this.#drivers.set(name, driver);
    return driver as D;
  }

  readonly appBuffers: AppBuffers = {
    positions: (buffer, mesh, layout, owner) => {
      const vertices = { what: 'vertices', count: mesh.vertexCount, numbers: 3 } as const;
      const copy = this.#session.appCopies.copy(buffer, vertices, layout, owner);
      return new GpuPositions(owner, mesh, copy);
    },
    poses: (buffer, count, layout, nameAt) => {
      const poses = { what: 'poses', count, numbers: 16 } as const;
      return new GpuPoses(this.#session.appCopies.copy(buffer, poses, layout, 'setPoses'), nameAt);
    },
  };

  forget(shape: Shape): void {
    this.#session.forget(shape);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    // Questions in progress still use the buffers, and end at their next checkpoint: the buffers are destroyed only
    // then. Destroying a device while it works can end the process.
    const session = this.#session;
    if (this.#waiting === 0) session.destroy();
    else void this.#last.then(() => session.destroy());
  }

  /**
   * Runs `work` when its turn comes. The answer counts only if the device accepted every submission. After a refusal,
   * or an error that is not about the question itself, the session is given up. With `atOnce` the turn begins before this
   * returns, if no other question waits.
   */
  ask<A>(
    limits: Limits,
    work: (turn: Turn) => Promise<A>,
    recovery: Recovery = {},
    atOnce = false,
  ): Promise<A> {
    return this.inTurn(async () => {
      this.check(limits);
      const session = this.sessionNow();
      let stop: unknown;
      const checkpoint = (done: number) => {
        try {
          this.check(limits);
          limits.progress?.(done);
        } catch (error) {
          stop = error;
          throw error;
        }
      };
      const { device } = session.opened;
      const before = submittedSoFar(device);
      try {
        const answer = await work({ session, checkpoint });
        const refusal = await refusedSince(device, before);
        if (refusal !== undefined) throw refusal;
        return answer;
      } catch (error) {
        // A question that stops at a checkpoint, or is rejected for its input, leaves only its own work unfinished.
        const refusal = await refusedSince(device, before);
        if (refusal !== undefined || (error !== stop && !isAboutInput(error))) this.#spoil(session);
        else recovery.undo?.();
        throw error === stop ? error : ((await recovery.explain?.()) ?? refusal ?? error);
      }
    }, atOnce);
  }

  /** The session in use. A spoilt one is replaced first. */
  sessionNow(): Session {
    if (this.#isSpoilt) this.#session = this.#session.renewed();
    this.#isSpoilt = false;
    return this.#session;
  }

  /** Gives the session up: after a failure, pools may have moved and writes may be missing. */
  #spoil(session: Session): void {
    if (this.#closed || session !== this.#session) return;
    this.#isSpoilt = true;
    session.destroyParts();
  }

  /**
   * Runs questions one after another. If the device is lost during one, that question is asked once more on a new
   * device.
   */
  async inTurn<A>(ask: () => Promise<A>, atOnce = false): Promise<A> {
    const before = this.#last;
    let end = () => {};
    this.#last = new Promise<void>(resolve => {
      end = resolve;
    });
    const mustWait = this.#waiting++ > 0 || !atOnce;
    try {
      if (mustWait) await before;
      return await this.#askTwice(ask);
    } finally {
      this.#waiting--;
      end();
    }
  }

  async #askTwice<A>(ask: () => Promise<A>): Promise<A> {
    try {
      const found = await ask();
      this.check({});
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
        const message = 'the GPU was lost, and lost again when the question was repeated';
        throw new NearfieldError('gpu-lost', message, { cause: again });
      }
    }
  }

  /** Throws if the engine was closed or the question cancelled. */
  check(limits: Limits): void {
    if (this.#closed) throw new NearfieldError('closed', 'this GPU engine has been closed');
    throwIfAborted(limits);
  }

  async #wasLost(): Promise<boolean> {
    return !this.#closed && this.#session.wasLost();
  }

  async #reopen(): Promise<void> {
    if (!this.#session.opened.owned) {
      throw new NearfieldError('gpu-lost', 'the device that the backend was opened with has been lost');
    }
    const opened = await openDevice();
    if (this.#closed) {
      opened.device.destroy();
      this.check({});
    }
    this.#session = new Session(opened, this.settings);
    this.#isSpoilt = false;
  }
}

/** Whether an error is about the question itself and leaves the device unharmed. */
const isAboutInput = (error: unknown): boolean =>
  error instanceof TooManyPairs ||
  (error instanceof NearfieldError && error.code !== 'out-of-memory' && error.code !== 'gpu-lost');
