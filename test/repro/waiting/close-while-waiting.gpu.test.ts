import { open } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { testDevice } from '../../../packages/nearfield/src/gpu/testing/test-device.ts';
import {
  addTwo,
  closeUnder,
  gpuQuestions,
  microtasks,
  turn,
  waiting,
} from '../../spec/faults/close-while-waiting.ts';
import { bufferOf } from '../app-buffers/app-buffers.ts';

const { device } = await testDevice();
const openHere = () => open({ device });
const slow = process.env['NEARFIELD_SLOW'] !== undefined;
let closed = 0;
afterAll(() =>
  console.log(`close-while-waiting: ${closed} questions were waiting when their library was closed`),
);

const all = [
  ...waiting,
  ...gpuQuestions.map(
    ({ name, ask }) => [name, ({ scene, limits }) => ask(scene, limits)] as (typeof waiting)[number],
  ),
];

// `close` destroyed what a waiting question needed. The question then rejected with a TypeError from whatever it used next.
test.each(all)('%s rejects with closed', async (name, ask) => {
  // The usual run closes during one question after a while, during the next at once.
  const isLate = all.findIndex(([own]) => own === name) % 2 === 0;
  const delays = slow ? [0, 1, 2, 3, 5, 8, 12, 20, 40] : isLate ? [3] : [];
  for (const delay of delays) if (await closeUnder(openHere, name, ask, () => turn(delay))) closed++;
  const few = slow ? [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32] : isLate ? [] : [6];
  for (const count of few) if (await closeUnder(openHere, name, ask, () => microtasks(count))) closed++;
});

test('also while poses and positions in GPUBuffers are being read', async () => {
  const nf = await openHere();
  const scene = nf.scene();
  addTwo(scene);
  const [body] = scene.bodies;
  body.deform(bufferOf(device, body.mesh.positions));
  scene.setPoses(bufferOf(device, [...body.pose, ...body.pose]));
  const reads = [body.readPositions(), scene.readPoses(), scene.interferences()];
  nf.close();
  await Promise.all(reads.map(read => expect(read).rejects.toMatchObject({ code: 'closed' })));
});
