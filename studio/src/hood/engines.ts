// Chooses the engine to ask: the worker for methods that the CPU can replay, the GPU shared with three.js for methods
// that draw. Without a GPU, the worker draws them.

import { mesh, type Scene } from 'nearfield';
import { nearfieldOn } from '../engine/pairs/choose.ts';
import type { Limits } from '../engine/types.ts';
import { Caller, type Port } from '../engine/worker/channel.ts';
import { fieldViews } from './methods/field.ts';
import { hierarchyViews } from './methods/hierarchy.ts';
import { cpuLayersViews, layersViews } from './methods/layers.ts';
import type { MethodName } from './methods/list.ts';
import { edgesViews, raycastViews } from './methods/raycast.ts';
import { visibilityViews } from './methods/visibility.ts';
import {
  type HoodTasks,
  type MakeStep,
  type PairName,
  resolution,
  type Two,
  type WorkerSteps,
} from './types.ts';

export class HoodEngines {
  readonly #worker: Worker;
  readonly #tasks: HoodTasks;
  readonly #device: GPUDevice | undefined;
  readonly #closing = new AbortController();

  constructor(device: GPUDevice | undefined) {
    this.#device = device;
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'hood' });
    const caller = new Caller(this.#worker as Port);
    this.#worker.addEventListener('error', event =>
      caller.fail(event.message || 'the worker could not be started'),
    );
    this.#tasks = {
      prepare: (name, limits) => this.#untilClosed(caller.call('prepare', name, limits)),
      steps: (what, limits) => this.#untilClosed(caller.call('steps', what, limits)),
    };
  }

  prepare(name: PairName, limits: Limits): Promise<Two> {
    return this.#tasks.prepare(name, limits);
  }

  async steps(two: Two, method: MethodName, limits: Limits): Promise<MakeStep[]> {
    if (method === 'hierarchy' || method === 'field' || this.#device === undefined)
      return stepsOf(await this.#tasks.steps({ two, method }, limits), two);
    return this.#onGpu(two, async (scene, bodies) => {
      const options = { resolution, ...limits };
      // A stays A, even if the other order would decide more lines: it is easier to follow.
      if (method === 'layers')
        return layersViews(await scene.steps(bodies, { method, algorithm: 'extended', ...options }));
      if (method === 'raycast') return raycastViews(await scene.steps(bodies, { method, ...options }));
      return visibilityViews(await scene.steps(bodies, { method, ...options }), two);
    });
  }

  close(): void {
    this.#closing.abort();
    this.#worker.terminate();
  }

  /** A worker that was ended gives no more answers. */
  #untilClosed<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const { signal } = this.#closing;
      const end = () => reject(signal.reason);
      signal.addEventListener('abort', end, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
    });
  }

  async #onGpu(
    two: Two,
    ask: (scene: Scene, bodies: Parameters<Scene['steps']>[0]) => Promise<MakeStep[]>,
  ): Promise<MakeStep[]> {
    const nf = await nearfieldOn(this.#device!);
    if (this.#closing.signal.aborted) return [];
    const scene = nf.scene();
    const [a, b] = two.map(({ name, positions, indices, pose }) =>
      scene.add(mesh(positions, indices), { name, pose }),
    );
    try {
      return await ask(scene, [a, b]);
    } finally {
      scene.close();
    }
  }
}

/** The steps of what the worker found. */
function stepsOf(found: WorkerSteps, two: Two): MakeStep[] {
  switch (found.method) {
    case 'field':
      return fieldViews(found);
    case 'hierarchy':
      return hierarchyViews(found, two);
    case 'layers':
      return cpuLayersViews(found);
    case 'raycast':
      return edgesViews(found.picture, found.picture?.others.some(count => count > 0) ?? false);
    case 'visibility':
      return visibilityViews(found, two);
  }
}
