// The counts of distance maps on the GPU: the spec of the CPU backend.

import { open } from 'nearfield';
import { testDevice } from '../../packages/nearfield/src/gpu/testing/test-device.ts';
import { mapVerdictSpec } from '../spec/sampled/map-verdict.ts';

mapVerdictSpec(async () => open({ device: (await testDevice()).device }), 8);
