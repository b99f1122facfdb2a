// A large assembly of small parts, each many times: boxes, balls, screws and washers on a grid, turned at random. Each part
// touches or crosses about five others. The questions are those of `nearfield check`: which parts meet, their relations, a
// common point per pair, and which others are closer than a clearance.

import { type Mesh, shapes } from 'nearfield';
import { type Case, movedTo, type Placement, type SceneFile } from '../case.ts';
import { shiftBy, turnAbout } from '../poses.ts';
import { single } from './meshes/generated.ts';

/** Parts closer than this, in units of the grid, are too close. */
export const assemblyClearance = 0.05;

export const assembly: SceneFile = {
  name: 'assembly',
  about: '5,000 parts of an assembly: pairs and relations, then also common points, then also clearances',
  caseCount: 3,
  seconds: { each: 20, peers: 0 },
  *cases(): Generator<Case> {
    const bodies = assemblyParts(5_000);
    const frames = [movedTo(bodies.map(({ pose }) => pose))];
    for (const question of ['relations', 'points', 'check'] as const) {
      yield { scene: 'assembly', name: '5,000 parts', question, bodies, frames };
    }
  },
};

/** The parts, in order of their places on the grid. */
export function assemblyParts(count: number, seed = 19): Placement[] {
  const random = shapes.createRandom(seed);
  const kinds = partKinds();
  let side = 1;
  while (side * side * side < count) side++;
  return Array.from({ length: count }, (_, i) => {
    const place = [i % side, Math.floor(i / side) % side, Math.floor(i / (side * side))];
    // Every fifth part is a cube along the axes, which lies flat on its like.
    if (random.integer(5) === 0) return { mesh: kinds[0], pose: shiftBy(place[0], place[1], place[2]) };
    const mesh = kinds[1 + random.integer(kinds.length - 1)];
    const shift = place.map(x => x + random.between(-0.1, 0.1));
    const pose = turnAbout(random.direction(), random.between(0, 6), [0, 0, 0], shift).map(Math.fround);
    return { mesh, pose };
  });
}

/** A unit cube first. All are about as large as a step of the grid. */
function partKinds(): Mesh[] {
  const screw: [number, number][] = [
    [0, -0.7],
    [0.12, -0.7],
    [0.18, -0.6],
    [0.18, 0.4],
    [0.35, 0.4],
    [0.35, 0.65],
    [0, 0.65],
  ];
  return [
    shapes.box(),
    shapes.box({ size: [1.1, 0.8, 0.9] }),
    shapes.icosphere({ radius: 0.56, frequency: 4 }),
    shapes.revolve({ profile: screw, segments: 16 }),
    shapes.torus({ majorRadius: 0.45, minorRadius: 0.14, majorSegments: 20, minorSegments: 10 }),
    shapes.cylinder({ radius: 0.45, height: 1.1 }),
  ].map(single);
}
