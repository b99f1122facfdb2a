// A question on the GPU, from its commands to its answer: recorded, submitted and read back; recorded again with more room where
// a list was too short; and where a list has more than was read with its count, the rest read after it.

import type { EngineStats } from '../core/stats.ts';
import { type Piece, ReadBack } from './buffers/read-back.ts';
import type { PartlyRead } from './buffers/read-list.ts';
import type { Stopwatch } from './stopwatch.ts';
import { submit } from './submit.ts';

/** What a question has to do first: trees to be built or refitted. */
export interface Preparation {
  /** Builds or refits what is new or changed. Returns how many dispatches. */
  encode(encoder: GPUCommandEncoder): number;
  /** To be read back with the answer. */
  readonly pieces: readonly Piece[];
  /** Looks at what was read. False where all must be encoded and asked again; throws what is wrong with positions. */
  accept(views: readonly Uint32Array[]): boolean;
}

/** Comes first in every submission, until it has been accepted. */
export class Opening {
  #preparation: Preparation | undefined;

  constructor(preparation?: Preparation) {
    this.#preparation = preparation;
  }
  get isDone(): boolean {
    return this.#preparation === undefined;
  }
  /** Returns how many dispatches. */
  encode(encoder: GPUCommandEncoder): number {
    return this.#preparation?.encode(encoder) ?? 0;
  }
  get pieces(): readonly Piece[] {
    return this.#preparation?.pieces ?? [];
  }
  /** False where it must be recorded again. */
  accept(views: readonly Uint32Array[]): boolean {
    if (this.#preparation?.accept(views) === false) return false;
    this.#preparation = undefined;
    return true;
  }
}

/** What is to be read, in groups that make sense to the question, and what was: one view per piece. */
export type Groups = readonly (readonly Piece[])[];
export type Views = readonly (readonly Uint32Array[])[];

export interface QuerySteps<Answer, Recorded> {
  readonly label?: GPUObjectDescriptorBase;
  readonly stats: EngineStats;
  readonly opening?: Opening | undefined;
  /**
   * Records the question; returns what is to be read. Undefined where it cannot be asked like this: the opening is then submitted
   * by itself, after which the bodies' frames may be others, and that is the answer if it still cannot.
   */
  encode(encoder: GPUCommandEncoder): Recorded | Promise<Recorded>;
  /** Once it was read, before the opening is looked at. Throws where the device refused the submission. */
  checkSubmission?(views: Views): void;
  /** The answer, from views that die when it returns. Undefined where there was too little room, and now is more. */
  take(views: Views): Answer | undefined;
  /** Called before it is recorded again; throws to stop. */
  readonly checkpoint?: ((done: number) => void) | undefined;
}

export class GpuQuery {
  readonly #device: GPUDevice;
  readonly #readBack: ReadBack;
  readonly #stopwatch: Stopwatch | undefined;

  /** The stopwatch times what `encode` records with it. */
  constructor(device: GPUDevice, stopwatch?: Stopwatch) {
    this.#device = device;
    this.#readBack = new ReadBack(device);
    this.#stopwatch = stopwatch;
  }

  async run<Answer, Recorded extends Groups | undefined>(
    question: QuerySteps<Answer, Recorded>,
  ): Promise<Answer | Extract<Recorded, undefined>> {
    const { label, stats, opening = new Opening(), checkpoint } = question;
    for (;;) {
      const encoder = this.#device.createCommandEncoder(label);
      stats.dispatches += opening.encode(encoder);
      const recorded = await question.encode(encoder);
      if (recorded === undefined && opening.isDone) return undefined as Extract<Recorded, undefined>;
      const times = this.#stopwatch?.piece;
      const groups = [opening.pieces, times === undefined ? [] : [times], ...(recorded ?? [])];
      const answer = await this.read(encoder, groups.flat(), views => {
        const [prepared, [time], ...own] = grouped(groups, views);
        this.#stopwatch?.take(time);
        if (recorded !== undefined) question.checkSubmission?.(own);
        if (!opening.accept(prepared.map(view => view.slice()))) return undefined;
        return recorded === undefined ? undefined : question.take(own);
      });
      if (answer !== undefined) return answer;
      if (recorded === undefined) continue;
      stats.growths++;
      checkpoint?.(0);
    }
  }

  /** Submits what was recorded, and reads pieces behind it. Views die when `use` returns. */
  async read<T>(
    encoder: GPUCommandEncoder,
    pieces: readonly Piece[],
    use: (views: Uint32Array[]) => T,
  ): Promise<T> {
    this.#readBack.encode(encoder, pieces);
    submit(this.#device, encoder);
    return this.#readBack.read(pieces, use);
  }

  /** Lists as long as they are, of which some is known: what is missing of them is read together. */
  async rest(...lists: readonly PartlyRead[]): Promise<Uint32Array[]> {
    const pieces = lists.map(({ list, known, count }) => list.rest(known, count));
    const isWhole = pieces.every(({ bytes }) => bytes === 0);
    if (isWhole) return lists.map(({ known }) => known);
    const encoder = this.#device.createCommandEncoder({ label: 'rest of the lists' });
    return this.read(encoder, pieces, views =>
      lists.map(({ known }, i) => {
        const whole = new Uint32Array(known.length + views[i].length);
        whole.set(known);
        whole.set(views[i], known.length);
        return whole;
      }),
    );
  }

  destroy(): void {
    this.#readBack.destroy();
  }
}

function grouped(groups: Groups, views: readonly Uint32Array[]): Views {
  let at = 0;
  return groups.map(({ length }) => {
    at += length;
    return views.slice(at - length, at);
  });
}
