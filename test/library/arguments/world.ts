// The objects that questions are asked of: two boxes that overlap, bodies of another scene, a removed body, and
// closed objects.

import { type Body, type CpuNearfield, identity, type Nearfield, open, type Scene, shapes } from 'nearfield';

export interface World<N extends Nearfield = Nearfield> {
  readonly nf: N;
  readonly scene: ReturnType<N['scene']>;
  readonly a: Body;
  readonly b: Body;
  /** A body of another scene, and one removed from this scene. */
  readonly foreign: Body;
  readonly gone: Body;
  readonly closedScene: Scene;
  readonly closedNearfield: CpuNearfield;
  /** Where the bodies are and what they are made of. */
  readonly state: () => unknown;
}

export function shifted(x: number): Float64Array {
  const pose = identity();
  pose[12] = x;
  return pose;
}

/** On the CPU backend, or on a GPU. */
export async function makeWorld<N extends Nearfield>(nf: N): Promise<World<N>> {
  const scene = nf.scene() as ReturnType<N['scene']>;
  const a = scene.add(shapes.box(), { name: 'first', group: 'g' });
  const b = scene.add(shapes.box(), { name: 'second', pose: shifted(0.5) });
  const gone = scene.add(shapes.box(), { name: 'gone' });
  scene.remove(gone);
  const foreign = nf.scene().add(shapes.box(), { name: 'foreign' });
  const closedScene = nf.scene();
  closedScene.close();
  const closedNearfield = await open({ backend: 'cpu' });
  closedNearfield.close();
  const state = () => scene.bodies.map(({ index, name, pose, solid }) => [index, name, [...pose], solid]);
  return { nf, scene, a, b, foreign, gone, closedScene, closedNearfield, state };
}
