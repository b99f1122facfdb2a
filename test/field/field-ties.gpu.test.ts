import { open } from 'nearfield';
import { testDevice } from '../../packages/nearfield/src/gpu/testing/test-device.ts';
import { fieldTiesSpec } from '../spec/sampled/field-ties.ts';

const size = process.env.NEARFIELD_SLOW
  ? { resolution: 24, solids: 60, solidResolution: 6 }
  : { resolution: 6, solids: 2, solidResolution: 3 };

fieldTiesSpec(
  async () => open({ device: (await testDevice()).device }),
  [{ form: 'tree' }, { form: 'raster' }],
  { ...size, off: [2 ** -17, 2 ** -22] },
);
