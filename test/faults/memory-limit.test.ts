// A scene that does not fit in an engine's memory is refused before its trees are built, with what it would need.

import { mesh, open } from 'nearfield';
import { icosphere } from 'nearfield/shapes';
import { expect, it } from 'vitest';

it('refuses trees that cannot fit, says what they need, and answers the next question', async () => {
  const nf = await open({ backend: 'cpu', maxMemory: 2 ** 24 });
  const scene = nf.scene();
  const large = icosphere({ frequency: 60 });
  // Seven meshes of 72,000 triangles, and two small ones.
  const heavy = Array.from({ length: 7 }, () => scene.add(mesh(large.positions.slice(), large.indices)));
  const small = [scene.add(icosphere({ frequency: 2 })), scene.add(icosphere({ frequency: 3 }))];
  const refused = scene.interferences({ detail: 'any' });
  await expect(refused).rejects.toMatchObject({
    code: 'out-of-memory',
    message: expect.stringMatching(
      /^the trees of 9 meshes with 504\d+ triangles need \d+ MB, but .* at most 16 MB.*: raise maxMemory/,
    ),
  });
  for (const body of heavy) scene.remove(body);
  expect((await scene.interferences()).indices).toEqual(Uint32Array.of(...small.map(body => body.index)));
  nf.close();
});

it('does not refuse many bodies that share a mesh', async () => {
  const nf = await open({ backend: 'cpu', maxMemory: 2 ** 25 });
  const scene = nf.scene();
  const sphere = icosphere({ frequency: 20 });
  for (let i = 0; i < 300; i++)
    scene.add(sphere, { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 3 * i, 0, 0, 1] });
  expect((await scene.interferences({ detail: 'any' })).length).toBe(0);
  nf.close();
});

it('measures the depths of many pairs whose trees do not fit together, and answers the next question', async () => {
  const ask = async (maxMemory: number) => {
    const nf = await open({ backend: 'cpu', maxMemory, threads: 1 });
    const scene = nf.scene();
    // A row of balls of 32,000 triangles each, of which neighbours overlap.
    for (let i = 0; i < 9; i++)
      scene.add(icosphere({ frequency: 40, radius: 1 + i / 64 }), {
        pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1.9 * i, 0, 0, 1],
      });
    const { bodies } = scene;
    const pairs = bodies.slice(1).map((b, i) => ({ a: bodies[i], b }));
    const asked = { first: 3, tolerance: 0.11 };
    const inOrder = ({ pairs: measured, order }: Awaited<ReturnType<typeof scene.depths>>) => ({
      order,
      depths: measured.map(({ depth, translation }) => ({ depth, translation })),
    });
    const [waited, sync] = [await scene.depths(pairs, asked), scene.depthsSync(pairs, asked)];
    expect(inOrder(sync)).toEqual(inOrder(waited));
    for (const body of bodies.slice(2)) scene.remove(body);
    const left = await scene.interferences();
    nf.close();
    return { ...inOrder(waited), left: left.pairs.map(({ triangles }) => triangles) };
  };
  expect(await ask(2 ** 24)).toEqual(await ask(2 ** 30));
});
