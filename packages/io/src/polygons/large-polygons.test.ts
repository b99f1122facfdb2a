// Polygons of many corners, for which clipping ears took time in proportion to the square of their number, or gave
// up.
// The check is complete and uses no sampling: if n - 2 triangles, each of positive area by exact arithmetic, together
// have the polygon as their border, they cover each point as often as the polygon winds around it; and their areas
// add up to its area.

import { expect, it } from 'vitest';
import { readFile } from '../read-file.ts';
import { randomBelow } from '../testing/random.ts';
import { encode } from '../testing/samples.ts';

type Point = readonly [number, number];

const slow = process.env.NEARFIELD_SLOW !== undefined;

/** Twice the area, exactly: coordinates are whole numbers. */
const area = (points: readonly Point[]): bigint =>
  points.reduce((sum, [x, y], i) => {
    const [u, v] = points[(i + 1) % points.length];
    return sum + BigInt(x) * BigInt(v) - BigInt(u) * BigInt(y);
  }, 0n);

/**
 * Why the triangles (by corner) are not the polygon; empty if they are. `place` gives equal corners the same number.
 */
function wrong(
  polygon: readonly Point[],
  triangles: Uint32Array,
  place = (corner: number) => corner,
): string {
  const n = polygon.length;
  if (triangles.length !== 3 * (n - 2)) return `${triangles.length / 3} triangles for ${n} corners`;
  const whole = area(polygon);
  const sense = whole > 0n ? 1n : -1n;
  const balance = new Map<number, number>();
  const pass = (from: number, to: number, times: number) => {
    const [a, b] = [place(from), place(to)];
    const [key, sign] = a < b ? [a * n + b, 1] : [b * n + a, -1];
    const left = (balance.get(key) ?? 0) + sign * times;
    if (left === 0) balance.delete(key);
    else balance.set(key, left);
  };
  let sum = 0n;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = triangles.subarray(t, t + 3);
    const own = area([polygon[a], polygon[b], polygon[c]]);
    if (own * sense <= 0n) return `triangle ${a} ${b} ${c} does not turn as the polygon does`;
    sum += own;
    pass(a, b, 1);
    pass(b, c, 1);
    pass(c, a, 1);
  }
  for (let i = 0; i < n; i++) pass(i, (i + 1) % n, -1);
  if (balance.size > 0) return 'the border of the triangles is not the polygon';
  return sum === whole ? '' : `area ${sum}, not ${whole}`;
}

async function read(polygon: readonly Point[], copies = 1) {
  const vertices = polygon.map(([x, y]) => `v ${x} ${y} 0\n`).join('');
  const face = `f ${polygon.map((_, i) => i + 1).join(' ')}\n`;
  const { bodies, warnings } = await readFile('p.obj', encode(vertices + face.repeat(copies)));
  return { triangles: Uint32Array.from(bodies[0].mesh.indices), warnings };
}

const ring = (n: number, radius: (i: number) => number, turns = 1): Point[] =>
  Array.from({ length: n }, (_, i) => {
    const angle = (2 * Math.PI * turns * i) / n;
    return [Math.round(radius(i) * Math.cos(angle)), Math.round(radius(i) * Math.sin(angle))];
  });
const comb = (n: number): Point[] => [
  [0, -10],
  [n - 2, -10],
  ...Array.from({ length: n - 2 }, (_, i): Point => [n - 2 - i, i % 2 === 0 ? 1 : 1000]),
];
const shapes: Record<string, (n: number) => Point[]> = {
  comb,
  'comb on its side': n => comb(n).map(([x, y]) => [-1000 * y, x]),
  'comb aslant': n => comb(n).map(([x, y]) => [3 * x - 4 * y, 4 * x + 3 * y]),
  star: n => ring(n, i => (i % 2 === 0 ? 2 ** 40 : 2 ** 20)),
  saw: n => Array.from({ length: n }, (_, i) => (i < n / 2 ? [i, i % 2] : [n - i, -5 - (i % 2)])),
  spiral: n => {
    const out = ring(n / 2, i => 1000 * (100 + i), n / 128);
    const back = ring(n / 2, i => 1000 * (70 + i), n / 128);
    return [...out, ...back.reverse()];
  },
};

it.each(Object.keys(shapes))('a %s of 2,000 corners and its mirror image', async name => {
  for (const mirror of [1, -1]) {
    const polygon = shapes[name](2000).map(([x, y]) => [x, mirror * y] as Point);
    const { triangles, warnings } = await read(polygon);
    expect(warnings).toEqual([]);
    expect(wrong(polygon, triangles)).toBe('');
  }
});

it.each(slow ? Object.keys(shapes) : ['comb', 'star'])('a %s of 100,000 corners', async name => {
  const polygon = shapes[name](100_000);
  const { triangles, warnings } = await read(polygon);
  expect(warnings).toEqual([]);
  if (slow) expect(wrong(polygon, triangles)).toBe('');
  else expect(triangles.length).toBe(3 * 99_998);
});

// The last 72 of these 100 used to be fanned: clipping the others had used up the limit of a whole file.
it('triangulates all of many large polygons in one file', async () => {
  const polygon = shapes.star(slow ? 4000 : 3000);
  const { triangles, warnings } = await read(polygon, 100);
  expect(warnings).toEqual([]);
  const each = 3 * (polygon.length - 2);
  expect(wrong(polygon, triangles.subarray(99 * each))).toBe('');
});

/**
 * The outline of a random tree on a grid: simple, with many collinear corners. Right angles, or with every corner
 * moved a little.
 */
function maze(random: (below: number) => number, size: number, jitter: number): Point[] {
  const inside = new Uint8Array((2 * size + 1) ** 2);
  const at = (x: number, y: number) => y * (2 * size + 1) + x;
  const stack: Point[] = [[1, 1]];
  inside[at(1, 1)] = 1;
  while (stack.length > 0) {
    // Continue from the last cell for long corridors, from any cell for many short ones.
    const pick = random(4) === 0 ? random(stack.length) : stack.length - 1;
    const [x, y] = stack[pick];
    const free = [
      [2, 0],
      [-2, 0],
      [0, 2],
      [0, -2],
    ].filter(([dx, dy]) => {
      const [u, v] = [x + dx, y + dy];
      return u > 0 && v > 0 && u < 2 * size && v < 2 * size && inside[at(u, v)] === 0;
    });
    if (free.length === 0) {
      stack.splice(pick, 1);
      continue;
    }
    const [dx, dy] = free[random(free.length)];
    inside[at(x + dx / 2, y + dy / 2)] = 1;
    inside[at(x + dx, y + dy)] = 1;
    stack.push([x + dx, y + dy]);
  }
  // Around the cells with the inside on the left.
  const isIn = (x: number, y: number) => inside[at(x, y)] === 1;
  const outline: Point[] = [];
  let [x, y, dx, dy] = [1, 1, 1, 0];
  do {
    const moved = (value: number) => 16 * value + (jitter === 0 ? 0 : random(2 * jitter + 1) - jitter);
    outline.push([moved(x), moved(y)]);
    [x, y] = [x + dx, y + dy];
    // The cells ahead, to the left and to the right.
    const left = isIn(x + (dx - dy - 1) / 2, y + (dy + dx - 1) / 2);
    const right = isIn(x + (dx + dy - 1) / 2, y + (dy - dx - 1) / 2);
    if (right) [dx, dy] = [dy, -dx];
    else if (!left) [dx, dy] = [-dy, dx];
  } while (x !== 1 || y !== 1 || dx !== 1);
  return outline;
}

it('outlines of random mazes, forwards and backwards', async () => {
  const seed = Number(process.env.NEARFIELD_SEED ?? 20261117);
  const random = randomBelow(seed);
  for (let round = 0; round < (slow ? 3000 : 30); round++) {
    const polygon = maze(random, 2 + random(12), round % 3 === 0 ? 0 : 7);
    if (round % 2 === 1) polygon.reverse();
    const turned: Point[] = [...polygon, ...polygon].slice(round % polygon.length).slice(0, polygon.length);
    const { triangles, warnings } = await read(turned);
    const problem = warnings.join() || wrong(turned, triangles);
    if (problem !== '') expect.fail(`seed ${seed}, round ${round}, ${turned.length} corners: ${problem}`);
  }
});

/** A plate with rows of holes; one line through the holes joins each row to the left side. */
function plate(random: (below: number) => number, rows: number, columns: number): Point[] {
  const [width, height] = [100 * columns, 100 * rows];
  const polygon: Point[] = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ];
  for (let row = rows - 1; row >= 0; row--) {
    const y = 100 * row + 50;
    const there: Point[] = [];
    const back: Point[] = [];
    for (let column = 0; column < columns; column++) {
      const x = 100 * column + 50;
      const half = [1 + random(40), 1 + random(40)];
      there.push([x - half[0], y], [x - random(half[0]), y + 1 + random(40)], [x + half[1], y]);
      back.push([x - half[0], y], [x + random(half[1]), y - 1 - random(40)], [x + half[1], y]);
    }
    polygon.push([0, y], ...there, ...back.reverse().slice(1), [0, y]);
  }
  return polygon;
}

it('plates with holes on bridges, with few and very many holes', async () => {
  const seed = Number(process.env.NEARFIELD_SEED ?? 31);
  const random = randomBelow(seed);
  for (let round = 0; round < (slow ? 400 : 12); round++) {
    // The larger ones are beyond the size for clipping ears.
    const size = round % 4 === 0 ? 18 : 1 + random(6);
    const polygon = plate(random, size, 1 + random(size));
    if (round % 2 === 1) polygon.reverse();
    const places = new Map<string, number>();
    const place = polygon.map(point => {
      const key = point.join();
      if (!places.has(key)) places.set(key, places.size);
      return places.get(key)!;
    });
    const { triangles, warnings } = await read(polygon);
    const problem = warnings.join() || wrong(polygon, triangles, corner => place[corner]);
    if (problem !== '') expect.fail(`seed ${seed}, round ${round}, ${polygon.length} corners: ${problem}`);
  }
});

it('finds one crossing among 100,000 corners', async () => {
  const polygon = comb(100_000);
  [polygon[70_000], polygon[70_002]] = [polygon[70_002], polygon[70_000]];
  const { warnings } = await read(polygon);
  expect(warnings).toEqual([
    'p.obj: 1 polygon crosses itself or has no area (line 100001); it is fanned from the first corner',
  ]);
});

it('refuses, instead of fanning, a polygon that would take too long: a star with a spike into one of its arms', async () => {
  const star = shapes.star(8000);
  await expect(read([...star, star[0], [2 ** 39, 0]])).rejects.toThrow(
    /^p\.obj: line 8003: a polygon of 8002 corners touches itself and would take too long to triangulate; split it/,
  );
});
