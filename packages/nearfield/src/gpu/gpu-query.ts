// A question on the GPU, from its commands to its answer. It is recorded, submitted and read back. If a list was too
// short, it grows and the question is recorded again. If a list is longer than the part that was read with its count,
// the rest is read afterwards.

import type { EngineStats } from '../core/stats.ts';
import { type AnyPiece, type Piece, ReadBack } from './buffers/read-back.ts';
import type { PartlyRead } from './buffers/read-list.ts';
import type { Stopwatch } from './stopwatch.ts';
import { submit } from './submit.ts';

/** Work that comes before a question in the same submission: trees to build or refit. */
export interface Preparation {
  /** Builds or refits what is new or changed. Returns the number of dispatches. */
  encode(encoder: GPUCommandEncoder): number;
  /** What to read back with the answer. */
  readonly pieces: readonly Piece[];
  /** Checks what was read back. False if everything must be recorded again; throws if positions are invalid. */
  accept(views: readonly Uint32Array[]): boolean;
}

/** A preparation, if there is one. It comes first in every submission until it has been accepted. */
export class Opening {
  #preparation: Preparation | undefined;

  constructor(preparation?: Preparation) {
    this.#preparation = preparation;
  }
  get isDone(): boolean {
    return this.#preparation === undefined;
  }
  /** Returns the number of dispatches. */
  encode(encoder: GPUCommandEncoder): number {
    return this.#preparation?.encode(encoder) ?? 0;
  }
  get pieces(): readonly Piece[] {
    return this.#preparation?.pieces ?? [];
  }
  /** Checks what was read back. False if the preparation must be recorded again. */
  accept(views: readonly Uint32Array[]): boolean {
    if (this.#preparation?.accept(views) === false) return false;
    this.#preparation = undefined;
    return true;
  }
}

/** What to read back, in groups of the question's choice; and what was read, one view per piece. */
export type Groups = readonly (readonly Piece[])[];
export type Views = readonly (readonly Uint32Array[])[];

export interface QuerySteps<Answer, Recorded> {
  readonly label?: GPUObjectDescriptorBase;
  /** The query adds to these counts. */
  readonly stats: Pick<EngineStats, 'dispatches' | 'growths'>;
  readonly opening?: Opening | undefined;
  /**
   * Records the question; returns what to read back. Returns undefined if the question cannot be asked in one
   * submission. The opening is then submitted alone, which may change the bodies' frames, and `encode` is called again.
   * If it still returns undefined, so does `run`.
   */
  encode(encoder: GPUCommandEncoder): Recorded | Promise<Recorded>;
  /** Called after the read-back, before the opening is checked. Throws if the device refused the submission. */
  checkSubmission?(views: Views): void;
  /** The answer, from views that die when this returns. Undefined if a list was too short; it has grown then. */
  take(views: Views): Answer | undefined;
  /** Called before the question is recorded again. Throws to stop. */
  readonly checkpoint?: ((done: number) => void) | undefined;
}

/** Runs questions one after the other. They share a buffer for reading back. */
export class GpuQuery {
  readonly #device: GPUDevice;
  readonly #readBack: ReadBack;
  readonly #stopwatch: Stopwatch | undefined;

  /** The stopwatch times the passes that a question records with it. */
  constructor(device: GPUDevice, stopwatch?: Stopwatch) {
    this.#device = device;
    this.#readBack = new ReadBack(device);
    this.#stopwatch = stopwatch;
  }

  /** Runs a question until it has an answer. */
  async run<Answer, Recorded extends Groups | undefined>(
    question: QuerySteps<Answer, Recorded>,
  ): Promise<Answer | Extract<Recorded, undefined>> {
    const { label, stats, opening, checkpoint } = question;
    for (;;) {
      const encoder = this.#device.createCommandEncoder(label);
      if (opening !== undefined) stats.dispatches += opening.encode(encoder);
      // Most questions record at once. Small ones take microseconds, and an `await` costs some of them.
      const recording = question.encode(encoder);
      const recorded = recording instanceof Promise ? await recording : recording;
      if (recorded === undefined && opening?.isDone !== false)
        return undefined as Extract<Recorded, undefined>;
      const pieces: Piece[] = opening === undefined ? [] : [...opening.pieces];
      const preparedCount = pieces.length;
      const time = this.#stopwatch?.piece;
      if (time !== undefined) pieces.push(time);
      const ownFrom = pieces.length;
      if (recorded !== undefined) for (const group of recorded) pieces.push(...group);
      const answer = await this.read(encoder, pieces, views => {
        if (time !== undefined) this.#stopwatch!.take(views[preparedCount]);
        const own = recorded === undefined ? undefined : grouped(recorded, views, ownFrom);
        if (own !== undefined) question.checkSubmission?.(own);
        const prepared = preparedCount === 0 ? none : views.slice(0, preparedCount).map(view => view.slice());
        if (opening?.accept(prepared) === false) return undefined;
        return own === undefined ? undefined : question.take(own);
      });
      if (answer !== undefined) return answer;
      if (recorded === undefined) continue;
      stats.growths++;
      checkpoint?.(0);
    }
  }

  /** Submits what was recorded, and reads pieces back after it. The views die when `use` returns. */
  read<T>(
    encoder: GPUCommandEncoder,
    pieces: readonly AnyPiece[],
    use: (views: Uint32Array[]) => T,
  ): Promise<T> {
    this.#readBack.encode(encoder, pieces);
    submit(this.#device, encoder);
    return this.#readBack.read(pieces, use);
  }

  /** Whole lists, given the part of each that is known. What is missing is read back together; if nothing is, at once. */
  rest(...lists: readonly PartlyRead[]): Uint32Array[] | Promise<Uint32Array[]> {
    const known: Uint32Array[] = [];
    const pieces: Piece[] = [];
    let missing = 0;
    for (const partly of lists) {
      const piece = partly.list.rest(partly.known, partly.count);
      known.push(partly.known);
      pieces.push(piece);
      missing += piece.bytes;
    }
    return missing === 0 ? known : this.#readRest(known, pieces);
  }

  #readRest(known: readonly Uint32Array[], pieces: readonly Piece[]): Promise<Uint32Array[]> {
    const encoder = this.#device.createCommandEncoder({ label: 'rest of the lists' });
    return this.read(encoder, pieces, views =>
      known.map((first, i) => {
        const whole = new Uint32Array(first.length + views[i].length);
        whole.set(first);
        whole.set(views[i], first.length);
        return whole;
      }),
    );
  }

  destroy(): void {
    this.#readBack.destroy();
  }
}

const none: readonly Uint32Array[] = [];

/** The views from `at` on, in the groups that were recorded. */
function grouped(groups: Groups, views: readonly Uint32Array[], at: number): Views {
  const own: Uint32Array[][] = [];
  for (const { length } of groups) own.push(views.slice(at, (at += length)));
  return own;
}
