// A device and everything that dies with it. What questions keep on the device (trees, buffers, kernels) are parts of
// the session, made by the first question that needs them. The session itself knows no question.

import type { Shape } from '../bodies/snapshot/snapshot.ts';
import { AppCopies } from './buffers/app-copies.ts';
import type { OpenedDevice } from './device/device.ts';
import { type Loss, lossOf } from './device/loss.ts';
import { Stopwatch } from './stopwatch.ts';

/** The interface of a part. */
export interface SessionPart {
  /** Times the part's own submissions. */
  readonly stopwatch?: Stopwatch;
  forget?(shape: Shape): void;
  /** Has answers copy what they still need from a session that is about to be destroyed. */
  keepAnswers?(): void;
  destroy(): void;
}

/**
 * Initial capacities of parts, and thresholds between ways of working, by name. Tests use them to provoke growth and
 * each way.
 */
export type Settings = Record<string, unknown>;

type Create<P> = (session: Session) => P | Promise<P>;
type Compile<K> = (device: GPUDevice) => Promise<K>;

export class Session {
  readonly opened: OpenedDevice;
  readonly settings: Settings;
  readonly stopwatch: Stopwatch;
  readonly appCopies: AppCopies;
  /** Compiled kernels, by the function that compiles them. A later session on the same device takes them over. */
  readonly #programs: Map<unknown, Promise<unknown>>;
  /** By what creates them: made, or being made. */
  readonly #parts = new Map<unknown, unknown>();
  /** Those that have been made, in order. */
  readonly #made: SessionPart[] = [];
  #isTimed = false;
  #isGone = false;
  readonly #loss: Loss;

  /** `before` is an earlier session on the same device. */
  constructor(opened: OpenedDevice, settings: Settings, before?: Session) {
    const { device } = opened;
    this.opened = opened;
    this.settings = settings;
    this.stopwatch = new Stopwatch(device);
    // Bodies depend on these copies of positions and poses.
    this.appCopies = before?.appCopies ?? new AppCopies(device);
    this.#programs = before === undefined ? new Map() : before.#programs;
    this.timing = before?.timing ?? false;
    this.#loss = lossOf(device);
  }

  /**
   * The part that `create` makes, once per session: at once if it has been made, so that no question waits for nothing.
   * A failure is not kept: the next question tries again.
   */
  part<P extends SessionPart>(create: Create<P>): P | Promise<P> {
    const known = this.#parts.get(create) as P | Promise<P> | undefined;
    return known ?? keep(this.#parts, create, this.#make(create));
  }

  async #make<P extends SessionPart>(create: Create<P>): Promise<P> {
    const part = await create(this);
    this.#parts.set(create, part);
    if (this.#isGone) part.destroy();
    else this.#made.push(part);
    if (part.stopwatch) part.stopwatch.running = this.#isTimed;
    return part;
  }

  /** Kernels, compiled once per device. */
  program<K>(compile: Compile<K>): Promise<K> {
    const known = this.#programs.get(compile) as Promise<K> | undefined;
    return known ?? keep(this.#programs, compile, compile(this.opened.device));
  }

  /** Whether submissions are timed. Needs a device with timestamps. */
  get timing(): boolean {
    return this.#isTimed;
  }
  set timing(on: boolean) {
    this.#isTimed = on;
    for (const stopwatch of [this.stopwatch, ...this.#made.map(part => part.stopwatch)]) {
      if (stopwatch) stopwatch.running = on;
    }
  }

  /** Frees what parts keep for a shape. */
  forget(shape: Shape): void {
    for (const part of this.#made) part.forget?.(shape);
  }

  /**
   * Whether the device was lost. A failure may arrive before the news of the loss that caused it, so this waits for
   * the news first.
   */
  async wasLost(): Promise<boolean> {
    if (!this.#loss.hasHappened) await new Promise(resolve => setTimeout(resolve, 0));
    return this.#loss.hasHappened;
  }

  /**
   * A new session on the same device, without any parts. It keeps the compiled kernels, and the copies that bodies
   * depend on.
   */
  renewed(): Session {
    return new Session(this.opened, this.settings, this);
  }

  destroy(): void {
    this.destroyParts();
    this.appCopies.destroy();
    if (this.opened.owned) this.opened.device.destroy();
  }

  /** Destroys everything that `renewed` does not keep. */
  destroyParts(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    for (const part of this.#made) part.keepAnswers?.();
    for (const part of this.#made.reverse()) part.destroy();
    this.stopwatch.destroy();
  }
}

/** Keeps a promise under a key, unless it is rejected. */
function keep<V>(map: Map<unknown, unknown>, key: unknown, value: Promise<V>): Promise<V> {
  map.set(key, value);
  value.catch(() => map.delete(key));
  return value;
}
