// Every question of the CPU backend about bodies that were deformed.

import { type CpuNearfield, open } from 'nearfield';
import { afterAll, beforeAll } from 'vitest';
import { deformedSpec } from '../spec/deformed.ts';
import { questions } from '../spec/faults/scenes.ts';

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

deformedSpec({ scene: () => nf.scene(), questions });
