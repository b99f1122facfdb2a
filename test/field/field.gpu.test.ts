// Volumes and fields on the GPU: the spec of the CPU backend.

import { open } from 'nearfield';
import { testDevice } from '../../packages/nearfield/src/gpu/testing/test-device.ts';
import { fieldSpec } from '../spec/sampled/field.ts';

fieldSpec(async () => open({ device: (await testDevice()).device }));
