import { open } from 'nearfield';
import { jawsMapSpec } from './spec/jaws-map.ts';

jawsMapSpec(() => open({ backend: 'cpu' }), 8000);
