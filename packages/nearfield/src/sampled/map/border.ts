// The border where two bodies begin to overlap, as closed lines through a map: marching squares over the middles of its
// pixels. Between two pixels with distances of opposite sign, the line passes where the linearly interpolated distance
// is 0. Beside a pixel whose line does not meet both bodies, it passes half way. So each connected part of the overlap
// is enclosed, and so are its holes.

/** The line around the pixels in which two bodies overlap or touch. */
export interface MapBorder {
  /**
   * x, y, z per point, in order, in the world on a's surface. The overlap lies to the left in terms of the map's right
   * and up.
   */
  readonly points: Float64Array;
  /** The last point is joined to the first, which is not repeated. Always true: no line ends at the map's rim. */
  readonly closed: true;
}

export interface BorderSource {
  readonly columns: number;
  readonly rows: number;
  readonly distance: Float32Array;
  readonly depth: Float32Array;
  readonly penetrating: Uint8Array;
  /** World point of a place in pixels and a depth. */
  toWorld(column: number, row: number, depth: number): [number, number, number];
}

/**
 * Squares have a pixel's middle at each corner; there is one more around than there are pixels. A step crosses the side
 * between two of them, one inside and one outside. A side's number is twice its lower left pixel, plus 1 for upward
 * sides. In each square a line enters by one side and leaves by another, with the overlap on its left.
 */
export function bordersOf(map: BorderSource): MapBorder[] {
  const { columns, rows, penetrating } = map;
  const width = columns + 2;
  const inside = (i: number, j: number) =>
    i >= 0 && j >= 0 && i < columns && j < rows && penetrating[j * columns + i] === 1 ? 1 : 0;
  const across = (i: number, j: number) => 2 * ((j + 1) * width + i + 1);
  const upwards = (i: number, j: number) => across(i, j) + 1;
  const next = new Map<number, number>();
  for (let j = -1; j < rows; j++) {
    for (let i = -1; i < columns; i++) {
      const code =
        inside(i, j) | (inside(i + 1, j) << 1) | (inside(i + 1, j + 1) << 2) | (inside(i, j + 1) << 3);
      if (code === 0 || code === 15) continue;
      // Bottom, right, top, left.
      const sides = [across(i, j), upwards(i + 1, j), across(i, j + 1), upwards(i, j)];
      for (const [from, to] of steps[code]) next.set(sides[from], sides[to]);
    }
  }
  const borders: MapBorder[] = [];
  // A Map iterates its keys in the order they were set: from the lowest row, so always the same.
  for (const start of next.keys()) {
    const points: number[] = [];
    for (let side = start; next.has(side); ) {
      const to = next.get(side)!;
      next.delete(side);
      points.push(...pointOn(map, side, width));
      side = to;
    }
    if (points.length > 0) borders.push({ points: Float64Array.from(points), closed: true });
  }
  return borders;
}

/**
 * Indexed by the corners inside (1 lower left, 2 lower right, 4 upper right, 8 upper left): from which side to which,
 * with the inside to the left. Two diagonal corners are kept apart: they share no pixel side.
 */
const steps: readonly (readonly (readonly [number, number])[])[] = [
  [],
  [[0, 3]],
  [[1, 0]],
  [[1, 3]],
  [[2, 1]],
  [
    [0, 3],
    [2, 1],
  ],
  [[2, 0]],
  [[2, 3]],
  [[3, 2]],
  [[0, 2]],
  [
    [1, 0],
    [3, 2],
  ],
  [[1, 2]],
  [[3, 1]],
  [[0, 1]],
  [[3, 0]],
  [],
];

function pointOn(map: BorderSource, side: number, width: number): [number, number, number] {
  const at = side >> 1;
  const [i, j] = [(at % width) - 1, Math.floor(at / width) - 1];
  const [di, dj] = (side & 1) === 1 ? [0, 1] : [1, 0];
  const { columns, rows, distance, depth } = map;
  const within = (x: number, y: number) => x >= 0 && y >= 0 && x < columns && y < rows;
  const here = within(i, j) ? j * columns + i : -1;
  const there = within(i + di, j + dj) ? (j + dj) * columns + i + di : -1;
  const [from, to] = [here < 0 ? Number.NaN : distance[here], there < 0 ? Number.NaN : distance[there]];
  let share = 0.5;
  let level: number;
  if (Number.isNaN(from)) level = depth[there];
  else if (Number.isNaN(to)) level = depth[here];
  else {
    // One of them is below 0, the other is not.
    share = from / (from - to);
    level = depth[here] + share * (depth[there] - depth[here]);
  }
  return map.toWorld(i + 0.5 + share * di, j + 0.5 + share * dj, level);
}
