import { open } from 'nearfield';
import { expect, test } from 'vitest';
import type { Engine } from '../../../packages/nearfield/src/bodies/engine.ts';
import type { SnapshotSource } from '../../../packages/nearfield/src/bodies/snapshot/snapshot.ts';
import { createCpuEngine } from '../../../packages/nearfield/src/cpu/engine.ts';
import { fakeEngine } from '../../../packages/nearfield/src/gpu/testing/fake-engine.ts';
import { cpuPairs } from '../../../packages/nearfield/src/interferences/hierarchy/cpu/driver.ts';
import type { InterfereRequest, RawAnswer } from '../../../packages/nearfield/src/interferences/request.ts';
import { Scene } from '../../../packages/nearfield/src/scene.ts';
import { cornerBox } from '../shapes.ts';

const at = (x: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1];

// Between the engine's result and the answer there was a microtask in which a body could move.
test('a body that moves as the engine finishes is answered at its old pose', async () => {
  const nf = await open({ backend: 'cpu' });
  const scene = nf.scene();
  scene.add(cornerBox());
  const body = scene.add(cornerBox());
  for (let ticks = 0; ticks < 12; ticks++) {
    body.pose = at(1);
    let moved = Promise.resolve();
    const progress = (done: number) => {
      if (done < 1) return;
      for (let i = 0; i < ticks; i++) moved = moved.then(() => {});
      moved = moved.then(() => {
        body.pose = at(100);
      });
    };
    const { pairs } = await scene.interferences({ progress });
    expect(pairs.map(pair => pair.relation)).toEqual(['touching']);
    await moved;
  }
  nf.close();
});

// Shapes that were released while any question waited were kept until none did: with one always waiting, forever.
test('a shape is freed once the questions that saw it are answered, even if others wait', async () => {
  const cpu = await createCpuEngine();
  const finish: (() => void)[] = [];
  const forgotten: object[] = [];
  const slow: Engine = fakeEngine(
    {
      interferences: {
        interfere: async (bodies: SnapshotSource, request: InterfereRequest): Promise<RawAnswer> => {
          await new Promise<void>(resolve => finish.push(resolve));
          return cpuPairs(cpu).interfereSync(bodies, request);
        },
      },
    },
    { forget: shape => void forgotten.push(shape) },
  );
  const scene = new Scene(slow, cpu);
  const body = scene.add(cornerBox());
  const { positions } = body.mesh;
  let earlier = scene.interferences();
  for (let i = 1; i <= 5; i++) {
    body.deform(positions.map(x => x * (1 + i)));
    const later = scene.interferences();
    finish.shift()?.();
    await earlier;
    expect(forgotten).toHaveLength(i);
    earlier = later;
  }
  finish.shift()?.();
  await earlier;
  cpu.close();
});
