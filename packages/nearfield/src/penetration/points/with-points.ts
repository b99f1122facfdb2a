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
 * `penetration`, and where `points` asks for it how deep single points lie: the vertices of each body in the other, and samples of what
 * they have in common. It is a function of its own because it needs more code than `penetration` alone.
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
