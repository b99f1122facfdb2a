import { open } from 'nearfield';
import { fieldTiesSpec } from '../spec/sampled/field-ties.ts';

const size = process.env.NEARFIELD_SLOW
  ? { resolution: 24, solids: 150, solidResolution: 6 }
  : { resolution: 8, solids: 6, solidResolution: 4 };

fieldTiesSpec(() => open({ backend: 'cpu' }), [{}], { ...size, off: [0, 0] });
