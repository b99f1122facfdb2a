import { open } from 'nearfield';
import { closestSliversSpec } from '../spec/proximity/closest-slivers.ts';

const size = process.env.NEARFIELD_SLOW
  ? { triangles: 20_000, solids: 2000, points: 20 }
  : { triangles: 200, solids: 30, points: 8 };

closestSliversSpec(() => open({ backend: 'cpu' }), size);
