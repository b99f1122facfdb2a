// Finds a short translation that separates two solids. From promising directions, B is swept until it is clear of A for
// good. Then the search descends along the boundary of free translations (after Je, Tang, Lee, Lee and Kim, PolyDepth:
// real-time penetration depth computation using iterative contact-space projection, 2012): contacts met on the way to
// the origin bound the free translations, the point nearest to the origin within those bounds is the next aim, and a
// sweep towards it finds new contacts.

import type { OverlappingPair, SeparatingTranslation } from '../overlapping-pair.ts';
import { expand, Hull } from '../pieces/hull.ts';
import type { Deepest } from '../solids.ts';
import { type HalfSpace, nearestInHalfSpaces } from './nearest-in-half-spaces.ts';

/** A free translation, as far as doubles tell, and the contacts that hold it there. */
interface Free {
  t: Float64Array;
  length: number;
  contacts: HalfSpace[];
}

interface Direction {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** How far the hulls reach along it. */
  readonly height: number;
}

const mostContacts = 14;
/** Sweeps per descent. */
const mostSweeps = 14;

/** Directions of the hulls' difference, shortest way out first, no two alike. */
export function directionsOut(overlap: OverlappingPair): Direction[] {
  const support = overlap.hullDifference;
  const hull = Hull.of(support);
  const tried: Direction[] = [];
  if (hull === undefined) return [];
  expand(hull, support, 1.05, 60, 0, (x, y, z, height) => tried.push({ x, y, z, height }));
  tried.sort((p, q) => p.height - q.height);
  const kept: Direction[] = [];
  for (const d of tried) {
    if (kept.every(k => k.x * d.x + k.y * d.y + k.z * d.z < 0.8)) kept.push(d);
    if (kept.length === 5) break;
  }
  return kept;
}

/** The best translation found from the hulls' directions and from the deepest overlap. */
export function findSeparating(
  overlap: OverlappingPair,
  directions: readonly Direction[],
  deepest: Deepest,
): SeparatingTranslation | undefined {
  let best: SeparatingTranslation | undefined;
  const starts: Free[] = [];
  let shortest = directions.length > 0 ? directions[0].height * 1.000001 : Infinity;
  const candidates = [...directions];
  if (deepest.sum > 0) {
    const [x, y, z] = [0, 1, 2].map(i => deepest.nearA[i] - deepest.nearB[i]);
    const length = Math.hypot(x, y, z);
    if (length > 0) candidates.unshift({ x: x / length, y: y / length, z: z / length, height: length });
  }
  for (const d of candidates) {
    overlap.moveTo(0, 0, 0);
    const contact = overlap.kernels.sweepOut(d.x, d.y, d.z, 1.2 * shortest);
    if (contact === undefined || contact.time > 1.2 * shortest) continue;
    const t = new Float64Array([d.x * contact.time, d.y * contact.time, d.z * contact.time]);
    const [nx, ny, nz] = contact.normal;
    const c = nx * t[0] + ny * t[1] + nz * t[2];
    starts.push({ t, length: contact.time, contacts: [{ x: nx, y: ny, z: nz, c }] });
    shortest = Math.min(shortest, contact.time);
  }
  starts.sort((p, q) => p.length - q.length);
  for (const start of starts.slice(0, 2)) {
    if (best !== undefined && start.length > 1.3 * best.length) break;
    const from = start.t.slice();
    descend(overlap, start);
    if (best !== undefined && start.length >= best.length) continue;
    const separating = overlap.separatingNear(start.t, pushFrom(start, from));
    if (separating !== undefined && (best === undefined || separating.length < best.length))
      best = separating;
  }
  return best;
}

/**
 * Moves B, placed by a translation, out of the deepest overlap with A, again and again. This finds gaps that no sweep
 * from outside reaches.
 */
export function pushOut(
  overlap: OverlappingPair,
  from: Float64Array,
  deepest: Deepest,
  below: number,
): SeparatingTranslation | undefined {
  const t = from.slice();
  let last = deepest;
  for (let round = 0; round < 8; round++) {
    for (let i = 0; i < 3; i++) t[i] += 1.001 * (last.nearA[i] - last.nearB[i]);
    if (!(Math.hypot(t[0], t[1], t[2]) < below)) return undefined;
    overlap.moveTo(t[0], t[1], t[2]);
    last = overlap.kernels.deepest(60);
    if (last.sum <= 1e-9) {
      const free = overlap.separatingAt(t);
      return free && improve(overlap, free);
    }
  }
  return undefined;
}

/** Descends from a translation that separates. */
export function improve(overlap: OverlappingPair, from: SeparatingTranslation): SeparatingTranslation {
  const free: Free = { t: from.t.slice(), length: from.length, contacts: [] };
  descend(overlap, free);
  if (!(free.length < from.length * 0.999)) return from;
  const better = overlap.separatingNear(free.t, pushFrom(free, from.t));
  return better !== undefined && better.length < from.length ? better : from;
}

function descend(overlap: OverlappingPair, free: Free): void {
  let fresh = true;
  for (let sweep = 0; sweep < mostSweeps; sweep++) {
    const aim = nearestInHalfSpaces(free.contacts);
    const stuck = aim === undefined || Math.hypot(...aim) > free.length * 0.997;
    if (stuck) {
      // Contacts far from here may bound too much: only those met here and now count.
      if (fresh) return;
      free.contacts = free.contacts.filter(s => isMet(s, free));
      fresh = true;
      const again = nearestInHalfSpaces(free.contacts);
      if (again === undefined || Math.hypot(...again) > free.length * 0.997) return;
      continue;
    }
    const contact = overlap.sweepFrom(free.t, aim);
    const [x, y, z] = [aim[0] - free.t[0], aim[1] - free.t[1], aim[2] - free.t[2]];
    const whole = Math.hypot(x, y, z);
    const share = contact === undefined ? 1 : Math.max(0, Math.min(1, contact.time / whole));
    if (share > 1e-6) fresh = false;
    free.t[0] += share * x;
    free.t[1] += share * y;
    free.t[2] += share * z;
    free.length = Math.hypot(free.t[0], free.t[1], free.t[2]);
    if (contact === undefined) {
      // Nothing is in the way: either this is the best these contacts allow, or the way on is open.
      free.contacts = free.contacts.filter(s => isMet(s, free));
      const held = overlap.sweepFrom(free.t, [0, 0, 0]);
      if (held === undefined) return;
      if (held.time > 1e-6 * free.length) free.contacts = [];
      else if (isKnown(held.normal, free)) return;
      if (held.time <= 1e-6 * free.length) note(free, held.normal);
      continue;
    }
    note(free, contact.normal);
  }
}

function note(free: Free, normal: Float64Array): void {
  const [x, y, z] = normal;
  if (free.contacts.length === mostContacts) free.contacts.shift();
  free.contacts.push({ x, y, z, c: x * free.t[0] + y * free.t[1] + z * free.t[2] });
}

const isMet = (s: HalfSpace, { t, length }: Free): boolean =>
  s.x * t[0] + s.y * t[1] + s.z * t[2] - s.c < 1e-5 * length;

const isKnown = (n: Float64Array, { contacts }: Free): boolean =>
  contacts.some(s => s.x * n[0] + s.y * n[1] + s.z * n[2] > 1 - 1e-9);

/**
 * A direction in which every contact that holds a free translation opens, at least as fast as B moves. If none is
 * known, the direction from the origin, or from there to where the descent began.
 */
function pushFrom(free: Free, start: Float64Array): [number, number, number] {
  const away = awayFrom(free.contacts.filter(s => isMet(s, free)));
  if (away !== undefined) return away;
  const [x, y, z] = free.length > 0 ? free.t : start;
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

/** The shortest vector that leads away from all planes, at least 1 from each; undefined if it is long. */
export function awayFrom(
  planes: readonly { x: number; y: number; z: number }[],
): [number, number, number] | undefined {
  if (planes.length === 0) return undefined;
  const away = nearestInHalfSpaces(planes.map(({ x, y, z }) => ({ x, y, z, c: 1 })));
  return away !== undefined && Math.hypot(...away) < 20 ? away : undefined;
}
