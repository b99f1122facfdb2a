// A body's surface as the contact question sees it: triangles whose corners run counter-clockwise seen from outside the
// solid, edges and vertices by position, all in world doubles. What is decided is decided from these. What is measured (areas,
// depths, points) is measured in units that bring the bodies to a moderate size, so that products of lengths neither overflow
// nor vanish.

import type { Box } from '../../math/box.ts';
import { orient3dAt } from '../../math/orient.ts';
import { applyPose } from '../../math/pose.ts';
import { type Edges, noEdge } from '../../mesh/facts.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { cornersMeetBox, type TriangleFinder, worldBox } from '../../scene/contact/world.ts';
import type { Placed } from '../../scene/engine.ts';
import { outerSurface } from './outer/outer-surface.ts';
import type { SelfFinder } from './outer/self-partners.ts';

export class Surface {
  /** The body of which the solid's surface is taken. */
  readonly source: Placed;
  /** The body whose triangles are the surface: the same, or one made of those parts of it that bound the solid. */
  readonly placed: Placed;
  /** Whether it bounds a solid. */
  readonly solid: boolean;
  /** −1 if the triangles as given face inwards, in the mesh or because the pose mirrors it; else 1. */
  readonly outward: 1 | -1;
  /** Measured are world coordinates times this power of two. */
  readonly scale: number;
  readonly edges: Edges;
  /** Whether the solid overlaps itself in a way that no mesh of doubles shows without: then this is the source as it is. */
  readonly folded: boolean;
  /** For each triangle the one of the source that it is part of; undefined where they are the same. */
  readonly originals: Uint32Array | undefined;
  /** Triangles of it with corners that are rounded. */
  readonly rounded: Uint32Array;
  /** Whether a triangle, its corners in order, faces outwards (1), inwards (−1), or bounds nothing (0). */
  facing: (t: number) => -1 | 0 | 1 = () => 1;
  readonly #edgeOf: Uint32Array;
  /** Vertices of triangles, three each, counter-clockwise seen from outside. */
  readonly #corners: Uint32Array;
  /** World positions of the vertices that were asked for, and which those are. */
  readonly #world: Float64Array;
  readonly #isPlaced: Uint8Array;

  /** With `uncut`, the triangles of the source as given, whatever parts of it bound the solid and however they face. */
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
    this.rounded = (this.originals && outer?.rounded) ?? new Uint32Array(0);
    const { mesh } = this.placed.shape;
    const mirrored = mirrors(source.pose) ? -1 : 1;
    this.outward = uncut ? 1 : (((outer?.outward ?? 1) * mirrored) as 1 | -1);
    this.edges = mesh.adjacency.edges;
    this.#edgeOf = mesh.adjacency.edgeOf;
    this.#corners = cornersOf(mesh, this.outward);
    this.#world = new Float64Array(3 * mesh.vertexCount);
    this.#isPlaced = new Uint8Array(mesh.vertexCount);
  }

  get triangleCount(): number {
    return this.#corners.length / 3;
  }

  /** The vertex, by position, of corner k of triangle t. */
  vertex(t: number, k: number): number {
    return this.#corners[3 * t + (k < 3 ? k : k - 3)];
  }

  /** The edge from corner k to the next, or `noEdge` if they are one position. */
  edge(t: number, k: number): number {
    return this.#edgeOf[3 * t + (this.outward > 0 ? k : 2 - k)];
  }

  /** World position of a vertex, three numbers at out[at]. */
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

  /** World corners of triangle t, nine numbers at out[at]. */
  corners(t: number, out: Float64Array, at: number): void {
    const corners = this.#corners;
    this.position(corners[3 * t], out, at);
    this.position(corners[3 * t + 1], out, at + 3);
    this.position(corners[3 * t + 2], out, at + 6);
  }

  /** The same as they are measured: times the scale. */
  scaledCorners(t: number, out: Float64Array, at: number): void {
    this.corners(t, out, at);
    if (this.scale !== 1) for (let i = at; i < at + 9; i++) out[i] *= this.scale;
  }

  /** Every triangle that has a world point in a box, and maybe others. */
  trianglesInBox(engine: TriangleFinder, box: Box): Uint32Array {
    if (!this.originals) return engine.trianglesInBox(this.source, box);
    // Engines have trees of the source.
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

/** Vertices by position, three a triangle, the second and third exchanged where triangles face inwards. */
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
 * A power of two that brings the larger of some bodies to a size near 1. Multiplying by it is exact but for what becomes less
 * than 2^-1022, far below every bound here. Sums of products of four lengths are then right for parts down to 2^-200 of the
 * bodies' size, and the same to the last bit for the same bodies at any scale.
 */
export function measuringScale(...bodies: readonly Placed[]): number {
  let size = 0;
  for (const body of bodies) {
    const box = worldBox(body);
    // Halves: differences may be beyond the range of doubles.
    for (let axis = 0; axis < 3; axis++) size = Math.max(size, box[axis + 3] / 2 - box[axis] / 2);
  }
  return size > 0 ? 2 ** Math.min(1000, -Math.floor(Math.log2(size))) : 1;
}

/** The origin at 12, three columns of the linear part before it. */
const columns = new Float64Array(12);

function mirrors(pose: Float64Array): boolean {
  for (let k = 0; k < 3; k++) for (let i = 0; i < 3; i++) columns[3 * k + i] = pose[4 * k + i];
  // The determinant of the columns is that of the columns less the origin: orient3d with the origin last.
  return orient3dAt(columns, 0, 3, 6, 9) < 0;
}
