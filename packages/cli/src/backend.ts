// Opens the library with the requested backend.

import { availableParallelism } from 'node:os';
import { type Nearfield, type OpenOptions, open } from 'nearfield';

export type Backend = 'auto' | 'gpu' | 'cpu';

/** What opens libraries: tests put another in its place, and put it back. */
export const opener = { open: (options: OpenOptions): Promise<Nearfield> => open(options) };

let shared: OpenOptions['device'];
let machine: Pick<OpenOptions, 'threads' | 'maxMemory'> = {};

/** Commands that run in this process share one device and the kernels compiled for it. */
export function shareDevice(device: OpenOptions['device']): void {
  shared = device;
}

/** How much of the machine the command may use, according to its options. */
export function limitMachine(limits: typeof machine): void {
  machine = limits;
}

export const openLibrary = (backend: Backend): Promise<Nearfield> =>
  backend === 'gpu' && shared !== undefined
    ? opener.open({ device: shared, ...machine })
    : opener.open({ backend, ...machine });

/** How many threads a command may use, and the most memory of an engine. */
export const machineLimits = (): { readonly threads: number; readonly maxMemory?: number | undefined } => ({
  threads: machine.threads ?? availableParallelism(),
  maxMemory: machine.maxMemory,
});
