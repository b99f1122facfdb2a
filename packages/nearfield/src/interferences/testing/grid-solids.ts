// Solids for tests whose relation is known from sets of unit cubes. They are random boxes on the integer grid that
// overlap and touch, each wound one way or the other, or the boundary of a set of cubes. Their winding numbers are sums
// over boxes, so every question can be answered by counting.

type Triangle = readonly number[];
type Integers = (n: number) => number;

export interface GridSolid {
  readonly triangles: readonly Triangle[];
  /**
   * Whether the point set (surface and solid) contains the open cube, face, edge or vertex around a point. The unit is
   * one half.
   */
  holds(x: number, y: number, z: number): boolean;
  /** Whether the surface contains a point. The unit is one half. */
  onSurface(x: number, y: number, z: number): boolean;
  /** Whether the winding number is nonzero in the unit cube with this lowest corner. */
  inside(x: number, y: number, z: number): boolean;
}

export interface GridBox {
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly sign: 1 | -1;
}

/** Splits each triangle into four at the midpoints of its sides. */
export function subdivided(triangles: readonly Triangle[]): number[][] {
  return triangles.flatMap(t => {
    const [a, b, c] = [t.slice(0, 3), t.slice(3, 6), t.slice(6, 9)];
    const middle = (p: Triangle, q: Triangle): number[] => p.map((x, i) => (x + q[i]) / 2);
    const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
    return [
      [...a, ...ab, ...ca],
      [...ab, ...b, ...bc],
      [...ca, ...bc, ...c],
      [...ab, ...bc, ...ca],
    ];
  });
}

/** Several boxes, up to `count`, of random sizes and orientations, each closed by itself. */
export const randomBoxes = (random: Integers, count: number, size: number): GridSolid =>
  solidOfBoxes(
    random,
    Array.from({ length: 1 + random(count) }, () => randomBox(random, 0, size)),
  );

/** A random box between two grid coordinates, wound one way or the other. */
export function randomBox(random: Integers, from: number, to: number): GridBox {
  const low = [0, 1, 2].map(() => from + random(to - from));
  return { low, high: low.map(x => x + 1 + random(to - x)), sign: random(3) === 0 ? -1 : 1 };
}

/** The solid of several boxes. Their winding numbers add up. */
export function solidOfBoxes(random: Integers, boxes: readonly GridBox[]): GridSolid {
  const winding = (x: number, y: number, z: number): number =>
    boxes.reduce((sum, { low, high, sign }) => {
      const within = [x, y, z].every((c, i) => c > 2 * low[i] && c < 2 * high[i]);
      return sum + (within ? sign : 0);
    }, 0);
  const onSurface = (x: number, y: number, z: number): boolean =>
    boxes.some(({ low, high }) => {
      const point = [x, y, z];
      const held = point.every((c, i) => c >= 2 * low[i] && c <= 2 * high[i]);
      return held && point.some((c, i) => c === 2 * low[i] || c === 2 * high[i]);
    });
  const triangles = boxes.flatMap(({ low, high, sign }) =>
    [0, 1, 2].flatMap(axis => [
      ...rectangle(random, axis, low[axis], low, high, sign > 0),
      ...rectangle(random, axis, high[axis], low, high, sign < 0),
    ]),
  );
  return {
    triangles,
    onSurface,
    holds: (x, y, z) => onSurface(x, y, z) || winding(x, y, z) !== 0,
    inside: (x, y, z) => winding(2 * x + 1, 2 * y + 1, 2 * z + 1) !== 0,
  };
}

/**
 * The boundary of a random set of unit cubes. It may have edges with four faces, and corners at which two solids touch.
 */
export function randomCubes(random: Integers, size: number): GridSolid {
  const share = 1 + random(6);
  const cubes = allCubes(size).filter(() => random(7) < share);
  return solidOfCubes(random, cubes.length > 0 ? cubes : [[0, 0, 0]], false);
}

/** Cubes by their lowest corners. */
export const allCubes = (size: number): number[][] =>
  Array.from({ length: size ** 3 }, (_, i) => [
    i % size,
    Math.floor(i / size) % size,
    Math.floor(i / size ** 2),
  ]);

/**
 * A set of unit cubes: its boundary, wound one way or the other, or (`apart`) every cube by itself, each wound at
 * random.
 */
export function solidOfCubes(random: Integers, cubes: readonly number[][], apart: boolean): GridSolid {
  const key = (x: number, y: number, z: number): number => (x + 1) * 10000 + (y + 1) * 100 + z + 1;
  const set = new Set(cubes.map(([x, y, z]) => key(x, y, z)));
  const inside = (x: number, y: number, z: number): boolean => set.has(key(x, y, z));
  const flipAll = random(4) === 0;
  const triangles: Triangle[] = [];
  for (const low of cubes) {
    const [x, y, z] = low;
    const high = low.map(c => c + 1);
    const flip = apart ? random(3) === 0 : flipAll;
    for (let axis = 0; axis < 3; axis++) {
      const step = [0, 1, 2].map(i => (i === axis ? 1 : 0));
      if (apart || !inside(x - step[0], y - step[1], z - step[2])) {
        triangles.push(...rectangle(random, axis, low[axis], low, high, !flip));
      }
      if (apart || !inside(x + step[0], y + step[1], z + step[2])) {
        triangles.push(...rectangle(random, axis, high[axis], low, high, flip));
      }
    }
  }
  // Closed: a face, edge or vertex belongs to every cube around it.
  const around = (c: number): number[] => (c % 2 === 0 ? [c / 2 - 1, c / 2] : [(c - 1) / 2]);
  const cubesAround = (x: number, y: number, z: number): boolean[] =>
    around(x).flatMap(i => around(y).flatMap(j => around(z).map(k => inside(i, j, k))));
  return {
    triangles,
    inside,
    holds: (x, y, z) => cubesAround(x, y, z).includes(true),
    onSurface: (x, y, z) => {
      const near = cubesAround(x, y, z);
      return near.includes(true) && (near.includes(false) || (apart && near.length > 1));
    },
  };
}

/** Corners of a rectangle perpendicular to an axis, counter-clockwise seen from the axis's positive end. */
export function rectangleCorners(
  axis: number,
  at: number,
  low: readonly number[],
  high: readonly number[],
): number[][] {
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const corner = (a: number, b: number): number[] => {
    const p = [0, 0, 0];
    p[axis] = at;
    p[u] = a;
    p[v] = b;
    return p;
  };
  return [corner(low[u], low[v]), corner(high[u], low[v]), corner(high[u], high[v]), corner(low[u], high[v])];
}

/** A rectangle perpendicular to an axis, as two triangles along either diagonal, or four around an inner point. */
function rectangle(
  random: Integers,
  axis: number,
  at: number,
  low: readonly number[],
  high: readonly number[],
  downward: boolean,
): Triangle[] {
  const corners = rectangleCorners(axis, at, low, high);
  const [origin, alongU, , alongV] = corners.slice();
  if (downward) corners.reverse();
  const [a, b, c, d] = corners;
  const choice = random(5);
  if (choice < 2)
    return [
      [...a, ...b, ...c],
      [...a, ...c, ...d],
    ];
  if (choice < 4)
    return [
      [...a, ...b, ...d],
      [...b, ...c, ...d],
    ];
  const [r, s] = [(1 + random(7)) / 8, (1 + random(7)) / 8];
  const middle = origin.map((c, i) => c + r * (alongU[i] - c) + s * (alongV[i] - c));
  return corners.map((corner, i) => [...corner, ...corners[(i + 1) % 4], ...middle]);
}

/** The relation by counting: which kinds of unit cubes exist, and whether the point sets share a point. */
export function countedRelation(a: GridSolid, b: GridSolid, size: number): string {
  let [both, onlyA, onlyB, common] = [false, false, false, false];
  for (let x = 0; x < size; x++) {
    for (let y = 0; y < size; y++) {
      for (let z = 0; z < size; z++) {
        const [inA, inB] = [a.inside(x, y, z), b.inside(x, y, z)];
        if (inA && inB) both = true;
        if (inA && !inB) onlyA = true;
        if (!inA && inB) onlyB = true;
      }
    }
  }
  for (let x = 0; x <= 2 * size && !common; x++) {
    for (let y = 0; y <= 2 * size && !common; y++) {
      for (let z = 0; z <= 2 * size && !common; z++) common = a.holds(x, y, z) && b.holds(x, y, z);
    }
  }
  if (!common) return 'separate';
  if (!both) return 'touching';
  if (!onlyA && !onlyB) return 'coincident';
  if (!onlyA) return 'inside';
  return onlyB ? 'crossing' : 'contains';
}
