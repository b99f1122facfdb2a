import { open } from 'nearfield';
import { mapVerdictSpec } from '../spec/sampled/map-verdict.ts';

mapVerdictSpec(() => open({ backend: 'cpu' }), 16);
