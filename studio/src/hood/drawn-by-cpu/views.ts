// Views along the axes that cull triangles (Govindaraju, Lin and Manocha 2004), by the CPU. A triangle covers every
// pixel whose square it meets, and has a range of depths there; both are taken too large rather than too small, so no
// triangle that meets the other body is ever culled.

import type { SeenLook, SeenView, VisibilitySteps } from 'nearfield';
import type { Two } from '../types.ts';
import { type Bounds, type Placed, placedTwo, sharedBox } from './crossings.ts';

type Lists = readonly [Uint32Array, Uint32Array];

const none = new Uint32Array(0);
const nothing: SeenLook = { resolution: 0, views: [], kept: [none, none] };

/** `trianglePairs`: what meets exactly. */
export function viewsOf(shapes: Two, resolution: number, trianglePairs: Uint32Array): VisibilitySteps {
  const two = placedTwo(shapes);
  const box = sharedBox(two);
  if (box === undefined)
    return {
      method: 'visibility',
      window: new Float64Array(6),
      glance: nothing,
      close: nothing,
      trianglePairs,
    };
  const window = grown(box);
  const inside = (placed: Placed) => {
    const all = Uint32Array.from({ length: placed.indices.length / 3 }, (_, triangle) => triangle);
    return all.filter(triangle => meetsBox(placed, triangle, window));
  };
  const glance = lookAt(two, window, resolution / 4, [inside(two[0]), inside(two[1])]);
  const first = lookAt(two, window, resolution, glance.kept);
  const { kept } = lookAt(two, window, resolution, first.kept);
  const close = { ...first, kept };
  return { method: 'visibility', window: Float64Array.from(window), glance, close, trianglePairs };
}

/** A flat box gets some depth, and rounding some room. */
function grown(box: Bounds): Bounds {
  const size = Math.max(...[0, 1, 2].map(axis => box[axis + 3] - box[axis])) || 1;
  return box.map((value, i) => value + (i < 3 ? -1 : 1) * 2 ** -20 * size);
}

function meetsBox({ places, indices }: Placed, triangle: number, box: Bounds): boolean {
  return [0, 1, 2].every(axis => {
    const values = [0, 1, 2].map(k => places[3 * indices[3 * triangle + k] + axis]);
    return Math.min(...values) <= box[axis + 3] && Math.max(...values) >= box[axis];
  });
}

function lookAt(two: readonly [Placed, Placed], window: Bounds, resolution: number, taken: Lists): SeenLook {
  const views = ([1, -1] as const).flatMap(from =>
    ([0, 1, 2] as const).map(axis => viewAlong(two, window, resolution, taken, axis, from)),
  );
  const keptOf = (side: 0 | 1) => {
    const sets = views.map(({ overlapping }) => new Set(overlapping[side]));
    return taken[side].filter(triangle => sets.every(set => set.has(triangle)));
  };
  return { resolution, views, kept: [keptOf(0), keptOf(1)] };
}

function viewAlong(
  two: readonly [Placed, Placed],
  window: Bounds,
  resolution: number,
  taken: Lists,
  axis: 0 | 1 | 2,
  from: 1 | -1,
): SeenView {
  const nearOf = ([0, 1] as const).map(side => {
    const near = new Float32Array(resolution * resolution).fill(Infinity);
    for (const triangle of taken[side])
      cover(two[side], triangle, window, resolution, axis, from, (pixel, low) => {
        // Rounded down, so that the stored depth is never behind the surface.
        if (low < near[pixel]) near[pixel] = low - 2 ** -22;
        return true;
      });
    return near;
  });
  const overlapping = ([0, 1] as const).map(side =>
    taken[side].filter(triangle => {
      const isClear = cover(
        ...([two[side], triangle, window, resolution, axis, from] as const),
        (pixel, _, high) => high + 2 ** -22 < nearOf[1 - side][pixel],
      );
      return !isClear;
    }),
  );
  const owner = nearOf[0].map((a, pixel) => (a <= nearOf[1][pixel] ? (a < Infinity ? 1 : 0) : 2));
  return {
    ...{ axis, from, owner: Uint8Array.from(owner), overlapping: [overlapping[0], overlapping[1]] },
    nearest: nearOf[0].map((a, pixel) => Math.min(a, nearOf[1][pixel])),
    second: nearOf[0].map((a, pixel) => Math.max(a, nearOf[1][pixel])),
  };
}

/**
 * Calls for every pixel that a triangle may cover, with the least and greatest depth that it may have there, 0 to 1
 * through the window as seen. Stops when the callback says false, and returns whether it never did.
 */
function cover(
  { places, indices }: Placed,
  triangle: number,
  window: Bounds,
  resolution: number,
  axis: number,
  from: 1 | -1,
  take: (pixel: number, low: number, high: number) => boolean,
): boolean {
  const [column, row] = [(axis + 1) % 3, (axis + 2) % 3];
  const share = (corner: number, along: number) =>
    (places[3 * corner + along] - window[along]) / (window[along + 3] - window[along]);
  const corners = [0, 1, 2].map(k => {
    const corner = indices[3 * triangle + k];
    const depth = share(corner, axis);
    return [
      resolution * share(corner, column),
      resolution * share(corner, row),
      from === 1 ? depth : 1 - depth,
    ];
  });
  const [p, q, r] = corners;
  const [least, most] = [0, 1, 2]
    .map(k => [Math.min(p[k], q[k], r[k]), Math.max(p[k], q[k], r[k])])
    .reduce(
      ([lows, highs], [low, high]) => [
        [...lows, low],
        [...highs, high],
      ],
      [[], []] as [number[], number[]],
    );
  const area = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  // A triangle seen from its edge has its whole range of depths everywhere.
  const isSteep = Math.abs(area) < 1e-9 * (most[0] - least[0] + most[1] - least[1]) ** 2;
  const rise = (k: number) => {
    const other = 1 - k;
    const [s, t] = [q[2] - p[2], r[2] - p[2]];
    return ((k === 0 ? 1 : -1) * (s * (r[other] - p[other]) - t * (q[other] - p[other]))) / area;
  };
  const [riseX, riseY] = isSteep ? [0, 0] : [rise(0), rise(1)];
  const first = (k: number) => Math.max(0, Math.floor(least[k] - 2 ** -16));
  const last = (k: number) => Math.min(resolution - 1, Math.floor(most[k] + 2 ** -16));
  for (let y = first(1); y <= last(1); y++) {
    for (let x = first(0); x <= last(0); x++) {
      if (!isSteep && isOutside(corners, area, x, y)) continue;
      let [low, high] = [least[2], most[2]];
      if (!isSteep) {
        const middle = p[2] + riseX * (x + 0.5 - p[0]) + riseY * (y + 0.5 - p[1]);
        const around = 0.5001 * (Math.abs(riseX) + Math.abs(riseY)) + 2 ** -22;
        low = Math.max(low, middle - around);
        high = Math.min(high, middle + around);
      }
      if (!take(y * resolution + x, low, high)) return false;
    }
  }
  return true;
}

/** Whether the square of a pixel, slightly enlarged, surely lies beyond one side of a triangle. */
function isOutside(corners: readonly (readonly number[])[], area: number, x: number, y: number): boolean {
  const sign = area > 0 ? 1 : -1;
  for (let k = 0; k < 3; k++) {
    const [s, t] = [corners[k], corners[(k + 1) % 3]];
    const [dx, dy] = [sign * (t[0] - s[0]), sign * (t[1] - s[1])];
    // The corner of the square that lies farthest inside this side.
    const px = dy > 0 ? x - 2 ** -12 : x + 1 + 2 ** -12;
    const py = dx > 0 ? y + 1 + 2 ** -12 : y - 2 ** -12;
    if (dx * (py - s[1]) - dy * (px - s[0]) < 0) return true;
  }
  return false;
}
