// Polygons of more than three corners against an independent oracle: a ray through a point counts edges of the
// polygon, and the triangles are tested one by one. Coordinates are small whole numbers, so the oracle rounds
// nothing.

import { describe, expect, it } from 'vitest';
import { readFile } from '../read-file.ts';
import { randomBelow } from '../testing/random.ts';
import { encode } from '../testing/samples.ts';
import { orient } from './orient.ts';

type Point = readonly [number, number];

const slow = process.env.NEARFIELD_SLOW !== undefined;

const cross = (a: Point, b: Point, c: Point): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
const next = <T>(list: readonly T[], i: number): T => list[(i + 1) % list.length];
const onSegment = (p: Point, a: Point, b: Point): boolean =>
  cross(a, b, p) === 0 && (p[0] - a[0]) * (p[0] - b[0]) + (p[1] - a[1]) * (p[1] - b[1]) <= 0;
const meet = (a: Point, b: Point, c: Point, d: Point): boolean =>
  (Math.sign(cross(a, b, c)) * Math.sign(cross(a, b, d)) < 0 &&
    Math.sign(cross(c, d, a)) * Math.sign(cross(c, d, b)) < 0) ||
  onSegment(a, c, d) ||
  onSegment(b, c, d) ||
  onSegment(c, a, b) ||
  onSegment(d, a, b);

/** Whether no two edges share a point, except neighbours at their common corner. */
function isSimple(polygon: readonly Point[]): boolean {
  const n = polygon.length;
  for (let i = 0; i < n; i++) {
    const [a, b] = [polygon[i], next(polygon, i)];
    if (a[0] === b[0] && a[1] === b[1]) return false;
    for (let j = i + 1; j < n; j++) {
      const [c, d] = [polygon[j], next(polygon, j)];
      const shared = (j === i + 1 ? 1 : 0) + ((j + 1) % n === i ? 1 : 0);
      if (
        shared === 0
          ? meet(a, b, c, d)
          : j === i + 1
            ? onSegment(d, a, b) || onSegment(a, c, d)
            : onSegment(c, a, b) || onSegment(b, c, d)
      )
        return false;
    }
  }
  return true;
}

/** The winding number of the polygon around a point on no edge: counts edges that cross the ray to the right. */
function winding(polygon: readonly Point[], p: Point): number {
  let times = 0;
  for (let i = 0; i < polygon.length; i++) {
    const [a, b] = [polygon[i], next(polygon, i)];
    if (a[1] <= p[1] && b[1] > p[1] && cross(a, b, p) > 0) times++;
    if (a[1] > p[1] && b[1] <= p[1] && cross(a, b, p) < 0) times--;
  }
  return times;
}

/** Random whole points, untangled into a simple polygon by two-opt moves; undefined if that fails. */
function untangled(random: (below: number) => number, corners: number, size: number): Point[] | undefined {
  const points: Point[] = Array.from({ length: corners }, () => [2 * random(size), 2 * random(size)]);
  for (let round = 0; round < 200; round++) {
    let changed = false;
    for (let i = 0; i < corners; i++) {
      for (let j = i + 2; j < corners; j++) {
        if (i === 0 && j === corners - 1) continue;
        if (!meet(points[i], points[i + 1], points[j], next(points, j))) continue;
        points.splice(i + 1, j - i, ...points.slice(i + 1, j + 1).reverse());
        changed = true;
      }
    }
    if (!changed) break;
  }
  return isSimple(points) ? points : undefined;
}

/** The polygon in space: x and y go to two axes, and their sum or random numbers to the third. */
function placed(polygon: readonly Point[], axis: number, height: (p: Point) => number): number[][] {
  return polygon.map(p => {
    const point = [0, 0, 0];
    point[axis] = height(p);
    point[(axis + 1) % 3] = p[0];
    point[(axis + 2) % 3] = p[1];
    return point;
  });
}

/** One face with all corners in order, in each format. */
const formats: Record<string, (corners: readonly number[][]) => string> = {
  obj: corners =>
    `${corners.map(corner => `v ${corner.join(' ')}\n`).join('')}f ${corners.map((_, i) => i + 1).join(' ')}\n`,
  off: corners =>
    `OFF\n${corners.length} 1 0\n${corners.map(corner => `${corner.join(' ')}\n`).join('')}${corners.length} ${[...corners.keys()].join(' ')}\n`,
  ply: corners =>
    `ply\nformat ascii 1.0\nelement vertex ${corners.length}\nproperty double x\nproperty double y\nproperty double z\nelement face 1\nproperty list int int vertex_indices\nend_header\n${corners.map(corner => `${corner.join(' ')}\n`).join('')}${corners.length} ${[...corners.keys()].join(' ')}\n`,
  stl: corners =>
    `solid\nfacet normal 0 0 0\nouter loop\n${corners.map(corner => `vertex ${corner.join(' ')}\n`).join('')}endloop\nendfacet\nendsolid\n`,
};

async function read(format: string, corners: readonly number[][]) {
  const { bodies, warnings } = await readFile(`p.${format}`, encode(formats[format](corners)));
  const { indices, positions } = bodies[0].mesh;
  return {
    indices: [...indices],
    positions,
    warnings: warnings.filter(text => !/more than 3 vertices/.test(text)),
  };
}

/** Why the triangles are not the polygon; empty if they are. `triangles` are corner numbers. */
function wrong(
  polygon: readonly Point[],
  triangles: readonly number[],
  random: (below: number) => number,
): string {
  const n = polygon.length;
  if (triangles.length !== 3 * (n - 2)) return `${triangles.length / 3} triangles for ${n} corners`;
  // Together they have the polygon as their border: an edge of only one triangle is an edge of the polygon.
  const edges = new Map<string, number>();
  for (let t = 0; t < triangles.length; t += 3) {
    for (let i = 0; i < 3; i++) {
      const [a, b] = [triangles[t + i], triangles[t + ((i + 1) % 3)]];
      const back = `${b} ${a}`;
      if (edges.has(back)) edges.delete(back);
      else if (edges.has(`${a} ${b}`)) return `edge ${a} ${b} twice`;
      else edges.set(`${a} ${b}`, 1);
    }
  }
  for (let i = 0; i < n; i++) if (!edges.delete(`${i} ${(i + 1) % n}`)) return `edge ${i} is missing`;
  if (edges.size > 0) return `a border inside: ${[...edges.keys()][0]}`;
  const [lowX, lowY] = [0, 1].map(axis => Math.min(...polygon.map(p => p[axis])));
  const [highX, highY] = [0, 1].map(axis => Math.max(...polygon.map(p => p[axis])));
  for (let sample = 0; sample < 40; sample++) {
    // Points off the even grid of the corners; every other one near a corner.
    const near = polygon[random(n)];
    const x = sample % 2 === 0 ? lowX + random(highX - lowX + 1) : near[0] + random(3) - 1;
    const y = sample % 2 === 0 ? lowY + random(highY - lowY + 1) : near[1] + random(3) - 1;
    const p: Point = [x + 0.3125, y + 0.4375];
    if (polygon.some((a, i) => onSegment(p, a, next(polygon, i)))) continue;
    let covers = 0;
    let onEdge = false;
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map(i => polygon[triangles[t + i]]);
      const signs = [cross(a, b, p), cross(b, c, p), cross(c, a, p)].map(Math.sign);
      if (signs.every(sign => sign > 0) || signs.every(sign => sign < 0)) covers += signs[0];
      else if (!(signs.includes(1) && signs.includes(-1)) && cross(a, b, c) !== 0) onEdge = true;
    }
    if (!onEdge && covers !== winding(polygon, p))
      return `${p} is covered ${covers} times, not ${winding(polygon, p)}`;
  }
  return '';
}

describe('concave polygons', () => {
  it('an L does not cover its notch, in any format and from any first corner', async () => {
    const corners: Point[] = [
      [0, 0],
      [4, 0],
      [4, 2],
      [2, 2],
      [2, 4],
      [0, 4],
    ];
    for (const format of Object.keys(formats)) {
      for (let start = 0; start < corners.length; start++) {
        for (const order of [1, -1]) {
          const polygon = corners.map((_, i) => corners[(start + order * i + 12) % 6]);
          const { indices, positions, warnings } = await read(
            format,
            placed(polygon, 2, () => 0),
          );
          expect(warnings).toEqual([]);
          let area = 0;
          for (let t = 0; t < indices.length; t += 3) {
            const [a, b, c] = indices
              .slice(t, t + 3)
              .map(i => [positions[3 * i], positions[3 * i + 1]] as Point);
            area += Math.abs(cross(a, b, c)) / 2;
          }
          expect(area, `${format} from ${start}`).toBe(12);
        }
      }
    }
  });

  it('random simple polygons: each inner point is in one triangle, each outer point in none', async () => {
    const seed = Number(process.env.NEARFIELD_SEED ?? 20261116);
    const random = randomBelow(seed);
    let tried = 0;
    for (let round = 0; round < (slow ? 40_000 : 400); round++) {
      const polygon = untangled(random, 4 + random(round % 10 === 0 ? 24 : 8), 2 + random(12));
      if (polygon === undefined) continue;
      tried++;
      const axis = random(3);
      const [u, v] = [random(5) / 4 - 0.5, random(5) / 4 - 0.5];
      // Planar, or bent too little to turn another side up.
      const bent = random(3) === 0;
      const height = (p: Point) => u * p[0] + v * p[1] + (bent ? random(5) / 64 : 0);
      const format = ['obj', 'off', 'ply'][round % 3];
      const { indices, warnings } = await read(format, placed(polygon, axis, height));
      const problem = warnings.join() || wrong(polygon, indices, random);
      if (problem !== '') expect.fail(`seed ${seed}, round ${round}: ${JSON.stringify(polygon)}: ${problem}`);
    }
    expect(tried).toBeGreaterThan(slow ? 10_000 : 100);
  });

  it('warns about polygons that cross themselves, and about no others', async () => {
    const seed = Number(process.env.NEARFIELD_SEED ?? 4711);
    const random = randomBelow(seed);
    for (let round = 0; round < (slow ? 40_000 : 400); round++) {
      const polygon: Point[] = Array.from({ length: 4 + random(4) }, () => [2 * random(6), 2 * random(6)]);
      const { indices, warnings } = await read(
        'obj',
        placed(polygon, 2, () => 0),
      );
      const transversal = polygon.some((a, i) =>
        polygon.some((c, j) => {
          const [b, d] = [next(polygon, i), next(polygon, j)];
          return (
            Math.sign(cross(a, b, c)) * Math.sign(cross(a, b, d)) < 0 &&
            Math.sign(cross(c, d, a)) * Math.sign(cross(c, d, b)) < 0
          );
        }),
      );
      const context = `seed ${seed}, round ${round}: ${JSON.stringify(polygon)}`;
      if (transversal) expect(warnings.join(), context).toMatch(/line \d+\); it is fanned/);
      else if (isSimple(polygon)) expect(warnings, context).toEqual([]);
      // A polygon that only touches itself is triangulated correctly, or a warning says that it is fanned.
      if (warnings.length > 0) expect(indices).toEqual(fanOf(polygon.length));
      else if (!transversal) expect(wrongCover(polygon, indices, random), context).toBe('');
    }
  });

  it('convex polygons keep their fan, with corners on straight edges and far from the origin', async () => {
    const seed = 99;
    const random = randomBelow(seed);
    for (let round = 0; round < 300; round++) {
      const corners = hull(Array.from({ length: 12 }, () => [2 * random(20), 2 * random(20)] as Point));
      if (corners.length < 4) continue;
      const polygon = corners.flatMap((a, i) => {
        const b = next(corners, i);
        return random(3) === 0 ? [a, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] as Point] : [a];
      });
      const away = [0, 1e6, 2 ** 40][round % 3];
      const shifted = polygon.map(([x, y]) => [x + away, y - away] as Point);
      const { indices, warnings } = await read(
        'off',
        placed(shifted, round % 3, p => p[0] - away),
      );
      expect(warnings).toEqual([]);
      expect(indices, `seed ${seed}, round ${round}`).toEqual(fanOf(polygon.length));
    }
  });

  it('joins a hole by a bridge, as drawing programs write it', async () => {
    const polygon: Point[] = [
      ...([
        [0, 0],
        [12, 0],
        [12, 12],
        [0, 12],
        [0, 0],
      ] as Point[]),
      ...([
        [4, 4],
        [4, 8],
        [8, 8],
        [8, 4],
        [4, 4],
      ] as Point[]),
    ];
    const { indices, warnings } = await read(
      'obj',
      placed(polygon, 0, p => p[0] + p[1]),
    );
    expect(warnings).toEqual([]);
    expect(wrong(polygon, indices, randomBelow(1))).toBe('');
  });

  it('keeps a prism over a concave polygon with corners on its edges closed', async () => {
    const ring: Point[] = [
      [0, 0],
      [2, 0],
      [4, 0],
      [4, 2],
      [2, 2],
      [2, 3],
      [2, 4],
      [0, 4],
      [0, 2],
    ];
    const n = ring.length;
    const vertices = [0, 1].flatMap(z => ring.map(([x, y]) => `v ${x} ${y} ${z}\n`)).join('');
    const bottom = `f ${Array.from({ length: n }, (_, i) => n - i).join(' ')}\n`;
    const top = `f ${Array.from({ length: n }, (_, i) => n + i + 1).join(' ')}\n`;
    const sides = Array.from({ length: n }, (_, i) => {
      const j = (i + 1) % n;
      return `f ${i + 1} ${j + 1} ${n + j + 1} ${n + i + 1}\n`;
    }).join('');
    const { mesh } = (await readFile('prism.obj', encode(vertices + bottom + top + sides))).bodies[0];
    expect(mesh.solid).toBe(true);
    expect(mesh.volume).toBe(12);
    expect(mesh.triangleCount).toBe(2 * (n - 2) + 2 * n);
  });

  it('extreme sizes: an L of 1e-300, of 1e300, and one of a needle’s width', async () => {
    for (const [u, v] of [
      [1e-300, 1e-300],
      [1e300, 1e300],
      [1, 1e-12],
      [1e150, 1e-150],
    ]) {
      const polygon = [
        [0, 4],
        [0, 0],
        [4, 0],
        [4, 2],
        [2, 2],
        [2, 4],
      ].map(([x, y]) => [x * u, y * v, 0]);
      const { indices, warnings } = await read('obj', polygon);
      expect(warnings).toEqual([]);
      const ell: Point[] = [
        [0, 4],
        [0, 0],
        [4, 0],
        [4, 2],
        [2, 2],
        [2, 4],
      ];
      expect(wrong(ell, indices, randomBelow(1))).toBe('');
    }
  });

  it('gives one warning per file, with the number of polygons and the place of the first', async () => {
    const text = 'v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nf 1 3 2 4\nf 1 2 3 4\nf 1 2 4 3\nf 1 1 1 1\n';
    const { warnings } = await readFile('bow.obj', encode(text));
    expect(warnings).toEqual([
      'bow.obj: 3 polygons cross themselves or have no area (the first: line 6); they are fanned from the first corner',
    ]);
  });
});

it('orientations are exact for whole numbers of up to 53 bits times any power of two', () => {
  const seed = 7;
  const random = randomBelow(seed);
  for (let round = 0; round < 2000; round++) {
    const base = [random(2 ** 53), random(2 ** 53), random(2 ** 53), random(2 ** 53)];
    // The third near the line through the other two.
    const c = [0, 1].map(axis =>
      Math.min(2 ** 53, Math.round((base[axis] + base[axis + 2]) / 2) + random(3) - 1),
    );
    const [ax, ay, bx, by, cx, cy] = [...base, ...c].map(value => BigInt(value));
    const exact = (ax - cx) * (by - cy) - (ay - cy) * (bx - cx);
    const expected = exact > 0n ? 1 : exact < 0n ? -1 : 0;
    for (const power of [1, 2 ** -1074 * 2 ** 53, 2 ** 900, 2 ** -600]) {
      const [x0, y0, x1, y1, x2, y2] = [...base, ...c].map(value => value * power);
      if ([...base, ...c].some((value, i) => [x0, y0, x1, y1, x2, y2][i] / power !== value)) continue;
      expect(orient(x0, y0, x1, y1, x2, y2), `seed ${seed}, round ${round}`).toBe(expected);
    }
  }
});

it('orientations are exact with a different power of two per axis, and with any digits', () => {
  const seed = Number(process.env.NEARFIELD_SEED ?? 11);
  const random = randomBelow(seed);
  for (let round = 0; round < (slow ? 1_000_000 : 5000); round++) {
    const bits = [4, 20, 30, 53][random(4)];
    const [ax, ay, bx, by] = Array.from({ length: 4 }, () => random(2 ** bits));
    // On the line through the other two, rounded, and sometimes slightly off it.
    const along = random(9) - 4;
    const c = [ax + Math.round(((bx - ax) * along) / 4), ay + Math.round(((by - ay) * along) / 4)];
    c[random(2)] += random(3) - 1;
    const [x, y] = Array.from({ length: 2 }, () => 2 ** (random(1921) - 950));
    const [px, qx, rx, py, qy, ry] = [ax * x, bx * x, c[0] * x, ay * y, by * y, c[1] * y];
    const given = [ax, ay, bx, by, ...c];
    if (![px, qx, rx, py, qy, ry].every(Number.isFinite) || !given.every(Number.isSafeInteger)) continue;
    const [a, b, p, q, u, v] = given.map(BigInt);
    const exact = (a - u) * (q - v) - (b - v) * (p - u);
    const expected = exact > 0n ? 1 : exact < 0n ? -1 : 0;
    if (orient(px, py, qx, qy, rx, ry) !== expected) expect.fail(`seed ${seed}, round ${round}: ${given}`);
  }
});

const fanOf = (corners: number): number[] =>
  Array.from({ length: corners - 2 }, (_, i) => [0, i + 1, i + 2]).flat();

/** Without the checks of borders, which corners at the same place would confuse. */
function wrongCover(
  polygon: readonly Point[],
  triangles: readonly number[],
  random: (below: number) => number,
): string {
  const text = wrong(polygon, triangles, random);
  return /covered/.test(text) ? text : '';
}

/** The convex hull (monotone chain), without corners on its edges. */
function hull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const half = (list: readonly Point[]) => {
    const chain: Point[] = [];
    for (const p of list) {
      while (chain.length > 1 && cross(chain[chain.length - 2], chain[chain.length - 1], p) <= 0) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half([...sorted].reverse())];
}
