// A million points, rays, boxes and spheres about one model of 100,000 triangles: large questions, whose answers have to
// come back, too.

import type { Case, SceneFile } from '../../case.ts';
import { bumpySphere } from '../meshes/generated.ts';
import { pointsAround, raysThrough, regionsAt } from './distance.ts';

const count = 1_000_000;

export const many: SceneFile = {
  name: 'many',
  about:
    'the nearest points of a million points, their triangles alone, and a million rays, boxes and spheres',
  caseCount: 5,
  seconds: { each: 30, peers: 120 },
  *cases(): Generator<Case> {
    const model = bumpySphere(100_000);
    const points = pointsAround(model, count);
    for (const job of [
      points,
      { ...points, question: 'nearest' } as const,
      raysThrough(model, count, 'rays'),
      regionsAt(model, count, 'inBox'),
      regionsAt(model, count, 'inSphere'),
    ])
      yield { ...job, scene: 'many' };
  },
};
