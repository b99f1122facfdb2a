// Finds everything that one line of a view crosses, exactly. Used for the pixels a GPU could not decide (Myszkowski et
// al.: rays for the few pixels that are left).

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { worldBox } from '../../../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../../../bvh/cpu/walk/finder.ts';
import { boxAlong, type View } from '../view.ts';
import { type BoundedCrossing, Crosser, compareCrossings } from './crossings.ts';

/** Casts lines of a view through bodies, one after the other. */
export class LineCaster {
  readonly #view: View;
  readonly #finder: TriangleFinder;
  readonly #sides: readonly { readonly crosser: Crosser; readonly start: number; readonly slack: number }[];

  constructor(view: View, bodies: readonly Placed[], finder: TriangleFinder) {
    this.#view = view;
    this.#finder = finder;
    const { direction, origin } = view;
    this.#sides = bodies.map(body => {
      const box = worldBox(body);
      const size = Math.max(...box.map(Math.abs)) + Math.max(...origin.map(Math.abs));
      // The world's doubles and the view's differ by a few roundings of their terms. Axes that were rotated with a body
      // are perpendicular to 2^-44, and the line is perpendicular to `right` and `up`.
      const slack = 2 ** -41 * size;
      const before = boxAlong(view, box)[2] - dot(direction, origin);
      return { crosser: new Crosser(view, body), start: before - view.pixel - slack, slack };
    });
  }

  /** The crosser of each side. */
  get crossers(): readonly Crosser[] {
    return this.#sides.map(({ crosser }) => crosser);
  }

  /** The crossings in order along the line, as far as doubles tell. */
  cast(column: number, row: number): BoundedCrossing[] {
    const { direction } = this.#view;
    const found: BoundedCrossing[] = [];
    const [x, y] = this.#view.lineOf(column, row);
    this.#sides.forEach(({ crosser, start, slack }, side) => {
      const from = this.#view.toWorld(x, y, start);
      for (const triangle of this.#finder.trianglesOnRay(crosser.body, from, direction, slack)) {
        crosser.take(triangle);
        if (!crosser.crosses(column, row)) continue;
        const { depth, away, error } = crosser;
        found.push({ depth, side: side as 0 | 1, away, triangle, error });
      }
    });
    return found.sort(compareCrossings);
  }
}

const dot = (u: ArrayLike<number>, v: ArrayLike<number>): number => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
