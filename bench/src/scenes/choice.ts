// Questions for which the CPU and a GPU take about as long, or of which one takes many times as long as the other: does `auto`
// choose well? Small bodies, short answers, long answers, and 100,000 boxes with half a million meeting pairs.

import { identity, type Mesh, mesh as meshOf, shapes } from 'nearfield';
import { type Case, movedTo, type Placement, type Question, type SceneFile, still } from '../case.ts';
import { shiftBy } from '../poses.ts';
import { movingBoxes } from './boxes.ts';
import { wall } from './exact/flush.ts';
import { bumpySphere, single } from './meshes/generated.ts';

export const choice: SceneFile = {
  name: 'choice',
  about: 'questions near the border between the backends, and far from it',
  caseCount: 16,
  seconds: { each: 20, peers: 0 },
  *cases(): Generator<Case> {
    const random = shapes.createRandom(3);
    const sphere = bumpySphere(10_000).mesh;
    const cube = single(shapes.box());
    const beside = [identity(), shiftBy(0.6, 0.1, 0.2)].map(pose => ({ mesh: sphere, pose }));
    const apart = [identity(), shiftBy(2.6, 0, 0)].map(pose => ({ mesh: sphere, pose }));
    const upon = [sphere, meshOf(sphere.positions, sphere.indices)].map(mesh => ({ mesh, pose: identity() }));
    const cubes = [identity(), shiftBy(0.5, 0.25, 0.125)].map(pose => ({ mesh: cube, pose }));
    const points = (count: number): Placement[] => {
      const around = Float32Array.from({ length: 3 * count }, () => random.between(-1.5, 1.5));
      return [sphere, meshOf(around, new Uint32Array(0))].map(mesh => ({ mesh, pose: identity() }));
    };
    const places = Array.from({ length: 2000 }, () => [0, 0, 0].map(() => random.between(0, 16)));
    const scattered = (mesh: Mesh, spread: number): Placement[] =>
      places.map(([x, y, z]) => ({ mesh, pose: shiftBy(spread * x, spread * y, spread * z) }));
    const ask = (name: string, question: Question, bodies: readonly Placement[]): Case => ({
      ...{ scene: 'choice', name, question, bodies, frames: still },
    });
    yield ask('2 boxes', 'pairs', cubes);
    yield ask('2 spheres of 10,000', 'pairs', beside);
    yield ask('2 spheres of 10,000', 'any', beside);
    yield ask('sphere of 10,000 upon itself', 'pairs', upon);
    yield { ...wall(8), scene: 'choice', question: 'pairs', frames: still };
    yield ask('2,000 boxes', 'pairs', scattered(cube, 1));
    yield ask('2,000 boxes', 'bodies', scattered(cube, 1));
    yield ask('2,000 boxes', 'clearance', scattered(cube, 2));
    const frames = [0, 0.3].map(shift =>
      movedTo(places.map(([x, y, z], i) => shiftBy(x + (i % 2) * shift, y, z))),
    );
    yield { ...ask('2,000 moving boxes', 'bodies', scattered(cube, 1)), frames };
    for (const count of [100, 10_000])
      yield ask(`10,000 triangles, ${count.toLocaleString('en')} points`, 'closest', points(count));
    yield ask('2 spheres of 10,000', 'distance', apart);
    yield ask('sphere of 10,000', 'self', [{ mesh: sphere, pose: identity() }]);
    const into = [apart[1].pose, shiftBy(1.8, 0.1, 0.2)].map(pose => movedTo([identity(), pose]));
    yield { ...ask('2 spheres of 10,000', 'motion', apart), frames: into };
    const crowd = movingBoxes('turned', 100_000, 7, crowdedSide);
    yield { ...crowd, scene: 'choice', name: '100,000 crowded boxes' };
    yield { ...crowd, scene: 'choice', name: '100,000 crowded boxes', question: 'pairs' };
  },
};

/** The side of the cube that 10,000 boxes move in, so that each meets ten others. */
const crowdedSide = 1.08 * 21.5443469;
