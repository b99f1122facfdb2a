// A pair of the user's own models: the one that the address names, else the chosen one, else the first that meets, else the
// first two bodies.

import type { BodyId } from '../engine/types.ts';
import type { Studio } from '../studio.ts';
import type { Shape, Two } from './types.ts';

/** The two bodies to show. `named` are their numbers in the list of bodies, if the address has some. */
export function modelsChoice(
  { store, live }: Studio,
  named: readonly (string | undefined)[],
): readonly [BodyId, BodyId] {
  const { bodies } = store.document;
  const [p, q] = named.map(text => bodies[Number(text ?? Number.NaN)]);
  if (p && q && p !== q) return [p.id, q.id];
  const found = live.chosen ?? (live.count > 0 ? live.table!.row(0) : undefined);
  return found ? [found.a, found.b] : [bodies[0].id, bodies[1].id];
}

export function modelsPair({ store, viewer }: Studio, [a, b]: readonly [BodyId, BodyId]): Two {
  const { bodies } = store.document;
  const shapeOf = (id: BodyId): Shape => {
    const { name, pose: given } = bodies.find(body => body.id === id)!;
    // Close to the origin, because map coordinates would tremble in single precision.
    const pose = given.map((value, i) => (i < 12 ? value : value - (viewer.bodies.origin[i - 12] ?? 0)));
    // As drawn: three corners per triangle, in single precision.
    const positions = viewer.bodies.corners(id)!.slice();
    return {
      name,
      positions,
      indices: Uint32Array.from({ length: positions.length / 3 }, (_, i) => i),
      pose,
    };
  };
  return [shapeOf(a), shapeOf(b)];
}
