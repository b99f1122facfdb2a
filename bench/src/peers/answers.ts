// Answers of Nearfield as pairs of numbers, so that engines can be compared.

import type { Body, DistanceMap, IntersectionVolume, Scene } from 'nearfield';
import type { Case } from '../case.ts';
import { assemblyClearance } from '../scenes/assembly.ts';

/** What `nearfield check` asks: pairs and relations; then common points; then distances of pairs that are too close. */
export async function checkAssembly(scene: Scene, question: Case['question']): Promise<Uint32Array> {
  const answer = await scene.interferences();
  await answer.relations();
  if (question === 'relations') return answer.indices;
  await answer.points();
  if (question === 'points') return answer.indices;
  const { indices } = answer;
  const count = scene.bodies.length;
  const meeting = new Set<number>();
  for (let i = 0; i < indices.length; i += 2) meeting.add(indices[i] * count + indices[i + 1]);
  const keep = (a: Body, b: Body) => !meeting.has(a.index * count + b.index);
  const near = await scene.within(assemblyClearance, { keep });
  return Uint32Array.from([...indices, ...[...near].flatMap(({ a, b }) => [a.index, b.index])]);
}

/** The samples of an answer: the column and the slice of each. */
export function samplesOf({ grid, points }: IntersectionVolume): Uint32Array {
  const samples = new Uint32Array((points.length / 3) * 2);
  const place = (i: number, axis: number) =>
    Math.floor((points[3 * i + axis] - grid.origin[axis]) / grid.cell);
  for (let i = 0; i < points.length / 3; i++) {
    samples[2 * i] = place(i, 1) * grid.dimensions[0] + place(i, 0);
    samples[2 * i + 1] = place(i, 2);
  }
  return samples;
}

/** The pixels that have a distance, and whether it is a gap (0) or an overlap (1). */
export function measuredPixels({ distance }: DistanceMap): Uint32Array {
  const pairs: number[] = [];
  distance.forEach((value, pixel) => {
    if (!Number.isNaN(value)) pairs.push(pixel, value < 0 ? 1 : 0);
  });
  return Uint32Array.from(pairs);
}
