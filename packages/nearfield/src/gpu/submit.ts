// Submits work so that a refusal is noticed. If a device refuses a submission, because it found no memory for a
// buffer, it reports that only to the error scope around it; a read-back that follows would find what an earlier
// question left. So every submission has an error scope of its own, which is closed at once because the application
// may have scopes too, and no answer is given before the outcome of every submission is known.

import { NearfieldError } from '../core/errors.ts';

interface Submissions {
  /** The number of submissions so far; they are numbered from 1. */
  submitted: number;
  /** Submissions whose outcome is not known yet. */
  readonly pending: Set<Promise<void>>;
  /** The number of the last submission that was refused, 0 if none was, and the device's message about it. */
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

/** Submits what was recorded. Resolves with the reason if the device refuses it, undefined if it does not. */
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

/**
 * Creates something on a device. The promise resolves with the reason if the device refused, undefined if it did not.
 */
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

/** The reason why a device refused what was done within an error scope; undefined if it did not. */
export const reasonOf = (popped: Promise<GPUError | null>): Promise<string | undefined> =>
  popped.then(error => error?.message, String);

/**
 * How many submissions a device has had so far. If the outcome of one of them is not known yet, it belongs to an
 * earlier question and does not count against the next.
 */
export const submittedSoFar = (device: GPUDevice): number => submissionsOf(device).submitted;

/**
 * Waits for the outcome of every submission. Resolves with an error if one after number `before` was refused, else
 * undefined.
 */
export async function refusedSince(device: GPUDevice, before: number): Promise<NearfieldError | undefined> {
  const submissions = submissionsOf(device);
  while (submissions.pending.size > 0) await Promise.all(submissions.pending);
  return submissions.refused <= before ? undefined : refusal(submissions.message);
}

/** Whether every submission after number `before` is known to have been taken. */
export function areTakenSince(device: GPUDevice, before: number): boolean {
  const { pending, refused } = submissionsOf(device);
  return pending.size === 0 && refused <= before;
}

const refusedMessage = 'the GPU refused the work: most likely it is out of memory';

/** The error for refused work, with the device's own message. */
export const refusal = (reason: string): NearfieldError =>
  new NearfieldError('out-of-memory', `${refusedMessage} (${reason})`);

/** Throws if the serial number that was read back is an earlier submission's: then the last one did no work. */
export function throwIfRefused(found: number, serial: number): void {
  if (found !== serial) throw new NearfieldError('out-of-memory', refusedMessage);
}
