// Wrong arguments of functions that need a GPU or take a GPUBuffer: the same table as arguments.test.ts, on the
// device that all tests share. A refused call leaves the device and the scene as they were: right calls give the same
// answers as before.

import { type Body, LayersKeep, open, shapes } from 'nearfield';
import { afterAll, describe, expect, it } from 'vitest';
import { testDevice } from '../../packages/nearfield/src/gpu/testing/test-device.ts';
import { Attempt, digest, rightArguments } from './arguments/attempt.ts';
import { finite, flag, left, limits, only, options, typed, whole } from './arguments/kinds.ts';
import { methods, type Row } from './arguments/rows.ts';
import { gpuRows } from './arguments/rows-gpu.ts';
import { makeWorld } from './arguments/world.ts';

const { device } = await testDevice();
const nf = await open({ device });
afterAll(() => nf.close());
const world = await makeWorld(nf);
const { scene, a, b, state } = world;

/**
 * Some right calls take a software GPU long. These questions are only asked wrongly here; other tests ask them rightly.
 */
const asked = gpuRows(world).map((row): Row => ({ ...row, repeats: false, answers: false }));

const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
const bufferOf = (numbers: ArrayLike<number>, given = usage): GPUBuffer => {
  const data = Float32Array.from(numbers);
  const buffer = device.createBuffer({ size: data.byteLength, usage: given });
  if ((given & GPUBufferUsage.COPY_DST) !== 0) device.queue.writeBuffer(buffer, 0, data);
  return buffer;
};
const texture = device.createTexture({ size: [4, 4], format: 'rgba32float', usage: 5 });
const noBuffers = [
  ['a texture', texture, 'bad-array', /GPUBuffer/],
  ['an attribute of three.js', { usage: 35044, array: new Float32Array(32) }, 'bad-array', /GPUBuffer/],
] as const;
/** If the value is only too large, the message gives the size of the buffer. */
const bytes = (right: number, name: string) =>
  left({
    ...whole(right, right, right),
    codes: ['bad-option', 'bad-array'],
    named: new RegExp(`${name}|the buffer has`),
  });
const seconds = finite(0);
const poses = bufferOf([...a.pose, ...b.pose]);
const deformed: Body = nf.scene().add(shapes.box());
const { positions } = deformed.mesh;
const particles = await nf.particles({
  count: 8,
  start: { from: { point: [0, 0, 1] }, velocity: { point: [0, 0, -1] }, life: 1 },
  colliders: [{ plane: { point: [0, 0, 0], normal: [0, 0, 1] } }],
});
const byLayers = await scene.sampledInterferences({
  method: 'layers',
  resolution: 8,
  reuse: new LayersKeep(),
});
const byRays = await scene.sampledInterferences({ method: 'raycast', ask: 'edges', resolution: 8 });
const [map] = byLayers.mapsOf({ a, b });

const rows: Row[] = [
  ...asked,
  ...methods(
    'Scene',
    scene,
    {
      setPoses: {
        poses: {
          ...only(
            poses,
            ['bad-pose', 'bad-array'],
            [
              ...noBuffers,
              ['too small', bufferOf([...a.pose]), 'bad-array', /buffer has/],
              [
                'without COPY_SRC',
                bufferOf([...a.pose, ...b.pose], GPUBufferUsage.STORAGE),
                'bad-array',
                /COPY_SRC/,
              ],
            ],
          ),
        },
        layout: {
          ...options({ offset: bytes(0, 'offset'), stride: bytes(64, 'stride') }),
          right: undefined,
          codes: ['bad-option', 'unsupported'],
          named: /layout|list/,
        },
      },
    },
    { closed: world.closedScene, repeats: false },
  ),
  ...methods(
    'Body',
    deformed,
    {
      deform: {
        positions: typed(bufferOf(positions) as never, [
          ...noBuffers,
          ['too small', bufferOf([1, 2, 3]), 'bad-array', /buffer has/],
        ]),
        options: options({
          offset: bytes(0, 'offset'),
          stride: bytes(12, 'stride'),
          rebuild: left(flag()),
        }),
      },
    },
    { closed: world.gone, repeats: false },
  ),
  ...methods(
    'Particles',
    particles,
    { draw: { time: seconds, encoder: left(only(undefined)) } },
    { repeats: false },
  ),
  ...methods('LayersInterferences', byLayers, { mapsOf: { pair: only({ a, b }) } }, { repeats: false }),
  ...methods('RaycastInterferences', byRays, { edgesOf: { pair: only(byRays.pairs[0]) } }),
  ...methods('CollisionMap', map, {
    meetsAt: { column: whole(0, 0, map.columns - 1), row: whole(0, 0, map.rows - 1) },
    orderAt: { column: whole(0, 0, map.columns - 1), row: whole(0, 0, map.rows - 1) },
  }),
  ...methods('LayersInterferences', byLayers, { 'relations…': { limits: options(limits) } }),
];

describe('wrong arguments are refused on a GPU by', () => {
  for (const row of rows) {
    it(row.name, async () => {
      const before = digest(row.state?.());
      const attempt = new Attempt(row);
      await attempt.all();
      expect(attempt.complaints.join('\n')).toBe('');
      expect(digest(row.state?.())).toBe(before);
      if (row.answers !== false) await row.call(...(rightArguments(row) as never[]));
    });
  }
});

it('answers the next right question', async () => {
  await scene.readPoses();
  expect(state()).toHaveLength(2);
  expect((await scene.interferences()).indices).toEqual(Uint32Array.of(0, 1));
  texture.destroy();
});

it('open refuses a value that is not a device', async () => {
  for (const given of [null, 0, 'gpu', {}, [], device.queue, texture]) {
    const refused = { code: 'bad-option', message: expect.stringMatching(/device must be a GPUDevice/) };
    await expect(open({ device: given as never })).rejects.toMatchObject(refused);
  }
  const both = open({ device, backend: 'cpu' });
  await expect(both).rejects.toMatchObject({ code: 'bad-option', message: expect.stringMatching(/device/) });
});
