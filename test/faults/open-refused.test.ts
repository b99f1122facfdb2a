// Every question about the inside refuses a body without an inside, with its name and the reason. Questions about
// surfaces accept it.

import { mesh, open, shapes } from 'nearfield';
import { afterAll, describe, expect, it } from 'vitest';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());
const scene = nf.scene();
const cube = shapes.box({ size: [2, 2, 2] });
const flipped = cube.indices.slice();
[flipped[0], flipped[1]] = [flipped[1], flipped[0]];
const solid = scene.add(cube, { name: 'cube' });
const bowl = scene.add(mesh(cube.positions, cube.indices.slice(3)), { name: 'bowl' });
const twisted = scene.add(mesh(cube.positions, flipped), { name: 'twisted' });
const points = new Float64Array([0, 0, 0, 5, 5, 5]);

const refusing: Record<string, (body: typeof bowl) => unknown> = {
  penetrationSync: body => scene.penetrationSync(solid, body),
  'penetrationSync with points': body => scene.penetrationSync(body, solid, { points: true }),
  'penetrationSync without time': body => scene.penetrationSync(body, solid, { timeLimit: 0 }),
  intersectionVolumeSync: body => scene.intersectionVolumeSync([solid, body], { resolution: 4 }),
  'intersectionVolumeSync of one': body => scene.intersectionVolumeSync(body, { resolution: 4 }),
  overlapSync: body => scene.overlapSync(solid, body),
  insideSync: body => scene.insideSync(body, points),
  'distanceMapSync of solids': body => scene.distanceMapSync(solid, body, { surfaces: 'solids' }),
};

describe('a body without an inside is refused by', () => {
  for (const [name, ask] of Object.entries(refusing)) {
    it(name, () => {
      for (const [body, reason] of [
        [bowl, /^bowl is open: /],
        [twisted, /^twisted is not consistently oriented: /],
      ] as const) {
        const refused = expect.objectContaining({
          code: 'not-solid',
          message: expect.stringMatching(reason),
        });
        expect(() => ask(body)).toThrow(refused);
      }
    });
  }

  it('the asynchronous forms', async () => {
    for (const asked of [
      scene.penetration(solid, bowl),
      scene.overlap(bowl, solid),
      scene.intersectionVolume([bowl, solid], { resolution: 4 }),
      scene.inside(bowl, points),
      scene.distanceMap(bowl, solid, { surfaces: 'solids' }),
    ]) {
      const message = expect.stringMatching(/^bowl is open: /);
      await expect(asked).rejects.toMatchObject({ code: 'not-solid', message });
    }
  });
});

it('is accepted by questions about surfaces', () => {
  expect(scene.distanceSync(solid, bowl).distance).toBe(0);
  expect(scene.closestSync(bowl, points).distances.length).toBe(2);
  expect(scene.fieldSync(bowl, { resolution: 4 }).distance.length).toBeGreaterThan(0);
  expect(scene.contactsSync(solid, bowl).patches.length).toBeGreaterThan(0);
  expect(scene.interferencesSync().length).toBeGreaterThan(0);
});
