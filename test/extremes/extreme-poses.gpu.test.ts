import { open } from 'nearfield';
import { testDevice } from '../../packages/nearfield/src/gpu/testing/test-device.ts';
import { extremePosesSpec } from '../spec/extreme-poses.ts';

const size = process.env.NEARFIELD_SLOW ? { bodies: 300, points: 40 } : { bodies: 6, points: 6 };
const seed = Number(process.env.NEARFIELD_SEED ?? 7000);

extremePosesSpec(async () => open({ device: (await testDevice()).device }), { ...size, seed });
