import { open } from 'nearfield';
import { extremePosesSpec } from '../spec/extreme-poses.ts';

const size = process.env.NEARFIELD_SLOW ? { bodies: 2000, points: 20 } : { bodies: 25, points: 6 };
const seed = Number(process.env.NEARFIELD_SEED ?? 0);

extremePosesSpec(() => open({ backend: 'cpu' }), { ...size, seed });
