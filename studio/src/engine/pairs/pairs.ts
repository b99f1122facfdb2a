// Chooses the engine that finds pairs: the worker, or the GPU that three.js draws with. Both give the same list. Which
// one is faster depends on the machine and on the models (for a few thousand triangles, most of the time is the round
// trip to the GPU). So it is measured: both engines answer a few questions in turn, then the faster one answers, and
// the other is tried again now and then.

import type { PairsAnswer, PairsQuestion } from '../review/types.ts';
import type { Limits } from '../types.ts';

type Engine = PairsAnswer['backend'];

/**
 * The last few answers of each engine are compared. The first answer for new bodies builds their trees, and does not
 * count.
 */
const compared = 3;
/** After this many questions the slower engine is tried again. */
const again = 50;

/** Answers on a GPU. */
export interface GpuAnswers {
  ask(question: PairsQuestion, limits: Limits): Promise<PairsAnswer>;
  close(): void;
}

export interface PairsOptions {
  /** Answers in the worker. */
  readonly askWorker: (question: PairsQuestion, limits: Limits) => Promise<PairsAnswer>;
  /** The GPU, if there is one that may be asked. */
  readonly openGpu: (() => Promise<GpuAnswers>) | undefined;
  /** Whether the address names the GPU: then only the GPU answers. */
  readonly isAsked: boolean;
  /** Called when `words` has changed. */
  readonly changed: () => void;
}

export class Pairs {
  readonly #options: PairsOptions;
  #gpu: GpuAnswers | undefined;
  #opening: Promise<void> | undefined;
  #hasGpu: boolean;
  #why = '';
  /** The bodies that the times belong to. */
  #bodies = '';
  /** The engines that have answered for them. */
  readonly #known = new Set<Engine>();
  #times: Record<Engine, number[]> = { cpu: [], gpu: [] };
  #count = 0;
  #last: Engine = 'cpu';

  constructor(options: PairsOptions) {
    this.#options = options;
    this.#hasGpu = options.openGpu !== undefined;
  }

  /** Tells which engine answers, and why, for the status line. */
  words(processor: string): string {
    const worker = `${processor} in a worker`;
    if (!this.#hasGpu) return `${worker}${this.#why}`;
    const times = this.#compared;
    if (this.#options.isAsked) return `Pairs on the GPU, the rest on ${worker}`;
    if (times === undefined) return `Pairs on the GPU or on ${worker}, whichever is faster`;
    const [gpu, cpu] = [times.gpu, times.cpu].map(time => `${time.toPrecision(2)} ms`);
    return gpu === cpu || this.#last === 'gpu'
      ? `Pairs on the GPU (${gpu}; in the worker ${cpu}), the rest on ${worker}`
      : `Pairs on ${worker} (${cpu}; on the GPU ${gpu})`;
  }

  async ask(question: PairsQuestion, limits: Limits): Promise<PairsAnswer> {
    const engine = await this.#next(question);
    const start = performance.now();
    const answer = await this.#askOf(engine, question, limits);
    const time = performance.now() - start;
    this.#keep(answer.backend, time);
    this.#last = answer.backend;
    this.#options.changed();
    return { ...answer, time };
  }

  /** The device is gone. */
  withoutGpu(why = ''): void {
    this.#hasGpu = false;
    this.#why = why;
    this.#gpu?.close();
    this.#gpu = undefined;
    this.#times = { cpu: [], gpu: [] };
    this.#options.changed();
  }

  /** The milliseconds of both engines, once both have answered. */
  get #compared(): Readonly<Record<Engine, number>> | undefined {
    const { cpu, gpu } = this.#times;
    return cpu.length === 0 || gpu.length === 0 ? undefined : { cpu: middle(cpu), gpu: middle(gpu) };
  }

  async #askOf(engine: Engine, question: PairsQuestion, limits: Limits): Promise<PairsAnswer> {
    const { askWorker } = this.#options;
    if (engine === 'cpu' || this.#gpu === undefined) return askWorker(question, limits);
    try {
      return await this.#gpu.ask(question, limits);
    } catch (error) {
      limits.signal?.throwIfAborted();
      this.withoutGpu(` (the GPU failed: ${wordsOf(error)})`);
      return askWorker(question, limits);
    }
  }

  /** Which engine is next. While the GPU compiles its kernels it is skipped, unless the address names it. */
  async #next({ assembly: { placed } }: PairsQuestion): Promise<Engine> {
    if (!this.#hasGpu || placed.ids.length < 2) return 'cpu';
    this.#opening ??= this.#open();
    if (this.#options.isAsked) {
      await this.#opening;
      return this.#hasGpu ? 'gpu' : 'cpu';
    }
    if (this.#gpu === undefined) return 'cpu';
    const bodies = placed.ids.join();
    if (bodies !== this.#bodies) {
      this.#bodies = bodies;
      this.#count = 0;
      this.#known.clear();
      this.#times = { cpu: [], gpu: [] };
    }
    const { cpu, gpu } = this.#times;
    if (gpu.length < compared || cpu.length < compared) return this.#count++ % 2 === 0 ? 'gpu' : 'cpu';
    const faster = middle(gpu) <= middle(cpu) ? 'gpu' : 'cpu';
    const slower = faster === 'gpu' ? 'cpu' : 'gpu';
    return ++this.#count % again === 0 ? slower : faster;
  }

  #keep(engine: Engine, time: number): void {
    if (!this.#known.has(engine)) {
      this.#known.add(engine);
      return;
    }
    this.#times[engine] = [...this.#times[engine], time].slice(-compared);
  }

  async #open(): Promise<void> {
    try {
      const gpu = await this.#options.openGpu!();
      if (this.#hasGpu) this.#gpu = gpu;
      else gpu.close();
    } catch (error) {
      this.withoutGpu(` (the GPU failed: ${wordsOf(error)})`);
    }
  }
}

const middle = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1];

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
