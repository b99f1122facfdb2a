// What questions are asked of: two boxes that overlap, bodies of another scene, one that left, and things that have been closed.

import { type Body, identity, type Nearfield, open, type Scene, shapes } from 'nearfield';

export interface World {
  readonly nf: Nearfield;
  readonly scene: Scene;
  readonly a: Body;
  readonly b: Body;
  /** Of another scene; removed from this one. */
  readonly foreign: Body;
  readonly gone: Body;
  readonly closedScene: Scene;
  readonly closedNearfield: Nearfield;
  /** Where the bodies are and what they are made of. */
  readonly state: () => unknown;
}

export function shifted(x: number): Float64Array {
  const pose = identity();
  pose[12] = x;
  return pose;
}

export async function makeWorld(nf: Nearfield): Promise<World> {
  const scene = nf.scene();
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
