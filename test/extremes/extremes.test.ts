import { open } from 'nearfield';
import { extremesSpec } from '../spec/extremes.ts';

const size = process.env.NEARFIELD_SLOW ? { pairs: 600, points: 20 } : { pairs: 8, points: 8 };

extremesSpec(() => open({ backend: 'cpu' }), size);
