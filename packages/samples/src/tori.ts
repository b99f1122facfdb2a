// Two linked rings that wobble and swell through one another (Hoff et al., plate 2): 5,000 triangles.

import { type Nearfield, shapes } from 'nearfield';
import { arctangent, sine, unitAt } from './elementary.ts';
import type { Sample } from './sample.ts';
import { createDeforming, type DeformingOptions, motionOf } from './soft/deforming.ts';

const [majorRadius, minorRadius] = [1, 0.34];
const turns = 2 * Math.PI;

export function createTori(nf: Nearfield, options: DeformingOptions = {}): Sample {
  const { response = false, triangles = 5000, tolerance = 0.035 } = options;
  const around = Math.max(12, Math.round(Math.sqrt(triangles / 2)));
  const minorSegments = Math.max(6, Math.round(triangles / 4 / around));
  const ring = shapes.torus({ majorRadius, minorRadius, majorSegments: around, minorSegments });
  /** Three bulges run around the tube, and the ring itself is stretched long and flat in turn. */
  const wobble = (time: number, x: number, y: number, z: number): readonly [number, number, number] => {
    const angle = arctangent(y, x);
    const [cos, sin] = unitAt(angle);
    const swell = 1 + 0.25 * sine(3 * angle - 0.7 * turns * time);
    const out = majorRadius + swell * (Math.sqrt(x * x + y * y) - majorRadius);
    const pull = 0.18 * sine(0.5 * turns * time);
    return [
      (1 + pull) * out * cos,
      (1 - pull) * out * sin,
      swell * z + 0.12 * sine(2 * angle + turns * time),
    ];
  };
  return createDeforming(nf, {
    name: 'tori',
    tolerance,
    response,
    bodies: [
      { name: 'lying ring', mesh: ring, motion: motionOf(ring, wobble) },
      {
        name: 'standing ring',
        mesh: ring,
        motion: motionOf(ring, (time, x, y, z) => {
          const [u, v, w] = wobble(time + 0.37, x, y, z);
          return [0.55 + u, -w, v];
        }),
      },
    ],
  });
}
