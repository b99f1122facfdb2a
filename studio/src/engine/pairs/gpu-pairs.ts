// Pairs on the GPU that three.js draws with. The main thread only asks and copies. The device finds triangles, and
// the worker decides the exact answer, because exact arithmetic and trees on the CPU may take long.

import { type Mesh, mesh, type Nearfield, narrow } from 'nearfield';
import type { PairsAnswer, PairsQuestion } from '../review/types.ts';
import type { BodyData, BodyId, Limits, Tasks } from '../types.ts';
import { PlacedScene } from '../worker/placed-scene.ts';
import { nearfieldOn } from './choose.ts';

export class GpuPairs {
  readonly #tasks: Tasks;
  readonly #scene: PlacedScene;

  private constructor(nf: Nearfield, tasks: Tasks, meshes: KnownMeshes) {
    this.#tasks = tasks;
    this.#scene = new PlacedScene(nf, id => meshes.get(id));
  }

  static async open(device: GPUDevice, tasks: Tasks, meshes: KnownMeshes): Promise<GpuPairs> {
    return new GpuPairs(await nearfieldOn(device), tasks, meshes);
  }

  async ask(question: PairsQuestion, { signal, progress }: Limits): Promise<PairsAnswer> {
    const half = (part: number) => (done: number) => progress?.((part + done) / 2);
    this.#scene.place(question.assembly.placed);
    const { candidates, certain, unsure } = await narrow(this.#scene.scene, { signal, progress: half(0) });
    const bodies: BodyId[] = [];
    for (const [a, b] of candidates) bodies.push(this.#scene.idOf(a), this.#scene.idOf(b));
    const found = { bodies: Uint32Array.from(bodies), certain, unsure };
    return this.#tasks.pairs({ ...question, found }, { signal, progress: half(1) });
  }

  close(): void {
    this.#scene.close();
  }
}

/** Meshes of the bodies that were read, created when a GPU is first asked about them. */
export class KnownMeshes {
  readonly #data = new Map<BodyId, Pick<BodyData, 'positions' | 'indices'>>();
  readonly #meshes = new Map<BodyId, Mesh>();

  add(bodies: readonly BodyData[]): void {
    for (const { id, positions, indices } of bodies) this.#data.set(id, { positions, indices });
  }

  get(id: BodyId): Mesh | undefined {
    const data = this.#data.get(id);
    if (data && !this.#meshes.has(id)) this.#meshes.set(id, mesh(data.positions, data.indices));
    return this.#meshes.get(id);
  }

  forget(ids: Iterable<BodyId>): void {
    for (const id of ids) {
      this.#data.delete(id);
      this.#meshes.delete(id);
    }
  }
}
