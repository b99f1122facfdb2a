// Distances, clearances, closest points and depths of points against exact brute force, known shapes, and what must
// not change an answer. Every backend runs it.

import type { Nearfield } from 'nearfield';
import { afterAll, beforeAll } from 'vitest';
import { Asked, type ProximitySize } from './asked.ts';
import { closestPointsSpec } from './closest-points.ts';
import { distanceSpec } from './distance.ts';
import { bruteDistanceSpec } from './distance-brute-force.ts';
import { penetrationPointsSpec } from './penetration-points.ts';
import { withinSpec } from './within.ts';

export function proximitySpec(open: () => Promise<Nearfield>, size: ProximitySize): void {
  const asked = new Asked(size);
  beforeAll(() => asked.open(open));
  afterAll(() => asked.close());
  bruteDistanceSpec(asked);
  distanceSpec(asked);
  withinSpec(asked);
  closestPointsSpec(asked);
  penetrationPointsSpec(asked);
}
