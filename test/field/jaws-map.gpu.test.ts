// The distance map of jaws on the GPU: the spec of the CPU backend.

import { open } from 'nearfield';
import { testDevice } from '../../packages/nearfield/src/gpu/testing/test-device.ts';
import { jawsMapSpec } from '../spec/sampled/jaws-map.ts';

jawsMapSpec(async () => open({ device: (await testDevice()).device }), 5000);
