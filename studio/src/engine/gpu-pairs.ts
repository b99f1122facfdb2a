// Pairs on the GPU that three.js draws with. The main thread only asks and copies. The device finds triangles, and
// the worker decides the exact answer, because exact arithmetic and trees on the CPU may take long.

import { type Mesh, mesh, type Nearfield, narrow } from 'nearfield';
import { nearfieldOn } from './choose.ts';
import { PlacedScene } from './placed-scene.ts';
import type { BodyData, BodyId, FoundOnGpu, Limits, PairsAnswer, PairsQuestion, Tasks } from './types.ts';

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
    this.#scene.place(question.placed);
    const pairs = await narrow(this.#scene.scene, { signal, progress: half(0) });
    const bodies: BodyId[] = [];
    for (const [a, b] of pairs.candidates) bodies.push(this.#scene.idOf(a), this.#scene.idOf(b));
    const found = about(
      { bodies: Uint32Array.from(bodies), certain: pairs.certain, unsure: pairs.unsure },
      question,
    );
    return this.#tasks.pairs({ ...question, found }, { signal, progress: half(1) });
  }

  close(): void {
    this.#scene.scene.close();
  }
}

/** Drops the pairs that were not asked for. */
function about(found: FoundOnGpu, { only }: PairsQuestion): FoundOnGpu {
  if (only === undefined) return found;
  const { bodies, certain, unsure } = found;
  const wanted = new Set(only);
  const isAbout = (place: number) => wanted.has(bodies[2 * place]) || wanted.has(bodies[2 * place + 1]);
  const those = (records: Uint32Array) => {
    const out = new Uint32Array(records.length);
    let length = 0;
    for (let r = 0; r < records.length; r += 3) {
      if (!isAbout(records[r])) continue;
      out.set(records.subarray(r, r + 3), length);
      length += 3;
    }
    return out.subarray(0, length);
  };
  return { bodies, certain: those(certain), unsure: those(unsure) };
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
