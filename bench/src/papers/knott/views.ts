// Future work of chapter 4: views that bodies share, and levels of detail.

import { shapes } from 'nearfield';
import { turnAbout } from '../../poses.ts';
import type { Cell, Exhibit, Findings, Lab } from '../paper.ts';

export const viewsExhibit: Exhibit = {
  name: 'Section 5.2, rays',
  title: 'views that bodies share, and levels of detail',
  about:
    'The published form draws all bodies into one view. Ours has a view per candidate or, where many candidates lie together, one that they share: here rods through one place, which nearly all are candidates of each other. The thesis names levels of detail and rays at the leaves of a hierarchy as future work: coarse boxes of a body’s tree reject candidates before rays are cast; here for rings, linked or apart.',
  needsGpu: true,
  run: views,
};

/** A random rotation, with the middle at random in a cube of twice this size. */
function randomPose(random: shapes.Random, within: number): Float64Array {
  const numbers = (size: number) => [0, 1, 2].map(() => random.between(-size, size));
  return turnAbout(numbers(1), random.between(0, 6), [0, 0, 0], numbers(within));
}

async function views(lab: Lab): Promise<Findings> {
  const resolution = lab.isSoftware ? 24 : 256;
  const shared: Cell[][] = [];
  let slowest = 0;
  for (const count of lab.isSoftware ? [8, 16, 32] : [8, 16, 32, 64, 128]) {
    // Twice the rods have four times the candidates.
    if (shared.length >= 3 && 4 * slowest > lab.left()) break;
    const random = shapes.createRandom(1);
    const rod = shapes.box({ size: [4, 0.12, 0.12] });
    const scene = lab.gpu!.scene();
    for (let i = 0; i < count; i++) scene.add(rod, { pose: randomPose(random, 0.5) });
    const ask = () => scene.sampledInterferences({ method: 'raycast', resolution });
    const began = performance.now();
    const answer = await ask();
    slowest = performance.now() - began;
    const [{ calm }] = await lab.measure(ask);
    const candidates = scene.candidates().length;
    shared.push([count, candidates, answer.raycast.tiles, answer.stats.triangleTests, answer.length, calm]);
    scene.close();
  }
  const random = shapes.createRandom(2);
  const ring = shapes.torus({ majorRadius: 1, minorRadius: 0.08, majorSegments: 24, minorSegments: 5 });
  const rings = lab.gpu!.scene();
  for (let i = 0; i < 14; i++) rings.add(ring, { pose: randomPose(random, 1.2) });
  const levels: Cell[][] = [];
  for (const level of [0, 1, 2, 4, 8]) {
    const ask = () => rings.sampledInterferences({ method: 'raycast', resolution, levels: level });
    const answer = await ask();
    const [{ calm }] = await lab.measure(ask);
    levels.push([level, rings.candidates().length, answer.raycast.rejected ?? 0, answer.length, calm]);
  }
  rings.close();
  return {
    tables: [
      {
        title: 'Rods through one place',
        heads: ['rods', 'candidates', 'views', 'triangles in them', 'pairs found', 'milliseconds'],
        rows: shared,
      },
      {
        title: 'Fourteen rings: levels of detail',
        heads: ['levels', 'candidates', 'rejected before any ray', 'pairs found', 'milliseconds'],
        rows: levels,
      },
    ],
    notes: [`Pictures have ${resolution} pixels along their longer side.`],
  };
}
