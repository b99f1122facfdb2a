// One GPUDevice for drawing and for questions: Nearfield on the device that three.js draws with.

import { type Device, type Nearfield, type OpenOptions, open } from 'nearfield';

/**
 * Opens Nearfield on the WebGPU device of a renderer of three.js, so that buffers can be shared; on the CPU where the
 * renderer has none (WebGL). Call it after `await renderer.init()`.
 */
export function openWith(renderer: object, options: Omit<OpenOptions, 'device'> = {}): Promise<Nearfield> {
  const device = deviceOf(renderer);
  if (device === undefined || options.backend === 'cpu')
    return open({ ...options, backend: options.backend ?? 'cpu' });
  return open({ ...options, device });
}

/** Where WebGPURenderer keeps it; undefined with any other renderer. */
function deviceOf(renderer: object): Device | undefined {
  const { backend } = renderer as { backend?: { device?: Device | null } };
  return backend?.device ?? undefined;
}
