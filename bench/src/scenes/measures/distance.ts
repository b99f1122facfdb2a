// Distances. Two copies of a model of about 70,000 triangles, the second rotated by 20°, at gaps of a thousandth, 5 %
// and 50 % of the box; which of 10,000 rotated boxes are closer to each other than a tenth of their size; and the
// nearest points for 100,000 points around one model, its first and all triangles on 100,000 rays, and its triangles in 100,000 boxes and
// spheres.

import { identity, mesh, shapes } from 'nearfield';
import type { Case, SceneFile } from '../../case.ts';
import { regionSize, still } from '../../case.ts';
import { movingBoxes } from '../boxes.ts';
import { extent, type Model, overlapping, touchingShares } from '../meshes/generated.ts';
import { pairModels } from '../meshes/models.ts';

const gaps: readonly (readonly [name: string, share: number])[] = [
  ['0.1 % gap', 0.001],
  ['5 % gap', 0.05],
  ['50 % gap', 0.5],
];

/** Boxes closer than this, in their units, are too close. */
export const boxClearance = 0.1;

export const distance: SceneFile = {
  name: 'distance',
  about: 'how far apart two models are, and which of 10,000 boxes are too close',
  caseCount: 2 * gaps.length + 11,
  seconds: { each: 30, peers: 90 },
  async *cases(): AsyncGenerator<Case> {
    const models = await pairModels();
    for (const model of models) {
      for (const [gap, share] of gaps) {
        const bodies = overlapping(model, touchingShares[model.name] + share);
        yield {
          scene: 'distance',
          name: `${model.name}, ${gap}`,
          question: 'distance',
          bodies,
          frames: still,
        };
      }
    }
    yield {
      ...movingBoxes('turned', 10_000),
      scene: 'distance',
      name: '10,000 turned boxes',
      question: 'clearance',
    };
    for (const model of models) yield pointsAround(model, 100_000);
    for (const question of ['rays', 'hits'] as const) {
      for (const model of models) yield raysThrough(model, 100_000, question);
    }
    for (const model of models) yield regionsAt(model, 100_000, 'inBox');
    for (const model of models) yield regionsAt(model, 100_000, 'inSphere');
  },
};

/** Rays between points around a model: each begins at one vertex of a second mesh and leads through the next. */
export function raysThrough(model: Model, count: number, question: 'rays' | 'hits'): Case {
  const job = pointsAround(model, 2 * count);
  return { ...job, name: `${model.name}, ${count.toLocaleString('en')} rays`, question };
}

/** Regions on the surface of a model, as a brush or a pointer asks for them: around its vertices, moved by up to their size. */
export function regionsAt(model: Model, count: number, question: 'inBox' | 'inSphere'): Case {
  const { positions, vertexCount, bounds } = model.mesh;
  const reach = regionSize * Math.max(...extent(bounds).size);
  const random = shapes.createRandom(2);
  const points = new Float32Array(3 * count);
  for (let at = 0; at < points.length; at += 3) {
    const vertex = 3 * random.integer(vertexCount);
    for (let k = 0; k < 3; k++) points[at + k] = positions[vertex + k] + random.between(-reach, reach);
  }
  const bodies = [model.mesh, mesh(points, new Uint32Array(0))].map(given => ({
    mesh: given,
    pose: identity(),
  }));
  const what = question === 'inBox' ? 'boxes' : 'spheres';
  const name = `${model.name}, ${count.toLocaleString('en')} ${what}`;
  return { scene: 'distance', name, question, bodies, frames: still };
}

/** The points are the vertices of a second mesh, which has no triangles. */
export function pointsAround(model: Model, count: number): Case {
  const { size, center } = extent(model.mesh.bounds);
  const random = shapes.createRandom(1);
  const points = Float32Array.from({ length: 3 * count }, (_, i) => {
    return center[i % 3] + random.between(-0.75, 0.75) * size[i % 3];
  });
  const bodies = [model.mesh, mesh(points, new Uint32Array(0))].map(given => ({
    mesh: given,
    pose: identity(),
  }));
  return {
    scene: 'distance',
    name: `${model.name}, ${count.toLocaleString('en')} points`,
    question: 'closest',
    bodies,
    frames: still,
  };
}
