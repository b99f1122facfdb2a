// A scene on the GPU that the page shares with three.js. It mirrors the worker's scene frame by frame, and gets the
// same questions.

import { type Body, type Mesh, mesh, type Nearfield } from 'nearfield';
import { nearfieldOn } from '../engine/pairs/choose.ts';
import type { BodyId } from '../engine/types.ts';
import { askScene } from './questions.ts';
import type { Found, Frame, PageEngine, SceneName, Settings } from './types.ts';

export class Mirror implements PageEngine {
  readonly #name: SceneName;
  readonly #scene;
  readonly #meshes: Mesh[] = [];
  readonly #bodies = new Map<BodyId, Body>();
  readonly #ids = new Map<Body, BodyId>();

  private constructor(name: SceneName, nf: Nearfield) {
    this.#name = name;
    this.#scene = nf.scene();
  }

  static async create(device: GPUDevice, name: SceneName): Promise<Mirror> {
    return new Mirror(name, await nearfieldOn(device));
  }

  apply({ meshes, added, removed, bodies, poses, deformed }: Frame): void {
    for (const { positions, indices } of meshes) this.#meshes.push(mesh(positions, indices));
    for (const id of removed) {
      const body = this.#bodies.get(id)!;
      this.#scene.remove(body);
      this.#bodies.delete(id);
      this.#ids.delete(body);
    }
    for (const { id, mesh } of added) {
      const body = this.#scene.add(this.#meshes[mesh], { name: `body ${id}` });
      this.#bodies.set(id, body);
      this.#ids.set(body, id);
    }
    this.#scene.setPoses(
      poses,
      Array.from(bodies, id => this.#bodies.get(id)!),
    );
    for (const { id, positions } of deformed) this.#bodies.get(id)!.deform(positions);
  }

  ask(settings: Settings): Promise<Found> {
    const asked = {
      scene: this.#scene,
      bodies: [...this.#bodies.values()],
      idOf: (body: Body) => this.#ids.get(body)!,
    };
    return askScene(this.#name, asked, settings);
  }

  close(): void {
    this.#scene.close();
  }
}
