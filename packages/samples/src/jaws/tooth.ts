// The chewing surfaces of human teeth as heights over a rectangle: cusps are bells, fissures are trenches between
// them, and the crown falls off towards its rim. Widths and depths are from textbooks, in millimetres; heights are
// above the middle of the crown. p runs along the arch from −1 to 1, away from the middle of the face; q runs from
// the tongue to the cheek.

import { shapes } from 'nearfield';
import { exponential, sine } from '../elementary.ts';

export interface Tooth {
  /**
   * Number of the Fédération dentaire internationale: the quarter of the mouth, then the place from the middle of the
   * face.
   */
  readonly number: number;
  readonly crown: Crown;
  /** Where its middle lies on the arch; negative on the right. */
  readonly along: number;
}

export interface Crown {
  /** Along the arch, and across it. */
  readonly width: number;
  readonly depth: number;
  readonly cusps: readonly Cusp[];
  /** Where trenches cross the middle one; if left out, there are no trenches at all. */
  readonly fissures?: readonly number[];
  /** How far it falls towards tongue and cheek: front teeth end in an edge. */
  readonly wedge: number;
}

/** Position, height and width of a cusp. */
type Cusp = readonly [p: number, q: number, height: number, width: number];

const incisor = (width: number, depth: number, height: number): Crown => ({
  width,
  depth,
  cusps: [-0.66, -0.22, 0.22, 0.66].map((p): Cusp => [p, 0.05, height, 0.3]),
  wedge: 4,
});

const canine = (width: number, depth: number, height: number): Crown => ({
  width,
  depth,
  cusps: [[-0.05, 0.1, height, 0.42]],
  wedge: 3,
});

const premolar = (width: number, depth: number, outer: number, inner: number): Crown => ({
  width,
  depth,
  cusps: [
    [0, 0.5, outer, 0.38],
    [0.05, -0.48, inner, 0.35],
  ],
  fissures: [],
  wedge: 0.4,
});

const molar = (width: number, depth: number, cusps: readonly Cusp[], fissures: readonly number[]): Crown => ({
  width,
  depth,
  cusps,
  fissures,
  wedge: 0.3,
});

/** Two cusps at the cheek and two at the tongue; the first of each is nearer to the middle of the face. */
const fourCusps = (...heights: readonly [number, number, number, number]): Cusp[] => [
  [-0.44, 0.48, heights[0], 0.3],
  [0.4, 0.46, heights[1], 0.29],
  [-0.42, -0.47, heights[2], 0.31],
  [0.43, -0.46, heights[3], 0.28],
];

/** From the middle of the face to the second molar. */
export const upperCrowns: readonly Crown[] = [
  incisor(8.6, 7, 2.4),
  incisor(6.6, 6.2, 2.3),
  canine(7.6, 8, 3.2),
  premolar(7.1, 9, 2.4, 2.1),
  premolar(6.8, 9, 2.3, 2.2),
  molar(10.2, 11, fourCusps(2.2, 2.1, 2.5, 1.6), [0.04]),
  molar(9.6, 11, fourCusps(2.1, 1.9, 2.4, 1.3), [0.06]),
];

export const lowerCrowns: readonly Crown[] = [
  incisor(5.4, 6, 2.2),
  incisor(5.9, 6.3, 2.2),
  canine(6.9, 7.6, 3),
  premolar(7, 7.8, 2.5, 1.2),
  premolar(7.1, 8.2, 2.4, 1.7),
  molar(
    11,
    10.4,
    [
      [-0.58, 0.48, 2.2, 0.26],
      [-0.02, 0.52, 2.2, 0.25],
      [0.56, 0.36, 1.7, 0.25],
      [-0.45, -0.46, 2.1, 0.3],
      [0.42, -0.46, 2, 0.3],
    ],
    [-0.28, 0.3],
  ),
  molar(10.5, 10.2, fourCusps(2.2, 2.1, 2, 1.9), [-0.02]),
];

/** The rim lies this far below the middle, twice as far at the corners. */
const fall = 2.2;
const fissure = { depth: 0.45, width: 0.07, crossing: 0.5 };
/** The roughness of a scan: a few hundredths of a millimetre, in patches of about one. */
const roughness = { height: 0.05, patch: 0.9 };

/** The height at (s, t) of the square from −1 to 1, which the crown's outline rounds off to (p, q). */
export function heightOf(number: number, crown: Crown, seed: number): Height {
  const noise = shapes.createNoise(seed * 64 + number, 3);
  const { width, depth, cusps, fissures, wedge } = crown;
  /** A Gaussian of a squared distance, with a width. */
  const bell = (squared: number, w: number): number => exponential(-squared / (2 * w * w));
  return (s, t, p, q) => {
    const [ss, tt] = [s * s, t * t];
    let height = -fall * (ss * ss * ss + tt * tt * tt) - wedge * q * q;
    for (const [pc, qc, high, w] of cusps)
      height += high * bell((p - pc) * (p - pc) + (q - qc) * (q - qc), w);
    if (fissures !== undefined) {
      // Trenches fade out before the rim; the one along the middle bends a little.
      const inside = (1 - ss * ss) * (1 - tt * tt);
      const aside = q - 0.06 * sine(3 * p);
      let trench = bell(aside * aside, fissure.width);
      for (const place of fissures) {
        const off = p - place - 0.05 * q;
        trench = Math.max(trench, fissure.crossing * bell(off * off, fissure.width));
      }
      height -= fissure.depth * inside * trench;
    }
    const [x, y] = [(p * width) / 2, (q * depth) / 2];
    return height + roughness.height * noise(x / roughness.patch, y / roughness.patch, 0.5);
  };
}

export type Height = (s: number, t: number, p: number, q: number) => number;
