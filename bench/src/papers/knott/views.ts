// Future work of chapter 4: views that bodies share, and levels of detail.

import { shapes } from 'nearfield';
import { turnAbout } from '../../poses.ts';
import type { Cell, Exhibit, Findings, Lab } from '../paper.ts';

export const viewsExhibit: Exhibit = {
  name: 'Section 5.2, rays',
  title: 'views that bodies share, and levels of detail',
  about:
    'The published form draws all bodies into one view. Ours has a view per candidate or, where many candidates lie together, one that they share: here rods through one place, which nearly all are candidates of each other. The thesis names levels of detail and rays at the leaves of a hierarchy as future work: boxes around parts of each body reject candidates before rays are cast, and narrow the views of the others to where those boxes meet; here for rings, linked or apart. The exact pairs beside them are those of the CPU.',
  needsGpu: true,
  run: views,
};

/** A random rotation, with the middle at random in a cube of twice this size. */
function randomPose(random: shapes.Random, within: number): Float64Array {
  const numbers = (size: number) => [0, 1, 2].map(() => random.between(-size, size));
  return turnAbout(numbers(1), random.between(0, 6), [0, 0, 0], numbers(within));
}

/** How many numbers of rods are asked about, however little time is left for the page. */
const fewestCounts = 3;

async function views(lab: Lab): Promise<Findings> {
  const resolution = lab.isSoftware ? 24 : 256;
  const shared: Cell[][] = [];
  const counts = lab.isSoftware ? [8, 16, 32] : [8, 16, 32, 64, 128];
  let slowest = 0;
  for (const count of counts) {
    // Twice the rods have four times the candidates.
    if (shared.length >= fewestCounts && 4 * slowest > lab.left()) break;
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
  const exactRings = lab.cpu.scene();
  for (const { mesh, pose } of rings.bodies) exactRings.add(mesh, { pose });
  const exact = exactRings.interferencesSync({ detail: 'any' }).length;
  exactRings.close();
  const levels: Cell[][] = [];
  let mayMissBelow = 0;
  for (const level of [0, 1, 2, 4, 8]) {
    const ask = () => rings.sampledInterferences({ method: 'raycast', resolution, levels: level });
    const answer = await ask();
    const [{ calm }] = await lab.measure(ask);
    const { rejected = 0, narrowed = 0, tiles, recast, pixel } = answer.raycast;
    mayMissBelow = Math.max(mayMissBelow, answer.mayMissBelow);
    levels.push([
      ...[level, rings.candidates().length, rejected, narrowed, tiles, pixel, recast],
      ...[answer.length, exact, calm],
    ]);
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
        heads: [
          'levels',
          'candidates',
          'rejected before any ray',
          'views narrowed',
          'views',
          'width of a pixel',
          'rays cast exactly',
          'pairs found',
          'exact pairs',
          'milliseconds',
        ],
        rows: levels,
      },
    ],
    notes: [
      `Pictures have ${resolution} pixels along their longer side.`,
      `The tube of a ring is 0.16 thick. What two rings have in common may be missed if no ball larger than ${mayMissBelow.toPrecision(2)} fits in it, which is stated with every answer (\`mayMissBelow\`). Whether so thin a common part is found depends on where the rays fall, so the number of pairs found may differ from row to row.`,
      ...(shared.length < counts.length
        ? [
            `Left out: ${counts.slice(shared.length).join(', ')} rods. More time was expected than the page had left.`,
          ]
        : []),
    ],
  };
}
