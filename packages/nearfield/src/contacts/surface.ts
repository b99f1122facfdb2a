// A body's surface as the contact question sees it: triangles whose corners run counter-clockwise seen from outside the
// solid, edges and vertices by position, all in world doubles. Decisions are made from these. Measurements (areas,
// depths, points) use units that bring the bodies to a moderate size, so that products of lengths neither overflow nor
// underflow.

import type { Placed } from '../bodies/snapshot/snapshot.ts';
import { cornersMeetBox } from '../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../bvh/cpu/walk/finder.ts';
import type { Box } from '../math/box.ts';
import { applyPose, mirrors } from '../math/pose.ts';
import { type Edges, noEdge } from '../mesh/facts.ts';
import type { Mesh } from '../mesh/mesh.ts';
import { outerSurface, Rounding } from './outer/outer-surface.ts';
import type { SelfFinder } from './outer/self-partners.ts';

export class Surface {
  /** The body whose solid's surface this is. */
  readonly source: Placed;
  /**
   * The body whose triangles are the surface: the source itself, or a body made of those of its parts that bound the
   * solid.
   */
  readonly placed: Placed;
  /** Whether it bounds a solid. */
  readonly solid: boolean;
  /** −1 if the triangles as given face inwards, in the mesh or because the pose mirrors it; else 1. */
  readonly outward: 1 | -1;
  /** Measurements use world coordinates times this power of two. */
  readonly scale: number;
  readonly edges: Edges;
  /**
   * Whether the solid overlaps itself in a way that no mesh of doubles can resolve: then this is the source as it is.
   */
  readonly folded: boolean;
  /** Per triangle, the triangle of the source that it is part of; undefined if they are the same. */
  readonly originals: Uint32Array | undefined;
  /** How far a corner of a triangle that `isRounded` may be from its true place, along each axis. */
  readonly slack: number;
  /** Tells whether a triangle, its corners in order, faces outwards (1), inwards (−1), or bounds nothing (0). */
  facing: (t: number) => -1 | 0 | 1 = () => 1;
  /** Which triangles of a cut surface are rounded, and from which kind on that matters at the body's place. */
  readonly #rounding: Uint8Array | undefined;
  readonly #leastRounding: Rounding;
  readonly #edgeOf: Uint32Array;
  /** Vertices of triangles, three per triangle, counter-clockwise seen from outside. */
  readonly #corners: Uint32Array;
  /** World positions of the vertices requested so far, and which those are. */
  readonly #world: Float64Array;
  readonly #isPlaced: Uint8Array;

  /** With `uncut`, the triangles of the source as given, whichever of them bound the solid and however they face. */
  constructor(engine: SelfFinder, source: Placed, scale = 1, uncut = false) {
    this.source = source;
    this.scale = scale;
    const outer = source.shape.mesh.solid ? outerSurface(engine, source) : undefined;
    this.solid = outer?.bounds ?? false;
    this.folded = outer?.folded ?? false;
    this.originals = uncut ? undefined : outer?.originals;
    this.placed =
      outer && this.originals
        ? { ...source, shape: { mesh: outer.mesh, positions: outer.positions, revision: 0 } }
        : source;
    this.#rounding = this.originals && outer?.rounding;
    this.#leastRounding = this.#rounding && placesExactly(source) ? Rounding.always : Rounding.whenPlaced;
    this.slack = this.#rounding ? slackOf(source) : 0;
    const { mesh } = this.placed.shape;
    const mirrored = mirrors(source.pose) ? -1 : 1;
    this.outward = uncut && this.solid ? 1 : (((outer?.outward ?? 1) * mirrored) as 1 | -1);
    this.edges = mesh.adjacency.edges;
    this.#edgeOf = mesh.adjacency.edgeOf;
    this.#corners = cornersOf(mesh, this.outward);
    this.#world = new Float64Array(3 * mesh.vertexCount);
    this.#isPlaced = new Uint8Array(mesh.vertexCount);
  }

  get triangleCount(): number {
    return this.#corners.length / 3;
  }

  /** Tells whether a triangle is only approximately the part of the body that it represents. */
  isRounded(t: number): boolean {
    return this.#rounding !== undefined && this.#rounding[t] >= this.#leastRounding;
  }

  /** The vertex, by position, of corner k of triangle t. */
  vertex(t: number, k: number): number {
    return this.#corners[3 * t + (k < 3 ? k : k - 3)];
  }

  /** The edge from corner k to the next, or `noEdge` if they have one position. */
  edge(t: number, k: number): number {
    return this.#edgeOf[3 * t + (this.outward > 0 ? k : 2 - k)];
  }

  /** Writes the world position of a vertex, three numbers, to out[at]. */
  position(vertex: number, out: Float64Array, at: number): void {
    const world = this.#world;
    const v = 3 * vertex;
    if (this.#isPlaced[vertex] === 0) {
      const { shape, pose } = this.placed;
      const { positions } = shape;
      applyPose(pose, positions[v], positions[v + 1], positions[v + 2], world, v);
      this.#isPlaced[vertex] = 1;
    }
    out[at] = world[v];
    out[at + 1] = world[v + 1];
    out[at + 2] = world[v + 2];
  }

  /** Writes the world corners of triangle t, nine numbers, to out[at]. */
  corners(t: number, out: Float64Array, at: number): void {
    for (let k = 0; k < 3; k++) this.position(this.#corners[3 * t + k], out, at + 3 * k);
  }

  /** The same in measuring units: times the scale. */
  scaledCorners(t: number, out: Float64Array, at: number): void {
    this.corners(t, out, at);
    if (this.scale !== 1) for (let i = at; i < at + 9; i++) out[i] *= this.scale;
  }

  /** Every triangle that has a world point in a box, and maybe others. */
  trianglesInBox(engine: TriangleFinder, box: Box): Uint32Array {
    if (!this.originals) return engine.trianglesInBox(this.source, box);
    // Engines have trees of the source, so those triangles are found first.
    const corners = new Float64Array(9);
    return Uint32Array.from({ length: this.triangleCount }, (_, t) => t).filter(t => {
      this.corners(t, corners, 0);
      return cornersMeetBox(corners, 0, box);
    });
  }
}

export { noEdge };

/** Corners of all triangles of meshes, for those that face outwards and inwards. */
const knownCorners = { 1: new WeakMap<Mesh, Uint32Array>(), [-1]: new WeakMap<Mesh, Uint32Array>() };

/** Vertices by position, three per triangle. The second and third are exchanged if triangles face inwards. */
function cornersOf(mesh: Mesh, outward: 1 | -1): Uint32Array {
  let corners = knownCorners[outward].get(mesh);
  if (corners === undefined) {
    const { indices, welds } = mesh;
    corners = new Uint32Array(indices.length);
    for (let i = 0; i < indices.length; i += 3) {
      corners[i] = welds.vertexOf[indices[i]];
      corners[i + 1] = welds.vertexOf[indices[i + (outward > 0 ? 1 : 2)]];
      corners[i + 2] = welds.vertexOf[indices[i + (outward > 0 ? 2 : 1)]];
    }
    knownCorners[outward].set(mesh, corners);
  }
  return corners;
}

/**
 * How far a corner of a cut and placed surface may be from its true place: the cut of the world triangles. Let M be the
 * largest sum of magnitudes that placing a vertex adds up along an axis. Rounded in the mesh, a corner is off by
 * 2^-53·M in the world; placing it, and each corner of the triangles it was cut from, rounds four times. 9·2^-53·M is
 * less than 2^-49·M. If planes cross at a small angle, their line may be farther off, but what was cut along it is
 * still as near to the solid's surface.
 */
function slackOf({ shape, pose }: Placed): number {
  const sizes = [0, 0, 0];
  const { positions } = shape;
  for (let i = 0; i < positions.length; i++) sizes[i % 3] = Math.max(sizes[i % 3], Math.abs(positions[i]));
  const sums = [0, 1, 2].map(
    row =>
      Math.abs(pose[row] * sizes[0]) +
      Math.abs(pose[4 + row] * sizes[1]) +
      Math.abs(pose[8 + row] * sizes[2]) +
      Math.abs(pose[12 + row]),
  );
  return 2 ** -49 * Math.max(...sums) + 2 ** -1070;
}

/**
 * Tells whether placing a body rounds nothing: the pose exchanges axes, multiplies by powers of two and adds what the
 * sums have room for. Then a cut of its triangles in the mesh is a cut in the world.
 */
function placesExactly({ shape, pose }: Placed): boolean {
  const { positions } = shape;
  for (let row = 0; row < 3; row++) {
    const used = [0, 1, 2].filter(column => pose[4 * column + row] !== 0);
    if (used.length !== 1) return false;
    const factor = pose[4 * used[0] + row];
    if (!isPowerOfTwo(Math.abs(factor))) return false;
    const shift = pose[12 + row];
    for (let i = used[0]; i < positions.length; i += 3) {
      const moved = positions[i] * factor;
      if (moved / factor !== positions[i]) return false;
      const sum = moved + shift;
      const rest = sum - moved;
      // The error of the sum (Knuth's TwoSum).
      if (moved - (sum - rest) + (shift - rest) !== 0) return false;
    }
  }
  return true;
}

const isPowerOfTwo = (x: number): boolean =>
  x > 2 ** -1000 && x < 2 ** 1000 && 2 ** Math.round(Math.log2(x)) === x;
