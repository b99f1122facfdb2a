// An open sheet hung in folds. Its section is a sine-generated curve (the meander of Langbein and Leopold 1966, whose
// direction is a sine of the arc length), so folds overhang without meeting. Seeded wrinkles are added on top.

import { aFiniteNumber, checkOptions, lengthAbove0, lengthFrom0, type Rules } from '../core/arguments.ts';
import { sine, unitAt } from '../math/elementary/angles.ts';
import { type Mesh, mesh } from '../mesh/mesh.ts';
import { createNoise } from './noise.ts';
import { trianglesRule } from './rules.ts';

/** The size of a sheet, its folds and wrinkles. Lengths are in the user's units. */
export interface ClothOptions {
  /** Along the folded direction, before folding. Default 4. */
  length?: number;
  /** Across the folds. Default 2. */
  width?: number;
  /** Approximate number of triangles; columns are chosen to make them square. Default 8192. */
  triangles?: number;
  /** The number of folds. Default 5. */
  folds?: number;
  /** Steepest direction of the sheet in radians; from π/2 folds overhang, beyond about 2.1 they meet. Default 1.75. */
  steepness?: number;
  /** Height of the wrinkles. Default 1/400 of the length. */
  wrinkle?: number;
  /** The seed of the wrinkles. Default 1. */
  seed?: number;
}

const rules: Rules<ClothOptions> = {
  length: lengthAbove0,
  width: lengthAbove0,
  triangles: trianglesRule,
  folds: lengthFrom0,
  steepness: aFiniteNumber,
  wrinkle: aFiniteNumber,
  seed: aFiniteNumber,
};

/** A sheet that folds up and down along x, with wrinkles: an open mesh. Throws 'bad-option' for sizes that it cannot have. */
export function cloth(options: ClothOptions = {}): Mesh {
  checkOptions(options, rules, 'cloth');
  const { length = 4, width = 2, triangles = 8192, folds = 5, steepness = 1.75, seed = 1 } = options;
  const { wrinkle = length / 400 } = options;
  const rows = Math.max(1, Math.round(Math.sqrt((triangles / 2) * (width / length))));
  const columns = Math.max(1, Math.round(triangles / 2 / rows));
  const noise = createNoise(seed, 2);
  const positions = new Float64Array(3 * (columns + 1) * (rows + 1));
  const indices = new Uint32Array(6 * columns * rows);
  const step = length / columns;
  for (let j = 0; j <= rows; j++) {
    const v = j / rows;
    // Folds drift and open a little across the sheet, as cloth does.
    const drift = 0.5 * noise(0.5, 1.5 * v, 7.5);
    const opening = 1 - 0.15 * (0.5 + 0.5 * noise(11.5, 1.5 * v, 3.5));
    let [x, z] = [0, 0];
    for (let i = 0; i <= columns; i++) {
      const directionAt = (s: number) => steepness * opening * sine(2 * Math.PI * folds * s + drift);
      const here = directionAt(i / columns);
      const bump = wrinkle * noise((6 * i) / columns, 6 * v, 0.5) * 4;
      const [cos, sin] = unitAt(here);
      positions[3 * (j * (columns + 1) + i)] = x - sin * bump;
      positions[3 * (j * (columns + 1) + i) + 1] = (v - 0.5) * width;
      positions[3 * (j * (columns + 1) + i) + 2] = z + cos * bump;
      const [forth, up] = unitAt(directionAt((i + 0.5) / columns));
      x += step * forth;
      z += step * up;
    }
  }
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const a = j * (columns + 1) + i;
      const [b, c, d] = [a + 1, a + columns + 2, a + columns + 1];
      indices.set([a, b, c, a, c, d], 6 * (j * columns + i));
    }
  }
  return mesh(positions, indices);
}
