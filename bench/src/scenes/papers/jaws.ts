// Five teeth of over 110,000 polygons in four positions, from apart to crossed (Myszkowski, Okunev and Kunii, figure
// 5), and the maps of the distance between them (figure 6): generated jaws in millimetres, 0.1 mm per pixel.

import { jawParts, jawStages } from '@nearfield/samples';
import { type Case, type SceneFile, still } from '../../case.ts';
import { single } from '../meshes/generated.ts';

/** Milliseconds: RealityEngine2, Extreme. The first two stages took one rendering, the others three. */
const paperTimes = { apart: [300, 490], touching: [300, 490], closed: [1110, 1780], crossed: [1110, 1780] };

export const jaws: SceneFile = {
  name: 'jaws',
  about: 'five teeth apart, touching, closed and crossed, and maps of their distance',
  caseCount: jawStages.length + 3,
  seconds: { each: 60, peers: 30 },
  *cases(): Generator<Case> {
    for (const stage of jawStages) yield teeth('five', stage, 'any');
    for (const stage of ['touching', 'closed'] as const) yield teeth('five', stage, 'map');
    yield teeth('all', 'closed', 'map');
  },
};

export function teeth(
  which: 'five' | 'all',
  stage: (typeof jawStages)[number],
  question: 'any' | 'map',
  triangles?: number,
): Case {
  const { upper, lower, poseAt } = jawParts({ teeth: which, ...(triangles !== undefined && { triangles }) });
  const [from, milliseconds] = paperTimes[stage];
  const polygons = upper.mesh.triangleCount + lower.mesh.triangleCount;
  return {
    scene: 'jaws',
    name: `${which === 'five' ? 'five teeth' : 'all teeth'} of ${polygons.toLocaleString('en')}, ${stage}`,
    question,
    bodies: [
      { mesh: single(upper.mesh), pose: Float64Array.from(upper.pose) },
      { mesh: single(lower.mesh), pose: poseAt(stage) },
    ],
    frames: still,
    images: question === 'map' ? { pixel: 0.1 } : { resolution: 512 },
    ...(question === 'any' && {
      paper: { from, milliseconds, machine: 'RealityEngine2–Extreme, 1995' },
    }),
  };
}
