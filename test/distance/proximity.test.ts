import { open } from 'nearfield';
import { proximitySpec } from '../spec/proximity/proximity.ts';

const size = process.env.NEARFIELD_SLOW ? { scenes: 60, triangles: 40 } : { scenes: 3, triangles: 20 };

proximitySpec(() => open({ backend: 'cpu' }), size);
