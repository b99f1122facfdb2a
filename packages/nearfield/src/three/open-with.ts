// One GPUDevice for drawing and for questions: Nearfield on the device that three.js draws with.

import { type Device, type Nearfield, NearfieldError, type OpenOptions, open } from 'nearfield';
import { inWords, isOptions } from './arguments.ts';

/**
 * Opens Nearfield on the WebGPU device of a three.js renderer, so that buffers can be shared. If the renderer has
 * none (WebGL), it opens on the CPU. Call it after `await renderer.init()`. Rejects with 'bad-option' for a wrong argument.
 */
export async function openWith(
  renderer: object,
  options: Omit<OpenOptions, 'device'> = {},
): Promise<Nearfield> {
  if (typeof renderer !== 'object' || renderer === null) {
    throw new NearfieldError(
      'bad-option',
      `renderer must be a renderer of three.js, not ${inWords(renderer)}`,
    );
  }
  // `open` checks the rest.
  if (!isOptions(options)) return open(options);
  const device = deviceOf(renderer);
  if (device === undefined || options.backend === 'cpu') return open({ backend: 'cpu', ...options });
  return open({ ...options, device });
}

/** The device of a WebGPURenderer; undefined for any other renderer. */
function deviceOf(renderer: object): Device | undefined {
  const { backend } = renderer as { backend?: { device?: Device | null } };
  return backend?.device ?? undefined;
}
