// From where is a pair seen best, and where do its surfaces meet? The view is that of the report's pictures.

import { finishInTurns, normalSteps, type PictureBody, pairViewSteps } from '@nearfield/clashes';
import type { Body } from 'nearfield';
import { placeTwo } from './ask.ts';
import type { Limits, PairViewData, PairViewQuestion } from './types.ts';
import type { PlacedScene } from './worker/placed-scene.ts';

/** Triangles of a contact to draw, at most: of more, some are left out. */
const mostTriangles = 100_000;

export async function viewPair(
  placed: PlacedScene,
  { a, b, relation, pointA, pointB, up, aspect }: PairViewQuestion,
  { signal }: Limits,
): Promise<PairViewData> {
  const two = placeTwo(placed, { a, b });
  const triangles = relation === 'separate' ? new Uint32Array(0) : await trianglesOf(placed, two, signal);
  // Pictures have +z up.
  const turned = (points: Float64Array) => (up === 'y' ? turn(points) : points);
  const bodies = two.map(body => bodyOf(body));
  for (const { positions } of bodies) turned(positions);
  const ends = pointA && pointB && { pointA: turned(pointA.slice()), pointB: turned(pointB.slice()) };
  const welds = new Map(bodies.map((body, i) => [body, two[i].mesh.welds]));
  const normalsOf = (body: PictureBody) => normalSteps({ ...body, vertexOf: welds.get(body)?.vertexOf });
  const size = { width: 480, height: Math.max(1, Math.round(480 / aspect)) };
  const steps = pairViewSteps(bodies, { a: 0, b: 1, relation, triangles, ...ends }, normalsOf, size);
  const { camera, glass, center, segments } = await finishInTurns(steps, signal);
  const back = ([x, y, z]: readonly number[]) => (up === 'y' ? [x, z, -y] : [x, y, z]);
  const backAll = (points: Float64Array) => {
    for (let i = 0; i < points.length; i += 3) points.set(back([...points.subarray(i, i + 3)]), i);
    return points;
  };
  return {
    ...{ toward: back(camera.toward), target: back(camera.center), contact: back(center), glass },
    ...{ width: camera.width / camera.scale, height: camera.height / camera.scale },
    segments: backAll(segments),
    corners: backAll(cornersOf(bodies[0], triangles)),
  };
}

/** (in a, in b) per pair of triangles that meet. */
async function trianglesOf(
  { scene }: PlacedScene,
  [a, b]: readonly [Body, Body],
  signal: AbortSignal | undefined,
): Promise<Uint32Array> {
  const [pair] = (await scene.interferences({ signal })).pairs;
  if (pair === undefined) return new Uint32Array(0);
  const { triangles } = pair;
  if (pair.a === a && pair.b === b) return triangles;
  const exchanged = new Uint32Array(triangles.length);
  for (let i = 0; i < triangles.length; i += 2) {
    exchanged[i] = triangles[i + 1];
    exchanged[i + 1] = triangles[i];
  }
  return exchanged;
}

function bodyOf({ mesh: { positions, indices, triangleCount }, pose: m }: Body): PictureBody {
  const out = new Float64Array(positions.length);
  for (let v = 0; v < out.length; v += 3) {
    const [x, y, z] = [positions[v], positions[v + 1], positions[v + 2]];
    for (let axis = 0; axis < 3; axis++)
      out[v + axis] = m[axis] * x + m[4 + axis] * y + m[8 + axis] * z + m[12 + axis];
  }
  return { positions: out, indices, triangles: triangleCount };
}

/** The corners of the triangles of the first body that meet the second, each triangle once. */
function cornersOf({ positions, indices }: PictureBody, triangles: Uint32Array): Float64Array {
  const own = new Set<number>();
  for (let i = 0; i < triangles.length && own.size < mostTriangles; i += 2) own.add(triangles[i]);
  const out = new Float64Array(9 * own.size);
  let at = 0;
  for (const triangle of own) {
    for (let corner = 3 * triangle; corner < 3 * triangle + 3; corner++) {
      for (let axis = 0; axis < 3; axis++) out[at++] = positions[3 * indices[corner] + axis];
    }
  }
  return out;
}

/** A quarter turn about x, in place: +y becomes +z. */
function turn(points: Float64Array): Float64Array {
  for (let i = 0; i < points.length; i += 3) {
    const [y, z] = [points[i + 1], points[i + 2]];
    points[i + 1] = -z;
    points[i + 2] = y;
  }
  return points;
}
