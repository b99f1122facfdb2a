import { open } from 'nearfield';
import { jawsMapSpec } from '../spec/sampled/jaws-map.ts';

jawsMapSpec(() => open({ backend: 'cpu' }), 8000);
