// What a crossing search asks about two bodies of which one or both bound no solid. A translation is free if afterwards
//  - their surfaces do not cross,
//  - no point of either surface lies within what the other encloses (enclosure.ts),
//  - what the two enclose has no interior in common.
// The first is decided by the exact relation, the others by exact windings and the exact relation of solids. A mesh with
// several flat parts may enclose more than enclosure.ts tells: a box of six faces, each on its own. So no vertex of the
// other may be surrounded by it (surrounded.ts).

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import type { SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import { placeCorners } from '../../bodies/snapshot/world.ts';
import { finderOf } from '../../bvh/cpu/walk/finder.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { windingNumber } from '../../inside/winding.ts';
import { decidePairs } from '../../interferences/exact.ts';
import { cpuPairs } from '../../interferences/hierarchy/cpu/driver.ts';
import { relationOf } from '../../interferences/relation/relation.ts';
import { thePair } from '../../interferences/request.ts';
import { pointAt, weightedMix } from '../../math/exact/rational.ts';
import { applyPose } from '../../math/pose.ts';
import { DisjointSets } from '../../mesh/facts.ts';
import { solidsOf } from '../kernels/kernels.ts';
import { moved } from '../overlapping-pair.ts';
import { carvePiece } from '../pieces/pieces.ts';
import { type PlacedSolid, placeSolid } from '../placement.ts';
import type { Judge } from './crossing-search.ts';
import { enclosureOf } from './enclosure.ts';
import { SolidJudge } from './solid-judge.ts';
import { isSurrounded } from './surrounded.ts';
import { differenceOf, type Forbidding } from './triangle-difference.ts';

const point = new Float64Array(3);
const corners = new Float64Array(9);
/** Weights of the corners for points between them: near the middle, near each side, near each corner. */
const between = [
  [5, 6, 7],
  [1, 9, 8],
  [8, 1, 9],
  [9, 8, 1],
  [13, 2, 3],
  [3, 13, 2],
  [2, 3, 13],
] as const;
/** Vertices that are examined as the start of a piece. */
const mostVertices = 64;

export class SurfaceJudge implements Judge {
  readonly areSolid = false;
  readonly #engine: CpuEngine;
  readonly #a: SnapshotBody;
  readonly #b: SnapshotBody;
  /** What the two enclose. */
  readonly insideA: SnapshotBody | undefined;
  readonly insideB: SnapshotBody | undefined;
  readonly #solids: SolidJudge | undefined;

  constructor(engine: CpuEngine, a: SnapshotBody, b: SnapshotBody) {
    this.#engine = engine;
    this.#a = a;
    this.#b = b;
    this.insideA = enclosedBy(a);
    this.insideB = enclosedBy(b);
    if (this.insideA && this.insideB) this.#solids = new SolidJudge(engine, this.insideA, this.insideB);
  }

  /** The bound for the two solids that the surfaces enclose. */
  ballBound(): number {
    return this.#solids?.ballBound() ?? 0;
  }

  /** Surfaces that cross are not free, whatever they bound. */
  coversOf(): readonly Float64Array[] {
    return [];
  }

  isFree(translation: Float64Array): boolean {
    if (!this.#isFreeOf(this.#a, this.insideA, moved(this.#b, translation), move(this.insideB, translation)))
      return false;
    const back = translation.map(x => -x);
    if (!this.#isFreeOf(moved(this.#a, back), move(this.insideA, back), this.#b, this.insideB)) return false;
    return this.#solids === undefined || this.#solids.isFree(translation);
  }

  #isFreeOf(
    a: SnapshotBody,
    insideA: SnapshotBody | undefined,
    b: SnapshotBody,
    insideB: SnapshotBody | undefined,
  ): boolean {
    const met = this.#meeting(a, b);
    if (met === undefined) return false;
    return this.#isOutside(b, a, insideA, met[1]) && this.#isOutside(a, b, insideB, met[0]);
  }

  /** The triangles of either body that meet the other; undefined if the surfaces cross. */
  #meeting(a: SnapshotBody, b: SnapshotBody): readonly [Set<number>, Set<number>] | undefined {
    const raw = cpuPairs(this.#engine).interfereSync([a, b], thePair);
    const { triangles } = decidePairs(raw, i => (i === 0 ? a : b), this.#engine);
    if (relationOf(finderOf(this.#engine), a, b, triangles) === 'crossing') return undefined;
    const of = (side: number) => new Set(triangles.filter((_, i) => i % 2 === side));
    return [of(0), of(1)];
  }

  /**
   * Whether no point of a surface lies within another body, given that the surfaces do not cross. `meeting` are the triangles of the
   * surface that meet the body.
   */
  #isOutside(
    surface: SnapshotBody,
    body: SnapshotBody,
    inside: SnapshotBody | undefined,
    meeting: Set<number>,
  ): boolean {
    // If both are solids, that is for their relation to decide.
    if (body.mesh.solid && surface.mesh.solid) return true;
    if (inside !== undefined && !surface.mesh.solid) {
      const met = inside.shape === body.shape ? meeting : this.#meeting(surface, inside)?.[0];
      if (met === undefined || !this.#partsOutside(surface, inside, met)) return false;
    }
    return enclosureOf(body.shape).flatParts < 2 || !this.#anySurrounded(surface, body);
  }

  /**
   * Whether each part of a surface that does not cross a solid's lies outside it. Triangles that do not meet the solid's surface are all
   * on one side as far as they are connected: one vertex tells. A triangle that meets it may leave it on the inner side: its vertices
   * tell, and if two of them lie on the solid's surface, points between its corners, taken exactly.
   */
  #partsOutside(surface: SnapshotBody, solid: SnapshotBody, meeting: Set<number>): boolean {
    const finder = finderOf(this.#engine);
    const { indices, adjacency } = surface.mesh;
    const { vertexOf } = adjacency;
    const sets = new DisjointSets(vertexOf.length);
    const count = indices.length / 3;
    for (let t = 0; t < count; t++) {
      if (meeting.has(t)) continue;
      for (const k of [1, 2]) sets.join(vertexOf[indices[3 * t]], vertexOf[indices[3 * t + k]]);
    }
    const decided = new Set<number>();
    for (let t = 0; t < count; t++) {
      if (meeting.has(t)) continue;
      const set = sets.find(vertexOf[indices[3 * t]]);
      if (decided.has(set)) continue;
      decided.add(set);
      placeVertex(surface, indices[3 * t]);
      if (windingNumber(finder, solid, point).winding !== 0) return false;
    }
    for (const t of meeting) {
      let on = 0;
      for (let k = 0; k < 3; k++) {
        placeVertex(surface, indices[3 * t + k]);
        const place = windingNumber(finder, solid, point);
        if (place.on) on++;
        else if (place.winding !== 0) return false;
      }
      if (on < 2) continue;
      placeCorners(surface, t, corners, 0);
      const three = [0, 3, 6].map(at => pointAt(corners, at));
      for (const weights of between) {
        const place = windingNumber(finder, solid, weightedMix(three, weights));
        if (!place.on && place.winding !== 0) return false;
      }
    }
    return true;
  }

  #anySurrounded(surface: SnapshotBody, body: SnapshotBody): boolean {
    const { vertexOf } = surface.mesh.adjacency;
    for (let v = 0; v < vertexOf.length; v++) {
      if (vertexOf[v] !== v) continue;
      placeVertex(surface, v);
      if (isSurrounded(finderOf(this.#engine), body, point)) return true;
    }
    return false;
  }

  within(
    translation: Float64Array,
    scale: number,
    number: number,
    near: Float64Array,
    thorough: boolean,
  ): Forbidding | undefined {
    const common = this.#solids?.within(translation, scale, number, near, thorough);
    if (common !== undefined) return common;
    const { insideA, insideB } = this;
    if (insideA !== undefined && !this.#b.mesh.solid) {
      const found = this.#piece(insideA, this.#b, translation, 1, scale, number);
      if (found !== undefined) return found;
    }
    if (insideB === undefined || this.#a.mesh.solid) return undefined;
    return this.#piece(
      insideB,
      this.#a,
      translation.map(x => -x),
      -1,
      scale,
      number,
    );
  }

  /**
   * The difference of a convex piece of a solid and a triangle of a surface that has a corner in it once the surface is
   * moved. `sign` is −1 if it is the solid that moves, the other way.
   */
  #piece(
    solid: SnapshotBody,
    surface: SnapshotBody,
    by: Float64Array,
    sign: 1 | -1,
    scale: number,
    number: number,
  ): Forbidding | undefined {
    const kernels = solidsOf(this.#engine);
    const finder = finderOf(this.#engine);
    const placed = placeSolid(kernels, solid);
    const { indices } = surface.mesh;
    const every = 3 * Math.ceil(indices.length / 3 / mostVertices);
    for (let i = 0; i < indices.length; i += every) {
      placeVertex(surface, indices[i]);
      for (let k = 0; k < 3; k++) point[k] += by[k];
      const { winding, on } = windingNumber(finder, solid, point);
      if (winding === 0 || on) continue;
      const [x, y, z] = inFrame(placed, kernels.frameOf(placed.shape), point);
      const carved = carvePiece(kernels, placed.shape, Float64Array.of(x, y, z, 1));
      if (carved === undefined) continue;
      const { corners, piece } = carved;
      const loss = 8 * placed.rounding * (1 + piece.outer / piece.inner);
      const points = differences(placed, corners, surface, i, sign * scale);
      const found = differenceOf(points, scale * loss, number);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** What a body encloses, at its place. */
function enclosedBy(body: SnapshotBody): SnapshotBody | undefined {
  const { shape } = enclosureOf(body.shape);
  if (shape === undefined || shape === body.shape) return shape && body;
  const { mesh, positions, revision } = shape;
  const { pose, poseRevision } = body;
  return { shape, mesh, positions, revision, pose, poseRevision };
}

const move = (body: SnapshotBody | undefined, by: Float64Array): SnapshotBody | undefined =>
  body && moved(body, by);

function placeVertex({ pose, positions }: SnapshotBody, v: number): void {
  applyPose(pose, positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], point, 0);
}

/** A world point in the frame of a solid's tree. */
function inFrame(
  { pose }: Placed,
  { centre, scale }: { readonly centre: Float64Array; readonly scale: number },
  [x, y, z]: Float64Array,
): Float64Array {
  const m = pose;
  const [dx, dy, dz] = [x - m[12], y - m[13], z - m[14]];
  const cofactor = (i: number, j: number): number => {
    const [p, q, u, v] = [(i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3];
    return m[4 * p + u] * m[4 * q + v] - m[4 * p + v] * m[4 * q + u];
  };
  const determinant = m[0] * cofactor(0, 0) + m[1] * cofactor(0, 1) + m[2] * cofactor(0, 2);
  return Float64Array.from([0, 1, 2], i => {
    const local = (cofactor(i, 0) * dx + cofactor(i, 1) * dy + cofactor(i, 2) * dz) / determinant;
    return (local - centre[i]) * scale;
  });
}

/** Corners of a piece, in the world, minus the corners of a triangle, all times a number. */
function differences(
  { linear, centre }: PlacedSolid,
  corners: Float64Array,
  surface: SnapshotBody,
  first: number,
  times: number,
): Float64Array {
  const points: number[] = [];
  for (let k = first; k < first + 3; k++) {
    placeVertex(surface, surface.mesh.indices[k]);
    for (let c = 0; c < corners.length; c += 3) {
      for (let i = 0; i < 3; i++) {
        const x =
          linear[3 * i] * corners[c] +
          linear[3 * i + 1] * corners[c + 1] +
          linear[3 * i + 2] * corners[c + 2];
        points.push(times * (x + (centre[i] - point[i])));
      }
    }
  }
  return Float64Array.from(points);
}
