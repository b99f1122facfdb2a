// The earliest impact of a segment: over the colliders that the path may meet, the first strict change of sign of each
// that lies within its bounds (Knott, section 3.2). The result does not depend on the order in which colliders are
// tried: each is solved over the whole rest of the life, and among equal times the lower collider counts, then the
// lower triangle.
//
// If a segment begins on a surface: at a birth the sign of h(0) decides, exactly; 0 is not an impact. After a bounce
// the surface that was left has h(0) = 0 by construction: its polynomial is divided by σ. Other surfaces whose |h(0)|
// is within 2^-44 of the magnitudes it is made of are contacts (contacts.ts). They are divided too. If the quotient's
// sign is not that of the particle's side, the particle moves into them at once (an impact at σ = 0).

import { growth, sideOfTriangle, triangleNormal, withinTriangle } from '../colliders/mesh.ts';
import { BoxCheck, PathWalk } from '../colliders/paths/cull.ts';
import { withinBounds, withinOutline } from '../colliders/surfaces/outline.ts';
import { planeCoefficients } from '../colliders/surfaces/plane.ts';
import { quadricCoefficients, quadricSteepness } from '../colliders/surfaces/quadric.ts';
import { evaluateSurface, SurfaceValue } from '../colliders/surfaces/surface.ts';
import type { CompiledCollider, CompiledMesh, Setup } from '../compiled.ts';
import { relativeTo, toOwn } from '../motion/rigid.ts';
import { placeOn } from '../motion/segment.ts';
import { Crossings } from '../roots/crossings.ts';
import { crossingsOf } from '../roots/polynomial.ts';
import { ContactList, contactTolerance } from './contacts.ts';
import { Tracing } from './tracing.ts';

/**
 * How near, as a share of edge times edge times the distance from a corner, the side of a triangle is decided exactly:
 * edges are up to four times the coordinates' magnitude long, all coordinates taken together, and a few roundings add
 * up.
 */
const birthTolerance = 2 ** -46;

export class Search {
  readonly #setup: Setup;
  readonly #walk = new PathWalk();
  readonly #meshWalk = new PathWalk();
  readonly #check = new BoxCheck();
  readonly #stamps: Uint32Array;
  readonly #triangleStamps: Uint32Array;
  #stamp = 0;
  #triangleStamp = 0;
  readonly #relative = new Float64Array(9);
  readonly #c = new Float64Array(5);
  readonly #crossings = new Crossings();
  readonly #place = new Float64Array(3);
  readonly #surface = new SurfaceValue();
  readonly #normal = new Float64Array(3);
  readonly #tracing: Tracing;

  // The segment.
  readonly path = new Float64Array(9);
  birth = 0;
  since = 0;
  life = 0;

  // What went before, after a bounce.
  bounced = false;
  leftCollider = -1;
  leftTriangle = -1;
  leftSide = 0;
  readonly previousPath = new Float64Array(9);
  previousSince = 0;
  previousSigma = 0;
  /** The magnitude of the coordinates that the place was computed from. */
  reach = 0;
  /** The contacts where the segment begins, and where the last one began. */
  readonly contacts = new ContactList();
  readonly previousContacts = new ContactList();

  // What was found.
  sigma = Infinity;
  collider = -1;
  triangle = -1;
  side = 0;

  /** How many colliders were tried and boxes visited so far. */
  tried = 0;

  constructor(setup: Setup) {
    this.#setup = setup;
    this.#stamps = new Uint32Array(setup.colliders.length);
    const triangles = Math.max(0, ...setup.colliders.map(({ mesh }) => mesh?.mesh.triangleCount ?? 0));
    this.#triangleStamps = new Uint32Array(triangles);
    this.#tracing = new Tracing(this);
  }

  get boxTests(): number {
    return this.#walk.tests;
  }

  /** Finds the earliest impact. Returns false if there is none. With `only` no other collider is tried. */
  run(only = -1): boolean {
    const { colliders, tree } = this.#setup;
    this.sigma = Infinity;
    this.collider = -1;
    this.triangle = -1;
    this.contacts.clear();
    const end = this.life - this.since;
    if (!(end > 0)) return false;
    if (only >= 0) {
      this.#try(colliders[only], end);
      return this.collider >= 0;
    }
    for (let i = 0; i < tree.always.length; i++) this.#try(colliders[tree.always[i]], end);
    if (++this.#stamp === 2 ** 32) {
      this.#stamps.fill(0);
      this.#stamp = 1;
    }
    const until = Math.min(end, this.sigma);
    this.#walk.begin(tree.tree, this.path, until);
    for (;;) {
      const item = this.#walk.next(this.sigma);
      if (item < 0) break;
      if (this.#stamps[item] === this.#stamp) continue;
      this.#stamps[item] = this.#stamp;
      this.#try(colliders[item], end);
    }
    return this.collider >= 0;
  }

  #try(collider: CompiledCollider, end: number): void {
    this.tried++;
    const { motion } = collider;
    if (motion?.turns || collider.kind === 'field' || collider.kind === 'blobs') {
      this.#tracing.try(collider, end);
      return;
    }
    let path = this.path;
    if (motion !== undefined) {
      path = this.#relative;
      relativeTo(motion, this.birth, this.since, this.path, path);
      if (collider.bounded && !this.#check.meets(collider.box, path, Math.min(end, this.sigma))) return;
    }
    if (collider.kind === 'plane') {
      const magnitude = planeCoefficients(collider.plane!, path, this.#c);
      this.#solve(collider, -1, path, 2, magnitude, 1, end);
    } else if (collider.kind === 'quadric') {
      const quadric = collider.quadric!;
      const magnitude = quadricCoefficients(quadric, path, this.#c);
      this.#solve(collider, -1, path, 4, magnitude, quadricSteepness(quadric, path), end);
    } else {
      this.#tryMesh(collider, path, end);
    }
  }

  #tryMesh(collider: CompiledCollider, path: Float64Array, end: number): void {
    const mesh = collider.mesh!;
    const { triangles, tree, scale } = mesh;
    const normal = this.#normal;
    const c = this.#c;
    if (++this.#triangleStamp === 2 ** 32) {
      this.#triangleStamps.fill(0);
      this.#triangleStamp = 1;
    }
    const stamp = this.#triangleStamp;
    this.#meshWalk.begin(tree, path, Math.min(end, this.sigma));
    for (;;) {
      const t = this.#meshWalk.next(this.sigma);
      if (t < 0) return;
      if (this.#triangleStamps[t] === stamp) continue;
      this.#triangleStamps[t] = stamp;
      triangleNormal(triangles, t, normal);
      const nx = normal[0];
      const ny = normal[1];
      const nz = normal[2];
      const at = 9 * t;
      const dx = path[0] - triangles[at];
      const dy = path[1] - triangles[at + 1];
      const dz = path[2] - triangles[at + 2];
      c[0] = nx * dx + ny * dy + nz * dz;
      c[1] = nx * path[3] + ny * path[4] + nz * path[5];
      c[2] = 0.5 * (nx * path[6] + ny * path[7] + nz * path[8]);
      // A path that is born on the triangle, for example at a corner, is on neither side of it; rounding would put it
      // on one.
      if (
        !this.bounced &&
        Math.abs(c[0]) <= birthTolerance * scale * scale * (Math.abs(dx) + Math.abs(dy) + Math.abs(dz))
      ) {
        c[0] = sideOfTriangle(triangles, t, path) * Math.max(Math.abs(c[0]), Number.MIN_VALUE);
      }
      const magnitude = Math.abs(nx * dx) + Math.abs(ny * dy) + Math.abs(nz * dz);
      const length = Math.abs(nx) + Math.abs(ny) + Math.abs(nz);
      if (length > 0) this.#solve(collider, t, path, 2, magnitude, length, end);
    }
  }

  /** The impact with one surface whose polynomial is in #c: its first crossing within bounds. */
  #solve(
    collider: CompiledCollider,
    triangle: number,
    path: Float64Array,
    degree: number,
    magnitude: number,
    steep: number,
    end: number,
  ): void {
    const c = this.#c;
    const side = this.bounced
      ? this.contactSide(collider, triangle, c[0], magnitude + steep * this.reach)
      : 0;
    if (side !== 0) {
      for (let i = 0; i < degree; i++) c[i] = c[i + 1];
      degree--;
    }
    const crossings = this.#crossings;
    // A polynomial that is clear of 0 has the sign of its first coefficient: that of the side, unless it moves into the
    // surface at once.
    if (degree > 2 && Math.sign(c[0]) !== -side && isClear(c, degree, Math.min(end, this.sigma))) return;
    crossingsOf(c, degree, end, this.sigma, crossings);
    let before = crossings.first;
    if (side !== 0 && before === -side) {
      if (this.#isHit(collider, triangle, path, 0, side, 0)) {
        this.consider(0, collider.index, triangle, side);
        return;
      }
    }
    for (let i = 0; i < crossings.count; i++, before = -before) {
      const sigma = crossings.times[i];
      if (sigma > this.sigma) return;
      const isExact = triangle < 0 && !collider.sealed;
      const drift = isExact ? 0 : driftOf(c, degree, sigma, magnitude, steep, path);
      if (!this.#isHit(collider, triangle, path, sigma, before, drift)) continue;
      this.consider(sigma, collider.index, triangle, before);
      return;
    }
  }

  #isHit(
    collider: CompiledCollider,
    triangle: number,
    path: Float64Array,
    sigma: number,
    side: number,
    drift: number,
  ): boolean {
    if (side < 0 && collider.sides === 'front') return false;
    placeOn(path, sigma, this.#place);
    let far = 0;
    for (let axis = 0; axis < 3; axis++) {
      const sum =
        Math.abs(path[axis]) + (Math.abs(path[3 + axis]) + 0.5 * Math.abs(path[6 + axis]) * sigma) * sigma;
      if (sum > far) far = sum;
    }
    return this.isWithin(collider, triangle, this.#place, far, drift);
  }

  /**
   * Tells whether a place on the surface, in the collider's own coordinates, belongs to the collider. `far` is the
   * magnitude of the coordinates it was computed from, `drift` its possible error along the path.
   */
  isWithin(
    collider: CompiledCollider,
    triangle: number,
    place: Float64Array,
    far: number,
    drift: number,
  ): boolean {
    const x = place[0];
    const y = place[1];
    const z = place[2];
    if (collider.mesh !== undefined) {
      const { triangles, scale } = collider.mesh as CompiledMesh;
      triangleNormal(triangles, triangle, this.#normal);
      return withinTriangle(triangles, triangle, this.#normal, x, y, z, growth(scale, far, drift));
    }
    const scale = collider.sealed ? Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) : 0;
    // At least 2^-40 of the coordinates: the numbers that define pieces are rounded too.
    const grow = collider.sealed ? growth(16 * Math.max(scale, far), far, drift) : 0;
    if (collider.bounds.length > 0 && !withinBounds(collider.bounds, x, y, z, grow)) return false;
    return collider.plane === undefined || withinOutline(collider.plane, x, y, z, grow);
  }

  /** Keeps an impact if it is the first so far. */
  consider(sigma: number, collider: number, triangle: number, side: number): void {
    if (sigma > this.sigma || !(this.since + sigma < this.life)) return;
    if (sigma === this.sigma) {
      if (collider > this.collider) return;
      if (collider === this.collider && triangle > this.triangle) return;
    }
    this.sigma = sigma;
    this.collider = collider;
    this.triangle = triangle;
    this.side = side;
  }

  /**
   * The side of a surface on which the segment begins, up to rounding; 0 if it does not begin there, or no side is
   * known.
   */
  contactSide(collider: CompiledCollider, triangle: number, value: number, scale: number): number {
    let side = 0;
    if (collider.index === this.leftCollider && triangle === this.leftTriangle) {
      side = this.leftSide;
    } else if (Math.abs(value) <= contactTolerance * scale) {
      // If the previous segment had length 0, what was known when it began still holds.
      side = this.#sideBefore(collider, triangle) || this.previousContacts.sideOf(collider.index, triangle);
    }
    if (side !== 0) this.contacts.add(collider.index, triangle, side);
    return side;
  }

  /** The side at the latest time of the previous segment at which it is certain. */
  #sideBefore(collider: CompiledCollider, triangle: number): number {
    if (!(this.previousSigma > 0)) return 0;
    const place = this.#place;
    for (let back = 2 ** -36; back <= 1; back *= 64) {
      const sigma = back === 1 ? 0 : this.previousSigma * (1 - back);
      placeOn(this.previousPath, sigma, place);
      if (collider.motion !== undefined) {
        toOwn(collider.motion, this.birth, this.previousSince + sigma, place, place);
      }
      evaluateSurface(collider, triangle, place, this.reach, this.#surface);
      const { value, scale } = this.#surface;
      if (Math.abs(value) > 4 * contactTolerance * scale) return Math.sign(value);
    }
    return 0;
  }
}

/**
 * Tells whether a cubic or quartic has no root in [0, end], by its Bernstein coefficients: it lies between the least
 * and the greatest of them. They are off by far less than 2^-46 of the terms they are made of.
 */
function isClear(c: Float64Array, degree: number, end: number): boolean {
  const d0 = c[0];
  const d1 = c[1] * end;
  const d2 = c[2] * end * end;
  const d3 = c[3] * end * end * end;
  let b1: number;
  let b2: number;
  let b3: number;
  let b4: number;
  let bound = Math.abs(d0) + Math.abs(d1) + Math.abs(d2) + Math.abs(d3);
  if (degree === 3) {
    b1 = d0 + d1 / 3;
    b2 = d0 + (2 * d1 + d2) / 3;
    b3 = d0 + d1 + d2 + d3;
    b4 = b3;
  } else {
    const d4 = c[4] * end * end * end * end;
    bound += Math.abs(d4);
    b1 = d0 + 0.25 * d1;
    b2 = d0 + 0.5 * d1 + d2 / 6;
    b3 = d0 + 0.75 * d1 + 0.5 * d2 + 0.25 * d3;
    b4 = d0 + d1 + d2 + d3 + d4;
  }
  bound *= 2 ** -46;
  if (d0 > bound) return b1 > bound && b2 > bound && b3 > bound && b4 > bound;
  return d0 < -bound && b1 < -bound && b2 < -bound && b3 < -bound && b4 < -bound;
}

/**
 * How far the place of a crossing may be off along the surface: speed times the error of the time
 * (roots/polynomial.ts).
 */
function driftOf(
  c: Float64Array,
  degree: number,
  sigma: number,
  magnitude: number,
  steep: number,
  path: Float64Array,
): number {
  let slope = 0;
  let sum = 0;
  for (let i = degree; i > 0; i--) {
    slope = slope * sigma + i * c[i];
    sum = (sum + Math.abs(c[i])) * sigma;
  }
  // Coefficients are off by a share of the terms they are summed from, not of the result.
  let way = 0;
  for (let axis = 0; axis < 3; axis++) {
    way += (Math.abs(path[3 + axis]) + 0.5 * Math.abs(path[6 + axis]) * sigma) * sigma;
  }
  sum += 4 * magnitude + 2 * steep * way;
  const late = (2 ** -49 * sum) / Math.abs(slope) + 2 ** -51 * sigma;
  let speed = 0;
  for (let axis = 0; axis < 3; axis++) speed += Math.abs(path[3 + axis] + path[6 + axis] * sigma);
  return speed * late;
}
