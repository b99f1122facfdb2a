// How deep do two solids overlap (penetration.ts), and how deep do single points lie: vertices of each in the other (points.ts), and
// samples of what they have in common (sampled/field)?

import type { Body } from '../../bodies/body.ts';
import type { BareScene } from '../../questions/bare-scene.ts';
import { volumeOfSolids, volumeOfSolidsSync } from '../../sampled/field/questions.ts';
import {
  askPenetration,
  askPenetrationSync,
  type Penetration,
  type PenetrationOptions,
} from '../penetration.ts';
import type { PointFinder } from './point-finder.ts';
import { noVertices, penetratingVertices } from './points.ts';

const finder: PointFinder = {
  vertices: penetratingVertices,
  none: () => ({ a: noVertices(), b: noVertices() }),
  samples: volumeOfSolids,
  samplesSync: volumeOfSolidsSync,
};

/**
 * `penetration`. If `points` asks for it, also the depths of single points: of each body's vertices in the other, and of samples of the
 * common part. It is a function of its own because it needs more code than `penetration` alone.
 */
export async function penetrationWithPoints(
  scene: BareScene,
  a: Body,
  b: Body,
  options: PenetrationOptions = {},
): Promise<Penetration> {
  return askPenetration(scene, a, b, options, finder);
}

/** `penetrationWithPoints` without waiting. */
export function penetrationWithPointsSync(
  scene: BareScene<'cpu'>,
  a: Body,
  b: Body,
  options: PenetrationOptions = {},
): Penetration {
  return askPenetrationSync(scene, a, b, options, finder);
}
