// The specs of the CPU backend, on the GPU. One device serves all of them.

import { open } from 'nearfield';
import { testDevice } from '../packages/nearfield/src/gpu/test-device.ts';
import { interferenceSpec } from './spec/interference.ts';
import { lifecycleSpec } from './spec/lifecycle.ts';
import { selfIntersectionSpec } from './spec/self-intersection.ts';

const size = process.env.NEARFIELD_SLOW ? { scenes: 40, triangles: 40 } : { scenes: 2, triangles: 20 };
const gpu = async () => open({ device: (await testDevice()).device });

lifecycleSpec(gpu);
interferenceSpec(gpu, size);
selfIntersectionSpec(gpu, size);
