// A sitting rabbit, one connected solid with the requested number of triangles. It faces +x, is 1.5 m tall with its
// ears and stands on the floor z = 0.

import { type Mesh, shapes } from 'nearfield';
import { type Blob, type Clay, cone, curved, ellipsoid, limb } from './blobs.ts';
import type { CreatureOptions } from './dragon.ts';
import { polygonise } from './polygonise.ts';

export function bunny({ triangles = 68_000, seed = 1 }: CreatureOptions = {}): Mesh {
  return polygonise(bunnyClay(seed), triangles);
}

function bunnyClay(seed: number): Clay {
  const noise = shapes.createNoise(seed, 3);
  const grainHeight = 0.016;
  return {
    blobs: [
      ellipsoid([-0.06, 0, 0.42], [0.48, 0.37, 0.4]),
      ellipsoid([0.28, 0, 0.46], [0.25, 0.24, 0.33]),
      ellipsoid([0.42, 0, 0.86], [0.25, 0.2, 0.2]),
      ellipsoid([0.6, 0, 0.8], [0.12, 0.11, 0.1]),
      ellipsoid([-0.54, 0, 0.36], [0.13, 0.13, 0.13]),
      ...[-1, 1].flatMap(side),
    ],
    rounding: 0.09,
    grain: (x, y, z) => grainHeight * noise(7 * x, 7 * y, 7 * z),
    grainHeight,
    trianglesArea: 13.8,
    min: [-0.78, -0.55, -0.1],
    max: [0.85, 0.55, 1.68],
  };
}

const side = (s: number): Blob[] => [
  ellipsoid([-0.17, 0.29 * s, 0.3], [0.27, 0.15, 0.26]),
  ellipsoid([0.06, 0.33 * s, 0.07], [0.27, 0.09, 0.075]),
  cone([0.4, 0.14 * s, 0.34], 0.1, [0.5, 0.15 * s, 0.07], 0.075),
  ellipsoid([0.52, 0.11 * s, 0.8], [0.11, 0.11, 0.11]),
  ...limb(
    curved([
      [0.38, 0.08 * s, 0.98, 0.055],
      [0.3, 0.13 * s, 1.2, 0.085],
      [0.17, 0.19 * s, 1.42, 0.08],
      [0.06, 0.22 * s, 1.55, 0.035],
    ]),
  ),
];
