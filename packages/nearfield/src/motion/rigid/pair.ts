// Two bodies on their paths: how far apart they certainly are at a time, how fast they can approach, and whether they
// certainly meet. Every bound is about the true paths (path.ts); poses in doubles place points within `slack` of them.
// If the bodies are so large or so small that products of lengths would leave the range of doubles, lengths are in other
// units, and `toWorld` converts them back.
//
// Trees search the bodies as poses in doubles place them. Far from the origin, or at the end of a chain of joints, the
// slack may exceed the smallest gap that has to be told from a contact. Then all pairs of triangles within a few slacks
// are listed and measured again by frames (placing.ts). The pair that is truly nearest is in the list: in doubles it is at
// most two slacks farther apart than the pair that is nearest in doubles.

import type { SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import { snapshotOf } from '../../bodies/snapshot/snapshot-of.ts';
import { finderOf } from '../../bvh/cpu/walk/finder.ts';
import { TooManyPairs } from '../../core/errors.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { cpuDistances } from '../../distance/cpu/driver.ts';
import { distanceOf, nearestPoints, pointToDoubles } from '../../distance/exact/triangle-distance.ts';
import { candidateOf, type Separation, separationOf } from '../../distance/separation.ts';
import { decidePairs } from '../../interferences/exact.ts';
import { cpuPairs } from '../../interferences/hierarchy/cpu/driver.ts';
import { mayShareInterior } from '../../interferences/relation/containment.ts';
import { type Relation, relationOf } from '../../interferences/relation/relation.ts';
import { apartAtLeast } from './approach.ts';
import { inUnits, relativeSpeed } from './paths/joints.ts';
import type { BodyPath } from './paths/path.ts';
import { unitOf } from './paths/turn.ts';
import { type Placing, placingByFrames, placingByPoses } from './placing.ts';
import {
  type Certificate,
  certificateOf,
  closeCertificate,
  contactMargin,
  meetingsOf,
} from './proofs/certificate.ts';
import { crossingUntil } from './proofs/lasting.ts';
import { passageOf } from './proofs/passage.ts';

/** Longer lists of triangles are not searched for passages. */
const mostPassages = 4096;
const theTwo = new Uint32Array([0, 1]);
const corners = new Float64Array(18);

/** How two bodies that share a point lie to one another. Triangles are −1 if one solid lies within the other. */
export interface ContactRelation {
  readonly relation: Relation;
  readonly triangleA: number;
  readonly triangleB: number;
}

/** How far apart two bodies are at a time, between two bounds, and the places nearest to each other as doubles have them. */
export interface Gap extends Separation {
  readonly least: number;
  readonly most: number;
}

/** Longer lists of triangles that may be the nearest are not measured one by one. */
const mostMeasured = 2 ** 16;
/** Within this many slacks, triangles are measured one by one. */
const closeSlacks = 16;

export class PairMotion {
  /** The sum, over both bodies, of how far world positions by poses in doubles may be from the paths. */
  readonly slack: number;
  /** The size of the larger of the two. */
  readonly size: number;
  /** Nearer than this, an approach cannot be followed: 2^-41 of the size. */
  readonly leastGap: number;
  /**
   * Up to this, two bodies count as near. Triangles are followed until they are `leastGap` and 2^-47 of their extent apart
   * (approach.ts), which is less: steps that close the rest by the distance alone would be many and short.
   */
  readonly nearGap: number;
  /** What a length is in world units: times a power of two. */
  readonly toWorld: number;
  readonly pathA: BodyPath;
  readonly pathB: BodyPath;
  /** Places triangles quickly, and precisely. Both are the same if poses are precise enough, or a body deforms. */
  readonly quickly: Placing;
  readonly closely: Placing;
  /** Whether poses place the bodies well enough to tell a gap from a contact. */
  readonly #isPrecise: boolean;
  readonly #poses: readonly [Float64Array, Float64Array] = [new Float64Array(16), new Float64Array(16)];

  constructor(
    readonly engine: CpuEngine,
    readonly a: SnapshotBody,
    readonly b: SnapshotBody,
    pathA: BodyPath,
    pathB: BodyPath,
  ) {
    const unit = unitOf(Math.max(pathA.reach, pathB.reach));
    this.toWorld = 1 / unit;
    this.pathA = inUnits(pathA, unit);
    this.pathB = inUnits(pathB, unit);
    this.slack = this.pathA.slack + this.pathB.slack;
    this.size = Math.max(this.pathA.size, this.pathB.size);
    const byPoses = placingByPoses(a, b, this.pathA, this.pathB, this.size);
    this.#isPrecise = byPoses.leastGap <= 2 ** -41 * this.size;
    const deforms = this.pathA.deforming !== undefined || this.pathB.deforming !== undefined;
    const needsFrames = deforms || !this.#isPrecise;
    const [framesA, framesB] = needsFrames ? [this.pathA.frames(1), this.pathB.frames(1)] : [];
    this.closely = framesA && framesB ? placingByFrames(a, b, framesA, framesB, this.size) : byPoses;
    this.quickly = deforms ? this.closely : byPoses;
    this.leastGap = this.closely.leastGap;
    this.nearGap = 1.25 * this.leastGap;
  }

  /** The bodies as doubles place them at a time. The next call overwrites poses, and positions of bodies that deform. */
  at(t: number): [SnapshotBody, SnapshotBody] {
    const [poseA, poseB] = this.#poses;
    this.pathA.poseAt(t, poseA);
    this.pathB.poseAt(t, poseB);
    const [a, b] = [this.pathA.deforming?.bodyAt(t) ?? this.a, this.pathB.deforming?.bodyAt(t) ?? this.b];
    return [
      { ...a, pose: poseA },
      { ...b, pose: poseB },
    ];
  }

  /**
   * The distance of the two as doubles place them. Infinity if it is not below `upTo`. Between surfaces: solids that are
   * known to be apart at some earlier time only come to lie within each other through a contact.
   */
  separation(t: number, upTo = Infinity, surface = true): Separation {
    const [a, b] = this.at(t);
    const raw = cpuDistances(this.engine).nearestSync([a, b], { candidates: theTwo, upTo });
    return separationOf(this.engine, a, b, candidateOf(raw, 0), upTo, surface);
  }

  /** Every pair of triangles nearer than `upTo` as doubles place them, two numbers each; undefined if there are more than `most`. */
  near(t: number, upTo: number, most: number): Uint32Array | undefined {
    const [a, b] = this.at(t);
    try {
      const request = { candidates: theTwo, upTo, listAll: most };
      return cpuDistances(this.engine).nearestSync([a, b], request).triangles;
    } catch (error) {
      if (error instanceof TooManyPairs) return undefined;
      throw error;
    }
  }

  /**
   * How far apart the two are at time t. If they are not nearer than `upTo` as doubles place them, that is the lower bound, and the
   * upper one is infinite. `surface` as in `separation`.
   */
  gap(t: number, upTo = Infinity, surface = true): Gap {
    const near = this.separation(t, upTo, surface);
    const { distance } = near;
    if (distance === 0 && this.#isExact(t)) return { ...near, least: 0, most: 0 };
    const known = Math.min(distance, upTo);
    // Solids that lie within each other have no nearest triangles.
    const isWithin = distance === 0 && near.triangleA < 0;
    const isClose = !this.#isPrecise && !isWithin && known <= closeSlacks * this.slack;
    if (isClose && distance === Infinity) return this.gap(t, Infinity, surface);
    const precise = isClose ? this.#measured(t, distance) : undefined;
    return precise ?? boundsOf(near, known, this.slack);
  }

  /** The gap by the precise places of all triangles that may be the nearest; undefined if there are too many. */
  #measured(t: number, distance: number): Gap | undefined {
    const pairs = this.near(t, (distance + 2 * this.slack) * (1 + 2 ** -40), mostMeasured);
    if (pairs === undefined) return undefined;
    const { closely } = this;
    const bounds = new Float64Array(pairs.length / 2);
    for (let i = 0; i < bounds.length; i++) {
      closely.place(t, pairs[2 * i], pairs[2 * i + 1], corners);
      bounds[i] = apartAtLeast(corners);
    }
    // By triangles if bounds are equal: the order of the list is that of trees, which depends on how bodies were deformed before.
    const order = Uint32Array.from(bounds, (_, i) => i).sort(
      (i, j) => bounds[i] - bounds[j] || pairs[2 * i] - pairs[2 * j] || pairs[2 * i + 1] - pairs[2 * j + 1],
    );
    let best = Infinity;
    let nearest: Separation | undefined;
    for (const i of order) {
      if (bounds[i] >= best) break;
      const [triangleA, triangleB] = [pairs[2 * i], pairs[2 * i + 1]];
      closely.place(t, triangleA, triangleB, corners);
      const found = nearestPoints(corners);
      const distance = distanceOf(found);
      if (!(distance < best)) continue;
      best = distance;
      const origin = closely.originAt(t);
      const [pointA, pointB] = [found.pointA, found.pointB].map(point =>
        pointToDoubles(point, found.unit).map((x, k) => x + origin[k]),
      );
      nearest = { distance, pointA, pointB, triangleA, triangleB };
    }
    return nearest && boundsOf(nearest, best, closely.slack);
  }

  /** From t to t + h the two do not approach faster than this. */
  speed(t: number, h: number): number {
    return relativeSpeed(this.pathA, this.pathB, t, h);
  }

  /**
   * How long the two need at least from t on to come nearer by `gap`, at most `most`. 2^-52 is left for the rounding of the time
   * that the caller adds this to.
   */
  timeFor(t: number, gap: number, most: number): number {
    const atOnce = durationFor(gap, this.speed(t, most));
    if (atOnce >= most) return most;
    // In a shorter time the speed may have a lower bound.
    const longer = Math.min(most, 2 * atOnce);
    const again = Math.min(longer, durationFor(gap, this.speed(t, longer)));
    return Math.max(0, atOnce, again);
  }

  /** A proof that the two meet at time t. */
  certificate(t: number): Certificate | undefined {
    const [a, b] = this.at(t);
    const proof = certificateOf(this.engine, a, b, this.slack) ?? this.#closeCertificate(t);
    if (proof || !this.#isExact(t)) return proof;
    // The doubles are the path's positions: here, to touch is to meet.
    const met = this.meetingAt(t);
    return met && { ...met, point: this.separation(t, Infinity, false).pointA, margin: 0 };
  }

  /** A proof by precise places, if poses are not precise enough. */
  #closeCertificate(t: number): Certificate | undefined {
    if (this.#isPrecise) return undefined;
    const pairs = this.near(t, 2 * this.slack * (1 + 2 ** -40), mostMeasured);
    return pairs && closeCertificate(this.closely, t, pairs);
  }

  /**
   * Whether doubles are the path's positions at a time: motions begin and end at the poses given. After a change of
   * units the pose at time 1 may have been rounded, where its numbers are subnormal.
   */
  #isExact(t: number): boolean {
    return t === 0 || (t === 1 && this.toWorld === 1);
  }

  /** A proof that the two meet at a time between these. */
  meetingBetween(from: number, to: number): Certificate | undefined {
    const proof = this.certificate(to);
    if (proof) return proof;
    const h = to - from;
    const pairs = this.near(from, h * this.speed(from, h) * (1 + 2 ** -30) + 4 * this.slack, mostPassages);
    return pairs && passageOf(this, pairs, from, to);
  }

  /** A time up to `end` until which the surfaces certainly cross from time t on, or t; times closer than `least` are not looked at. */
  crossingUntil(t: number, end: number, least: number): number {
    const [a, b] = this.at(t);
    const raw = meetingsOf(this.engine, a, b);
    if (raw === undefined) return t;
    const pairs: number[] = [];
    for (const records of [raw.certain, raw.unsure])
      for (let r = 0; r < records.length; r += 3) pairs.push(records[r + 1], records[r + 2]);
    return crossingUntil(this, Uint32Array.from(pairs), t, end, least);
  }

  /** How far the two may move against each other from time t on and still certainly meet; −1 if it is not certain that they meet at t. */
  margin(t: number): number {
    const [a, b] = this.at(t);
    const margin = contactMargin(this.engine, a, b, this.slack);
    return margin >= 0 ? margin : (this.#closeCertificate(t)?.margin ?? -1);
  }

  /** Whether both are solids at all times. */
  get areSolids(): boolean {
    const [a, b] = this.at(0.5);
    return [this.a, this.b, a, b].every(({ mesh }) => mesh.solid);
  }

  /** Whether one solid lies within the other at a time at which the surfaces are apart; 'unknown' if they are too near to tell. */
  isWithin(t: number): 'yes' | 'no' | 'unknown' {
    const isCertain = this.#isExact(t) || this.separation(t).distance > this.slack;
    if (!isCertain) return 'unknown';
    return this.separation(t, Infinity, false).distance === 0 ? 'yes' : 'no';
  }

  /** The exact relation of the two as doubles place them at a time, if they share a point. */
  meetingAt(t: number): ContactRelation | undefined {
    const [a, b] = this.at(t);
    const raw = cpuPairs(this.engine).interfereSync([a, b], { detail: 'list', candidates: theTwo });
    const { triangles } = decidePairs(raw, i => (i === 0 ? a : b), this.engine);
    // Most bodies start apart, which boxes show sooner than a relation.
    if (triangles.length === 0 && !mayShareInterior(snapshotOf([a, b]), 0, 1, 0)) return undefined;
    const relation = relationOf(finderOf(this.engine), a, b, triangles);
    if (relation === 'separate') return undefined;
    const [triangleA, triangleB] = triangles.length > 0 ? triangles : [-1, -1];
    return { relation, triangleA, triangleB };
  }
}

/** Bounds of the true distance: it is at least the one known in doubles, and at most the one measured, up to the slack. */
const boundsOf = (near: Separation, known: number, slack: number): Gap => ({
  ...near,
  least: known * (1 - 2 ** -52) - slack,
  most: near.distance * (1 + 2 ** -52) + slack,
});

const durationFor = (gap: number, speed: number): number =>
  speed === 0 ? Infinity : (gap / speed) * (1 - 2 ** -30) - 2 ** -52;
