// Two triangles have corners that are only known approximately. Do they meet in the same way wherever within that slack
// their corners truly lie? This is asked about surfaces that were cut and rounded (outer-surface.ts). If the answer is
// no, rounding may have made a contact or lost one, and contacts are found without rounding (folded.ts).

/** Triangle A's corners at 0, B's at 9. */
const corners = new Float64Array(18);
/** Edges by their ends in `corners`. */
const edges = [
  [0, 3],
  [3, 6],
  [6, 0],
  [9, 12],
  [12, 15],
  [15, 9],
] as const;

/**
 * Tells whether the triangles at p[0…] and p[9…], whose coordinates may each be off by `slack`, certainly have no point
 * in common, or certainly cross in the way they do: each corner keeps its side of the other's plane, and each edge that
 * passes the plane keeps its side of the other's edges.
 */
export function meetsForCertain(p: Float64Array, slack: number): boolean {
  for (let axis = 0; axis < 3; axis++) if (boxesApart(p, axis, slack)) return true;
  for (let i = 0; i < 18; i++) corners[i] = p[i] - p[i % 3];
  return crossForCertain(slack) || apartForCertain(slack);
}

function boxesApart(p: Float64Array, axis: number, slack: number): boolean {
  const [low, high] = [
    Math.min(p[axis], p[3 + axis], p[6 + axis]),
    Math.max(p[axis], p[3 + axis], p[6 + axis]),
  ];
  const otherLow = Math.min(p[9 + axis], p[12 + axis], p[15 + axis]);
  const otherHigh = Math.max(p[9 + axis], p[12 + axis], p[15 + axis]);
  return otherLow - high > 3 * slack || low - otherHigh > 3 * slack;
}

function crossForCertain(slack: number): boolean {
  const heights: number[] = [];
  for (const [own, other] of [
    [0, 9],
    [9, 0],
  ]) {
    for (let k = own; k < own + 9; k += 3) {
      const side = certainSide(other, other + 3, other + 6, k, slack);
      if (side === 0) return false;
      heights.push(side);
    }
  }
  const [a, b, c, d, e, f] = heights;
  // All of one lies on one side of the other's plane.
  if ((a === b && b === c) || (d === e && e === f)) return true;
  for (let i = 0; i < 6; i++) {
    const own = i < 3 ? 0 : 3;
    if (heights[i] === heights[own + ((i + 1) % 3)]) continue;
    const [from, to] = edges[i];
    const turns = [0, 1, 2].map(k => {
      const [first, last] = edges[3 - own + k];
      return certainSide(from, to, first, last, slack);
    });
    const differ = turns.includes(1) && turns.includes(-1);
    if (!differ && turns.includes(0)) return false;
  }
  return true;
}

/**
 * The sign of det[a−d; b−d; c−d], or 0 if it may be another. A row's numbers are off by 2·slack. With |r| the largest
 * number of a row, the determinant changes by at most 3·2·slack·2|s||t| for each row r and the other two s and t; rows
 * are taken as longer by 2·slack, which covers changes of two at once. In doubles a product of three differences has
 * seven roundings and there are six of them: 2^-47·|r||s||t| is more than all.
 */
function certainSide(a: number, b: number, c: number, d: number, slack: number): -1 | 0 | 1 {
  const p = corners;
  const [ax, ay, az] = [p[a] - p[d], p[a + 1] - p[d + 1], p[a + 2] - p[d + 2]];
  const [bx, by, bz] = [p[b] - p[d], p[b + 1] - p[d + 1], p[b + 2] - p[d + 2]];
  const [cx, cy, cz] = [p[c] - p[d], p[c + 1] - p[d + 1], p[c + 2] - p[d + 2]];
  const value = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  const r = Math.max(Math.abs(ax), Math.abs(ay), Math.abs(az)) + 2 * slack;
  const s = Math.max(Math.abs(bx), Math.abs(by), Math.abs(bz)) + 2 * slack;
  const t = Math.max(Math.abs(cx), Math.abs(cy), Math.abs(cz)) + 2 * slack;
  const bound = 12 * slack * (r * s + s * t + t * r) + 2 ** -47 * r * s * t;
  // Numbers beyond the range decide nothing.
  if (!(bound > 1e-290 && bound < Infinity)) return 0;
  return value > bound ? 1 : -value > bound ? -1 : 0;
}

/**
 * Tells whether the triangles are apart along a direction: their normals, across an edge of each, or across an edge in
 * a plane.
 */
function apartForCertain(slack: number): boolean {
  const normals = [cross(edge(0), edge(1)), cross(edge(3), edge(4))];
  if (normals.some(normal => isApartAlong(normal, slack))) return true;
  for (let i = 0; i < 6; i++) {
    if (isApartAlong(cross(edge(i), normals[i < 3 ? 0 : 1]), slack)) return true;
    for (let j = 3; i < 3 && j < 6; j++) if (isApartAlong(cross(edge(i), edge(j)), slack)) return true;
  }
  return false;
}

type Direction = readonly [number, number, number];

function edge(i: number): Direction {
  const [from, to] = edges[i];
  const [x, y, z] = [0, 1, 2].map(axis => corners[to + axis] - corners[from + axis]);
  // Scaled, so that products of two stay within the range.
  const size = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  return size > 0 ? [x / size, y / size, z / size] : [0, 0, 0];
}

const cross = ([x, y, z]: Direction, [u, v, w]: Direction): Direction => [
  y * w - z * v,
  z * u - x * w,
  x * v - y * u,
];

/**
 * Any direction will do, however it was rounded. Products with it are off by 2^-50 of the sizes of direction and
 * corner, and by the slack of a corner; two of each are compared.
 */
function isApartAlong([x, y, z]: Direction, slack: number): boolean {
  const total = Math.abs(x) + Math.abs(y) + Math.abs(z);
  let size = 0;
  const [low, high] = [
    [Infinity, Infinity],
    [-Infinity, -Infinity],
  ];
  for (let i = 0; i < 18; i += 3) {
    const along = corners[i] * x + corners[i + 1] * y + corners[i + 2] * z;
    const side = i < 9 ? 0 : 1;
    low[side] = Math.min(low[side], along);
    high[side] = Math.max(high[side], along);
    for (let axis = 0; axis < 3; axis++) size = Math.max(size, Math.abs(corners[i + axis]));
  }
  const bound = total * (2.001 * slack + 2 ** -49 * size);
  return bound > 1e-290 && Math.max(low[1] - high[0], low[0] - high[1]) > bound;
}
