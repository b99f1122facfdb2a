// Runs the cases one by one on this machine: on the processor in a worker, and on the GPU that the page draws with.

import { type Nearfield, open } from 'nearfield';
import { pageCases } from 'nearfield-bench/page';
import { Caller, type Port } from '../engine/channel.ts';
import type { Limits } from '../engine/types.ts';
import { caseOf, measureCase } from './measure.ts';
import type { BenchTasks, CaseData, MeasureQuestion, Times } from './types.ts';

export type Kind = 'cpu' | 'gpu';

export interface Plan {
  readonly keys: readonly string[];
  readonly kinds: readonly Kind[];
  /** Milliseconds for each case and engine, about. */
  readonly time: number;
}

export type Told = (key: string, kind: Kind, times: Times) => void;

export class Runner {
  readonly #device: GPUDevice | undefined;
  #worker: Worker | undefined;
  #tasks: BenchTasks | undefined;
  #gpu: Promise<Nearfield> | undefined;

  constructor(device: GPUDevice | undefined) {
    this.#device = device;
  }

  async run({ keys, kinds, time }: Plan, told: Told, { signal, progress }: Limits): Promise<void> {
    const tasks = this.#open();
    const steps = keys.flatMap(key => kinds.map(kind => ({ key, kind })));
    for (const [i, { key, kind }] of steps.entries()) {
      const limits = { signal, progress: (done: number) => progress?.((i + done) / steps.length) };
      if (kind === 'cpu') told(key, kind, await tasks.measure({ key, time }, limits));
      else {
        const nf = await this.#openGpu();
        told(key, kind, await measureCase(nf, caseOf(await tasks.make(key, limits)), time, limits));
      }
    }
  }

  /** What asks on this machine, in words. */
  async names(kinds: readonly Kind[]): Promise<Partial<Record<Kind, string>>> {
    return {
      ...(kinds.includes('cpu') && { cpu: await this.#open().hello() }),
      ...(kinds.includes('gpu') && { gpu: (await this.#openGpu()).name }),
    };
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = this.#tasks = undefined;
    void this.#gpu?.then(nf => nf.close());
    this.#gpu = undefined;
  }

  #open(): BenchTasks {
    if (this.#tasks) return this.#tasks;
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), {
      type: 'module',
      name: 'benchmarks',
    });
    const caller = new Caller(this.#worker as Port);
    this.#worker.addEventListener('error', event => {
      caller.fail(`the worker of the benchmarks has ended: ${event.message}`);
      this.close();
    });
    this.#tasks = {
      hello: () => caller.call('hello', undefined),
      make: (key: string, limits?: Limits) => caller.call<CaseData>('make', key, limits),
      measure: (question: MeasureQuestion, limits?: Limits) =>
        caller.call<Times>('measure', question, limits),
    };
    return this.#tasks;
  }

  #openGpu(): Promise<Nearfield> {
    this.#gpu ??= open({ device: this.#device! });
    return this.#gpu;
  }
}

export { pageCases };
