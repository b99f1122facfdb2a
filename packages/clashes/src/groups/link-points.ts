// Which points are connected by steps of at most a given length? Points are sorted into cells whose diagonal is that
// length, so all points of a cell are connected, and only cells at most two apart have to be compared.

/** The connected groups of points (x, y, z each): lists of indices in ascending order, by their first. */
export function linkPoints(points: Float64Array, distance: number): number[][] {
  const count = points.length / 3;
  const cells = cellsOf(points, distance);
  const parent = Uint32Array.from({ length: count }, (_, i) => i);
  const find = (i: number): number => {
    let root = i;
    while (parent[root] !== root) root = parent[root];
    for (let at = i; parent[at] !== root; ) [at, parent[at]] = [parent[at], root];
    return root;
  };
  const join = (i: number, j: number): void => {
    const [p, q] = [find(i), find(j)];
    // The smaller index becomes the root.
    parent[Math.max(p, q)] = Math.min(p, q);
  };
  for (const { members } of cells.values()) for (const i of members) join(members[0], i);
  for (const { x, y, z, members } of cells.values()) {
    for (const [dx, dy, dz] of neighbours) {
      const other = cells.get(keyOf(x + dx, y + dy, z + dz));
      if (other === undefined || find(members[0]) === find(other.members[0])) continue;
      if (areWithin(points, members, other.members, distance)) join(members[0], other.members[0]);
    }
  }
  const groups = new Map<number, number[]>();
  for (let i = 0; i < count; i++) {
    const root = find(i);
    const known = groups.get(root);
    if (known) known.push(i);
    else groups.set(root, [i]);
  }
  return [...groups.values()];
}

interface Cell {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly members: number[];
}

const keyOf = (x: number, y: number, z: number): string => `${x} ${y} ${z}`;

function cellsOf(points: Float64Array, distance: number): Map<string, Cell> {
  // A little less than the side whose diagonal is the distance, so that rounding cannot make a cell too large. Without a
  // distance only equal points are connected: every point of its own is a cell.
  const size = distance > 0 ? (distance / Math.sqrt(3)) * (1 - 2 ** -20) : 0;
  const indexOf = (value: number) => (size > 0 ? Math.floor(value / size) : value + 0);
  const cells = new Map<string, Cell>();
  for (let i = 0; 3 * i < points.length; i++) {
    const [x, y, z] = [points[3 * i], points[3 * i + 1], points[3 * i + 2]].map(indexOf);
    const key = keyOf(x, y, z);
    const known = cells.get(key);
    if (known) known.members.push(i);
    else cells.set(key, { x, y, z, members: [i] });
  }
  return cells;
}

/** One of every two opposite offsets to cells that may have points within the distance. */
const neighbours: readonly (readonly [number, number, number])[] = (() => {
  const offsets: [number, number, number][] = [];
  const gap = (d: number) => Math.max(0, Math.abs(d) - 1) ** 2;
  for (let dx = -2; dx <= 2; dx++) {
    for (let dy = -2; dy <= 2; dy++) {
      for (let dz = -2; dz <= 2; dz++) {
        const isFirst = dx > 0 || (dx === 0 && (dy > 0 || (dy === 0 && dz > 0)));
        // The distance is √3 sides of a cell, a little more with rounding.
        if (isFirst && gap(dx) + gap(dy) + gap(dz) <= 3) offsets.push([dx, dy, dz]);
      }
    }
  }
  return offsets;
})();

/** Fewer points than this are compared one by one. */
const leafSize = 16;

/**
 * Whether a point of one list is within the distance of one of the other. Lists are halved along the longer side of their
 * boxes, and halves whose boxes are too far apart are skipped, so that two dense cells cost little more than their size.
 */
function areWithin(
  points: Float64Array,
  p: readonly number[],
  q: readonly number[],
  distance: number,
): boolean {
  const limit = distance * distance;
  if (p.length <= leafSize && q.length <= leafSize) {
    return p.some(i => q.some(j => squaredDistance(points, i, j) <= limit));
  }
  const [box, other] = [boxOf(points, p), boxOf(points, q)];
  if (squaredGap(box, other) > limit) return false;
  const isFirst = p.length >= q.length;
  const [low, high] = halves(points, isFirst ? p : q, isFirst ? box : other);
  return isFirst
    ? areWithin(points, low, q, distance) || areWithin(points, high, q, distance)
    : areWithin(points, p, low, distance) || areWithin(points, p, high, distance);
}

function squaredDistance(points: Float64Array, i: number, j: number): number {
  const dx = points[3 * i] - points[3 * j];
  const dy = points[3 * i + 1] - points[3 * j + 1];
  const dz = points[3 * i + 2] - points[3 * j + 2];
  return dx * dx + dy * dy + dz * dz;
}

function boxOf(points: Float64Array, members: readonly number[]): number[] {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const i of members) {
    for (let axis = 0; axis < 3; axis++) {
      const value = points[3 * i + axis];
      if (value < box[axis]) box[axis] = value;
      if (value > box[axis + 3]) box[axis + 3] = value;
    }
  }
  return box;
}

function squaredGap(p: readonly number[], q: readonly number[]): number {
  let sum = 0;
  for (let axis = 0; axis < 3; axis++) {
    sum += Math.max(0, p[axis] - q[axis + 3], q[axis] - p[axis + 3]) ** 2;
  }
  return sum;
}

/** By the middle of the box; by count if all are on one side of it. */
function halves(
  points: Float64Array,
  members: readonly number[],
  box: readonly number[],
): [number[], number[]] {
  const sides = [0, 1, 2].map(axis => box[axis + 3] - box[axis]);
  const axis = sides.indexOf(Math.max(...sides));
  const middle = box[axis] / 2 + box[axis + 3] / 2;
  const low = members.filter(i => points[3 * i + axis] < middle);
  const high = members.filter(i => !(points[3 * i + axis] < middle));
  if (low.length > 0 && high.length > 0) return [low, high];
  const half = members.length >> 1;
  return [members.slice(0, half), members.slice(half)];
}
