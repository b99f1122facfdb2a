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
  pairs: readonly OpenPair[],
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
  const parts: Float64Array[] = [];
  let left = most;
  for (const { a, b, triangles } of pairs) {
    if (triangles === undefined || left <= 0) continue;
    const found = await finishInTurns(segmentSteps(bodyAt(a), bodyAt(b), triangles, left));
    parts.push(found);
    left -= found.length / 6;
  }
  const segments = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    segments.set(part, at);
    at += part.length;
  }
  return { segments };
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
