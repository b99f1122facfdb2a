// Which shells of a solid are convex? A mesh may consist of several closed surfaces, its shells, which may overlap. If
// every shell is star-shaped and all wind the same way, the solid is the union of what they enclose, and each convex
// shell encloses a piece of it, whatever inner walls there are. Pieces that are carved (kernels/carve.as.ts) end at
// inner walls.
//
// If all faces of a shell look away from a centre, and the shell winds around the centre once, every ray from there
// meets it once: it winds around any point once or not at all. Moving corners by ε changes the volume of the centre and
// a face, v = a·(b × c), by no more than ε·(|a × b| + |b × c| + |c × a|) + ε²·(|a| + |b| + |c|) + ε³. If these are at
// most v/2, v/4 and v/8, the face still looks the same way: `firm` is how far all corners may move. A tetrahedron, with
// a ball of radius r in it, winds once around what it encloses as long as its corners move by less than r.

import type { Shape } from '../../bodies/snapshot/snapshot.ts';
import { halfSolidAngle } from '../../math/solid-angle.ts';
import { cross, dot, type Vector } from '../../math/vector.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { TreeFrame } from '../solids.ts';
import { type Piece, supportOf } from './piece.ts';

export interface Shells {
  /** What convex shells enclose. */
  readonly pieces: Piece[];
  /** Whether the solid is the union of these. */
  readonly whole: boolean;
}

/**
 * Meshes with more faces are left out: every face is compared with every corner, which takes time proportional to the
 * product of their numbers.
 */
const mostFaces = 512;
const mostShells = 64;
/** A shell is not convex if some corner is farther outside a face than this share of the tree's size. */
const convexTolerance = 1e-7;

interface Shell {
  /** The corners of its faces, as indices of `points`. */
  readonly faces: Uint32Array;
  /** x, y, z per corner, in the tree's frame. */
  readonly points: Float64Array;
}

/** A shell that winds once: which way, how firmly, and the piece it encloses if it is convex. */
interface Wound {
  readonly sign: number;
  readonly firm: number;
  readonly piece: Piece | undefined;
}

/**
 * Undefined if this method finds nothing: too many faces or shells, shells that are not star-shaped, or none that is
 * convex.
 */
export function convexShells({ mesh, positions }: Shape, frame: TreeFrame): Shells | undefined {
  if (mesh.triangleCount > mostFaces) return undefined;
  const shells = shellsOf(mesh, positions, frame);
  if (shells === undefined) return undefined;
  if (shells.length === 0) return undefined;
  const wound = shells.map(shell => tetrahedron(shell) ?? starShaped(shell));
  let firm = Infinity;
  for (const shell of wound) {
    if (shell === undefined || shell.sign !== wound[0]!.sign) return undefined;
    firm = Math.min(firm, shell.firm);
  }
  // A single shell that is not a tetrahedron needs no such bound: what lies deeper than rounding in it is known
  // (pieces.ts). A tetrahedron could still become flat.
  if (shells.length === 1 && !wound[0]!.piece?.simplex) firm = Infinity;
  const pieces = wound.flatMap(shell => (shell!.piece ? [{ ...shell!.piece, firm }] : []));
  // Without any convex shell the method is no help.
  if (pieces.length === 0) return undefined;
  pieces.sort((p, q) => q.inner - p.inner);
  return { pieces, whole: pieces.length === shells.length };
}

/**
 * A connected closed surface. `faces` has the corners of its faces as indices into `vertices`, which has indices of the
 * mesh's vertices.
 */
export interface ClosedShell {
  readonly faces: Uint32Array;
  readonly vertices: readonly number[];
}

/**
 * Splits faces into sets connected by edges that have exactly two faces. Sets that are not closed are joined in the order
 * of the mesh: as soon as the joined faces are closed, they are a shell. Any division into closed surfaces will do, since
 * winding numbers add up; this one recovers solids that were put into a mesh one after the other. With `together` all
 * faces form one shell: if rounding pressed a solid flat in places, separate shells could have no volume. Undefined if
 * there are too many shells.
 */
export function closedShells(
  mesh: Mesh,
  positions: ArrayLike<number>,
  together = false,
): ClosedShell[] | undefined {
  const { edges, indices, adjacency } = mesh;
  const { vertexOf } = adjacency;
  const parent = Uint32Array.from({ length: mesh.triangleCount }, (_, i) => i);
  const root = (t: number): number => {
    while (parent[t] !== t) t = parent[t] = parent[parent[t]];
    return t;
  };
  for (let e = 0; e < edges.count; e++) {
    if (edges.start[e + 1] - edges.start[e] !== 2) continue;
    const [f, g] = [edges.triangles[edges.start[e]], edges.triangles[edges.start[e] + 1]];
    parent[root(f)] = root(g);
  }
  const facesOf = new Map<number, number[]>();
  for (let t = 0; t < mesh.triangleCount; t++) {
    const faces = facesOf.get(root(t));
    if (faces) faces.push(t);
    else if (facesOf.size === mostShells) return undefined;
    else facesOf.set(root(t), [t]);
  }
  // A body may be deformed so that vertices at one place separate.
  for (const vertex of indices)
    for (let axis = 0; axis < 3; axis++)
      if (positions[3 * vertex + axis] !== positions[3 * vertexOf[vertex] + axis]) return undefined;
  // A face with two corners in one place has no area, and its sides cancel.
  const hasArea = (t: number): boolean => {
    const [a, b, c] = [0, 1, 2].map(k => vertexOf[indices[3 * t + k]]);
    return a !== b && b !== c && c !== a;
  };
  const shellOf = (list: readonly number[]): ClosedShell => {
    const numberOf = new Map<number, number>();
    const faces = Uint32Array.from({ length: 3 * list.length }, (_, i) => {
      const vertex = vertexOf[indices[3 * list[Math.floor(i / 3)] + (i % 3)]];
      let number = numberOf.get(vertex);
      if (number === undefined) {
        number = numberOf.size;
        numberOf.set(vertex, number);
      }
      return number;
    });
    return { faces, vertices: [...numberOf.keys()] };
  };
  const shells: ClosedShell[] = [];
  const left: number[] = [];
  const sides = new Sides(indices, vertexOf);
  if (together) {
    const list = Array.from(parent.keys()).filter(hasArea);
    for (const t of list) sides.add(t);
    return sides.areClosed && list.length > 0 ? [shellOf(list)] : undefined;
  }
  for (const all of facesOf.values()) {
    const list = all.filter(hasArea);
    for (const t of list) sides.add(t);
    if (!sides.areClosed) left.push(...list);
    else if (list.length > 0) shells.push(shellOf(list));
    sides.clear();
  }
  // If vertices coincide, four faces or more meet at an edge, and these sets are not closed.
  let first = 0;
  left.sort((s, t) => s - t);
  for (let i = 0; i < left.length; i++) {
    sides.add(left[i]);
    if (!sides.areClosed) continue;
    if (shells.length === mostShells) return undefined;
    shells.push(shellOf(left.slice(first, i + 1)));
    first = i + 1;
  }
  return sides.areClosed ? shells : undefined;
}

/** The same with points in the tree's frame. */
const shellsOf = (
  mesh: Mesh,
  positions: ArrayLike<number>,
  { centre, scale }: TreeFrame,
): Shell[] | undefined =>
  closedShells(mesh, positions)?.map(({ faces, vertices }) => ({
    faces,
    points: Float64Array.from(
      { length: 3 * vertices.length },
      (_, i) => (positions[3 * vertices[Math.floor(i / 3)] + (i % 3)] - centre[i % 3]) * scale,
    ),
  }));

/** The sides of some faces: how much more often each runs one way than the other. */
class Sides {
  readonly #indices: ArrayLike<number>;
  readonly #vertexOf: Uint32Array;
  readonly #sums = new Map<number, number>();

  constructor(indices: ArrayLike<number>, vertexOf: Uint32Array) {
    this.#indices = indices;
    this.#vertexOf = vertexOf;
  }

  add(face: number): void {
    for (let k = 0; k < 3; k++) {
      const from = this.#vertexOf[this.#indices[3 * face + k]];
      const to = this.#vertexOf[this.#indices[3 * face + ((k + 1) % 3)]];
      const key = Math.min(from, to) * this.#vertexOf.length + Math.max(from, to);
      const sum = (this.#sums.get(key) ?? 0) + (from < to ? 1 : -1);
      if (sum === 0) this.#sums.delete(key);
      else this.#sums.set(key, sum);
    }
  }

  get areClosed(): boolean {
    return this.#sums.size === 0;
  }

  clear(): void {
    this.#sums.clear();
  }
}

/**
 * Undefined if it is not a tetrahedron, or too flat to be sure. Wherever rounding moves its corners, it is their hull:
 * `simplex` records that.
 */
function tetrahedron({ faces, points }: Shell): Wound | undefined {
  if (faces.length !== 12 || points.length !== 12) return undefined;
  // Each face leaves out another corner, so it is not a sheet of two sides.
  let left = 0;
  for (let i = 0; i < 12; i += 3) left |= 1 << (6 - faces[i] - faces[i + 1] - faces[i + 2]);
  if (left !== 15) return undefined;
  const [p, q, r] = [3 * faces[0], 3 * faces[1], 3 * faces[2]];
  const s = 3 * (6 - faces[0] - faces[1] - faces[2]);
  const u = differenceOf(points, q, p);
  const v = differenceOf(points, r, p);
  const w = differenceOf(points, s, p);
  const volume = determinant(u, v, w);
  // Differences are off by one rounding, products of three of them by several.
  const size = lengthOf(u) * lengthOf(v) * lengthOf(w);
  // The centre of the largest ball is the mean of the corners, weighted by the areas of the opposite faces.
  let area = 0;
  const centre = new Float64Array(3);
  for (let i = 0; i < 12; i += 3) {
    const [a, b, c] = [3 * faces[i], 3 * faces[i + 1], 3 * faces[i + 2]];
    const face = lengthOf(cross(differenceOf(points, b, a), differenceOf(points, c, a)));
    const opposite = 18 - a - b - c;
    for (let axis = 0; axis < 3; axis++) centre[axis] += face * points[opposite + axis];
    area += face;
  }
  for (let axis = 0; axis < 3; axis++) centre[axis] /= area;
  const inner = (0.999999 * (Math.abs(volume) - 2 ** -49 * size)) / area;
  if (!(inner > 0)) return undefined;
  const piece: Piece = {
    support: supportOf(points),
    centre,
    inner,
    outer: outerOf(points, centre),
    loss: 0,
    simplex: true,
    firm: inner,
  };
  // Seen from outside its face, counter-clockwise, the fourth corner is on the other side.
  return { sign: volume < 0 ? 1 : -1, firm: inner, piece };
}

function starShaped({ faces, points }: Shell): Wound | undefined {
  const centre = meanOf(points);
  let sign = 0;
  let angle = 0;
  let firm = Infinity;
  for (let i = 0; i < faces.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map(k => differenceOf(points, 3 * faces[i + k], 0, centre));
    const volume = determinant(a, b, c);
    const areas = lengthOf(cross(a, b)) + lengthOf(cross(b, c)) + lengthOf(cross(c, a));
    if (sign === 0) sign = Math.sign(volume);
    // Three differences, each off by one rounding, products and sums.
    if (!(sign * volume > 2 ** -49 * lengthOf(a) * lengthOf(b) * lengthOf(c))) return undefined;
    const v = Math.abs(volume);
    const lengths = lengthOf(a) + lengthOf(b) + lengthOf(c);
    firm = Math.min(firm, (0.499 * v) / areas, 0.499 * Math.sqrt(v / lengths), 0.499 * Math.cbrt(v));
    const [ab, bc, ca] = [dot(a, b), dot(b, c), dot(c, a)];
    angle += 2 * halfSolidAngle(Math.abs(volume), lengthOf(a), lengthOf(b), lengthOf(c), ab, bc, ca);
  }
  if (!(Math.abs(angle - 4 * Math.PI) < 0.1)) return undefined;
  return { sign, firm, piece: convexPiece(faces, points, centre, sign) };
}

/**
 * The part inside the planes of all faces of a star-shaped shell, if that is all of it except for rounding (pieces.ts).
 */
function convexPiece(
  faces: Uint32Array,
  points: Float64Array,
  centre: Float64Array,
  sign: number,
): Piece | undefined {
  let excess = 0;
  let inner = Infinity;
  for (let i = 0; i < faces.length; i += 3) {
    const [a, b, c] = [3 * faces[i], 3 * faces[i + 1], 3 * faces[i + 2]];
    const n = cross(differenceOf(points, b, a), differenceOf(points, c, a));
    const length = sign * lengthOf(n);
    const [x, y, z] = [n[0] / length, n[1] / length, n[2] / length];
    const heightAt = (p: ArrayLike<number>, at: number): number => x * p[at] + y * p[at + 1] + z * p[at + 2];
    const height = Math.min(heightAt(points, a), heightAt(points, b), heightAt(points, c));
    inner = Math.min(inner, height - heightAt(centre, 0));
    for (let v = 0; v < points.length; v += 3) excess = Math.max(excess, heightAt(points, v) - height);
    if (!(excess <= convexTolerance)) return undefined;
  }
  const outer = outerOf(points, centre);
  // Heights are sums of three products: no coordinate is larger than 1.
  const loss = excess + 2 ** -49;
  if (!(inner > 2 * loss)) return undefined;
  return {
    support: supportOf(points),
    centre,
    inner: inner - loss,
    outer,
    loss,
    simplex: false,
    firm: 0,
  };
}

const differenceOf = (p: Float64Array, i: number, j: number, q = p): Vector => [
  p[i] - q[j],
  p[i + 1] - q[j + 1],
  p[i + 2] - q[j + 2],
];
const determinant = (u: Vector, v: Vector, w: Vector): number => dot(u, cross(v, w));
const lengthOf = (u: Vector): number => Math.sqrt(dot(u, u));

function meanOf(points: Float64Array): Float64Array {
  const mean = new Float64Array(3);
  for (let i = 0; i < points.length; i++) mean[i % 3] += points[i];
  return mean.map(x => (3 * x) / points.length);
}

function outerOf(points: Float64Array, centre: Float64Array): number {
  let outer = 0;
  for (let i = 0; i < points.length; i += 3)
    outer = Math.max(outer, lengthOf(differenceOf(points, i, 0, centre)));
  return outer * (1 + 1e-14);
}
