// The oracle of this folder's tests and of maps: what the lines of a view cross, by exact ray casting of every
// triangle.

import { RayCaster } from '../../../../../../test/oracle/ray-cast.ts';
import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { Crossing } from '../exact/crossings.ts';
import type { View } from '../view.ts';

/** Per pixel: crossings with both bodies, the first body's first, each body's in order of depth. */
export function castAll(view: View, bodies: readonly Placed[]): (column: number, row: number) => Crossing[] {
  const caster = new RayCaster(
    bodies.map(({ shape, pose }) => ({ mesh: shape.mesh, pose })),
    view,
    4 * view.pixel,
  );
  return (column, row) =>
    caster.cast(view.toWorld(column + 0.5, row + 0.5, 0)).flatMap((crossings, side) =>
      crossings.map(({ depth, enters, triangle }) => ({
        depth,
        side: side as 0 | 1,
        away: enters ? (0 as const) : (1 as const),
        triangle,
      })),
    );
}
