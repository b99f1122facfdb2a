// The pair of the user's own models to show first: the chosen one, else the first that meets, else the first two bodies.

import type { BodyId, Limits } from '../engine/types.ts';
import type { Studio } from '../studio.ts';
import type { Shape, Two } from './types.ts';

export async function modelsPair({ store, live, viewer }: Studio, _limits: Limits): Promise<Two> {
  const { bodies } = store.document;
  const found = live.chosen ?? (live.count > 0 ? live.table!.row(0) : undefined);
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
  const [a, b] = found ? [found.a, found.b] : [bodies[0].id, bodies[1].id];
  return [shapeOf(a), shapeOf(b)];
}
