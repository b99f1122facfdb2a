// Opens the library with the backend that was asked for.

import { type Nearfield, type OpenOptions, open } from 'nearfield';

export type Backend = 'auto' | 'gpu' | 'cpu';

let shared: OpenOptions['device'];

/** Commands that run in this process from now on share a device, and what is compiled for it. */
export function shareDevice(device: OpenOptions['device']): void {
  shared = device;
}

export const openLibrary = (backend: Backend): Promise<Nearfield> =>
  backend === 'gpu' && shared !== undefined ? open({ device: shared }) : open({ backend });
