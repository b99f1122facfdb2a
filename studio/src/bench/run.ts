// Runs the cases one by one on this machine: on the CPU in a worker, and on the GPU that draws the page.

import { pageCases } from 'nearfield-bench/page';
import { nearfieldOn } from '../engine/pairs/choose.ts';
import type { Limits, Tasks } from '../engine/types.ts';
import { caseOf, measureCase } from './measure.ts';
import type { Times } from './types.ts';

export type Kind = 'cpu' | 'gpu';

export interface Plan {
  readonly keys: readonly string[];
  readonly kinds: readonly Kind[];
  /** Approximate milliseconds per case and engine. */
  readonly time: number;
}

/** Which case runs on which engine. GPU methods do not run on the CPU. */
export function stepsOf({ keys, kinds }: Plan): { readonly key: string; readonly kind: Kind }[] {
  const gpuOnly = new Set(pageCases.filter(({ needsGpu }) => needsGpu).map(({ key }) => key));
  return keys.flatMap(key =>
    kinds.filter(kind => kind === 'gpu' || !gpuOnly.has(key)).map(kind => ({ key, kind })),
  );
}

/** Receives the progress of a run. */
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

  async run(plan: Plan, told: Told, { signal, progress }: Limits): Promise<void> {
    const { time } = plan;
    const steps = stepsOf(plan);
    for (const [i, { key, kind }] of steps.entries()) {
      const limits = { signal, progress: (done: number) => progress?.((i + done) / steps.length) };
      told.begins(key, kind, `${i + 1} of ${steps.length}`);
      if (kind === 'cpu') told.found(key, kind, await this.#tasks.benchMeasure({ key, time }, limits));
      else {
        const nf = await nearfieldOn(this.#device!);
        const job = caseOf(await this.#tasks.benchCase(key, limits));
        signal?.throwIfAborted();
        told.found(key, kind, await measureCase(nf, job, time, limits));
      }
    }
  }

  /** The engines of this machine, in words. */
  async names(kinds: readonly Kind[]): Promise<Partial<Record<Kind, string>>> {
    return {
      ...(kinds.includes('cpu') && { cpu: await this.#tasks.hello() }),
      ...(kinds.includes('gpu') && { gpu: (await nearfieldOn(this.#device!)).name }),
    };
  }
}
