// A beating heart (Hoff et al., plate 3): two ventricles that fill and press into each other at the wall between
// them, 8,000 triangles.

import { type Nearfield, shapes } from 'nearfield';
import { exponential, sine, unitAt } from './elementary.ts';
import type { Sample } from './sample.ts';
import { createDeforming, type DeformingOptions, motionOf } from './soft/deforming.ts';

/** Beats per second. */
const rate = 1.2;

export function createHeart(nf: Nearfield, options: DeformingOptions = {}): Sample {
  const { response = false, triangles = 8000, tolerance = 0.035 } = options;
  const segments = Math.max(12, Math.round(Math.sqrt((triangles / 4) * 1.25)));
  const egg = shapes.uvSphere({ segments, rings: Math.max(6, Math.round(triangles / 4 / segments) + 1) });
  return createDeforming(nf, {
    name: 'heart',
    tolerance,
    response,
    bodies: [
      {
        name: 'left ventricle',
        mesh: egg,
        motion: motionOf(egg, (time, x, y, z) => {
          const swell = 1 + 0.13 * filling(time) + 0.02 * ripple(time, z);
          return twisted(time, x * 0.72 * taper(z) * swell, y * 0.72 * taper(z) * swell, 1.25 * z);
        }),
      },
      {
        name: 'right ventricle',
        mesh: egg,
        // A pocket around the left ventricle: its inner wall follows the other's, at a distance that filling uses up.
        motion: motionOf(egg, (time, x, y, z) => {
          const [across, height] = [0.74 * y * taper(z), 0.16 + 0.98 * z];
          const chord = Math.sqrt(Math.max(0, 1 - y * y - z * z));
          const level = height / 1.25;
          const round = 0.72 * taper(level) * Math.sqrt(Math.max(0.02, 1 - level * level));
          const wall = Math.sqrt(Math.max(0, round * round - across * across) + 0.01);
          const gap = 0.03 - 0.05 * filling(time - 0.04);
          const swell = 1 + 0.25 * filling(time - 0.04) + 0.03 * ripple(time, z);
          return twisted(time, wall + gap + 0.4 * swell * taper(z) * (x + chord), across, height);
        }),
      },
    ],
  });
}

/** A ventricle is wide above and pointed below. */
const taper = (z: number): number => 0.78 + 0.22 * z;

/** From −1, empty, to 1, full: empties fast, fills more slowly, and a little more just before the next beat. */
function filling(time: number): number {
  const phase = (((time * rate) % 1) + 1) % 1;
  const emptied = bell((phase - 0.3) / 0.16);
  const topped = bell((phase - 0.93) / 0.06) + bell((phase + 0.07) / 0.06);
  return 0.6 - 1.6 * emptied + 0.4 * topped;
}

const bell = (x: number): number => exponential(-(x * x));

/** The beat runs from the tip upwards. */
const ripple = (time: number, z: number): number => sine(2 * Math.PI * (rate * time - 0.3 * z));

/** Wringing: the tip twists against the top while it empties. */
function twisted(time: number, x: number, y: number, z: number): readonly [number, number, number] {
  const angle = 0.12 * filling(time) * z;
  const [cos, sin] = unitAt(angle);
  return [cos * x - sin * y, sin * x + cos * y, z];
}
