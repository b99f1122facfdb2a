// A tree whose leaves fall (the scene of Govindaraju, Lin and Manocha, figure 1): branches of 16,592 triangles and
// 150 leaves of 156, each bending in every step, 40,000 in total. Leaves pass through one another and through
// branches; the question is where.

import { type Nearfield, shapes } from 'nearfield';
import { type Found, find, type Moving, type Part } from '../sample.ts';
import { growTree } from './branches.ts';
import { Leaf } from './leaf.ts';

export interface LeavesOptions {
  readonly leaves?: number;
  /** How finely branches are divided: 1 gives 16,592 triangles. */
  readonly fineness?: number;
  readonly seed?: number;
}

const usualStep = 1 / 30;

export function createLeaves(nf: Nearfield, options: LeavesOptions = {}): Moving {
  const { leaves: count = 150, fineness = 1, seed = 1 } = options;
  const random = shapes.createRandom(seed);
  const { branches, buds } = growTree(random, fineness);
  const leaves = Array.from({ length: count }, () => new Leaf(buds[random.integer(buds.length)], random));
  const scene = nf.scene();
  const tree = scene.add(branches, { name: 'branches' });
  const bodies = leaves.map((leaf, i) => scene.add(leaf.meshAt(0), { name: `leaf ${i + 1}` }));
  let [steps, time] = [0, 0];
  const advance = (dt = usualStep): void => {
    time += dt;
    steps++;
    leaves.forEach((leaf, i) => {
      bodies[i].deform(leaf.place(time));
    });
  };
  return {
    name: 'leaves',
    scene,
    bodies: [tree, ...bodies],
    advance,
    async step(dt?: number): Promise<Found> {
      advance(dt);
      return find(scene, { step: steps, time });
    },
    parts: (): Part[] => [
      { name: tree.name, mesh: branches, pose: tree.pose },
      ...bodies.map(({ name, pose }, i) => ({ name, mesh: leaves[i].meshAt(time), pose })),
    ],
    close: () => scene.close(),
  };
}
