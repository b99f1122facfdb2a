// When does a particle first hit a collider? Brute force in double precision: the path is sampled at many times, each
// change of sign is bisected, every minimum between samples is searched, and meshes are tested triangle by triangle,
// without a tree. If an impact is too near a touch, a border or an end of the life, it is doubtful: either answer is
// right there.

import type { Vector } from 'nearfield';
import type { ImplicitSurface, Surface, TriangleSurface } from '../surfaces.ts';

export interface Trajectory {
  readonly position: Vector;
  readonly velocity: Vector;
  readonly acceleration: Vector;
  readonly birth: number;
  readonly life: number;
}

/** A place where a path meets a surface, or nearly does. */
export interface Candidate {
  /** In the world's time. */
  readonly time: number;
  readonly place: Vector;
  readonly collider: number;
  readonly triangle: number;
  /** Whether it is clearly an impact, without exact arithmetic. */
  readonly sure: boolean;
  /** How far off the time may be due to the rounding of this oracle. */
  readonly error: number;
}

export interface Hit {
  readonly time: number;
  readonly place: ArrayLike<number>;
  readonly collider: number;
  readonly triangle?: number;
}

/** Closer than this, relative to the size of what is compared, nothing is certain. */
const doubt = 1e-9;

/** In order of time: doubtful ones, up to the first certain one. */
export function candidatesOf(
  trajectory: Trajectory,
  surfaces: readonly Surface[],
  samples = 512,
): Candidate[] {
  const all = surfaces.flatMap((surface, collider) =>
    surface.kind === 'implicit'
      ? implicitCandidates(trajectory, surface, collider, samples)
      : triangleCandidates(trajectory, surface, collider, Math.min(samples, 64)),
  );
  all.sort((p, q) => p.time - q.time);
  const first = all.findIndex(({ sure }) => sure);
  return first < 0 ? all : all.slice(0, first + 1);
}

/** What is wrong with a hit (or with no hit); undefined if nothing is. `size` is that of the scene. */
export function faultOf(candidates: readonly Candidate[], hit: Hit | undefined, life: number, size: number) {
  if (hit === undefined) {
    const sure = candidates.find(candidate => candidate.sure);
    return sure && `missed the impact on ${sure.collider} at ${sure.time}`;
  }
  for (const { time, place, collider, triangle, error } of candidates) {
    const tolerance = doubt * life + error;
    if (collider !== hit.collider || Math.abs(time - hit.time) > tolerance) continue;
    if (triangle >= 0 && hit.triangle !== undefined && hit.triangle !== triangle) continue;
    const off = Math.hypot(place[0] - hit.place[0], place[1] - hit.place[1], place[2] - hit.place[2]);
    if (off <= doubt * size + (tolerance * size) / life) return undefined;
    return `impact at ${time} is ${off} beside its place`;
  }
  const told = candidates.map(
    ({ time, collider, sure }) => `${collider} at ${time}${sure ? '' : ', doubtful'}`,
  );
  return `impact on ${hit.collider} at ${hit.time}; there are ${told.join('; ') || 'none'}`;
}

export function positionAt(
  { position, velocity, acceleration }: Trajectory,
  s: number,
  out: Float64Array,
): void {
  out[0] = position[0] + velocity[0] * s + 0.5 * acceleration[0] * s * s;
  out[1] = position[1] + velocity[1] * s + 0.5 * acceleration[1] * s * s;
  out[2] = position[2] + velocity[2] * s + 0.5 * acceleration[2] * s * s;
}

const placeAt = (trajectory: Trajectory, s: number): Vector => {
  const out = new Float64Array(3);
  positionAt(trajectory, s, out);
  return [out[0], out[1], out[2]];
};

function implicitCandidates(
  trajectory: Trajectory,
  surface: ImplicitSurface,
  collider: number,
  samples: number,
): Candidate[] {
  const { birth, life } = trajectory;
  const p = new Float64Array(3);
  const locate = (s: number) => {
    positionAt(trajectory, s, p);
    surface.enter(p, birth + s);
  };
  const h = (s: number) => {
    locate(s);
    return surface.value(p[0], p[1], p[2]);
  };
  const values = new Float64Array(samples + 1);
  for (let i = 0; i <= samples; i++) values[i] = h((life * i) / samples);
  if (isFar(values)) return [];
  /** Nothing after it is tested. */
  const isImpact = (s: number, falls: boolean) => {
    if (surface.front && !falls) return false;
    locate(s);
    const size = 1 + Math.max(Math.abs(p[0]), Math.abs(p[1]), Math.abs(p[2]));
    return surface.margin(p[0], p[1], p[2]) > doubt * size;
  };
  return crossings(h, values, life, isImpact).flatMap(({ s, sure, falls, error }) => {
    if (surface.front && !falls) return [];
    locate(s);
    const size = 1 + Math.max(Math.abs(p[0]), Math.abs(p[1]), Math.abs(p[2]));
    const margin = surface.margin(p[0], p[1], p[2]);
    if (margin < -doubt * size) return [];
    const plain = sure && margin > doubt * size;
    return [{ time: birth + s, place: placeAt(trajectory, s), collider, triangle: -1, sure: plain, error }];
  });
}

function triangleCandidates(
  trajectory: Trajectory,
  { corners, front, enter }: TriangleSurface,
  collider: number,
  samples: number,
): Candidate[] {
  const { birth, life } = trajectory;
  const p = new Float64Array(3);
  const locate = (s: number) => {
    positionAt(trajectory, s, p);
    enter(p, birth + s);
  };
  const path = new Float64Array(3 * (samples + 1));
  for (let i = 0; i <= samples; i++) {
    locate((life * i) / samples);
    path.set(p, 3 * i);
  }
  const found: Candidate[] = [];
  const values = new Float64Array(samples + 1);
  for (let at = 0; at < corners.length; at += 9) {
    if (!isNearBox(path, corners, at)) continue;
    const ax = corners[at];
    const ay = corners[at + 1];
    const az = corners[at + 2];
    const ux = corners[at + 3] - ax;
    const uy = corners[at + 4] - ay;
    const uz = corners[at + 5] - az;
    const vx = corners[at + 6] - ax;
    const vy = corners[at + 7] - ay;
    const vz = corners[at + 8] - az;
    const area = Math.sqrt((uy * vz - uz * vy) ** 2 + (uz * vx - ux * vz) ** 2 + (ux * vy - uy * vx) ** 2);
    if (area === 0) continue;
    const nx = (uy * vz - uz * vy) / area;
    const ny = (uz * vx - ux * vz) / area;
    const nz = (ux * vy - uy * vx) / area;
    const longest = Math.max(Math.hypot(ux, uy, uz), Math.hypot(vx, vy, vz));
    for (let i = 0; i <= samples; i++) {
      values[i] = nx * (path[3 * i] - ax) + ny * (path[3 * i + 1] - ay) + nz * (path[3 * i + 2] - az);
    }
    if (isFar(values)) continue;
    const h = (s: number) => {
      locate(s);
      return nx * (p[0] - ax) + ny * (p[1] - ay) + nz * (p[2] - az);
    };
    for (const { s, sure, falls, error } of crossings(h, values, life)) {
      if (front && !falls) continue;
      locate(s);
      // Barycentric, as Möller and Trumbore have it, by the areas across the normal.
      const [wx, wy, wz] = [p[0] - ax, p[1] - ay, p[2] - az];
      const beta = (nx * (wy * vz - wz * vy) + ny * (wz * vx - wx * vz) + nz * (wx * vy - wy * vx)) / area;
      const gamma = (nx * (uy * wz - uz * wy) + ny * (uz * wx - ux * wz) + nz * (ux * wy - uy * wx)) / area;
      const margin = (Math.min(beta, gamma, 1 - beta - gamma) * area) / longest;
      if (margin < -doubt) continue;
      const plain = sure && margin > doubt;
      found.push({
        ...{ time: birth + s, place: placeAt(trajectory, s), collider, triangle: at / 9, sure: plain, error },
      });
    }
  }
  return found;
}

/** Whether all samples have one sign and none is so near 0 that the function could reach it in between. */
function isFar(values: Float64Array): boolean {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    if (values[i] < low) low = values[i];
    if (values[i] > high) high = values[i];
  }
  if (low <= 0 && high >= 0) return false;
  const bend = bendOf(values);
  return low > bend + doubt * high || high < -bend + doubt * low;
}

/**
 * The greatest second difference. Between samples a function deviates from the line through them by an eighth of
 * that, if it bends as it does around; eight times as much is allowed.
 */
function bendOf(values: Float64Array): number {
  let bend = 0;
  for (let i = 2; i < values.length; i++) {
    const second = Math.abs(values[i] - 2 * values[i - 1] + values[i - 2]);
    if (second > bend) bend = second;
  }
  return bend;
}

/** Whether some stretch of the path between samples, grown by how far it can bend, meets the box of a triangle. */
function isNearBox(path: Float64Array, corners: Float64Array, at: number): boolean {
  const lowX = Math.min(corners[at], corners[at + 3], corners[at + 6]) - doubt;
  const highX = Math.max(corners[at], corners[at + 3], corners[at + 6]) + doubt;
  const lowY = Math.min(corners[at + 1], corners[at + 4], corners[at + 7]) - doubt;
  const highY = Math.max(corners[at + 1], corners[at + 4], corners[at + 7]) + doubt;
  const lowZ = Math.min(corners[at + 2], corners[at + 5], corners[at + 8]) - doubt;
  const highZ = Math.max(corners[at + 2], corners[at + 5], corners[at + 8]) + doubt;
  for (let i = 3; i < path.length; i += 3) {
    if (
      isBetween(path, i, lowX, highX) &&
      isBetween(path, i + 1, lowY, highY) &&
      isBetween(path, i + 2, lowZ, highZ)
    ) {
      return true;
    }
  }
  return false;
}

/** One coordinate: from the sample before to this one. */
function isBetween(path: Float64Array, i: number, low: number, high: number): boolean {
  const from = path[i - 3];
  const to = path[i];
  const bend = i > 5 ? Math.abs(to - 2 * from + path[i - 6]) : Math.abs(to - from);
  return (from < to ? from : to) - bend <= high && (from < to ? to : from) + bend >= low;
}

interface Crossing {
  readonly s: number;
  readonly sure: boolean;
  /** From above 0 to below. */
  readonly falls: boolean;
  readonly error: number;
}

/**
 * Changes of sign in [0, life], and touches as two doubtful ones in one place; `values` are samples at even steps.
 * All of them, or up to the first certain one where the path ends.
 */
function crossings(
  h: (s: number) => number,
  values: Float64Array,
  life: number,
  isEnd: (s: number, falls: boolean) => boolean = () => false,
): Crossing[] {
  const samples = values.length - 1;
  const found: Crossing[] = [];
  let most = 0;
  for (let i = 0; i <= samples; i++) most = Math.max(most, Math.abs(values[i]));
  const near = doubt * most;
  const reach = near + bendOf(values);
  const step = life / samples;
  const add = (low: number, high: number, atLow: number, sure: boolean) => {
    const s = bisect(h, low, high, atLow);
    // By how much rounding of h, about 2^−49 of what it is made of, moves the root.
    const width = step * 1e-3;
    const slope = Math.abs(h(s + width) - h(s - width)) / (2 * width);
    const error = (2e-15 * (most + 1)) / Math.max(slope, 1e-300);
    const ends = Math.min(s, life - s) > doubt * life + error;
    found.push({ s, sure: sure && ends && error < 1e-4 * life, falls: atLow > 0, error });
  };
  /** The least |h| between two times at which it has the same sign and between which it goes down and up again. */
  const dip = (from: number, to: number, sign: number) => {
    const s = leastBetween(t => sign * h(t), from, to);
    const least = sign * h(s);
    if (least > near) return;
    if (least > 0) {
      found.push({ s, sure: false, falls: sign > 0, error: life * 1e-4 });
      return;
    }
    add(from, s, sign, least < -near);
    add(s, to, -sign, least < -near);
  };
  // A sample exactly on the surface is left out: its neighbours decide.
  const kept: number[] = [];
  for (let i = 0; i <= samples; i++) if (values[i] !== 0) kept.push(i);
  for (const end of [0, samples]) {
    if (values[end] === 0) found.push({ s: end * step, sure: false, falls: true, error: 0 });
  }
  let looked = 0;
  for (let k = 1; k < kept.length; k++) {
    for (; looked < found.length; looked++) {
      const { s, sure, falls } = found[looked];
      if (sure && isEnd(s, falls)) return found.sort((p, q) => p.s - q.s);
    }
    const [before, now] = [values[kept[k - 1]], values[kept[k]]];
    const [from, to] = [kept[k - 1] * step, kept[k] * step];
    const sign = before > 0 ? 1 : -1;
    if (before > 0 !== now > 0) {
      add(from, to, before, true);
      continue;
    }
    if (kept[k] - kept[k - 1] > 1) {
      dip(from, to, sign);
      continue;
    }
    if (Math.min(Math.abs(now), Math.abs(before)) > reach) continue;
    const smaller = Math.abs(now) <= Math.abs(before);
    const next = values[kept[k + 1] ?? kept[k]];
    if (k + 1 < kept.length && smaller && next > 0 === now > 0 && Math.abs(next) >= Math.abs(now)) {
      dip(from, kept[k + 1] * step, sign);
    } else if ((k === 1 && !smaller) || (k === kept.length - 1 && smaller)) {
      // The minimum may lie between an end and the next sample.
      const [end, inward] = k === 1 ? [from, from + 1e-6 * step] : [to, to - 1e-6 * step];
      if (Math.abs(h(inward)) < Math.abs(h(end))) dip(from, to, sign);
    }
  }
  return found.sort((p, q) => p.s - q.s);
}

/** To adjacent doubles, or nearly. */
function bisect(h: (s: number) => number, from: number, to: number, atFrom: number): number {
  let [low, high] = [from, to];
  for (let round = 0; round < 60; round++) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    const value = h(middle);
    if (value === 0) return middle;
    if (value > 0 === atFrom > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Golden-section search: near a smooth minimum, nothing finer than 2^−26 of the interval can be resolved. */
function leastBetween(g: (s: number) => number, from: number, to: number): number {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [from, to];
  let [p, q] = [high - ratio * (high - low), low + ratio * (high - low)];
  let [atP, atQ] = [g(p), g(q)];
  for (let round = 0; round < 48; round++) {
    if (atP < atQ) {
      [high, q, atQ] = [q, p, atP];
      p = high - ratio * (high - low);
      atP = g(p);
    } else {
      [low, p, atP] = [p, q, atQ];
      q = low + ratio * (high - low);
      atQ = g(q);
    }
  }
  return (low + high) / 2;
}
