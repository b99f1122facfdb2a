import { describe, expect, it } from 'vitest';
import { cube, inputOf, pairOf } from '../test-bodies.ts';
import {
  dot,
  fitPoints,
  fitScale,
  lookFrom,
  normalise,
  project,
  type Vector,
  viewingSides,
} from './camera.ts';
import { contactOf } from './contact.ts';
import { cornerNormals } from './normals.ts';
import { createBuffers, rasterise, type Surface } from './rasterise.ts';
import { render } from './shade.ts';

const surfaceOf = (body: ReturnType<typeof cube>, rest: Partial<Surface> = {}): Surface => ({
  ...body,
  normals: cornerNormals(body),
  color: [200, 200, 200],
  ...rest,
});

describe('camera', () => {
  it('has right-handed axes, and up in the picture is up in the world', () => {
    for (const side of viewingSides) {
      const { right, up, toward } = lookFrom(side, [0, 0, 0], 10, 10, 1);
      for (const [p, q] of [
        [right, up],
        [up, toward],
        [toward, right],
      ] as const) {
        expect(Math.abs(dot(p, q))).toBeLessThan(1e-12);
      }
      expect(up[2]).toBeGreaterThan(0);
      const higher = project(lookFrom(side, [0, 0, 0], 10, 10, 1), [0, 0, 1]);
      expect(higher[1]).toBeLessThan(5);
    }
  });

  it('fits the given points', () => {
    const body = cube('', [100, -50, 3], 8);
    for (const side of viewingSides) {
      const camera = fitPoints([body.positions], side, 300, 200, 0.1);
      const [xs, ys]: number[][] = [[], []];
      for (let i = 0; i < 24; i += 3) {
        const [x, y] = project(camera, [body.positions[i], body.positions[i + 1], body.positions[i + 2]]);
        xs.push(x);
        ys.push(y);
      }
      expect(Math.min(...xs)).toBeGreaterThan(29.99);
      expect(Math.max(...xs)).toBeLessThan(270.01);
      expect(Math.min(...ys)).toBeGreaterThan(19.99);
      expect(Math.max(...ys)).toBeLessThan(180.01);
      const filled = Math.max(
        (Math.max(...xs) - Math.min(...xs)) / 240,
        (Math.max(...ys) - Math.min(...ys)) / 160,
      );
      expect(filled).toBeCloseTo(1, 6);
    }
    expect(fitScale([0, 0, 1], { min: [0, 0, 0], max: [2, 1, 9] }, 100, 100, 0)).toBeCloseTo(50, 9);
  });
});

describe('rasterise', () => {
  const from: Vector = normalise([1, -2, 1.5]);

  it('leaves no hole between triangles, and draws nothing outside', () => {
    const body = cube('', [0, 0, 0], 2);
    for (const side of viewingSides) {
      const camera = lookFrom(side, [0, 0, 0], 90, 90, 24.3);
      const buffers = createBuffers(90, 90);
      rasterise(buffers, camera, surfaceOf(body), 0);
      // A convex body covers one run of samples per row.
      let covered = 0;
      for (let y = 0; y < 90; y++) {
        const row = [...buffers.surface.subarray(y * 90, y * 90 + 90)];
        const inside = row.flatMap((id, x) => (id ? [x] : []));
        covered += inside.length;
        if (inside.length > 0) expect(inside.at(-1)! - inside[0] + 1).toBe(inside.length);
      }
      // The projection of a cube of side s along a unit direction has the area s²·(|x| + |y| + |z|).
      const area = 4 * (Math.abs(side[0]) + Math.abs(side[1]) + Math.abs(side[2])) * 24.3 ** 2;
      expect(Math.abs(covered / area - 1)).toBeLessThan(0.03);
    }
  });

  it('shows the nearer of two surfaces, in either drawing order', () => {
    const camera = lookFrom(from, [0, 0, 0], 60, 60, 10);
    const near = surfaceOf(cube('', [2 * from[0], 2 * from[1], 2 * from[2]], 1));
    const far = surfaceOf(cube('', [0, 0, 0], 1));
    for (const order of [
      [near, far],
      [far, near],
    ]) {
      const buffers = createBuffers(60, 60);
      order.forEach((surface, id) => {
        rasterise(buffers, camera, surface, id);
      });
      expect(order[buffers.surface[30 * 60 + 30] - 1]).toBe(near);
      expect(buffers.depth[30 * 60 + 30]).toBeGreaterThan(2);
    }
  });

  it('turns normals towards the eye, also on the back of an open surface', () => {
    const body = cube('', [0, 0, 0], 2);
    const open = { ...body, indices: body.indices.slice(0, 18), triangles: 6 };
    const buffers = createBuffers(60, 60);
    rasterise(buffers, lookFrom(from, [0, 0, 0], 60, 60, 10), surfaceOf(open), 0);
    buffers.surface.forEach((id, at) => {
      if (id) expect(buffers.normal[3 * at + 2]).toBeGreaterThan(0);
    });
  });
});

describe('render', () => {
  const camera = lookFrom([0, 0, 1], [0, 0, 0], 40, 40, 10);
  const at = (data: Uint8Array, x: number, y: number) => [
    ...data.subarray(4 * (40 * y + x), 4 * (40 * y + x) + 4),
  ];

  it('is transparent around bodies and opaque on them', () => {
    const { data } = render({
      camera,
      surfaces: [surfaceOf(cube('', [0, 0, 0], 2))],
      markColor: [255, 0, 0],
    });
    expect(at(data, 2, 2)[3]).toBe(0);
    expect(at(data, 20, 20)[3]).toBe(255);
  });

  it('colours marked triangles, and shows them through glass', () => {
    const inner = surfaceOf(cube('', [0, 0, 0], 1), { color: [255, 0, 0] });
    const outer = surfaceOf(cube('', [0, 0, 0], 3), { color: [0, 0, 255], opacity: 0.3 });
    const { data } = render({ camera, surfaces: [inner, outer], markColor: [0, 255, 0] });
    const [red, , blue] = at(data, 20, 20);
    expect(red).toBeGreaterThan(blue);
    const [outsideRed, , outsideBlue, alpha] = at(data, 8, 20);
    expect(outsideBlue).toBeGreaterThan(outsideRed);
    expect(alpha).toBeLessThan(255);
    const marked = { ...inner, marks: new Uint8Array(12).fill(1) };
    const [r, g] = at(render({ camera, surfaces: [marked], markColor: [0, 255, 0] }).data, 20, 20);
    expect(g).toBeGreaterThan(r);
  });
});

describe('contactOf', () => {
  it('finds the curve in which two boxes cross', () => {
    // A corner of one cube lies in the other: six segments or their halves, on three faces of each.
    const bodies = [cube('a', [0, 0, 0], 2), cube('b', [1, 1, 1], 2)];
    const { segments, extent } = contactOf(bodies, pairOf(0, 1, 'crossing'));
    expect(segments.length).toBeGreaterThan(0);
    expect(extent).toEqual({ min: [0, 0, 0], max: [1, 1, 1] });
    for (let i = 0; i < segments.length; i += 3) {
      const point = [segments[i], segments[i + 1], segments[i + 2]];
      expect(Math.max(...point.map(Math.abs))).toBeCloseTo(1, 12);
      expect(Math.max(...point.map(v => Math.abs(v - 1)))).toBeCloseTo(1, 12);
    }
  });

  it('shows the inner of two bodies', () => {
    const { bodies } = inputOf([cube('a', [0, 0, 0], 9), cube('b', [1, 1, 1], 2)], []);
    expect(contactOf(bodies, pairOf(0, 1, 'contains')).extent).toEqual({ min: [0, 0, 0], max: [2, 2, 2] });
  });
});
