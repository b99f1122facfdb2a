// A body's surface as the contact question sees it: triangles whose corners run counter-clockwise seen from outside the
// solid, edges and vertices by position, all in world doubles.

import type { Box } from '../../math/box.ts';
import { orient3dAt } from '../../math/orient.ts';
import { applyPose } from '../../math/pose.ts';
import { type Edges, noEdge } from '../../mesh/facts.ts';
import type { Indices, Positions } from '../../mesh/mesh.ts';
import type { TriangleFinder } from '../../scene/contact/world.ts';
import type { Placed } from '../../scene/engine.ts';

export class Surface {
  readonly placed: Placed;
  /** −1 if the triangles as given face inwards, in the mesh or because the pose mirrors it; else 1. */
  readonly outward: 1 | -1;
  readonly edges: Edges;
  readonly #edgeOf: Uint32Array;
  readonly #vertexOf: Uint32Array;
  readonly #indices: Indices;
  /** World positions of the vertices that were asked for, and which those are. */
  readonly #world: Float64Array;
  readonly #placed: Uint8Array;

  constructor(placed: Placed) {
    this.placed = placed;
    const { mesh, positions } = placed.shape;
    this.outward = mirrors(placed.pose) === facesInwards(positions, mesh.indices, mesh.solid) ? 1 : -1;
    this.edges = mesh.adjacency.edges;
    this.#edgeOf = mesh.adjacency.edgeOf;
    this.#vertexOf = mesh.welds.vertexOf;
    this.#indices = mesh.indices;
    this.#world = new Float64Array(3 * mesh.vertexCount);
    this.#placed = new Uint8Array(mesh.vertexCount);
  }

  get triangleCount(): number {
    return this.#indices.length / 3;
  }

  /** Which of a triangle's corners as given is corner k counter-clockwise seen from outside. */
  #given(k: number): number {
    return this.outward > 0 ? k : (3 - k) % 3;
  }

  /** The vertex, by position, of corner k of triangle t. */
  vertex(t: number, k: number): number {
    return this.#vertexOf[this.#indices[3 * t + this.#given(k % 3)]];
  }

  /** The edge from corner k to the next, or `noEdge` if they are one position. */
  edge(t: number, k: number): number {
    return this.#edgeOf[3 * t + (this.outward > 0 ? k : 2 - k)];
  }

  /** World position of a vertex, three numbers at out[at]. */
  position(vertex: number, out: Float64Array, at: number): void {
    const world = this.#world;
    const v = 3 * vertex;
    if (this.#placed[vertex] === 0) {
      const { shape, pose } = this.placed;
      const { positions } = shape;
      applyPose(pose, positions[v], positions[v + 1], positions[v + 2], world, v);
      this.#placed[vertex] = 1;
    }
    out[at] = world[v];
    out[at + 1] = world[v + 1];
    out[at + 2] = world[v + 2];
  }

  /** World corners of triangle t, nine numbers at out[at]. */
  corners(t: number, out: Float64Array, at: number): void {
    for (let k = 0; k < 3; k++) this.position(this.vertex(t, k), out, at + 3 * k);
  }

  /** Every triangle that has a world point in a box, and maybe others. */
  trianglesInBox(engine: TriangleFinder, box: Box): Uint32Array {
    return engine.trianglesInBox(this.placed, box);
  }
}

export { noEdge };

/** The origin at 12, three columns of the linear part before it. */
const columns = new Float64Array(12);

function mirrors(pose: Float64Array): boolean {
  for (let k = 0; k < 3; k++) for (let i = 0; i < 3; i++) columns[3 * k + i] = pose[4 * k + i];
  // The determinant of the columns is that of the columns less the origin: orient3d with the origin last.
  return orient3dAt(columns, 0, 3, 6, 9) < 0;
}

const inwards = new WeakMap<Positions, { readonly indices: Indices; readonly inwards: boolean }>();

/** Whether a solid's triangles face its inside: its signed volume is negative. Kept for as long as the positions are. */
function facesInwards(positions: Positions, indices: Indices, solid: boolean): boolean {
  if (!solid) return false;
  let known = inwards.get(positions);
  if (known?.indices !== indices) {
    known = { indices, inwards: signedVolume(positions, indices) < 0 };
    inwards.set(positions, known);
  }
  return known.inwards;
}

/** Six times the volume, from the first vertex, which keeps the terms small far from the origin. */
function signedVolume(positions: Positions, indices: Indices): number {
  const first = 3 * indices[0];
  const [ox, oy, oz] = [positions[first], positions[first + 1], positions[first + 2]];
  let sum = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const a = 3 * indices[i];
    const b = 3 * indices[i + 1];
    const c = 3 * indices[i + 2];
    const bx = positions[b] - ox;
    const by = positions[b + 1] - oy;
    const bz = positions[b + 2] - oz;
    const cx = positions[c] - ox;
    const cy = positions[c + 1] - oy;
    const cz = positions[c + 2] - oz;
    sum +=
      (positions[a] - ox) * (by * cz - bz * cy) +
      (positions[a + 1] - oy) * (bz * cx - bx * cz) +
      (positions[a + 2] - oz) * (bx * cy - by * cx);
  }
  return sum;
}
