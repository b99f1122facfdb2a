// Submissions that somebody hears of. A device that refuses one, because of a buffer that there was no memory for, tells only the
// error scope around it; copies that were to follow then find what an earlier question left. So every submission has a scope,
// closed again at once, since the application may have scopes of its own; and no answer is given before all have been heard of.

import { NearfieldError } from '../errors.ts';

interface Heard {
  /** Submissions that the device has not spoken of yet. */
  readonly pending: Set<Promise<void>>;
  /** How many were refused, and what was said of the last. */
  refused: number;
  message: string;
}

const heardOf = new WeakMap<GPUDevice, Heard>();

function heardBy(device: GPUDevice): Heard {
  let heard = heardOf.get(device);
  if (heard === undefined) heardOf.set(device, (heard = { pending: new Set(), refused: 0, message: '' }));
  return heard;
}

/** Submits what was recorded. */
export function submit(device: GPUDevice, encoder: GPUCommandEncoder): void {
  const heard = heardBy(device);
  const refuse = (reason: string) => {
    heard.refused++;
    heard.message = reason;
  };
  device.pushErrorScope('validation');
  try {
    device.queue.submit([encoder.finish()]);
  } finally {
    const pending = device.popErrorScope().then(
      error => {
        heard.pending.delete(pending);
        if (error !== null) refuse(error.message);
      },
      error => {
        heard.pending.delete(pending);
        refuse(String(error));
      },
    );
    heard.pending.add(pending);
  }
}

/** Submissions of a device that are known to have been refused so far. */
export const refusedSoFar = (device: GPUDevice): number => heardBy(device).refused;

/** Waits until all have been heard of: what is wrong where more were refused than `before`, else undefined. */
export async function refusedSince(device: GPUDevice, before: number): Promise<NearfieldError | undefined> {
  const heard = heardBy(device);
  while (heard.pending.size > 0) await Promise.all(heard.pending);
  if (heard.refused === before) return undefined;
  const message = 'the GPU refused the work: most likely it is out of memory';
  return new NearfieldError('out-of-memory', `${message} (${heard.message})`);
}
