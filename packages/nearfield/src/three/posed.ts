// Bodies that follow objects of three.js: `update` moves only the bodies whose objects moved since the last call.

import type { Body, Scene } from 'nearfield';
import type { Object3D } from 'three';
import { aCount, checkBody, checkObject, checkScene } from './arguments.ts';
import { isPosedByVertex, poseOf, vertexPositions } from './placement.ts';

/** Which body follows which object. */
export interface Posed {
  /**
   * Lets a body follow an object, or one instance of an InstancedMesh (from 0). Throws 'bad-option' for a wrong
   * argument.
   */
  add(body: Body, object: Object3D, instance?: number): void;
  /** Lets a body follow no object any more. It stays where it is. */
  remove(body: Body): void;
  /**
   * Call it before a question, after three.js has moved objects. Returns the bodies that moved. Throws 'bad-pose' for a
   * singular matrix, 'closed' if a body was removed from its scene.
   */
  update(): Body[];
  /** The object that a body follows; undefined if it follows none. */
  objectOf(body: Body): Object3D | undefined;
  /** The body that follows an object, or one instance of it; undefined if there is none. */
  bodyOf(object: Object3D, instance?: number): Body | undefined;
}

/**
 * Keeps the bodies of a scene at their objects. There is one per scene: a second call returns the same. Throws 'bad-option'
 * for what is not a scene.
 */
export function keepPosed(scene: Scene): Posed {
  checkScene(scene);
  let posed = ofScene.get(scene);
  if (posed === undefined) {
    posed = new Following(scene);
    ofScene.set(scene, posed);
  }
  return posed;
}

/** The keeper of each scene, if it has one. */
export function posedOf(scene: Scene): Posed | undefined {
  return ofScene.get(scene);
}

const ofScene = new WeakMap<Scene, Posed>();

interface Link {
  readonly body: Body;
  readonly object: Object3D;
  readonly instance: number | undefined;
  /** Its last world matrix, and its vertices if three.js moves those. */
  pose: Float64Array;
  positions: ArrayLike<number> | undefined;
}

class Following implements Posed {
  readonly #scene: Scene;
  readonly #links = new Map<Body, Link>();
  readonly #bodies = new WeakMap<Object3D, Map<number, Body>>();

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  add(body: Body, object: Object3D, instance?: number): void {
    checkBody(body);
    checkObject(object);
    if (instance !== undefined) aCount(instance, 'instance');
    const positions = isPosedByVertex(object) ? body.mesh.positions : undefined;
    this.#links.set(body, { body, object, instance, pose: body.pose, positions });
    const instances = this.#bodies.get(object) ?? new Map<number, Body>();
    this.#bodies.set(object, instances.set(instance ?? -1, body));
  }

  remove(body: Body): void {
    checkBody(body);
    const link = this.#links.get(body);
    if (link) this.#bodies.get(link.object)?.delete(link.instance ?? -1);
    this.#links.delete(body);
  }

  update(): Body[] {
    const moved = new Set<Body>();
    const placed: Link[] = [];
    for (const link of this.#links.values()) {
      const { object, body, instance } = link;
      object.updateWorldMatrix(true, false);
      const pose = poseOf(object, instance);
      if (differs(pose, link.pose)) {
        link.pose = Float64Array.from(pose);
        placed.push(link);
        moved.add(body);
      }
      if (link.positions === undefined || !isPosedByVertex(object)) continue;
      const positions = vertexPositions(object);
      if (!differs(positions, link.positions)) continue;
      body.deform(positions);
      link.positions = positions;
      moved.add(body);
    }
    const poses = new Float64Array(16 * placed.length);
    placed.forEach(({ pose }, i) => {
      poses.set(pose, 16 * i);
    });
    if (placed.length > 0) {
      this.#scene.setPoses(
        poses,
        placed.map(({ body }) => body),
      );
    }
    return [...moved];
  }

  objectOf(body: Body): Object3D | undefined {
    checkBody(body);
    return this.#links.get(body)?.object;
  }

  bodyOf(object: Object3D, instance?: number): Body | undefined {
    checkObject(object);
    if (instance !== undefined) aCount(instance, 'instance');
    return this.#bodies.get(object)?.get(instance ?? -1);
  }
}

function differs(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return true;
  return false;
}
