import { open } from 'nearfield';
import { interferenceSpec } from '../spec/interference.ts';
import { selfIntersectionSpec } from '../spec/self-intersection.ts';

const size = process.env.NEARFIELD_SLOW ? { scenes: 200, triangles: 40 } : { scenes: 3, triangles: 24 };
const cpu = () => open({ backend: 'cpu' });

interferenceSpec(cpu, size);
selfIntersectionSpec(cpu, size);
