// Finds a translation of doubles that separates two solids whose depth is known exactly (depth.ts). It leads beyond a
// plane that bounds their difference, which is checked in integers, and the predicates have confirmed it for poses,
// which round.
//
// A vertex of a moved body is off by the rounding of its world position before and after, and of the pose's
// translation: at most three halves of the last place of the largest number involved, `unit`, along each axis. So a
// translation that is longer by a few of these, measured along the normal, is confirmed. If the depth is not much more
// than that, translations by whole units are tried too: they leave most positions exact.

import type { SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import { worldBox } from '../../bodies/snapshot/world.ts';
import type { OverlappingPair, SeparatingTranslation } from '../overlapping-pair.ts';
import { type ExactDepth, leadsOut, type WayOut } from './depth.ts';

/**
 * How far beyond the plane the first try is, as a share of the depth. Each try goes four times as far, up to this many
 * units.
 */
const leastStep = 2 ** -12;
const mostUnits = 2 ** 16;
/** How often the interval between the last failure and the first success is halved. */
const mostHalvings = 6;
/** Translations by whole units: how far around the way out, and how many are tested. */
const unitsAround = 2;
const mostAsked = 32;
/** A separation is good enough if it exceeds the depth by less than this share. */
const goodEnough = 0.01;

/** Undefined if none was confirmed. */
export function separateExactly(
  overlap: OverlappingPair,
  a: SnapshotBody,
  b: SnapshotBody,
  depth: ExactDepth,
): SeparatingTranslation | undefined {
  const [way] = depth.ways;
  const units = unitsOf(a, b, way.distance);
  const unit = units.reduce((sum, own, axis) => sum + own * Math.abs(way.normal[axis]), 0);
  const isGood = ({ worldLength }: SeparatingTranslation): boolean =>
    worldLength <= (1 + goodEnough) * way.distance;
  let step = Math.max(Math.min(unit, leastStep * way.distance), Number.MIN_VALUE);
  let failed = 0;
  let best: SeparatingTranslation | undefined;
  for (; step < mostUnits * unit; step *= 4) {
    best = alongNormal(overlap, depth, way, step, unit);
    if (best !== undefined) break;
    failed = step;
  }
  for (let count = 0; best !== undefined && !isGood(best) && count < mostHalvings; count++) {
    const middle = failed === 0 ? 0.5 * step : Math.sqrt(failed * step);
    const nearer = alongNormal(overlap, depth, way, middle, unit);
    if (nearer === undefined) failed = middle;
    else [step, best] = [middle, nearer];
  }
  if (best !== undefined && isGood(best)) return best;
  return byWholeUnits(overlap, depth, units, best) ?? best;
}

/** One unit in the last place of the largest numbers along each axis. */
function unitsOf(a: SnapshotBody, b: SnapshotBody, distance: number): number[] {
  const boxes = [worldBox(a), worldBox(b)];
  return [0, 1, 2].map(axis => {
    const sizes = boxes.flatMap(box => [Math.abs(box[axis]), Math.abs(box[axis + 3])]);
    const size = Math.max(...sizes, Math.abs(a.pose[12 + axis]), Math.abs(b.pose[12 + axis]), distance);
    return Math.max(2 ** (Math.floor(Math.log2(size)) - 52), Number.MIN_VALUE);
  });
}

/** A way out, extended along its normal. */
function alongNormal(
  overlap: OverlappingPair,
  depth: ExactDepth,
  { normal, distance }: WayOut,
  more: number,
  unit: number,
): SeparatingTranslation | undefined {
  // Rounded, it may not lead quite to the plane.
  for (let nudge = 0, length = distance + more; nudge < 4; nudge++) {
    const translation = Float64Array.from(normal, x => x * length);
    if (leadsOut(depth, translation)) return overlap.separatingBy(translation);
    length = length * (1 + 2 ** -51) + 2 ** -6 * unit;
  }
  return undefined;
}

/** The shortest translation by whole units that leads out and is confirmed, if it is shorter than the known one. */
function byWholeUnits(
  overlap: OverlappingPair,
  depth: ExactDepth,
  units: readonly number[],
  known: SeparatingTranslation | undefined,
): SeparatingTranslation | undefined {
  const below = known?.worldLength ?? Infinity;
  const found = new Map<string, { translation: Float64Array; length: number }>();
  for (const { normal, distance } of depth.ways) {
    if (distance >= below) break;
    const choices = units.map((unit, axis) => {
      const near = Math.round((normal[axis] * distance) / unit);
      return Array.from({ length: 2 * unitsAround + 1 }, (_, i) => (near + i - unitsAround) * unit);
    });
    for (const x of choices[0])
      for (const y of choices[1])
        for (const z of choices[2]) {
          const length = Math.hypot(x, y, z);
          if (length < below) found.set(`${x} ${y} ${z}`, { translation: Float64Array.of(x, y, z), length });
        }
  }
  const shortest = [...found.values()].sort((p, q) => p.length - q.length);
  let asked = 0;
  for (const { translation } of shortest) {
    if (!leadsOut(depth, translation)) continue;
    const separating = overlap.separatingBy(translation);
    if (separating !== undefined) return separating;
    if (++asked === mostAsked) return undefined;
  }
  return undefined;
}
