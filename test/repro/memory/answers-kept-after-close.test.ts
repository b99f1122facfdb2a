import { open, shapes } from 'nearfield';
import { expect, test } from 'vitest';
import { hostCoreOf } from '../../../packages/nearfield/src/questions/host.ts';

// Answers refer to the engine, whose memory stayed with it: an answer that was kept after `close` kept all trees and lists.
test('an answer that is kept after close keeps no memory of the engine', async () => {
  const nf = await open({ backend: 'cpu' });
  const { cpu } = hostCoreOf(nf);
  const scene = nf.scene();
  scene.add(shapes.box());
  scene.add(shapes.icosphere(), { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0.1, 0.2, 1] });
  const answer = await scene.interferences();
  const waiting = scene.selfIntersections(scene.bodies[1]);
  nf.close();
  expect(() => cpu.memory).toThrow(expect.objectContaining({ code: 'closed' }));
  expect(cpu.poseMemory).toBeUndefined();
  expect(cpu.usedBytes).toBe(0);
  // What was found stays; what would have to be worked out is gone, and so are questions under way.
  expect(answer.pairs[0].triangles.length).toBeGreaterThan(0);
  expect(() => answer.pairs[0].relation).toThrow(expect.objectContaining({ code: 'closed' }));
  await expect(waiting).rejects.toMatchObject({ code: 'closed' });
});
