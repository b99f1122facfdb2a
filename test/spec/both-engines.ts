// The GPU engine on the tests' device, and the CPU engine as its reference, for one test file.

import { type CpuNearfield, type Mesh, type Nearfield, open, type Scene } from 'nearfield';
import { afterAll, beforeAll } from 'vitest';
import { testDevice } from '../../packages/nearfield/src/gpu/testing/test-device.ts';

export interface BothEngines {
  readonly gpu: Nearfield;
  readonly cpu: CpuNearfield;
  /** A scene on the GPU of meshes, each at its pose. */
  sceneOf(...parts: readonly (readonly [Mesh, (readonly number[])?])[]): Scene;
}

/** Opened before the file's tests and closed after them. */
export function openBoth(): BothEngines {
  let gpu: Nearfield;
  let cpu: CpuNearfield;
  beforeAll(async () => {
    gpu = await open({ device: (await testDevice()).device });
    cpu = await open({ backend: 'cpu' });
  }, 120_000);
  afterAll(() => {
    gpu.close();
    cpu.close();
  });
  return {
    get gpu() {
      return gpu;
    },
    get cpu() {
      return cpu;
    },
    sceneOf(...parts) {
      const scene = gpu.scene();
      for (const [part, pose] of parts) scene.add(part, pose ? { pose } : {});
      return scene;
    },
  };
}
