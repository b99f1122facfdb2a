// Two crossed rods that bend and swell (Hoff et al., plate 2): 2,000 triangles.

import { type Mesh, type Nearfield, shapes } from 'nearfield';
import { cosine, sine } from './elementary.ts';
import type { Sample } from './sample.ts';
import { createDeforming, type DeformingOptions, motionOf } from './soft/deforming.ts';

const [radius, length] = [0.5, 4];
const turns = 2 * Math.PI;

export function createCylinders(nf: Nearfield, options: DeformingOptions = {}): Sample {
  const { response = false, triangles = 2000, tolerance = 0.05 } = options;
  const rod = rodMesh(triangles / 2);
  // Along x, bending up and down, a bulge running along it.
  const bent = (time: number, along: number): number =>
    0.35 * cosine((along / length) * Math.PI) * sine(0.5 * turns * time);
  const swollen = (time: number, along: number): number =>
    1 + 0.2 * sine((1.5 * along) / radius - 0.8 * turns * time);
  return createDeforming(nf, {
    name: 'cylinders',
    tolerance,
    response,
    bodies: [
      {
        name: 'lower rod',
        mesh: rod,
        motion: motionOf(rod, (time, x, y, z) => {
          const swell = swollen(time, z);
          return [z, swell * x, swell * y + bent(time, z)];
        }),
      },
      {
        name: 'upper rod',
        mesh: rod,
        motion: motionOf(rod, (time, x, y, z) => {
          const swell = swollen(time + 0.4, z);
          return [swell * y, z, 0.9 + swell * x - 0.6 * bent(time, z)];
        }),
      },
    ],
  });
}

/** A cylinder about z of even triangles, centred at the origin. */
function rodMesh(triangles: number): Mesh {
  const segments = Math.max(8, Math.round(Math.sqrt(triangles) * 0.79));
  const levels = Math.max(2, Math.round((triangles / segments - 2) / 2));
  const profile: [number, number][] = [[0, -length / 2]];
  for (let i = 0; i <= levels; i++) profile.push([radius, length * (i / levels - 0.5)]);
  profile.push([0, length / 2]);
  return shapes.revolve({ profile, segments });
}
