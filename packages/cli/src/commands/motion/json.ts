// The JSON of `motion --json`. Programs rely on it, and tests hold it.

import { type Approach, list, type MotionAnswer, type PlacedBody } from '@nearfield/clashes';
import { version } from '../../version.ts';

/** An answer and what is needed to show it. */
export interface ShownMotion extends MotionAnswer {
  readonly labels: readonly string[];
  readonly bodies: readonly PlacedBody[];
  readonly clearance: number | undefined;
  readonly frameCount: number;
  /** The unit of all lengths; undefined if it is not known. */
  readonly unitName: string | undefined;
}

/** Whether a pair comes, or may come, strictly nearer than the clearance. */
export const isTooClose = ({ distance }: Approach, clearance: number | undefined): boolean =>
  clearance !== undefined && distance.lower < clearance;

export function* motionJson({
  contacts,
  approaches,
  bodies,
  clearance,
  frameCount,
  unitName,
}: ShownMotion): Generator<string> {
  const unit = unitName === undefined ? '' : ` "unitName": ${JSON.stringify(unitName)},`;
  yield `{ "version": ${JSON.stringify(version)}, "frames": ${frameCount},${unit}\n  "bodies": [`;
  yield* list(bodies, '    ', ({ name, file, mesh }, index) => [
    JSON.stringify({ index, name, file, triangles: mesh.triangleCount, closed: mesh.closed }),
  ]);
  yield '],\n  "contacts": [';
  yield* list(contacts, '    ', ({ a, b, state, time, relation, gap, triangleA, triangleB, point }) => [
    JSON.stringify({ a, b, state, ...time, relation, gap, triangleA, triangleB, point: point && [...point] }),
  ]);
  yield ']';
  if (approaches !== undefined) {
    yield ',\n  "approaches": [';
    yield* list(approaches, '    ', approach => {
      const { a, b, distance, time, pointA, pointB, triangleA, triangleB } = approach;
      const tooClose = clearance === undefined ? undefined : isTooClose(approach, clearance);
      const where = { pointA: [...pointA], pointB: [...pointB], triangleA, triangleB };
      return [JSON.stringify({ a, b, distance, ...time, tooClose, ...where })];
    });
    yield ']';
  }
  yield ' }\n';
}
