// A tube along a torus knot: the curve winds p times around the axis and q times through the hole.

import { aNumber, checkOptions, lengthAbove0, type Rules } from '../core/arguments.ts';
import { cross } from '../math/vector.ts';
import { type Mesh, mesh } from '../mesh/mesh.ts';
import { segmentsRule } from './rules.ts';
import { direction } from './triangulation/loops.ts';

/** A tube around a curve that winds about a torus. Lengths are in the user's units. */
export interface TorusKnotOptions {
  /** Turns around the z axis; without a common divisor with q the curve is one knot. Default 2. */
  p?: number;
  /** Turns around the ring. Default 3. */
  q?: number;
  /** Distance from the z axis to the ring of the torus that the curve lies on. Default 1. */
  majorRadius?: number;
  /** Radius of that torus around its ring. Default 0.4. */
  minorRadius?: number;
  /** Radius of the tube around the curve. Default 0.16. */
  tubeRadius?: number;
  /** Corners along the curve: 2·segments·sides triangles. Default 256. */
  segments?: number;
  /** Corners around the tube. Default 16. */
  sides?: number;
}

const turns = aNumber('a whole number', Number.isSafeInteger);
const rules: Rules<TorusKnotOptions> = {
  p: turns,
  q: turns,
  majorRadius: lengthAbove0,
  minorRadius: lengthAbove0,
  tubeRadius: lengthAbove0,
  segments: segmentsRule,
  sides: segmentsRule,
};

/** A torus knot about the z axis: by default a trefoil. Throws 'bad-option' for sizes that it cannot have. */
export function torusKnot(options: TorusKnotOptions = {}): Mesh {
  checkOptions(options, rules, 'torusKnot');
  const {
    p = 2,
    q = 3,
    majorRadius = 1,
    minorRadius = 0.4,
    tubeRadius = 0.16,
    segments = 256,
    sides = 16,
  } = options;
  const positions = new Float64Array(3 * segments * sides);
  const indices = new Uint32Array(6 * segments * sides);
  for (let i = 0; i < segments; i++) {
    // Reduced before the division by `segments`, so that the first ring follows the last exactly.
    const [cu, su] = direction((p * i) % segments, segments);
    const [cv, sv] = direction((q * i) % segments, segments);
    const reach = majorRadius + minorRadius * cv;
    const center = [reach * cu, reach * su, minorRadius * sv];
    const tangent = unit([
      -q * minorRadius * sv * cu - p * reach * su,
      -q * minorRadius * sv * su + p * reach * cu,
      q * minorRadius * cv,
    ]);
    // The normal of the torus is at right angles to every curve on it and returns to itself: there is no twist to
    // undo.
    const normal = [cv * cu, cv * su, sv];
    const side = cross(tangent, normal);
    for (let j = 0; j < sides; j++) {
      const [cos, sin] = direction(j, sides);
      for (let axis = 0; axis < 3; axis++) {
        positions[3 * (i * sides + j) + axis] =
          center[axis] + tubeRadius * (cos * normal[axis] + sin * side[axis]);
      }
      const [a, b] = [i * sides + j, i * sides + ((j + 1) % sides)];
      const [d, c] = [((i + 1) % segments) * sides + j, ((i + 1) % segments) * sides + ((j + 1) % sides)];
      indices.set([a, b, d, b, c, d], 6 * (i * sides + j));
    }
  }
  return mesh(positions, indices);
}

function unit(v: readonly number[]): number[] {
  const length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  return [v[0] / length, v[1] / length, v[2] / length];
}
