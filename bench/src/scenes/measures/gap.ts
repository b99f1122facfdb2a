// Distances large enough for a GPU: two bodies of a million triangles, 5 % and 50 % of their size apart, and one
// sphere within another at a uniform gap. The spheres lack one triangle each, because the distance of solids would be
// 0.

import { identity, mesh, shapes } from 'nearfield';
import type { Case } from '../../case.ts';
import { still } from '../../case.ts';

function open(frequency: number, radius: number) {
  const { positions, indices } = shapes.icosphere({ frequency, radius });
  return mesh(positions, indices.slice(3));
}

export function* wideGaps(million: boolean): Generator<Case> {
  const common = { scene: 'distance', question: 'distance', frames: still } as const;
  if (million) {
    const [a, b] = [1, 2].map(seed => shapes.displacedSphere({ triangles: 1e6, seed }));
    const size = a.bounds[3] - a.bounds[0];
    for (const share of [0.05, 0.5]) {
      const pose = identity();
      // The gap between their boxes along x; the bodies are a little farther apart.
      pose[12] = a.bounds[3] + share * size - b.bounds[0];
      const bodies = [
        { mesh: a, pose: identity() },
        { mesh: b, pose },
      ];
      yield { ...common, name: `2 × 1M triangles, ${100 * share} % gap`, bodies };
    }
  }
  const bodies = [1, 1.05].map(radius => ({ mesh: open(59, radius), pose: identity() }));
  yield { ...common, name: '2 × 70K triangles, a uniform gap', bodies };
}
