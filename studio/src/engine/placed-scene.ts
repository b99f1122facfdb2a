// A scene that gets the full list of bodies and poses with every question, and applies only what changed since the
// last one. The same for both backends.

import { type Body, type Mesh, type Nearfield, NearfieldError, type Scene } from 'nearfield';
import type { BodyId, Placement } from './types.ts';

export class PlacedScene {
  readonly scene: Scene;
  readonly #meshOf: (id: BodyId) => Mesh | undefined;
  readonly #bodies = new Map<BodyId, Body>();
  /** Keeps bodies that were removed, because pending questions still refer to them. */
  readonly #ids = new WeakMap<Body, BodyId>();

  constructor(nf: Nearfield, meshOf: (id: BodyId) => Mesh | undefined) {
    this.scene = nf.scene();
    this.#meshOf = meshOf;
  }

  /** Makes the scene hold these bodies, at these poses, and no others. */
  place(placed: readonly Placement[]): void {
    const wanted = new Set(placed.map(({ id }) => id));
    for (const [id, body] of this.#bodies) {
      if (wanted.has(id)) continue;
      this.scene.remove(body);
      this.#bodies.delete(id);
    }
    const moved: Body[] = [];
    const poses: number[] = [];
    for (const { id, pose } of placed) {
      const body = this.#bodies.get(id);
      if (body === undefined) {
        this.#add(id, pose);
        continue;
      }
      if (isSame(body.pose, pose)) continue;
      moved.push(body);
      poses.push(...pose);
    }
    if (moved.length > 0) this.scene.setPoses(poses, moved);
  }

  body(id: BodyId): Body {
    const body = this.#bodies.get(id);
    if (body === undefined) throw new NearfieldError('closed', `body ${id} is not in the scene`);
    return body;
  }

  idOf(body: Body): BodyId {
    return this.#ids.get(body)!;
  }

  #add(id: BodyId, pose: Float64Array): void {
    const mesh = this.#meshOf(id);
    if (mesh === undefined) throw new NearfieldError('closed', `there is no body ${id}`);
    const body = this.scene.add(mesh, { pose });
    this.#bodies.set(id, body);
    this.#ids.set(body, id);
  }
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < 16; i++) if (a[i] !== b[i]) return false;
  return true;
}
