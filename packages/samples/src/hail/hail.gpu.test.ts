import { type Impacts, open } from 'nearfield';
import { expect, test } from 'vitest';
import { testDevice } from '../../../nearfield/src/gpu/testing/test-device.ts';
import { createHail } from './hail.ts';

const columnsOf = ({
  time,
  particle,
  generation,
  bounce,
  collider,
  place,
  normal,
  speed,
  outcome,
  parameter,
}: Impacts) =>
  [time, particle, generation, bounce, collider, place, normal, speed, outcome, parameter].map(column => [
    ...column,
  ]);

test('hail gives the same impacts and the same maps on the GPU and on the CPU', async () => {
  const gpu = await open({ device: (await testDevice()).device });
  const cpu = await open({ backend: 'cpu' });
  const options = { particles: 400, seed: 2 };
  const [there, here] = [await createHail(gpu, options), await createHail(cpu, options)];
  let [impacts, first, unsureFirst] = [0, 0, 0];
  for (const dt of [0.4, 0.3, 0.0001, 0.9, 1 / 60, 1.4]) {
    const [onGpu, onCpu] = [await there.step(dt), await here.step(dt)];
    expect(onGpu.impacts.count).toBe(onCpu.impacts.count);
    expect(columnsOf(onGpu.impacts)).toEqual(columnsOf(onCpu.impacts));
    impacts += onCpu.impacts.count;
    first += onGpu.impacts.stats.first;
    unsureFirst += onGpu.impacts.stats.unsureFirst;
  }
  expect(impacts).toBeGreaterThan(500);
  expect(there.particles.stats.dispatches).toBeGreaterThan(0);
  expect(unsureFirst / first).toBeLessThan(0.01);
  for (const [i, { collider }] of here.parts.entries()) {
    if (collider.map === undefined) continue;
    expect([...there.particles.map(i).values], collider.name).toEqual([...here.particles.map(i).values]);
  }
  there.close();
  here.close();
  gpu.close();
  cpu.close();
});
