// Submits work so that a refusal is noticed. A device that refuses a submission, because a buffer in it found no memory, reports
// that only to the error scope around it; a read-back that follows would then find what an earlier question left. So every
// submission has a scope of its own, closed at once because the application may have scopes too, and no answer is given before
// the outcome of every submission is known.

import { NearfieldError } from '../errors.ts';

interface Submissions {
  /** Those whose outcome is not known yet. */
  readonly pending: Set<Promise<void>>;
  /** How many were refused, and the device's message about the last. */
  refused: number;
  message: string;
}

const submissionsByDevice = new WeakMap<GPUDevice, Submissions>();

function submissionsOf(device: GPUDevice): Submissions {
  let submissions = submissionsByDevice.get(device);
  if (submissions === undefined) {
    submissions = { pending: new Set(), refused: 0, message: '' };
    submissionsByDevice.set(device, submissions);
  }
  return submissions;
}

/** Submits what was recorded. */
export function submit(device: GPUDevice, encoder: GPUCommandEncoder): void {
  const submissions = submissionsOf(device);
  const refuse = (reason: string) => {
    submissions.refused++;
    submissions.message = reason;
  };
  device.pushErrorScope('validation');
  try {
    device.queue.submit([encoder.finish()]);
  } finally {
    const pending = device.popErrorScope().then(
      error => {
        submissions.pending.delete(pending);
        if (error !== null) refuse(error.message);
      },
      error => {
        submissions.pending.delete(pending);
        refuse(String(error));
      },
    );
    submissions.pending.add(pending);
  }
}

/** How many submissions of a device are known to have been refused so far. */
export const refusedSoFar = (device: GPUDevice): number => submissionsOf(device).refused;

/** Waits for the outcome of every submission: an error if more were refused than `before`, else undefined. */
export async function refusedSince(device: GPUDevice, before: number): Promise<NearfieldError | undefined> {
  const submissions = submissionsOf(device);
  while (submissions.pending.size > 0) await Promise.all(submissions.pending);
  if (submissions.refused === before) return undefined;
  const message = 'the GPU refused the work: most likely it is out of memory';
  return new NearfieldError('out-of-memory', `${message} (${submissions.message})`);
}
