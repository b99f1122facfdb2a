import { type CpuNearfield, open, type Vector } from 'nearfield';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHail, type Hail, hailParts } from './hail.ts';
import { brought, carried, poseAt, turned } from './parts.ts';
import { synthesise } from './sound/synthesise.ts';

let nf: CpuNearfield;
let hail: Hail;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
  hail = await createHail(nf, { particles: 4000, seed: 3 });
});
afterAll(() => {
  hail.close();
  nf.close();
});

test('hits every exposed part, and impacts have the numbers of its parts', async () => {
  const { impacts: found } = await hail.step(8);
  const impacts = [...found];
  const struck = new Set(impacts.map(({ collider }) => hail.parts[collider].whole));
  expect([...struck].sort()).toEqual([...new Set(hail.parts.map(({ whole }) => whole))].sort());
  const named = (name: string) => hail.parts.findIndex(({ collider }) => collider.name === name);
  for (const name of [
    'house, front roof',
    'house, back roof',
    'house, weather vane',
    'gazebo, roof',
    'table, top',
    'can, lid',
    'rolling can, side',
    'lawn',
    'lantern',
    'bush',
  ]) {
    const those = impacts.filter(({ collider }) => collider === named(name));
    expect(those.length, name).toBeGreaterThan(0);
  }
  // Under a roof, only stones that bounced there land.
  const inside = impacts.filter(
    ({ collider, place: [x, y] }) =>
      hail.parts[collider].collider.name === 'gazebo, floor' && Math.hypot(x - 3.1, y - 2.3) < 1.2,
  );
  expect(inside.filter(({ bounce }) => bounce === 0)).toEqual([]);
  // Leaves keep what falls into them; stones bounce off everything else until they rest.
  const kept = impacts.filter(
    ({ collider, outcome }) => (outcome === 'vanish') !== (hail.parts[collider].material === 'leaves'),
  );
  expect(kept).toEqual([]);
});

test('impacts lie on the surfaces they name, also on those that move', async () => {
  const impacts = await hail.particles.impacts(3, 4);
  const can = hail.parts.find(({ collider }) => collider.name === 'rolling can, side')!;
  const index = hail.parts.indexOf(can);
  const those = [...impacts].filter(({ collider }) => collider === index);
  expect(those.length).toBeGreaterThan(0);
  for (const { place, time, velocity, normal, normalSpeed } of those) {
    const [x, , z] = brought(can.collider.motion!, place, time);
    expect(Math.hypot(x - 3.9, z - 0.3)).toBeCloseTo(0.3, 9);
    // The can rolls towards the stones or away from them: speeds are relative to the can.
    const along = velocity.reduce((sum, value, k) => sum + value * normal[k], 0);
    const surface =
      -0.3 * normal[0] +
      ((-0.3 / 0.3) * (place[2] - 0.3) * normal[0] -
        (-0.3 / 0.3) * (place[0] - 3.9 + 0.3 * time) * normal[2]);
    expect(normalSpeed).toBeCloseTo(surface - along, 9);
  }
});

test('strikes of large and fast stones are louder, and make a sound', async () => {
  const impacts = await hail.particles.impacts(0, 2);
  const strikes = hail.strikesOf(impacts);
  expect(strikes).toHaveLength(impacts.count);
  const onTable = strikes.filter(({ thing }) => hail.parts[thing].collider.name === 'table, top');
  expect(onTable.length).toBeGreaterThan(0);
  for (const { shape } of onTable) expect(shape).toHaveLength(hail.sounding[0].material.modes.length);
  const [left, right] = synthesise(strikes, hail.sounding, { seconds: 2, rate: 8000 });
  const first = impacts.time[0];
  const silent = Math.floor(8000 * first);
  expect(left.subarray(0, silent).every(sample => sample === 0)).toBe(true);
  expect(right.some(sample => sample !== 0)).toBe(true);
});

test('a look-ahead gives impacts that much earlier', async () => {
  const early = await createHail(nf, { particles: 500, lookAhead: 0.1 });
  const { impacts, time } = await early.step(1);
  expect(time).toBeCloseTo(1.1, 12);
  const last = impacts.time[impacts.count - 1];
  expect([last > 1, last < 1.1]).toEqual([true, true]);
  early.close();
});

test('parts have names of their own, and are drawn where they collide', () => {
  const parts = hailParts();
  const names = parts.map(({ collider }) => collider.name);
  expect(new Set(names).size).toBe(names.length);
  for (const { mesh } of hail.looks(0)) expect(mesh.triangleCount).toBeGreaterThan(0);
  const vane = parts.find(({ collider }) => collider.name === 'house, weather vane')!;
  const [look] = vane.look;
  expect([...poseAt(look, 5)].map(value => Math.round(1e9 * value) + 0)).toEqual(
    [...look.pose].map(value => Math.round(1e9 * value) + 0),
  );
  expect([...poseAt(look, 2.5)].slice(12, 14)).not.toEqual([...look.pose].slice(12, 14));
});

test('mapping forth and back is the identity', () => {
  const motion = {
    velocity: [1, 2, 3],
    acceleration: [0.5, 0, -1],
    pivot: [1, 0, 2],
    turn: [0.3, -1, 2],
    at: 0.5,
  } as const;
  const point: Vector = [0.3, -0.7, 1.9];
  const back = brought(motion, carried(motion, point, 3), 3);
  for (let k = 0; k < 3; k++) expect(back[k]).toBeCloseTo(point[k], 12);
  expect(turned({ turn: [0, 0, Math.PI / 2] }, [1, 0, 0], 1).map(value => Math.round(value))).toEqual([
    0, 1, 0,
  ]);
});
