// Submissions that somebody hears of. A device that refuses one, because of a buffer that there was no memory for, tells only the
// error scope around it; copies that were to follow then find what an earlier question left. So every submission has a scope,
// closed again at once, since the application may have scopes of its own; and no answer is given before all have been heard of.

import { NearfieldError } from '../errors.ts';

interface Heard {
  /** Submissions so far, which are numbered from 1 on. */
  submitted: number;
  /** Those that the device has not spoken of yet. */
  readonly pending: Set<Promise<void>>;
  /** The last one that was refused, 0 where none was, and what was said of it. */
  refused: number;
  message: string;
}

const heardOf = new WeakMap<GPUDevice, Heard>();

function heardBy(device: GPUDevice): Heard {
  let heard = heardOf.get(device);
  if (heard === undefined)
    heardOf.set(device, (heard = { submitted: 0, pending: new Set(), refused: 0, message: '' }));
  return heard;
}

/** Submits what was recorded; resolves with why the device refused it, undefined where it did not. */
export function submit(device: GPUDevice, encoder: GPUCommandEncoder): Promise<string | undefined> {
  const heard = heardBy(device);
  const number = ++heard.submitted;
  let refused: Promise<string | undefined>;
  device.pushErrorScope('validation');
  try {
    device.queue.submit([encoder.finish()]);
  } finally {
    refused = reasonOf(device.popErrorScope());
    const pending = refused.then(reason => {
      heard.pending.delete(pending);
      if (reason === undefined || number < heard.refused) return;
      heard.refused = number;
      heard.message = reason;
    });
    heard.pending.add(pending);
  }
  return refused;
}

/** Makes something on a device, and hears of it: resolves with why there is none, undefined where there is. */
export function make<T>(device: GPUDevice, work: () => T): readonly [T, Promise<string | undefined>] {
  device.pushErrorScope('validation');
  device.pushErrorScope('out-of-memory');
  try {
    const made = work();
    return [made, heardTwice()];
  } catch (error) {
    void heardTwice();
    throw error;
  }

  function heardTwice(): Promise<string | undefined> {
    const [full, invalid] = [device.popErrorScope(), device.popErrorScope()].map(reasonOf);
    return full.then(async reason => reason ?? (await invalid));
  }
}

/** Why a device refused what was done while an error scope was open; undefined where it did not. */
export const reasonOf = (popped: Promise<GPUError | null>): Promise<string | undefined> =>
  popped.then(error => error?.message, String);

/**
 * Submissions of a device so far. One that was refused earlier may not have been heard of yet: it is an earlier question's, and
 * not counted.
 */
export const submittedSoFar = (device: GPUDevice): number => heardBy(device).submitted;

/** Waits until all have been heard of: what is wrong where one was refused that came after the first `before`, else undefined. */
export async function refusedSince(device: GPUDevice, before: number): Promise<NearfieldError | undefined> {
  const heard = heardBy(device);
  while (heard.pending.size > 0) await Promise.all(heard.pending);
  return heard.refused <= before ? undefined : refusal(heard.message);
}

/** What is told of work that was refused, with what the device said. */
export function refusal(reason: string): NearfieldError {
  const message = 'the GPU refused the work: most likely it is out of memory';
  return new NearfieldError('out-of-memory', `${message} (${reason})`);
}
