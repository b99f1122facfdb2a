// The JSON of `distance --json` and `self --json`. Programs rely on it, and tests hold it. It is written in pieces,
// because the triangle pairs of a large answer do not fit into one string.

import { indexPairs, list } from '@nearfield/clashes';
import type { Distance } from 'nearfield';

/** `frames` has one entry per frame of a motion, or just one. */
export function* selfJson(frames: readonly Uint32Array[], isMotion: boolean): Generator<string> {
  if (!isMotion) {
    yield '{ "triangles": ';
    yield* indexPairs(frames[0]);
    yield ' }\n';
    return;
  }
  yield '{ "frames": [';
  yield* list(frames, '  ', function* (triangles, frame) {
    yield `{ "frame": ${frame}, "triangles": `;
    yield* indexPairs(triangles);
    yield ' }';
  });
  yield '] }\n';
}

/**
 * `frames` has one entry per frame of a motion, or just one. If there is nothing to measure, the distance and the
 * points are null.
 */
export function* distanceJson(
  frames: readonly Pick<Distance, 'distance' | 'pointA' | 'pointB' | 'triangleA' | 'triangleB'>[],
  isMotion: boolean,
): Generator<string> {
  const fields = ({ distance, pointA, pointB, triangleA, triangleB }: (typeof frames)[number]) => {
    const point = (values: Float64Array) => (distance === Infinity ? null : [...values]);
    return { distance, pointA: point(pointA), pointB: point(pointB), triangleA, triangleB };
  };
  if (!isMotion) {
    yield `${JSON.stringify(fields(frames[0]))}\n`;
    return;
  }
  yield '{ "frames": [';
  yield* list(frames, '  ', (found, frame) => [JSON.stringify({ frame, ...fields(found) })]);
  yield '] }\n';
}
