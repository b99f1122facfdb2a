// Turns the surface of clay into triangles with surface nets (Gibson, "Constrained elastic surface nets", 1998).
// Every cell of a grid that the surface passes through has one vertex, in the middle of the edge crossings of the
// cell, then moved onto the surface. Every grid edge that the surface crosses has one quad around it. The result is
// closed and oriented for any field: an edge of a quad lies on a face of a cell, and the surface crosses the sides of
// that face equally often outwards and inwards.

import { type Mesh, mesh } from 'nearfield';
import { dot, type Vector } from '../rigid/vector.ts';
import { type Blob, type Clay, type Field, joined } from './blobs.ts';

/** Cells along a block: the grid is halved down to these, and blocks far from the surface are skipped. */
const blockSize = 4;

/**
 * Approximately the requested number of triangles: the grid is corrected by its result. Only the largest connected
 * part.
 */
export function polygonise(clay: Clay, triangles: number): Mesh {
  let cell = Math.sqrt(clay.trianglesArea / triangles);
  let made = largestPart(polygoniseBy(clay, cell));
  for (let round = 0; round < 3 && Math.abs(made.triangleCount / triangles - 1) > 0.01; round++) {
    cell *= Math.sqrt(made.triangleCount / triangles);
    made = largestPart(polygoniseBy(clay, cell));
  }
  return made;
}

type Corner = readonly [i: number, j: number, k: number];

interface Block {
  readonly low: Corner;
  /** The field of only the blobs near it. */
  readonly field: Field;
}

function polygoniseBy(clay: Clay, cell: number): Mesh {
  const counts = [0, 1, 2].map(k => blockSize * Math.ceil((clay.max[k] - clay.min[k]) / cell / blockSize));
  const [nx, ny] = [counts[0] + 1, counts[1] + 1];
  const values = new Float32Array(nx * ny * (counts[2] + 1)).fill(Infinity);
  const nodeAt = (i: number, j: number, k: number): number => (k * ny + j) * nx + i;
  const place = (axis: number, i: number): number => clay.min[axis] + i * cell;
  const blocks: Block[] = [];
  const look = (low: Corner, size: number, blobs: readonly Blob[]): void => {
    if (low.some((value, k) => value >= counts[k])) return;
    const near = blobsNear(clay, low, size, cell, blobs);
    if (near === 'outside') return;
    if (near === 'inside') {
      forBox(low, counts, size + 1, (i, j, k) => {
        const node = nodeAt(i, j, k);
        if (values[node] === Infinity) values[node] = -1;
      });
    } else if (size > blockSize) {
      const half = size / 2;
      for (let child = 0; child < 8; child++) {
        const [i, j, k] = [child & 1, (child >> 1) & 1, child >> 2];
        look([low[0] + i * half, low[1] + j * half, low[2] + k * half], half, near);
      }
    } else {
      blocks.push({ low, field: joined(near, clay.rounding, clay.grain, clay.grainHeight) });
    }
  };
  let whole = blockSize;
  while (whole < Math.max(...counts)) whole *= 2;
  look([0, 0, 0], whole, clay.blobs);
  // A node between blocks belongs to several. Up to rounding they agree, and the last one counts.
  const looked = new Uint8Array(values.length);
  for (let block = blocks.length - 1; block >= 0; block--) {
    const { low, field } = blocks[block];
    forBox(low, counts, blockSize + 1, (i, j, k) => {
      const node = nodeAt(i, j, k);
      if (looked[node]) return;
      looked[node] = 1;
      values[node] = field(place(0, i), place(1, j), place(2, k));
    });
  }
  const vertexOf = new Map<number, number>();
  const positions: number[] = [];
  const cells: number[] = [];
  const steps = [1, nx, nx * ny];
  for (const { low, field } of blocks) {
    forBox(low, counts, blockSize, (i, j, k) => {
      const node = nodeAt(i, j, k);
      const point = crossing(values, node, steps);
      if (point === undefined) return;
      vertexOf.set(node, positions.length / 3);
      cells.push(node);
      const start = [0, 1, 2].map(axis => place(axis, [i, j, k][axis] + point[axis]));
      positions.push(...ontoSurface(field, start, cell));
    });
  }
  const indices: number[] = [];
  for (const node of cells) addQuads(node, values, steps, vertexOf, positions, indices);
  return mesh(Float64Array.from(positions), Uint32Array.from(indices));
}

/** The nodes of a box, but none beyond the grid. */
function forBox(
  [i0, j0, k0]: Corner,
  counts: readonly number[],
  size: number,
  visit: (i: number, j: number, k: number) => void,
): void {
  const [i1, j1, k1] = [i0, j0, k0].map((low, axis) => Math.min(low + size, counts[axis] + 1));
  for (let k = k0; k < k1; k++) {
    for (let j = j0; j < j1; j++) {
      for (let i = i0; i < i1; i++) visit(i, j, k);
    }
  }
}

/** The blobs that influence a block; or its side, if the surface does not come near it. */
function blobsNear(
  { min, rounding, grainHeight = 0 }: Clay,
  low: Corner,
  size: number,
  cell: number,
  blobs: readonly Blob[],
): readonly Blob[] | 'outside' | 'inside' {
  const [x, y, z] = [0, 1, 2].map(k => min[k] + (low[k] + size / 2) * cell);
  // Fields of ellipsoids and of widening cones grow slightly faster than the distance.
  const reach = 1.4 * (Math.sqrt(3) / 2) * size * cell;
  const middles = blobs.map(blob => blob(x, y, z));
  const nearest = Math.min(...middles);
  if (nearest > reach + rounding + grainHeight) return 'outside';
  if (nearest < -(reach + grainHeight)) return 'inside';
  return blobs.filter((_, i) => middles[i] <= nearest + 2 * reach + rounding);
}

/**
 * The mean of the surface's crossings with the edges of a cell, in units of the cell; undefined if there are none.
 */
function crossing(values: Float32Array, node: number, steps: readonly number[]): number[] | undefined {
  let inside = 0;
  for (let corner = 0; corner < 8; corner++) if (values[cornerOf(node, corner, steps)] < 0) inside++;
  if (inside === 0 || inside === 8) return undefined;
  const sum = [0, 0, 0];
  let count = 0;
  for (let corner = 0; corner < 8; corner++) {
    for (let axis = 0; axis < 3; axis++) {
      if (corner & (1 << axis)) continue;
      const here = values[cornerOf(node, corner, steps)];
      const there = values[cornerOf(node, corner | (1 << axis), steps)];
      if (here < 0 === there < 0) continue;
      // A node in a skipped block lies outside, as far as possible.
      const t = Number.isFinite(here - there) ? here / (here - there) : 0.5;
      for (let k = 0; k < 3; k++) sum[k] += k === axis ? t : (corner >> k) & 1;
      count++;
    }
  }
  return sum.map(value => value / count);
}

const cornerOf = (node: number, corner: number, steps: readonly number[]): number =>
  node + (corner & 1) * steps[0] + ((corner >> 1) & 1) * steps[1] + (corner >> 2) * steps[2];

/** One Newton step towards the surface, at most a third of a cell, so that quads do not fold. */
function ontoSurface(field: Field, [x, y, z]: readonly number[], cell: number): number[] {
  const h = cell / 4;
  const gradient: Vector = [
    (field(x + h, y, z) - field(x - h, y, z)) / (2 * h),
    (field(x, y + h, z) - field(x, y - h, z)) / (2 * h),
    (field(x, y, z + h) - field(x, y, z - h)) / (2 * h),
  ];
  const squared = Math.max(dot(gradient, gradient), 0.04);
  const far = cell / 3 / Math.sqrt(squared);
  const step = Math.max(-far, Math.min(far, field(x, y, z) / squared));
  return [x - step * gradient[0], y - step * gradient[1], z - step * gradient[2]];
}

/** The quads around the three grid edges at a cell's lowest node, each divided along its shorter diagonal. */
function addQuads(
  node: number,
  values: Float32Array,
  steps: readonly number[],
  vertexOf: ReadonlyMap<number, number>,
  positions: readonly number[],
  indices: number[],
): void {
  for (let axis = 0; axis < 3; axis++) {
    const here = values[node] < 0;
    if (here === values[node + steps[axis]] < 0) continue;
    const [u, v] = [steps[(axis + 1) % 3], steps[(axis + 2) % 3]];
    const around = [node - u - v, node - v, node, node - u].map(cell => vertexOf.get(cell)!);
    // Counter-clockwise seen from the edge's far end: outwards, where that end is the outer one.
    const [a, b, c, d] = here ? around : around.reverse();
    if (apart(positions, a, c) <= apart(positions, b, d)) indices.push(a, b, c, a, c, d);
    else indices.push(a, b, d, b, c, d);
  }
}

function apart(p: readonly number[], i: number, j: number): number {
  const [x, y, z] = [p[3 * i] - p[3 * j], p[3 * i + 1] - p[3 * j + 1], p[3 * i + 2] - p[3 * j + 2]];
  return x * x + y * y + z * z;
}

/** A coarse grid may lose thin parts; disconnected remains are left out. */
function largestPart(whole: Mesh): Mesh {
  const { componentOf, componentCount } = whole.adjacency;
  if (componentCount === 1) return whole;
  const sizes = new Uint32Array(componentCount);
  for (const part of componentOf) sizes[part]++;
  const largest = sizes.indexOf(Math.max(...sizes));
  const kept = new Map<number, number>();
  const positions: number[] = [];
  const indices: number[] = [];
  whole.indices.forEach((vertex, i) => {
    if (componentOf[Math.floor(i / 3)] !== largest) return;
    let index = kept.get(vertex);
    if (index === undefined) {
      kept.set(vertex, (index = kept.size));
      positions.push(...whole.positions.subarray(3 * vertex, 3 * vertex + 3));
    }
    indices.push(index);
  });
  return mesh(Float64Array.from(positions), Uint32Array.from(indices));
}
