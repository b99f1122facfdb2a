// Where surfaces cross, as segments to draw: in single precision, relative to the origin of the view.

import {
  finishInTurns,
  type OpenPair,
  type PictureBody,
  type PlacedBody,
  segmentSteps,
} from '@nearfield/clashes';
import { applyPose, identity } from 'nearfield';
import type { Touched } from './types.ts';

export async function touchedSegments(
  pairs: readonly (OpenPair & { readonly row: number })[],
  bodies: readonly PlacedBody[],
  origin: readonly number[],
  most: number,
): Promise<Touched> {
  const placed = new Map<number, PictureBody>();
  const bodyAt = (index: number): PictureBody => {
    const known = placed.get(index) ?? drawnFrom(bodies[index], origin);
    placed.set(index, known);
    return known;
  };
  const parts: { readonly row: number; readonly found: Float64Array }[] = [];
  let left = most;
  for (const { row, a, b, triangles } of pairs) {
    if (triangles === undefined || left <= 0) continue;
    const found = await finishInTurns(segmentSteps(bodyAt(a), bodyAt(b), triangles, left));
    parts.push({ row, found });
    left -= found.length / 6;
  }
  const segments = new Float32Array(parts.reduce((sum, { found }) => sum + found.length, 0));
  const rows = new Uint32Array(segments.length / 6);
  let at = 0;
  for (const { row, found } of parts) {
    segments.set(found, at);
    rows.fill(row, at / 6, (at + found.length) / 6);
    at += found.length;
  }
  return { segments, rows };
}

function drawnFrom({ mesh, pose = identity() }: PlacedBody, origin: readonly number[]): PictureBody {
  const { positions, indices, triangleCount } = mesh;
  const out = new Float64Array(positions.length);
  for (let i = 0; i < out.length; i += 3) {
    applyPose(pose, positions[i], positions[i + 1], positions[i + 2], out, i);
    for (let axis = 0; axis < 3; axis++) out[i + axis] -= origin[axis];
  }
  return { positions: out, indices, triangles: triangleCount };
}
