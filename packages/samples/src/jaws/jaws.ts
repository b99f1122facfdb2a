// Two jaws, tooth by tooth (Myszkowski, Okunev and Kunii, section 8): closed height fields in millimetres on two
// arches. The upper one is fixed, and the lower one moves through four stages, from apart to askew and deeply
// overlapping (their figure 5). Everything is generated from a seed.

import { type Mesh, mesh } from 'nearfield';
import { unitAt } from '../elementary.ts';
import type { Part } from '../sample.ts';
import { type Arch, lowerArch, placeOn, upperArch } from './arch.ts';
import { addField, type Field, fieldTriangles, leastGap, type Surface } from './height-field.ts';
import { type Crown, heightOf, lowerCrowns, type Tooth, upperCrowns } from './tooth.ts';

export const jawStages = ['apart', 'touching', 'closed', 'crossed'] as const;
export type JawStage = (typeof jawStages)[number];

export interface JawOptions {
  /** All 28, or the five of the paper's measurements: molars of one side. */
  readonly teeth?: 'all' | 'five';
  /** At least this many triangles; default 300,000 for all teeth, 112,000 for five. */
  readonly triangles?: number;
  readonly seed?: number;
}

export interface Jaw extends Part {
  /** The number of its tooth per triangle (of the Fédération dentaire internationale: 11 to 47). */
  readonly labels: Uint16Array;
}

export interface Jaws {
  readonly upper: Jaw;
  readonly lower: Jaw;
  /** Where the lower jaw is in a stage; the upper one stays where it is. */
  poseAt(stage: JawStage): Float64Array;
}

/** Scanners count steps: positions are multiples of this, about a sixteenth of a micrometre. */
const resolution = 2 ** -14;
const snap = (value: number): number => Math.round(value / resolution) * resolution;

/** Between two teeth, on each side. */
const gap = 0.12;
/** The lowest end of a lower tooth, and how much narrower it is there. */
const [depth, taper] = [12, 0.16];
/** How much the outline rounds a corner: 0 not at all, 1 makes it round. */
const roundness = 0.7;

const five = { upper: [15, 16, 17], lower: [46, 47] };

export function jawParts(options: JawOptions = {}): Jaws {
  const { teeth = 'all', triangles = teeth === 'all' ? 300_000 : 112_000, seed = 1 } = options;
  const chosen = (jaw: 'upper' | 'lower'): Tooth[] =>
    teethOf(jaw).filter(({ number }) => teeth === 'all' || five[jaw].includes(number));
  const [uppers, lowers] = [chosen('upper'), chosen('lower')];
  const spacing = spacingFor([...uppers, ...lowers], triangles);
  const upper = jawOf('upper jaw', uppers, upperArch, spacing, seed);
  const lower = jawOf('lower jaw', lowers, lowerArch, spacing, seed);
  const touching = snap(leastGap(upper.mesh, lower.mesh, 1 / 16));
  return { upper, lower, poseAt: stage => poseAt(stage, touching) };
}

/**
 * Apart by half a millimetre, with boxes that meet; touching at a few spots; closed as in a strong bite; and moved
 * sideways and forwards, rotated, and deeper.
 */
function poseAt(stage: JawStage, touching: number): Float64Array {
  if (stage === 'crossed') return turned(0.03, [1.25, 0.75, touching + 0.75]);
  return turned(0, [0, 0, touching + { apart: -0.5, touching: 0.03125, closed: 0.5 }[stage]]);
}

/** About the axis to the front, through the middle of the arch. */
function turned(angle: number, [x, y, z]: readonly number[]): Float64Array {
  const [c, s] = unitAt(angle);
  return Float64Array.of(c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, x, y, z, 1);
}

/** Both quarters of a jaw, each from the middle of the face on. */
function teethOf(jaw: 'upper' | 'lower'): Tooth[] {
  const crowns = jaw === 'upper' ? upperCrowns : lowerCrowns;
  // Quarters are numbered as seen from in front: upper right, upper left, lower left, lower right.
  const [right, left] = jaw === 'upper' ? [1, 2] : [4, 3];
  let start = 0;
  return crowns.flatMap((crown, i) => {
    const along = start + crown.width / 2;
    start += crown.width;
    return [
      { number: 10 * right + i + 1, crown, along: -along },
      { number: 10 * left + i + 1, crown, along },
    ];
  });
}

interface Cells {
  readonly columns: number;
  readonly rows: number;
  readonly rings: number;
}

const cellsOf = ({ width, depth: across }: Crown, spacing: number): Cells => ({
  columns: Math.max(4, Math.round(width / spacing)),
  rows: Math.max(4, Math.round(across / spacing)),
  // Sides are smooth: their rings are four times as far apart.
  rings: Math.max(2, Math.round(depth / (4 * spacing))),
});

/** The widest spacing of samples that gives enough triangles. */
function spacingFor(teeth: readonly Tooth[], triangles: number): number {
  const count = (spacing: number): number =>
    teeth.reduce((sum, { crown }) => sum + fieldTriangles(cellsOf(crown, spacing)), 0);
  let [fine, coarse] = [1 / 1024, 4];
  for (let i = 0; i < 40; i++) {
    const middle = (fine + coarse) / 2;
    if (count(middle) >= triangles) fine = middle;
    else coarse = middle;
  }
  return fine;
}

function jawOf(name: string, teeth: readonly Tooth[], arch: Arch, spacing: number, seed: number): Jaw {
  const surface: Surface = { positions: [], indices: [] };
  const labels: number[] = [];
  const upsideDown = arch === upperArch;
  for (const tooth of teeth) {
    addField(surface, fieldOf(tooth, arch, cellsOf(tooth.crown, spacing), upsideDown, seed), upsideDown);
    while (labels.length < surface.indices.length / 3) labels.push(tooth.number);
  }
  const made: Mesh = mesh(Float64Array.from(surface.positions, snap), Uint32Array.from(surface.indices));
  return { name, mesh: made, pose: turned(0, [0, 0, 0]), labels: Uint16Array.from(labels) };
}

function fieldOf(
  { number, crown, along }: Tooth,
  arch: Arch,
  cells: Cells,
  upsideDown: boolean,
  seed: number,
): Field {
  const height = heightOf(number, crown, seed);
  const [halfWidth, halfDepth] = [crown.width / 2 - gap, crown.depth / 2];
  const up = upsideDown ? -1 : 1;
  const rounded = (s: number, t: number): [number, number] => [
    s * Math.sqrt(1 - (roundness * t * t) / 2),
    t * Math.sqrt(1 - (roundness * s * s) / 2),
  ];
  const place = (p: number, q: number): [number, number] =>
    placeOn(arch, along + p * halfWidth, q * halfDepth);
  const heightAt = (s: number, t: number): number => {
    const [p, q] = rounded(s, t);
    // Away from the middle of the face on both sides.
    const outward = Math.sign(along);
    return height(outward * s, t, outward * p, q);
  };
  return {
    ...cells,
    top: (s, t) => [...place(...rounded(s, t)), up * heightAt(s, t)],
    side(s, t, share) {
      const [p, q] = rounded(s, t);
      const narrow = 1 - taper * share;
      return [...place(narrow * p, narrow * q), up * ((1 - share) * heightAt(s, t) - share * depth)];
    },
    bottom: [...place(0, 0), -up * depth],
  };
}
