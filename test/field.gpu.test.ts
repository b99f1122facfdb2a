import { open } from 'nearfield';
import { fieldSpec } from './spec/field.ts';

fieldSpec(() => open({ backend: 'gpu' }));
