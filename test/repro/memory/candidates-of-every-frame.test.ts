import { expect, test } from 'vitest';
import { createCpuEngine } from '../../../packages/nearfield/src/cpu/engine.ts';
import { Scene } from '../../../packages/nearfield/src/scene.ts';
import { cornerBox } from '../shapes.ts';

// Candidates of most of a scene's bodies kept the poses they saw in the engine's memory, which never learned when
// they were no longer needed: candidates of every frame filled it.
test('released candidates leave nothing in the engine’s memory', async () => {
  const engine = await createCpuEngine();
  const scene = new Scene(engine, engine);
  const count = 100;
  const poses = new Float64Array(16 * count);
  for (let i = 0; i < count; i++) {
    const pose = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.9 * i, 0, 0, 1];
    scene.add(cornerBox(), { pose });
    poses.set(pose, 16 * i);
  }
  const frame = () => {
    scene.setPoses(poses);
    expect(scene.candidates().length).toBe(count - 1);
  };
  for (let i = 0; i < 3; i++) frame();
  const used = engine.usedBytes;
  for (let i = 0; i < 20; i++) frame();
  expect(engine.usedBytes).toBe(used);
  scene.close();
  engine.close();
});
