// Opens the library with the backend that was asked for.

import { type Nearfield, open } from 'nearfield';

export type Backend = 'auto' | 'gpu' | 'cpu';

export const openLibrary = (backend: Backend): Promise<Nearfield> => open({ backend });
