// Maps made on the GPU equal those of the CPU: the same lines meet the same bodies, and distances differ by no more
// than stated.

import { afterAll, describe, expect, it } from 'vitest';
import { at } from '../../contacts/testing.ts';
import { testDevice } from '../../gpu/testing/test-device.ts';
import { identity, type Pose } from '../../math/pose.ts';
import { type Mesh, mesh } from '../../mesh/mesh.ts';
import { open } from '../../nearfield.ts';
import * as shapes from '../../shapes/index.ts';
import { randomRotation } from '../raster/testing/poses.ts';
import type { DistanceMap } from './map.ts';
import type { DistanceMapOptions } from './options.ts';

const cpu = await open({ backend: 'cpu' });
const gpu = await open({ device: (await testDevice()).device });
afterAll(() => {
  cpu.close();
  gpu.close();
});

interface Part {
  readonly mesh: Mesh;
  readonly pose: Pose;
}

/** Makes the map on both backends and compares. Returns the GPU's. */
async function mapOf(a: Part, b: Part, options: DistanceMapOptions, what: string): Promise<DistanceMap> {
  const maps: DistanceMap[] = [];
  for (const nf of [cpu, gpu]) {
    const scene = nf.scene();
    const bodies = [a, b].map(({ mesh, pose }) => scene.add(mesh, { pose }));
    maps.push(await scene.distanceMap(bodies[0], bodies[1], options));
    if (nf === gpu) {
      const { distance, triangleA, triangleB } = await scene.distanceMap(bodies[0], bodies[1], options);
      expect({ distance, triangleA, triangleB }, `${what}, again`).toEqual({
        distance: maps[1].distance,
        triangleA: maps[1].triangleA,
        triangleB: maps[1].triangleB,
      });
    }
    scene.close();
  }
  const [exact, map] = maps;
  expect([exact.backend, map.backend]).toEqual(['cpu', 'gpu']);
  expect(map.stats.dispatches).toBeGreaterThan(0);
  expect(map.view, what).toEqual(exact.view);
  expect(map.coverage, what).toEqual(exact.coverage);
  for (let pixel = 0; pixel < map.distance.length; pixel++) {
    const [own, right] = [map.distance[pixel], exact.distance[pixel]];
    const where = `${what}, pixel ${pixel % map.columns}, ${Math.floor(pixel / map.columns)}`;
    if (Number.isNaN(right)) expect(own, where).toBeNaN();
    else expect(Math.abs(own - right), where).toBeLessThanOrEqual(map.error + exact.error);
    if (map.coverage[pixel] !== 0 && Math.abs(map.depth[pixel] - exact.depth[pixel]) <= map.error) continue;
    // If two surfaces are equally near, either may be named; if only one body is met, its triangle is the same.
    if (map.coverage[pixel] !== 3) expect(map.triangleA[pixel], where).toBe(exact.triangleA[pixel]);
  }
  return map;
}

const part = (mesh: Mesh, pose: Pose = identity()): Part => ({ mesh, pose });

function rotated(random: () => number, x: number, y: number, z: number): Pose {
  const pose = identity();
  const linear = randomRotation(random);
  for (let column = 0; column < 3; column++) pose.set(linear.slice(3 * column, 3 * column + 3), 4 * column);
  pose.set([x, y, z], 12);
  return pose;
}

describe('maps on the GPU', () => {
  it('equal those of the CPU', async () => {
    for (const seed of [1, 2]) {
      const random = shapes.createRandom(seed).next;
      const a = part(shapes.torus({ majorSegments: 32, minorSegments: 16 }), rotated(random, 0, 0, 0));
      const b = part(shapes.icosphere({ frequency: 6 }), rotated(random, 0.4, 0, 1.5 * random()));
      const map = await mapOf(a, b, { resolution: 64 }, `seed ${seed}`);
      expect(map.error).toBeLessThan(map.pixel / 32);
      expect(map.unsure).toBeLessThan(0.01 * map.distance.length);
    }
  });

  it('have lines along edges decided exactly', async () => {
    const a = part(shapes.box({ size: [2, 2, 1] }));
    const b = part(shapes.box({ size: [1, 1, 1] }), at(0.25, 0.25, 0.75));
    const options = { direction: [0, 0, 1], pixel: 0.125, surfaces: 'solids' } as const;
    // One pixel more or less: for one of the two, middles lie on edges and corners.
    for (const shift of [0, 1 / 16]) {
      const wider = part(shapes.box({ size: [2 + shift, 2 + shift, 1] }));
      const map = await mapOf(shift === 0 ? a : wider, b, options, `shift ${shift}`);
      expect(map.statistics.least).toBe(-0.25);
    }
  });

  it('have double precision errors if single precision decides no line at all', async () => {
    const [a, b] = [part(shapes.box()), part(shapes.box(), at(0, 0, 1))];
    // Four lines, through the four corners of both.
    const map = await mapOf(a, b, { direction: [0, 0, 1], resolution: 2 }, 'corners');
    expect([map.unsure, map.statistics.measured, map.statistics.least]).toEqual([4, 1, 0]);
    expect(map.error).toBeGreaterThan(0);
    expect(map.error).toBeLessThan(1e-9);
  });

  it('stay within their bound if slits are thinner than the error of depths', async () => {
    const deck = new shapes.SolidBuilder();
    for (let k = 0; k < 256; k++) deck.add(shapes.box({ size: [1, 1, 2 ** -8 - 1e-9] }), [0, 0, 2 ** -8 * k]);
    const block = part(shapes.box({ size: [1.2, 1.2, 1.2] }), at(0, 0, 0.5));
    const map = await mapOf(part(deck.mesh()), block, { direction: [0, 0, 1], resolution: 8 }, 'deck');
    expect(map.statistics.least).toBeCloseTo(-1, 5);
  });

  it('equal those of the CPU for open surfaces, deep stacks and mirrored bodies', async () => {
    const comb = new shapes.SolidBuilder();
    for (let k = 0; k < 20; k++) comb.add(shapes.box({ size: [1, 1, 0.02] }), [0, 0, 0.1 * k]);
    const slats = part(comb.mesh());
    const random = shapes.createRandom(3).next;
    const ball = part(shapes.icosphere({ radius: 0.6, frequency: 4 }), rotated(random, 0.1, 0.2, 1));
    const stacked = await mapOf(slats, ball, { direction: [0.05, 0.1, 1], resolution: 32 }, 'slats');
    expect(stacked.statistics.penetrationVolume).toBeGreaterThan(0);
    const mirrored = part(ball.mesh, Float64Array.of(-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.1, 0, 2.2, 1));
    await mapOf(slats, mirrored, { direction: [0, 0.1, 1], resolution: 32 }, 'mirrored');
    const sheet = part(mesh(Float64Array.of(-1, -1, 0, 1, -1, 0.3, 0, 1.5, 0.1)));
    const facing = await mapOf(sheet, ball, { direction: [0, 0, 1], resolution: 32 }, 'sheet');
    expect(facing.statistics.both).toBeGreaterThan(0);
  });

  it('exist for deforming bodies, empty ones, and if single precision is too coarse', async () => {
    const scene = gpu.scene();
    const a = scene.add(shapes.box({ size: [2, 2, 1] }));
    const b = scene.add(shapes.box({ size: [1, 1, 1] }), { pose: at(0, 0, 2) });
    const options = { direction: [0, 0, 1], resolution: 16 } as const;
    expect((await scene.distanceMap(a, b, options)).statistics.least).toBe(1);
    b.deform(Float64Array.from(b.mesh.positions, (x, i) => (i % 3 === 2 ? 1.5 * x : x)));
    expect((await scene.distanceMap(a, b, options)).statistics.least).toBe(0.75);
    const none = scene.add(mesh(new Float64Array(0)));
    expect((await scene.distanceMap(a, none, options)).statistics.both).toBe(0);
    // A pin far smaller than the plate it stands over: pixels are too fine for the plate's stored vertices.
    const plate = scene.add(shapes.box({ size: [1e6, 1e6, 1] }), { pose: at(0.3, 0.1, -2) });
    const pin = scene.add(shapes.box({ size: [1e-3, 1e-3, 1] }), { pose: at(0, 0, 0.25) });
    const fine = await scene.distanceMap(plate, pin, options);
    expect(fine.backend).toBe('cpu');
    expect(fine.statistics.least).toBeCloseTo(1.25, 6);
    // The next question reuses the preparation of the abandoned one.
    pin.pose = at(0, 0, -1.5);
    const keep = (p: object, q: object) => p === plate && q === pin;
    expect([...(await scene.interferences({ keep })).indices]).toEqual([plate.index, pin.index]);
    expect('distanceMapSync' in scene).toBe(false);
    scene.close();
  });
});
