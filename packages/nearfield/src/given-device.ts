// The application's own GPUDevice, as it is given to `open` and `openGpu`.

import { isObject, wrong } from './core/arguments.ts';

/** A GPUDevice, where the compiler knows WebGPU; projects without its types can still compile against these. */
export type Device = typeof globalThis extends { GPUDevice: { prototype: infer Known } } ? Known : object;

/** Throws unless a GPUDevice was given. It is known by what is asked of one: its class depends on where WebGPU comes from. */
export function checkDevice(given: unknown, what: string): void {
  if (!isDevice(given)) throw wrong(what, 'a GPUDevice', given);
}

function isDevice(given: unknown): boolean {
  if (!isObject(given)) return false;
  const { queue, limits, features, lost, createBuffer } = given as Partial<GPUDevice>;
  return [queue, limits, features, lost].every(isObject) && typeof createBuffer === 'function';
}
