// A scene that gets the full list of bodies and poses with every question, and applies only what changed since the
// last one. The index of a body in the scene is its place in that list. The same for both backends.

import { type Body, type Mesh, type Nearfield, NearfieldError, type Scene } from 'nearfield';
import type { BodyId, Placed } from '../types.ts';

export class PlacedScene {
  readonly #nf: Nearfield;
  readonly #meshOf: (id: BodyId) => Mesh | undefined;
  #scene: Scene;
  #ids = new Uint32Array(0);
  #bodies: Body[] = [];

  constructor(nf: Nearfield, meshOf: (id: BodyId) => Mesh | undefined) {
    this.#nf = nf;
    this.#scene = nf.scene();
    this.#meshOf = meshOf;
  }

  get scene(): Scene {
    return this.#scene;
  }

  /** In the order of the list. */
  get bodies(): readonly Body[] {
    return this.#bodies;
  }

  /** Makes the scene hold these bodies, at these poses, and no others. */
  place({ ids, poses }: Placed): void {
    // Indices are never reused, so a list that does not begin like the last one needs a scene of its own.
    if (!this.#ids.every((id, i) => id === ids[i])) {
      this.#scene.close();
      this.#scene = this.#nf.scene();
      this.#bodies = [];
      this.#ids = new Uint32Array(0);
    }
    const moved: Body[] = [];
    const to: Float64Array[] = [];
    this.#bodies.forEach((body, i) => {
      const pose = poses.subarray(16 * i, 16 * i + 16);
      if (isSame(body.pose, pose)) return;
      moved.push(body);
      to.push(pose);
    });
    if (moved.length > 0) {
      const all = new Float64Array(16 * moved.length);
      for (const [i, pose] of to.entries()) all.set(pose, 16 * i);
      this.#scene.setPoses(all, moved);
    }
    for (let i = this.#bodies.length; i < ids.length; i++) {
      const mesh = this.#meshOf(ids[i]);
      if (mesh === undefined) throw new NearfieldError('closed', `there is no body ${ids[i]}`);
      this.#bodies.push(this.#scene.add(mesh, { pose: poses.slice(16 * i, 16 * i + 16) }));
    }
    this.#ids = ids.slice();
  }

  idOf({ index }: Body): BodyId {
    return this.#ids[index];
  }

  close(): void {
    this.#scene.close();
  }
}

export function isSame(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < 16; i++) if (a[i] !== b[i]) return false;
  return true;
}
