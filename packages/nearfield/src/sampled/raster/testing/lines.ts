// What lines of a view cross, by exact ray casting of every triangle, for the tests of this folder and of maps.

import { RayCaster } from '../../../../../../test/oracle/ray-cast.ts';
import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { Crossing } from '../exact/crossings.ts';
import type { View } from '../view.ts';

/** By pixel: crossings with both bodies, each body's in order of depth, the first body's first. */
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
