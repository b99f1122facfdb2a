// Distances on the GPU: the spec of the CPU backend. One device serves all of it.

import { open } from 'nearfield';
import { testDevice } from '../../packages/nearfield/src/gpu/testing/test-device.ts';
import { proximitySpec } from '../spec/proximity/proximity.ts';

const size = process.env.NEARFIELD_SLOW
  ? { scenes: 40, triangles: 40 }
  : { scenes: 2, triangles: 20, bodies: 26 };

proximitySpec(async () => open({ device: (await testDevice()).device }), size);
