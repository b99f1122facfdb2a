// Who is asked for pairs: the worker, or the GPU that three.js draws with. Both give the same list. Which is quicker depends on the
// machine and on the models (for a few thousand triangles the way to a GPU and back is most of it), so it is measured: each in
// turn for a few questions, then the one that takes less time, and the other again now and then.

import type { Limits, PairsAnswer, PairsQuestion } from './types.ts';

type Engine = PairsAnswer['backend'];

/** Of each engine the last few answers are compared. The first of new bodies builds their trees, and does not count. */
const compared = 3;
/** So many questions later the slower one is asked again. */
const again = 50;

/** Answers on a GPU. */
export interface GpuAsker {
  ask(question: PairsQuestion, limits: Limits): Promise<PairsAnswer>;
  close(): void;
}

export interface PairsOptions {
  /** Answers in the worker. */
  readonly askWorker: (question: PairsQuestion, limits: Limits) => Promise<PairsAnswer>;
  /** Where there is a GPU that may be asked. */
  readonly openGpu: (() => Promise<GpuAsker>) | undefined;
  /** Whether it is asked for by name: then it answers alone. */
  readonly isAsked: boolean;
  /** Called where `words` are others now. */
  readonly changed: () => void;
}

export class Pairs {
  readonly #options: PairsOptions;
  #gpu: GpuAsker | undefined;
  #opening: Promise<void> | undefined;
  #hasGpu: boolean;
  #why = '';
  /** The bodies that the times are of. */
  #bodies = '';
  /** Who has been asked about them. */
  readonly #known = new Set<Engine>();
  #times: Record<Engine, number[]> = { cpu: [], gpu: [] };
  #count = 0;
  #last: Engine = 'cpu';

  constructor(options: PairsOptions) {
    this.#options = options;
    this.#hasGpu = options.openGpu !== undefined;
  }

  /** Who answers, and why. */
  words(processor: string): string {
    const worker = `${processor} in a worker`;
    if (!this.#hasGpu) return `${worker}${this.#why}`;
    const times = this.#compared;
    if (this.#options.isAsked) return `Pairs on the GPU, the rest on ${worker}`;
    if (times === undefined) return `Pairs on the GPU or on ${worker}, whichever is quicker`;
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

  /** Milliseconds that either takes, once both have been asked. */
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
      this.withoutGpu(` (the GPU cannot be asked: ${wordsOf(error)})`);
      return askWorker(question, limits);
    }
  }

  /** Whose turn it is. A GPU whose programs are not compiled yet is not waited for, unless it is asked for by name. */
  async #next({ placed }: PairsQuestion): Promise<Engine> {
    if (!this.#hasGpu || placed.length < 2) return 'cpu';
    this.#opening ??= this.#open();
    if (this.#options.isAsked) {
      await this.#opening;
      return this.#hasGpu ? 'gpu' : 'cpu';
    }
    if (this.#gpu === undefined) return 'cpu';
    const bodies = placed.map(({ id }) => id).join();
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
      this.withoutGpu(` (the GPU cannot be asked: ${wordsOf(error)})`);
    }
  }
}

const middle = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1];

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
