// The geometry of the pictured pairs as the page carries it. Positions are in single precision around a centre of their
// own, so that a model far from the origin loses nothing that could be seen.

import type { PairPicture } from '../draw/picture.ts';
import type { ReportBody, ReportPair } from '../types.ts';
import { type Packed, pack } from './packed.ts';

export interface ViewerMesh {
  readonly center: readonly number[];
  /** Float32: x, y, z per vertex, relative to the centre. */
  readonly positions: Packed;
  /** Uint32. */
  readonly indices: Packed;
  /** The number of triangles of the whole body, if only those nearest to the contact are here. */
  readonly of?: number | undefined;
}

export interface ViewerPair {
  /** Indices of meshes. */
  readonly a: number;
  readonly b: number;
  /** Which of the two contains the other and is drawn as glass. */
  readonly glass?: 'a' | 'b' | undefined;
  readonly kind: 'crossing' | 'touching' | 'gap';
  /** Uint32: the triangles that meet the other body. */
  readonly marksA: Packed;
  readonly marksB: Packed;
  /** Float32: the contact curves around the centre, six numbers per segment. */
  readonly segments: Packed;
  /** The view of the picture: the point in its middle, from where it is seen, and the size of what it shows. */
  readonly center: readonly number[];
  readonly toward: readonly number[];
  readonly width: number;
  readonly height: number;
}

export interface ViewerData {
  readonly meshes: readonly ViewerMesh[];
  readonly pairs: readonly ViewerPair[];
}

/** Triangles of a body that a page carries. More would make it too large to mail. */
const mostTriangles = 100_000;

/** Collects the geometry of pairs, each body once. */
export class ViewerPacker {
  private readonly meshes: ViewerMesh[] = [];
  private readonly pairs: ViewerPair[] = [];
  private readonly known = new Map<ReportBody, number>();

  async add(bodies: readonly ReportBody[], pair: ReportPair, picture: PairPicture): Promise<void> {
    const { camera, segments } = picture;
    const { center } = camera;
    const [a, b] = [bodies[pair.a], bodies[pair.b]];
    const [keptA, keptB] = [keptTriangles(a, picture.center), keptTriangles(b, picture.center)];
    this.pairs.push({
      a: await this.meshOf(a, keptA),
      b: await this.meshOf(b, keptB),
      glass: pair.relation === 'contains' ? 'a' : pair.relation === 'inside' ? 'b' : undefined,
      kind: pair.relation === 'separate' ? 'gap' : pair.relation === 'touching' ? 'touching' : 'crossing',
      marksA: await pack(marksOf(pair.triangles, 0, keptA)),
      marksB: await pack(marksOf(pair.triangles, 1, keptB)),
      segments: await pack(around(segments, center)),
      center,
      toward: camera.toward,
      width: camera.width / camera.scale,
      height: camera.height / camera.scale,
    });
  }

  data(): ViewerData {
    return { meshes: this.meshes, pairs: this.pairs };
  }

  private async meshOf(body: ReportBody, kept: Uint32Array | undefined): Promise<number> {
    const found = this.known.get(body);
    if (found !== undefined && kept === undefined) return found;
    const { positions, indices } = kept === undefined ? body : part(body, kept);
    const center = centerOf(positions);
    const mesh: ViewerMesh = {
      center,
      positions: await pack(around(positions, center)),
      indices: await pack(Uint32Array.from(indices)),
      of: kept && body.triangles,
    };
    const index = this.meshes.push(mesh) - 1;
    if (kept === undefined) this.known.set(body, index);
    return index;
  }
}

/** The triangles nearest to a point, in their order; undefined if all of them are few enough. */
function keptTriangles(
  { positions, indices }: ReportBody,
  near: readonly number[],
  most = mostTriangles,
): Uint32Array | undefined {
  const count = indices.length / 3;
  if (count <= most) return undefined;
  const distances = Float64Array.from({ length: count }, (_, t) => {
    let sum = 0;
    for (let axis = 0; axis < 3; axis++) {
      const corners = [0, 1, 2].map(e => positions[3 * indices[3 * t + e] + axis]);
      sum += ((corners[0] + corners[1] + corners[2]) / 3 - near[axis]) ** 2;
    }
    return sum;
  });
  const limit = distances.toSorted()[most - 1];
  const kept: number[] = [];
  for (let t = 0; t < count && kept.length < most; t++) if (distances[t] <= limit) kept.push(t);
  return Uint32Array.from(kept);
}

/** Some triangles of a body, with the vertices they use. */
function part({ positions, indices }: ReportBody, kept: Uint32Array) {
  const newIndex = new Map<number, number>();
  const corners = new Uint32Array(3 * kept.length);
  kept.forEach((t, i) => {
    for (let e = 0; e < 3; e++) {
      const vertex = indices[3 * t + e];
      if (!newIndex.has(vertex)) newIndex.set(vertex, newIndex.size);
      corners[3 * i + e] = newIndex.get(vertex)!;
    }
  });
  const used = new Float64Array(3 * newIndex.size);
  for (const [vertex, index] of newIndex) {
    used.set(positions.subarray(3 * vertex, 3 * vertex + 3), 3 * index);
  }
  return { positions: used, indices: corners };
}

/** The triangles of one body that meet the other, by their places among those kept. */
function marksOf(triangles: Uint32Array, side: 0 | 1, kept: Uint32Array | undefined): Uint32Array {
  const marked = new Set<number>();
  for (let i = side; i < triangles.length; i += 2) marked.add(triangles[i]);
  if (kept === undefined) return Uint32Array.from(marked).sort();
  return Uint32Array.from([...kept.keys()].filter(place => marked.has(kept[place])));
}

function centerOf(positions: Float64Array): number[] {
  const [low, high] = [Array(3).fill(Infinity), Array(3).fill(-Infinity)];
  for (let i = 0; i < positions.length; i++) {
    if (positions[i] < low[i % 3]) low[i % 3] = positions[i];
    if (positions[i] > high[i % 3]) high[i % 3] = positions[i];
  }
  return low.map((value, axis) => (positions.length === 0 ? 0 : value / 2 + high[axis] / 2));
}

const around = (positions: Float64Array, center: readonly number[]): Float32Array =>
  Float32Array.from(positions, (value, i) => value - center[i % 3]);
