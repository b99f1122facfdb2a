// Turns a moving sample into frames that contain only what changed since the last one.

import type { Part } from '@nearfield/samples';
import type { Body, Mesh } from 'nearfield';
import type { BodyId } from '../../engine/types.ts';
import type { Frame, SceneBody, SceneMesh } from '../types.ts';

/** The input of a frame. */
export interface Shown {
  readonly bodies: readonly Pick<Body, 'index'>[];
  parts(): (Part & Pick<SceneBody, 'colour'>)[];
}

export class Frames {
  readonly #meshes = new Map<Mesh, number>();
  /** The mesh that each body was last sent with. */
  readonly #sent = new Map<BodyId, Mesh>();

  next(shown: Shown): Frame {
    const parts = shown.parts();
    const { bodies } = shown;
    const meshes: SceneMesh[] = [];
    const added: SceneBody[] = [];
    const deformed: { id: BodyId; positions: Float32Array }[] = [];
    const poses = new Float64Array(16 * parts.length);
    const present = new Set<BodyId>();
    for (const [i, { mesh, pose, colour }] of parts.entries()) {
      const id = bodies[i].index;
      present.add(id);
      poses.set(pose, 16 * i);
      const before = this.#sent.get(id);
      if (before === mesh) continue;
      this.#sent.set(id, mesh);
      if (before === undefined) added.push({ id, mesh: this.#numberOf(mesh, meshes), colour });
      else deformed.push({ id, positions: Float32Array.from(mesh.positions) });
    }
    const removed = [...this.#sent.keys()].filter(id => !present.has(id));
    for (const id of removed) this.#sent.delete(id);
    return { meshes, added, removed, bodies: Uint32Array.from(present), poses, deformed };
  }

  #numberOf(mesh: Mesh, meshes: SceneMesh[]): number {
    let number = this.#meshes.get(mesh);
    if (number === undefined) {
      number = this.#meshes.size;
      this.#meshes.set(mesh, number);
      meshes.push({ positions: Float32Array.from(mesh.positions), indices: Uint32Array.from(mesh.indices) });
    }
    return number;
  }
}
