// Colliders whose h(σ) is not a polynomial: those that turn, distance fields and implicit surfaces. Their crossings are
// bracketed (roots/bracket.ts) along the path in their own coordinates. For a turning mesh, only triangles near the
// path are examined, and only while it is near them.

import { withinField } from '../colliders/field.ts';
import { PathWalk } from '../colliders/paths/cull.ts';
import { OwnCurve } from '../colliders/paths/moving.ts';
import { BlobsTrace, FieldTrace, PlaneTrace, QuadricTrace, type Trace } from '../colliders/paths/traces.ts';
import type { CompiledCollider } from '../compiled.ts';
import { Bracket } from '../roots/bracket.ts';
import { contactTolerance } from './contacts.ts';
import type { Search } from './search.ts';

/**
 * By how much the interval of a triangle exceeds a piece of the path at both ends, so that no crossing is at an end of
 * both.
 */
const overlap = 2 ** -20;

export class Tracing {
  readonly #search: Search;
  readonly #curve = new OwnCurve();
  readonly #plane = new PlaneTrace(this.#curve);
  readonly #quadric = new QuadricTrace(this.#curve);
  readonly #field = new FieldTrace(this.#curve);
  readonly #blobs = new BlobsTrace(this.#curve);
  readonly #walk = new PathWalk();
  readonly #bracket = new Bracket();

  constructor(search: Search) {
    this.#search = search;
  }

  /** Considers the first impact with a collider before σ = end. */
  try(collider: CompiledCollider, end: number): void {
    const search = this.#search;
    this.#curve.begin(collider.motion, search.birth, search.since, search.path);
    if (collider.mesh !== undefined) {
      this.#tryTriangles(collider, end);
      return;
    }
    const trace = this.#traceOf(collider);
    trace.within(collider.bounded ? collider.box : undefined);
    this.#solve(collider, -1, trace, 0, end);
  }

  #traceOf(collider: CompiledCollider): Trace {
    if (collider.plane !== undefined) {
      this.#plane.ofPlane(collider.plane);
      return this.#plane;
    }
    if (collider.quadric !== undefined) {
      this.#quadric.of(collider.quadric);
      return this.#quadric;
    }
    if (collider.field !== undefined) {
      this.#field.of(collider.field);
      return this.#field;
    }
    this.#blobs.of(collider.blobs!);
    return this.#blobs;
  }

  #tryTriangles(collider: CompiledCollider, end: number): void {
    const { triangles, tree } = collider.mesh!;
    const search = this.#search;
    const walk = this.#walk;
    const trace = this.#plane;
    trace.within(undefined);
    walk.beginCurve(tree, this.#curve, end);
    for (;;) {
      const t = walk.next(search.sigma);
      if (t < 0) return;
      if (!trace.ofTriangle(triangles, t)) continue;
      const more = overlap * walk.pieceLength;
      const from = Math.max(0, walk.pieceStart - more);
      this.#solve(collider, t, trace, from, Math.min(end, walk.pieceStart + walk.pieceLength + more));
    }
  }

  #solve(collider: CompiledCollider, triangle: number, trace: Trace, from: number, to: number): void {
    const search = this.#search;
    let side = 0;
    let around = 0;
    if (search.bounced && from === 0) {
      trace.evaluate(0, 0);
      const scale = trace.error * 2 ** 47 + trace.gradient * search.reach;
      side = trace.clear ? 0 : search.contactSide(collider, triangle, trace.value, scale);
      if (side !== 0) around = contactTolerance * scale;
    }
    this.#bracket.begin(trace, from, to, side, around);
    for (;;) {
      const sigma = this.#bracket.next(search.sigma);
      if (sigma < 0 || sigma > search.sigma) return;
      const { before } = this.#bracket;
      if (before < 0 && collider.sides === 'front') continue;
      trace.evaluate(sigma, 0);
      if (!this.#isWithin(collider, triangle, trace)) continue;
      search.consider(sigma, collider.index, triangle, before);
      return;
    }
  }

  #isWithin(collider: CompiledCollider, triangle: number, trace: Trace): boolean {
    const { place, speed, scale } = this.#curve;
    if (collider.field !== undefined) return withinField(collider.field, place[0], place[1], place[2]);
    const isExact = triangle < 0 && !collider.sealed;
    const drift = isExact ? 0 : (speed * trace.error) / Math.abs(trace.slope);
    return this.#search.isWithin(collider, triangle, place, scale, drift);
  }
}
