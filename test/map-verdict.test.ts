import { open } from 'nearfield';
import { mapVerdictSpec } from './spec/map-verdict.ts';

mapVerdictSpec(() => open({ backend: 'cpu' }), 16);
