// Impact maps: forms that cover the square, texels of the stated size and area, combinations computed by hand, data at
// known places.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mesh } from '../../mesh/mesh.ts';
import { type CpuNearfield, open } from '../../nearfield.ts';
import { createRandom } from '../../shapes/random.ts';
import type { Collider, MapOptions, SurfaceData } from '../colliders/shapes.ts';
import type { ParticleOptions } from '../options.ts';
import { compileSetup } from '../setup.ts';
import { parameterAt, texelAt } from './forms.ts';

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

const none = { count: 1, start: { position: new Float64Array(3), velocity: new Float64Array(3), life: 1 } };
const compiled = (collider: Collider) => compileSetup({ ...none, colliders: [collider] }).colliders[0];
const map = (width: number, height: number, combine: MapOptions['combine'] = 'count'): MapOptions => ({
  width,
  height,
  combine,
});

describe('forms', () => {
  it('of planes are linear: a texel is M/p × N/q', () => {
    const collider = compiled({
      plane: { point: [1, 2, 3], normal: [0, 0, 1], right: [1, 0, 0] },
      within: { rectangle: [3, 2] },
      map: map(12, 4),
    });
    const random = createRandom(1);
    const out = new Float64Array(2);
    for (let i = 0; i < 10_000; i++) {
      const [u, v] = [random.next(), random.next()];
      parameterAt(collider, -1, Float64Array.of(1 - 3 + 6 * u, 2 - 2 + 4 * v, 3), out);
      expect(Math.abs(out[0] - u) + Math.abs(out[1] - v), `seed 1/${i}`).toBeLessThan(1e-14);
    }
    // Borders between texels are 6/12 and 4/4 apart.
    parameterAt(collider, -1, Float64Array.of(-2 + 0.5, 0 + 1, 3), out);
    expect(texelAt(out[0], out[1], 12, 4)).toBe(1 + 12);
    parameterAt(collider, -1, Float64Array.of(4, 4, 3), out);
    expect(texelAt(out[0], out[1], 12, 4)).toBe(47);
  });

  it('of spheres have texels of equal area', () => {
    const collider = compiled({ sphere: { centre: [1, 0, -1], radius: 2 }, map: map(8, 8) });
    const random = createRandom(2);
    const cells = new Uint32Array(64);
    const out = new Float64Array(2);
    for (let i = 0; i < 64_000; i++) {
      const [x, y, z] = random.direction();
      parameterAt(collider, -1, Float64Array.of(1 + 2 * x, 2 * y, -1 + 2 * z), out);
      cells[texelAt(out[0], out[1], 8, 8)]++;
    }
    // 1,000 each, give or take what is rarer than once in a million.
    for (const n of cells) expect(Math.abs(n - 1000)).toBeLessThan(180);
  });

  it('by uv and by triangle follow the mesh', () => {
    const triangle = mesh(
      Float64Array.of(0, 0, 0, 2, 0, 0, 0, 2, 0, 2, 2, 0),
      Uint32Array.of(0, 1, 2, 1, 3, 2),
    );
    const uv = Float32Array.of(0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1);
    const out = new Float64Array(2);
    const byUv = compiled({ mesh: triangle, map: { ...map(4, 4), form: { uv } } });
    parameterAt(byUv, 0, Float64Array.of(0.5, 1, 0), out);
    expect([...out]).toEqual([0.25, 0.5]);
    parameterAt(byUv, 1, Float64Array.of(1.5, 1.5, 0), out);
    expect([...out]).toEqual([0.75, 0.75]);
    const byTriangle = compiled({ mesh: triangle, map: map(2, 1) });
    parameterAt(byTriangle, 1, Float64Array.of(1.5, 1.5, 0), out);
    expect(texelAt(out[0], out[1], 2, 1)).toBe(1);
  });

  it('along and round an axis stay in the square', () => {
    const random = createRandom(3);
    const out = new Float64Array(2);
    for (const form of [{ planar: 'x' }, { cylindrical: 'y' }, { cylindrical: 'z' }] as const) {
      const collider = compiled({ quadric: [1, 2, 3, 0, 0, 0, 0, 0, 0, -1], map: { ...map(4, 4), form } });
      for (let i = 0; i < 1000; i++) {
        const [x, y, z] = random.direction();
        parameterAt(collider, -1, Float64Array.of(x, y / Math.SQRT2, z / Math.sqrt(3)), out);
        expect(out[0] >= 0 && out[0] <= 1 && out[1] >= 0 && out[1] <= 1).toBe(true);
      }
    }
  });
});

describe('maps', () => {
  const rain = (combine: MapOptions['combine'], of?: MapOptions['of']): ParticleOptions => ({
    count: 500,
    seed: 3,
    start: {
      from: {
        box: [
          [-1, -1, 1],
          [1, 1, 2],
        ],
      },
      velocity: {
        box: [
          [-0.1, -0.1, -3],
          [0.1, 0.1, -1],
        ],
      },
      life: 1.5,
    },
    colliders: [
      {
        plane: { point: [0, 0, 0], normal: [0, 0, 1], right: [1, 0, 0] },
        within: { rectangle: [2, 2] },
        map: { width: 16, height: 8, combine, of },
      },
      { plane: { point: [0, 0, -1], normal: [0, 0, 1] } },
    ],
  });

  for (const combine of ['overwrite', 'count', 'sum'] as const) {
    it(`combine impacts: ${combine}, as by hand`, () => {
      const particles = nf.particlesSync(rain(combine, combine === 'sum' ? 'normalSpeed' : 'speed'));
      const texels = new Map<number, { time: number; value: number; sum: number; count: number }>();
      let all = 0;
      for (const to of [0.3, 1, 1.7, 4]) {
        const impacts = particles.advanceSync(to);
        for (const { collider, place, time, speed, normalSpeed } of impacts) {
          if (collider !== 0) continue;
          all++;
          const texel = Math.floor((place[0] + 2) * 4) + 16 * Math.floor((place[1] + 2) * 2);
          const before = texels.get(texel);
          const sum = (before?.sum ?? 0) + normalSpeed;
          texels.set(texel, {
            time: time - impacts.from,
            value: speed,
            sum,
            count: (before?.count ?? 0) + 1,
          });
        }
      }
      const { values } = particles.map(0);
      let counted = 0;
      for (let texel = 0; texel < 128; texel++) {
        const known = texels.get(texel);
        const [id, time, value, count] = values.subarray(4 * texel);
        expect(id).toBe(known === undefined ? 0 : 1);
        expect(time).toBe(Math.fround(known?.time ?? 0));
        expect(value).toBe(Math.fround((combine === 'sum' ? known?.sum : known?.value) ?? 0));
        expect(count).toBe(known === undefined ? 0 : combine === 'overwrite' ? 1 : known.count);
        counted += count;
      }
      if (combine !== 'overwrite') expect(counted).toBe(all);
      expect(particles.map(0).texelArea).toBeCloseTo(16 / 128, 14);
      const picture = particles.map(0).picture();
      expect([picture.width, picture.height, picture.data.length]).toEqual([16, 8, 512]);
      particles.map(0).clear();
      expect(particles.map(0).values.every(value => value === 0)).toBe(true);
      expect(() => particles.map(1)).toThrow(/no map/);
      expect(() => particles.map(0).texture).toThrow(/GPU backend/);
      particles.close();
    });
  }

  it('of single precision are those of doubles without a GPU, and arrays are rounded doubles', async () => {
    const of = (precision: 'double' | 'single') =>
      nf.particlesSync({
        count: 200,
        seed: 4,
        start: { from: { point: [0, 0, 2] }, velocity: { ball: { centre: [0, 0, -2], radius: 1 } }, life: 2 },
        colliders: [{ plane: { point: [0, 0, 0], normal: [0, 0, 1] }, map: { ...map(4, 4), precision } }],
      });
    const [double, single] = [of('double'), of('single')];
    double.advanceSync(3);
    const impacts = await single.advance(3, { columns: 'single' });
    expect(Array.from(await single.map(0).read())).toEqual(Array.from(double.map(0).values));
    expect(single.map(0).values).toBe(await single.map(0).read());
    const arrays = impacts.single;
    expect(arrays.count).toBe(impacts.count);
    const time = impacts.time.toSorted();
    arrays.time.toSorted().forEach((each, i) => {
      expect(Math.abs(each - time[i])).toBeLessThan(1e-6);
    });
    expect(Math.max(...arrays.timeError)).toBeLessThan(1e-6);
    double.close();
    single.close();
  });

  it('are not painted by impacts(), which advances nothing', () => {
    const particles = nf.particlesSync(rain('count'));
    expect(particles.impactsSync(0, 2).count).toBeGreaterThan(100);
    expect(particles.map(0).values.every(value => value === 0)).toBe(true);
    particles.close();
  });
});

describe('data of surfaces', () => {
  const drop = (x: number, y: number, collider: Collider): Float32Array | undefined => {
    const particles = nf.particlesSync({
      count: 1,
      start: { position: Float64Array.of(x, y, 1), velocity: Float64Array.of(0, 0, -1), life: 2 },
      colliders: [collider],
      generations: 1,
    });
    const impacts = particles.impactsSync(0, 2);
    expect(impacts.count).toBe(1);
    const data = impacts.data(0);
    expect(impacts.at(0).data).toEqual(data);
    particles.close();
    return data;
  };
  const plate = (data: SurfaceData): Collider => ({
    plane: { point: [0, 0, 0], normal: [0, 0, 1], right: [1, 0, 0] },
    within: { rectangle: [1, 1] },
    data,
  });

  it('over the map: nearest and linear', () => {
    const values = Float32Array.of(0, 10, 1, 20, 2, 30, 3, 40);
    const nearest = plate({ width: 2, height: 2, channels: 2, values });
    expect(drop(-0.6, -0.2, nearest)).toEqual(Float32Array.of(0, 10));
    expect(drop(0.6, 0.2, nearest)).toEqual(Float32Array.of(3, 40));
    const linear = plate({ width: 2, height: 2, channels: 2, values, interpolate: 'linear' });
    expect(drop(0, 0, linear)).toEqual(Float32Array.of(1.5, 25));
    expect(drop(0.25, -0.5, linear)).toEqual(Float32Array.of(0.75, 17.5));
    expect(drop(1, 1, linear)).toEqual(Float32Array.of(3, 40));
  });

  it('by triangle and by vertex, on a mesh that has been moved too', () => {
    const square = mesh(
      Float64Array.of(-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0),
      Uint32Array.of(0, 1, 2, 1, 3, 2),
    );
    expect(drop(0.5, 0.6, { mesh: square, data: { triangles: Float32Array.of(7, 8), channels: 1 } })).toEqual(
      Float32Array.of(8),
    );
    const vertices = Float32Array.of(0, 1, 2, 3);
    expect(drop(-0.5, -0.25, { mesh: square, data: { vertices, channels: 1 } })?.[0]).toBeCloseTo(
      0.25 + 0.75,
      6,
    );
    const moving: Collider = {
      mesh: square,
      motion: { velocity: [0.5, 0, 0] },
      data: { vertices, channels: 1 },
    };
    // Hit after a second: half a unit further to the left on the mesh.
    expect(drop(0, -0.25, moving)?.[0]).toBeCloseTo(0.25 + 0.75, 6);
    expect(drop(0.5, 0.5, plate({ width: 1, height: 1, channels: 1, values: Float32Array.of(5) }))).toEqual(
      Float32Array.of(5),
    );
  });
});
