// A z-buffer: per sample of a picture, which surface is nearest to the eye, how near, and its normal. Shading
// (shade.ts) uses only these buffers. Pictures are drawn here, not by a GPU, because most are made where there is none
// that can be relied on: snapshots in BCF files and reports from pipelines, which are also read without JavaScript. The
// same input gives the same pixels everywhere.

import { finish, type Steps } from '../../steps/steps.ts';
import type { Camera } from './camera.ts';

export type Color = readonly [red: number, green: number, blue: number];

export interface Surface {
  positions: Float64Array;
  indices: Uint16Array | Uint32Array;
  /** Three corners per triangle (normals.ts). */
  normals: Float32Array;
  color: Color;
  /** 1 for highlighted triangles. */
  marks?: Uint8Array | undefined;
  /** A second colour, in diagonal stripes, for two bodies in one place. */
  stripes?: Color | undefined;
  /** If below 1, the surface is transparent. */
  opacity?: number | undefined;
}

export interface Buffers {
  width: number;
  height: number;
  /** Depth towards the eye, in units of length; −Infinity if the sample is empty. */
  depth: Float32Array;
  /** Index of the surface plus 1; 0 if the sample is empty. */
  surface: Uint32Array;
  marked: Uint8Array;
  /** Right, up and towards the eye. */
  normal: Float32Array;
}

export function createBuffers(width: number, height: number): Buffers {
  const count = width * height;
  return {
    width,
    height,
    depth: new Float32Array(count).fill(-Infinity),
    surface: new Uint32Array(count),
    marked: new Uint8Array(count),
    normal: new Float32Array(3 * count),
  };
}

/** Keeps only samples nearer than one depth and farther than another. */
export interface Between {
  nearerThan: Float32Array;
  fartherThan?: Float32Array | undefined;
}

/** Draws one surface into the buffers, where it is nearer than their contents. */
export const rasterise = (...drawn: Parameters<typeof rasteriseSteps>): void =>
  finish(rasteriseSteps(...drawn));

/** The same in steps. */
export function* rasteriseSteps(
  buffers: Buffers,
  camera: Camera,
  surface: Surface,
  id: number,
  between?: Between,
): Steps<void> {
  const seen = projectAll(camera, surface.positions);
  for (let t = 0; t < surface.indices.length; ) {
    t = rasteriseSome(buffers, camera, surface, seen, t, id, between);
    yield;
  }
}

/** How much one step does at most, in samples. A triangle costs about as much as 30 of them. */
const samplesPerStep = 2_000_000;

/** Draws triangles from index `start` on, and returns the index of the first that it leaves for the next step. */
function rasteriseSome(
  buffers: Buffers,
  camera: Camera,
  surface: Surface,
  seen: Float64Array,
  start: number,
  id: number,
  between: Between | undefined,
): number {
  const { width, height, depth, marked, normal } = buffers;
  const { indices, normals, marks } = surface;
  let work = 0;
  // Surfaces or transparent layers closer than this, in units, count as coincident: half a sample.
  const skin = 0.5 / camera.scale;
  const n = new Float64Array(9);
  const [r, u, w] = [camera.right, camera.up, camera.toward];
  for (let t = start; t < indices.length; t += 3) {
    if (work > samplesPerStep) return t;
    work += 30;
    const a = 3 * indices[t];
    const b = 3 * indices[t + 1];
    const c = 3 * indices[t + 2];
    const ax = seen[a];
    const ay = seen[a + 1];
    const bx = seen[b];
    const by = seen[b + 1];
    const cx = seen[c];
    const cy = seen[c + 1];
    const left = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5));
    const right = Math.min(width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5));
    const top = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5));
    const bottom = Math.min(height - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
    if (left > right || top > bottom) continue;
    work += (right - left) * (bottom - top);
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    if (area === 0) continue;
    // y runs down, so a triangle that faces the eye has a negative area. Otherwise its back is visible: flip the
    // normals.
    const facing = area < 0 ? 1 : -1;
    for (let e = 0; e < 3; e++) {
      const x = normals[3 * t + 3 * e];
      const y = normals[3 * t + 3 * e + 1];
      const z = normals[3 * t + 3 * e + 2];
      n[3 * e] = facing * (x * r[0] + y * r[1] + z * r[2]);
      n[3 * e + 1] = facing * (x * u[0] + y * u[1] + z * u[2]);
      n[3 * e + 2] = facing * (x * w[0] + y * w[1] + z * w[2]);
    }
    const mark = marks?.[t / 3] ?? 0;
    // Barycentric weights are linear in x, so the samples inside form one run per row.
    const stepA = (by - cy) / area;
    const stepB = (cy - ay) / area;
    const stepC = -stepA - stepB;
    for (let y = top; y <= bottom; y++) {
      const py = y + 0.5;
      const px = left + 0.5;
      const firstA = ((bx - px) * (cy - py) - (by - py) * (cx - px)) / area;
      const firstB = ((cx - px) * (ay - py) - (cy - py) * (ax - px)) / area;
      const firstC = 1 - firstA - firstB;
      const from = Math.max(0, runStart(firstA, stepA), runStart(firstB, stepB), runStart(firstC, stepC));
      const to = Math.min(right - left, runEnd(firstA, stepA), runEnd(firstB, stepB), runEnd(firstC, stepC));
      for (let k = from; k <= to; k++) {
        const wa = firstA + k * stepA;
        const wb = firstB + k * stepB;
        const wc = 1 - wa - wb;
        const at = y * width + left + k;
        const z = wa * seen[a + 2] + wb * seen[b + 2] + wc * seen[c + 2];
        // If two surfaces coincide, the one drawn first stays; rounding would mix both in a pattern.
        if (z <= (buffers.surface[at] === id + 1 ? depth[at] : depth[at] + skin)) continue;
        if (between !== undefined && !isBetween(between, at, z, skin)) continue;
        depth[at] = z;
        buffers.surface[at] = id + 1;
        marked[at] = mark;
        normal[3 * at] = wa * n[0] + wb * n[3] + wc * n[6];
        normal[3 * at + 1] = wa * n[1] + wb * n[4] + wc * n[7];
        normal[3 * at + 2] = wa * n[2] + wb * n[5] + wc * n[8];
      }
    }
  }
  return indices.length;
}

/** A sample this far outside counts as inside, so that rounding leaves no hole between two triangles. */
const overlap = 1e-6;

/** The first k with first + k·step ≥ 0 if the weight grows; no bound if it falls. */
function runStart(first: number, step: number): number {
  if (step > 0) return Math.ceil(-first / step - overlap);
  return step === 0 && first < 0 ? Infinity : -Infinity;
}

/** The last k with first + k·step ≥ 0 if the weight falls. */
const runEnd = (first: number, step: number): number =>
  step < 0 ? Math.floor(-first / step + overlap) : Infinity;

function isBetween({ nearerThan, fartherThan }: Between, at: number, z: number, skin: number): boolean {
  return z > nearerThan[at] && (fartherThan === undefined || z < fartherThan[at] - skin);
}

function projectAll(camera: Camera, positions: Float64Array): Float64Array {
  const out = new Float64Array(positions.length);
  const { right, up, toward, center, scale, width, height } = camera;
  for (let i = 0; i < positions.length; i += 3) {
    const x = positions[i] - center[0];
    const y = positions[i + 1] - center[1];
    const z = positions[i + 2] - center[2];
    out[i] = width / 2 + (x * right[0] + y * right[1] + z * right[2]) * scale;
    out[i + 1] = height / 2 - (x * up[0] + y * up[1] + z * up[2]) * scale;
    out[i + 2] = x * toward[0] + y * toward[1] + z * toward[2];
  }
  return out;
}
