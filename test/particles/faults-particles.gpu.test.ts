// After any failure of a GPU, particles continue as if nothing had happened. Device calls throw, reject, fail
// silently, or find the device lost, one after the other. With NEARFIELD_SLOW=1 the number of runs is
// NEARFIELD_GPU_FAULTS (default 2,000); the seed is NEARFIELD_SEED, or a new one each time. NEARFIELD_STORY runs only
// one story of a seed.

import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from 'vitest';
import { wrapDevice } from '../../packages/nearfield/src/gpu/device/device.ts';
import { deviceToLose, testDevice } from '../../packages/nearfield/src/gpu/testing/test-device.ts';
import { createGpuEngine, engineOn } from '../../packages/nearfield/src/open-gpu.ts';
import { whole } from '../oracle/triangles/generators.ts';
import { FaultInjector, type GpuFault, onlyStory, storyOf, watchGpu } from '../spec/faults/faults.ts';
import { FaultParticles, particleSteps } from '../spec/faults/particles.ts';

const slow = process.env['NEARFIELD_SLOW'] !== undefined;
const wanted = slow ? Number(process.env['NEARFIELD_GPU_FAULTS'] ?? 2000) : 12;
const seed = Number(process.env['NEARFIELD_SEED'] ?? (slow ? Date.now() % 2 ** 31 : 1));
// Printed first, because a crashed process prints no more.
if (slow) console.log(`faults of a device with particles: NEARFIELD_SEED=${seed}`);
const forHours = { timeout: 36_000_000 };
/**
 * Small capacities, so that they grow; one kernel for all colliders, because a software GPU takes long to compile.
 */
const livesRoom = { certain: 8, decide: 4, allKinds: true };
const count = 40;

let device: GPUDevice;
let injector: FaultInjector;
const ignore = (event: Event): void => event.preventDefault();
beforeAll(async () => {
  ({ device } = await testDevice());
  device.addEventListener('uncapturederror', ignore);
});
afterAll(() => device.removeEventListener('uncapturederror', ignore));
beforeEach(() => {
  injector = new FaultInjector();
});
afterEach(() => injector.restore());

describe('after a fault of a device', () => {
  it.each(['throws', 'refuses'] as const)(
    'that %s, particles continue',
    forHours,
    async (fault: GpuFault) => {
      watchGpu(injector, device, fault);
      const share = onlyStory === undefined ? Math.ceil(wanted / 2) : Infinity;
      let tried = 0;
      for (let story = onlyStory ?? 0; tried < share; story++) {
        const random = storyOf(seed, fault, story);
        const engine = await createGpuEngine({ device, settings: { livesRoom } });
        const particles = await FaultParticles.create(engine, random, count);
        const step =
          particleSteps[slow ? whole(random, 0, particleSteps.length - 1) : story % particleSteps.length];
        const stride = slow ? 1 : whole(random, 9, 14);
        for (let n = whole(random, 1, stride), isOver = false; !isOver && tried < share; n += stride) {
          const what = `seed ${seed}, story ${story}, ${step}, call ${n}`;
          isOver = !(await particles.tryStep(step, random, injector, n, what));
          if (!isOver) tried++;
        }
        particles.close();
        engine.close();
        if (onlyStory !== undefined) break;
      }
      console.log(`faults: ${tried} runs of particles on a device that ${fault}, seed ${seed}`);
    },
  );

  // A software GPU would compile the kernels of particles again for every device.
  it.runIf(slow)('that is lost, particles continue on another', forHours, async () => {
    let tried = 0;
    // The device opened after a loss has compiled kernels: lose it next.
    let spare: GPUDevice | undefined;
    for (let story = onlyStory ?? 0; tried < Math.ceil(wanted / 40); story++) {
      const random = storyOf(seed, 'lost', story);
      const lost = spare ?? (await deviceToLose());
      lost.addEventListener('uncapturederror', ignore);
      const engine = await engineOn({ ...wrapDevice(lost), owned: true }, { livesRoom });
      const particles = await FaultParticles.create(engine, random, count);
      const step = particleSteps[whole(random, 0, particleSteps.length - 1)];
      const fault: GpuFault = random() < 0.5 ? 'loses' : 'loses meanwhile';
      watchGpu(injector, lost, fault);
      const what = `seed ${seed}, story ${story}, ${step}, ${fault}`;
      if (await particles.tryStep(step, random, injector, whole(random, 1, 30), what)) tried++;
      injector.restore();
      particles.close();
      spare = engine.device;
      if (onlyStory !== undefined) break;
    }
    spare?.destroy();
    console.log(`faults: ${tried} runs of particles on a device that is lost, seed ${seed}`);
  });
});
