// Distances and self-intersections for people, as sentences and lists.

import type { Distance } from 'nearfield';
import { at, count, plural, rounded } from './sentences.ts';
import { printable } from './terminal.ts';

/** The first triangle pairs of a list; with `most` unlimited, all of them. */
export function* trianglePairs(
  triangles: Uint32Array,
  indent: string,
  most = Number.POSITIVE_INFINITY,
): Generator<string> {
  const shown = Math.min(triangles.length / 2, most);
  for (let i = 0; i < shown; i++) yield `${indent}${triangles[2 * i]} ${triangles[2 * i + 1]}\n`;
  const left = triangles.length / 2 - shown;
  if (left > 0) yield `${indent}… and ${count(left)} more\n`;
}

export function* distanceTable(
  names: readonly [string, string],
  frames: readonly Pick<Distance, 'distance' | 'pointA' | 'pointB' | 'triangleA' | 'triangleB'>[],
  isMotion: boolean,
): Generator<string> {
  const [a, b] = names.map(printable);
  for (let frame = 0; frame < frames.length; frame++) {
    const { distance, pointA, pointB, triangleA, triangleB } = frames[frame];
    if (isMotion) yield `frame ${frame}: `;
    if (distance === Infinity) {
      yield `${a} and ${b} have no distance: one of them has no triangles.\n`;
      continue;
    }
    if (distance === 0) yield `${a} and ${b} meet`;
    else yield `${a} and ${b} are ${rounded(distance)} apart`;
    if (triangleA < 0) yield ': one lies within the other.\n';
    else {
      yield `: triangle ${triangleA} at ${at(pointA)}, triangle ${triangleB} at ${at(pointB)}.\n`;
    }
  }
}

export function* selfTable(
  name: string,
  triangleCount: number,
  frames: readonly Uint32Array[],
  isMotion: boolean,
): Generator<string> {
  for (let frame = 0; frame < frames.length; frame++) {
    const where = isMotion ? `frame ${frame}: ` : '';
    const found = frames[frame].length / 2;
    const among = `the ${plural(triangleCount, 'triangle')} of ${printable(name)}`;
    if (found === 0) yield `${where}No self-intersection in ${among}.\n`;
    else {
      yield `${where}${plural(found, 'pair')} of ${among} ${found === 1 ? 'intersects' : 'intersect'}:\n`;
      yield* trianglePairs(frames[frame], '  ', 20);
    }
  }
}
