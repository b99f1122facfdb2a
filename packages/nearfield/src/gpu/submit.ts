// Submits work so that a refusal is noticed. A device that refuses a submission, because a buffer in it found no memory, reports
// that only to the error scope around it; a read-back that follows would then find what an earlier question left. So every
// submission has a scope of its own, closed at once because the application may have scopes too, and no answer is given before
// the outcome of every submission is known.

import { NearfieldError } from '../core/errors.ts';

interface Submissions {
  /** Submissions so far, which are numbered from 1 on. */
  submitted: number;
  /** Those whose outcome is not known yet. */
  readonly pending: Set<Promise<void>>;
  /** The last one that was refused, 0 where none was, and the device's message about it. */
  refused: number;
  message: string;
}

const submissionsByDevice = new WeakMap<GPUDevice, Submissions>();

function submissionsOf(device: GPUDevice): Submissions {
  let submissions = submissionsByDevice.get(device);
  if (submissions === undefined)
    submissionsByDevice.set(
      device,
      (submissions = { submitted: 0, pending: new Set(), refused: 0, message: '' }),
    );
  return submissions;
}

/** Submits what was recorded; resolves with why the device refused it, undefined where it did not. */
export function submit(device: GPUDevice, encoder: GPUCommandEncoder): Promise<string | undefined> {
  const submissions = submissionsOf(device);
  const number = ++submissions.submitted;
  let refused: Promise<string | undefined>;
  device.pushErrorScope('validation');
  try {
    device.queue.submit([encoder.finish()]);
  } finally {
    refused = reasonOf(device.popErrorScope());
    const pending = refused.then(reason => {
      submissions.pending.delete(pending);
      if (reason === undefined || number < submissions.refused) return;
      submissions.refused = number;
      submissions.message = reason;
    });
    submissions.pending.add(pending);
  }
  return refused;
}

/** Makes something on a device. The promise resolves with why there is none, or undefined where there is. */
export function make<T>(device: GPUDevice, work: () => T): readonly [T, Promise<string | undefined>] {
  device.pushErrorScope('validation');
  device.pushErrorScope('out-of-memory');
  try {
    const made = work();
    return [made, outcome()];
  } catch (error) {
    void outcome();
    throw error;
  }

  function outcome(): Promise<string | undefined> {
    const [full, invalid] = [device.popErrorScope(), device.popErrorScope()].map(reasonOf);
    return full.then(async reason => reason ?? (await invalid));
  }
}

/** Why a device refused what was done while an error scope was open; undefined where it did not. */
export const reasonOf = (popped: Promise<GPUError | null>): Promise<string | undefined> =>
  popped.then(error => error?.message, String);

/**
 * How many submissions a device has had so far. The outcome of an earlier one may not be known yet; it belongs to an earlier
 * question and does not count against the next.
 */
export const submittedSoFar = (device: GPUDevice): number => submissionsOf(device).submitted;

/** Waits for the outcome of every submission: an error where one after the first `before` was refused, else undefined. */
export async function refusedSince(device: GPUDevice, before: number): Promise<NearfieldError | undefined> {
  const submissions = submissionsOf(device);
  while (submissions.pending.size > 0) await Promise.all(submissions.pending);
  return submissions.refused <= before ? undefined : refusal(submissions.message);
}

const refusedMessage = 'the GPU refused the work: most likely it is out of memory';

/** The error for work that was refused, with the device's own message. */
export const refusal = (reason: string): NearfieldError =>
  new NearfieldError('out-of-memory', `${refusedMessage} (${reason})`);

/** Throws where what was read has the number of an earlier submission: the last one left nothing behind. */
export function throwIfRefused(found: number, serial: number): void {
  if (found !== serial) throw new NearfieldError('out-of-memory', refusedMessage);
}
