// Runs the spec of the CPU backend with a GPU that finds the candidate triangles. The GPU is used for 64 points or
// more.

import { open } from 'nearfield';
import { testDevice } from '../../packages/nearfield/src/gpu/testing/test-device.ts';
import { closestSliversSpec } from '../spec/proximity/closest-slivers.ts';

const size = process.env.NEARFIELD_SLOW
  ? { triangles: 600, solids: 300, points: 64, seed: 1000 }
  : { triangles: 16, solids: 6, points: 64, seed: 1000 };

closestSliversSpec(async () => open({ device: (await testDevice()).device }), size);
