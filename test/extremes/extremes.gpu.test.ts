import { open } from 'nearfield';
import { testDevice } from '../../packages/nearfield/src/gpu/testing/test-device.ts';
import { extremesSpec } from '../spec/extremes.ts';

const size = process.env.NEARFIELD_SLOW ? { pairs: 100, points: 64 } : { pairs: 3, points: 64 };

extremesSpec(async () => open({ device: (await testDevice()).device }), { ...size, seed: 5000 });
