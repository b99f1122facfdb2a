// Two bodies that overlap, as the search for a penetration sees them: translations of B in A's frame, the kernels'
// answers about them, and the exact predicates' answers about the bodies placed there.

import type { Placed } from '../bodies/snapshot/snapshot.ts';
import type { SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import { snapshotOf } from '../bodies/snapshot/snapshot-of.ts';
import { finderOf } from '../bvh/cpu/walk/finder.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { decideAny, decidePairs } from '../interferences/exact.ts';
import { cpuPairs } from '../interferences/hierarchy/cpu/driver.ts';
import { holdsPartOf, mayHoldPartOf } from '../interferences/relation/containment.ts';
import { relationOf } from '../interferences/relation/relation.ts';
import type { RawAnswer } from '../interferences/request.ts';
import { placeTriangle } from '../math/pose.ts';
import { properCrossing } from '../math/triangles/triangle-triangle.ts';
import { solidsOf } from './kernels/kernels.ts';
import { meetingBoxes } from './meeting.ts';
import type { Support } from './pieces/hull.ts';
import { framePair, type PairFrame, type PlacedSolid, placeSolid, transform } from './placement.ts';
import type { Deepest, SolidKernels, SweepContact } from './solids.ts';

/** A translation of B that is known to separate the bodies. */
export interface SeparatingTranslation {
  /** In A's frame, and its length there. */
  readonly t: Float64Array;
  readonly length: number;
  /** In the world, as the predicates confirmed it. Its length is rounded up. */
  readonly translation: Float64Array;
  readonly worldLength: number;
}

const thePair = new Uint32Array([0, 1]);
/**
 * If the depth found is less than this share of the smaller solid's size, the search is repeated where the surfaces
 * meet.
 */
const shallow = 0.02;
/** Evaluations of that search. */
const shallowSearch = 600;
let moves = 0;

export class OverlappingPair {
  readonly kernels: SolidKernels;
  readonly solidA: PlacedSolid;
  readonly solidB: PlacedSolid;
  readonly frame: PairFrame;
  readonly #engine: CpuEngine;
  readonly #a: SnapshotBody;
  readonly #b: SnapshotBody;
  readonly #point = new Float64Array(3);

  constructor(engine: CpuEngine, a: SnapshotBody, b: SnapshotBody) {
    this.#engine = engine;
    this.#a = a;
    this.#b = b;
    const kernels = (this.kernels = solidsOf(engine));
    this.solidA = placeSolid(kernels, a);
    this.solidB = placeSolid(kernels, b);
    const farthest = 4 * (extentOf(kernels, this.solidA) + extentOf(kernels, this.solidB));
    this.frame = framePair(this.solidA, this.solidB, farthest);
    this.resume();
  }

  /** Makes the two the kernels' pair again, after other questions may have used them. B must then be placed. */
  resume(): void {
    const { r, inverse, leastStretch } = this.frame;
    this.kernels.setPair(this.solidA.shape, this.solidB.shape, r, inverse, leastStretch);
  }

  /** Places B for the kernels as a translation leaves it. */
  moveTo(x: number, y: number, z: number): void {
    const { place } = this.frame;
    this.kernels.setPlace(place[0] + x, place[1] + y, place[2] + z);
  }

  /** The farthest point of the difference of two convex sets, one in each frame: a − b along the direction. */
  difference(a: Support, b: Support): Support {
    const { r, place } = this.frame;
    const point = this.#point;
    return (x, y, z, out) => {
      // B's point farthest against the direction: in its own frame along −Rᵀ·d.
      let u = -(r[0] * x + r[3] * y + r[6] * z);
      let v = -(r[1] * x + r[4] * y + r[7] * z);
      let w = -(r[2] * x + r[5] * y + r[8] * z);
      const length = Math.sqrt(u * u + v * v + w * w);
      u /= length;
      v /= length;
      w /= length;
      b(u, v, w, point);
      const px = r[0] * point[0] + r[1] * point[1] + r[2] * point[2] + place[0];
      const py = r[3] * point[0] + r[4] * point[1] + r[5] * point[2] + place[1];
      const pz = r[6] * point[0] + r[7] * point[1] + r[8] * point[2] + place[2];
      a(x, y, z, out);
      out[0] -= px;
      out[1] -= py;
      out[2] -= pz;
      return out[0] * x + out[1] * y + out[2] * z;
    };
  }

  /** The support of the difference of both convex hulls. */
  get hullDifference(): Support {
    const { kernels, solidA, solidB } = this;
    return this.difference(
      (x, y, z, out) => kernels.support(solidA.shape, x, y, z, out),
      (x, y, z, out) => kernels.support(solidB.shape, x, y, z, out),
    );
  }

  /**
   * The translation t, or a little more, if the predicates confirm that it separates. `push` is a direction away from
   * all contacts there. Steps begin at the size of rounding of world positions; larger ones are no longer than `most`
   * of t. If the first is not enough, t may lead into a slot that B fits exactly. Then only t itself separates, and it
   * is only known rounded. On a grid it has few binary digits, so the number of fewest digits nearby is tried.
   */
  separatingNear(
    t: ArrayLike<number>,
    push: ArrayLike<number>,
    most = 1e-3,
  ): SeparatingTranslation | undefined {
    const length = Math.hypot(t[0], t[1], t[2]);
    const { noise } = this.frame;
    const longest = Math.max(most * length + 1e-9, 600 * noise);
    const first = 2 * noise + 1e-15 * length;
    for (let step = first; step < longest; step *= 16) {
      const at = Float64Array.from([0, 1, 2], i => t[i] + step * push[i]);
      const separating = this.separatingAt(at) ?? (step === first ? this.#separatingOnGrid(t) : undefined);
      if (separating !== undefined) return separating;
    }
    return undefined;
  }

  #separatingOnGrid(t: ArrayLike<number>): SeparatingTranslation | undefined {
    const translation = transform(this.solidA.linear, t[0], t[1], t[2]);
    return this.separatingBy(onGrid(translation, 64 * this.frame.noise * this.frame.mostWorld));
  }

  separatingAt(t: Float64Array): SeparatingTranslation | undefined {
    return this.#separating(t, transform(this.solidA.linear, t[0], t[1], t[2]));
  }

  /** A translation in the world, if the predicates confirm that it separates. */
  separatingBy(translation: Float64Array): SeparatingTranslation | undefined {
    const [x, y, z] = translation;
    return this.#separating(transform(this.frame.toA, x, y, z), translation);
  }

  #separating(t: Float64Array, translation: Float64Array): SeparatingTranslation | undefined {
    if (!this.#areSeparate(t, translation)) return undefined;
    const worldLength = roundedUpLength(translation);
    return { t, length: Math.hypot(t[0], t[1], t[2]), translation, worldLength };
  }

  /**
   * Tells whether B moved by t has no interior in common with A, and likewise B with A moved by −t: the answer must
   * hold for both orders.
   */
  #areSeparate(t: Float64Array, translation: Float64Array): boolean {
    const back = translation.map(x => -x);
    const [a, b] = [this.#a, this.#b];
    const movedB = moved(b, translation);
    const first = this.#howSurfacesMeet(a, movedB);
    if (first === 'crossing') return false;
    const movedA = moved(a, back);
    const second = this.#howSurfacesMeet(movedA, b);
    if (second === 'crossing') return false;
    if (first === 'apart' && second === 'apart') {
      // If surfaces do not meet, one vertex of each connected part decides. Far from the surface doubles suffice.
      if (this.#partsOutside(t)) return true;
      return !this.#holdParts(a, movedB) && !this.#holdParts(movedA, b);
    }
    // Flush faces coincide: the exact relation distinguishes touching from overlapping.
    return !this.#shareInterior(a, movedB, first) && !this.#shareInterior(movedA, b, second);
  }

  /** Tells whether the bodies, where they are, share a point. */
  get sharesPoint(): boolean {
    return this.#anyMeet(this.#a, this.#b) !== undefined || this.#holdParts(this.#a, this.#b);
  }

  /** Tells whether they share interior, where they are. */
  get sharesInterior(): boolean {
    const how = this.#howSurfacesMeet(this.#a, this.#b);
    return how === 'crossing' || this.#shareInterior(this.#a, this.#b, how);
  }

  /**
   * 'crossing' if two triangles cross transversally. Each then has points on both sides of the other, so one of the
   * four corners between them lies in both solids, whatever else the solids hold there. The one exception is a sheet
   * folded flat upon itself, which bounds nothing: if something crosses it, the result is still 'crossing', and the
   * translation is not used. Otherwise the pairs that touch, or 'apart'.
   */
  #howSurfacesMeet(a: SnapshotBody, b: SnapshotBody): 'crossing' | 'apart' | Uint32Array {
    const raw = this.#anyMeet(a, b);
    if (raw === undefined) return 'apart';
    // Mostly the first pair found shows it.
    if (anyCross(a, b, raw.certain, 3, 1)) return 'crossing';
    const triangles = this.#meetingTriangles(a, b);
    return anyCross(a, b, triangles, 2, 0) ? 'crossing' : triangles;
  }

  #shareInterior(a: SnapshotBody, b: SnapshotBody, meeting: 'apart' | Uint32Array): boolean {
    if (meeting === 'apart') return this.#holdParts(a, b);
    const relation = relationOf(finderOf(this.#engine), a, b, meeting);
    return relation !== 'separate' && relation !== 'touching';
  }

  /** What the engine found, if the surfaces share a point. */
  #anyMeet(a: SnapshotBody, b: SnapshotBody): RawAnswer | undefined {
    const raw = cpuPairs(this.#engine).interfereSync([a, b], { detail: 'any', candidates: thePair });
    const meet = raw.candidates.length > 0 && decideAny(raw, i => (i === 0 ? a : b))[0] === 1;
    return meet ? raw : undefined;
  }

  #holdParts(a: SnapshotBody, b: SnapshotBody): boolean {
    const rows = snapshotOf([a, b] as readonly Placed[]);
    return (
      (mayHoldPartOf(rows, 0, 1) && holdsPartOf(finderOf(this.#engine), a, b)) ||
      (mayHoldPartOf(rows, 1, 0) && holdsPartOf(finderOf(this.#engine), b, a))
    );
  }

  /** Tells whether each part of either solid has a vertex outside the other by more than rounding can move anything. */
  #partsOutside(t: Float64Array): boolean {
    const { kernels, solidA, solidB, frame } = this;
    const { r, place, noise } = frame;
    const [x, y, z] = [place[0] + t[0], place[1] + t[1], place[2] + t[2]];
    kernels.setPlace(x, y, z);
    const outside = (point: ArrayLike<number>, inB: boolean): boolean =>
      kernels.depthOf(point[0], point[1], point[2], inB) < -noise;
    for (const v of solidA.shape.mesh.adjacency.componentVertices)
      if (!outside(vertexInFrame(kernels, solidA, v), true)) return false;
    for (const v of solidB.shape.mesh.adjacency.componentVertices) {
      const u = vertexInFrame(kernels, solidB, v);
      const p = transform(r, u[0], u[1], u[2]);
      if (!outside([p[0] + x, p[1] + y, p[2] + z], false)) return false;
    }
    return true;
  }

  /**
   * Where the solids overlap most; undefined if they have no common interior. A ball in both, however small, proves
   * that they have. If the first search finds none, or next to none, any overlap is shallow: it is searched for where
   * surfaces meet. If that finds nothing either, the exact relation decides.
   */
  deepestOf(budget: number): Deepest | undefined {
    const { kernels, frame } = this;
    this.moveTo(0, 0, 0);
    const first = kernels.deepest(budget);
    if (first.sum > Math.max(frame.noise, shallow * Math.min(1, frame.leastStretch))) return first;
    if (!(first.sum > frame.noise) && !this.sharesPoint) return undefined;
    const triangles = this.#meetingTriangles(this.#a, this.#b);
    const best = this.#deepestOfShallow(this.#b, triangles, first);
    if (best.sum > frame.noise) return best;
    const relation = relationOf(finderOf(this.#engine), this.#a, this.#b, triangles);
    return relation === 'separate' || relation === 'touching' ? undefined : best;
  }

  /**
   * The same for B moved by a translation, when they are known to share a point. `found` is the result of the first
   * search.
   */
  shallowAt(x: number, y: number, z: number, found: Deepest): Deepest {
    const b = moved(this.#b, transform(this.solidA.linear, x, y, z));
    this.moveTo(x, y, z);
    return this.#deepestOfShallow(b, this.#meetingTriangles(this.#a, b), found);
  }

  #meetingTriangles(a: SnapshotBody, b: SnapshotBody): Uint32Array {
    const raw = cpuPairs(this.#engine).interfereSync([a, b], { detail: 'list', candidates: thePair });
    return decidePairs(raw, i => (i === 0 ? a : b), this.#engine).triangles;
  }

  #deepestOfShallow(b: SnapshotBody, triangles: Uint32Array, found: Deepest): Deepest {
    let best = found;
    for (const box of meetingBoxes(this.#a, b, triangles, this.solidA, this.frame.toA)) {
      const other = this.kernels.deepest(shallowSearch, box);
      if (other.sum > best.sum) best = other;
    }
    return best;
  }

  /** Sweeps from a free translation towards another. Returns where B first meets A, or undefined. */
  sweepFrom(t: Float64Array, to: ArrayLike<number>): SweepContact | undefined {
    const [x, y, z] = [to[0] - t[0], to[1] - t[1], to[2] - t[2]];
    const length = Math.hypot(x, y, z);
    if (!(length > 0)) return undefined;
    this.moveTo(t[0], t[1], t[2]);
    return this.kernels.sweepIn(x / length, y / length, z / length, length);
  }
}

const corners = new Float64Array(18);

/** Tells whether two triangles of some records cross. Their indices are at offset `at` in each record. */
function anyCross(a: SnapshotBody, b: SnapshotBody, records: Uint32Array, size: number, at: number): boolean {
  for (let i = at; i < records.length; i += size) {
    placeTriangle(a.pose, a.positions, a.mesh.indices, records[i], corners, 0);
    placeTriangle(b.pose, b.positions, b.mesh.indices, records[i + 1], corners, 9);
    if (properCrossing(corners)) return true;
  }
  return false;
}

/** The body, moved. */
export function moved(body: SnapshotBody, by: Float64Array): SnapshotBody {
  const pose = body.pose.slice();
  for (let i = 0; i < 3; i++) pose[12 + i] += by[i];
  return { ...body, pose, poseRevision: --moves };
}

function vertexInFrame(kernels: SolidKernels, { shape }: PlacedSolid, v: number): number[] {
  const { centre, scale } = kernels.frameOf(shape);
  return [0, 1, 2].map(axis => (shape.positions[3 * v + axis] - centre[axis]) * scale);
}

function extentOf(kernels: SolidKernels, { shape, linear }: PlacedSolid): number {
  const { half, scale } = kernels.frameOf(shape);
  const h = half.map(x => x * scale);
  let sum = 0;
  for (let i = 0; i < 9; i++) sum += Math.abs(linear[i]) * h[i % 3];
  return sum;
}

/** The translation of fewest binary digits whose coordinates differ by no more than `by`, or 2^-32 of its length. */
export function onGrid(translation: Float64Array, by: number): Float64Array {
  const size = Math.max(...translation.map(Math.abs));
  const most = Math.max(by, 2 ** -32 * size);
  return translation.map(x => {
    for (let unit = 2 ** Math.ceil(Math.log2(size)); unit > most; unit /= 2) {
      const near = unit * Math.round(x / unit);
      if (Math.abs(near - x) <= most) return near;
    }
    return x;
  });
}

/**
 * The length, rounded up: four roundings of 2^-53 and one of the root; 2^-50 is more. Squares of small numbers may
 * underflow, so the vector is scaled first.
 */
export function roundedUpLength(v: ArrayLike<number>): number {
  const size = Math.max(Math.abs(v[0]), Math.abs(v[1]), Math.abs(v[2]));
  if (size === 0) return 0;
  return size * Math.hypot(v[0] / size, v[1] / size, v[2] / size) * (1 + 2 ** -49);
}
