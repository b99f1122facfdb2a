// Runs the cases one by one on this machine: on the processor in a worker, and on the GPU that the page draws with.

import { nearfieldOn } from '../engine/choose.ts';
import type { Limits, Tasks } from '../engine/types.ts';
import { caseOf, measureCase } from './measure.ts';
import type { Times } from './types.ts';

export type Kind = 'cpu' | 'gpu';

export interface Plan {
  readonly keys: readonly string[];
  readonly kinds: readonly Kind[];
  /** Milliseconds for each case and engine, about. */
  readonly time: number;
}

/** What is told of a run as it goes. */
export interface Told {
  begins(key: string, kind: Kind, place: string): void;
  found(key: string, kind: Kind, times: Times): void;
}

export class Runner {
  readonly #tasks: Tasks;
  readonly #device: GPUDevice | undefined;

  constructor(tasks: Tasks, device: GPUDevice | undefined) {
    this.#tasks = tasks;
    this.#device = device;
  }

  async run({ keys, kinds, time }: Plan, told: Told, { signal, progress }: Limits): Promise<void> {
    const steps = keys.flatMap(key => kinds.map(kind => ({ key, kind })));
    for (const [i, { key, kind }] of steps.entries()) {
      const limits = { signal, progress: (done: number) => progress?.((i + done) / steps.length) };
      told.begins(key, kind, `${i + 1} of ${steps.length}`);
      if (kind === 'cpu') told.found(key, kind, await this.#tasks.benchMeasure({ key, time }, limits));
      else {
        const nf = await nearfieldOn(this.#device!);
        const job = caseOf(await this.#tasks.benchCase(key, limits));
        told.found(key, kind, await measureCase(nf, job, time, limits));
      }
    }
  }

  /** What asks on this machine, in words. */
  async names(kinds: readonly Kind[]): Promise<Partial<Record<Kind, string>>> {
    return {
      ...(kinds.includes('cpu') && { cpu: await this.#tasks.hello() }),
      ...(kinds.includes('gpu') && { gpu: (await nearfieldOn(this.#device!)).name }),
    };
  }
}
