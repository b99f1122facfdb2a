// Which methods there are, what each needs, and which questions may name it.

import { NearfieldError } from '../core/errors.ts';
import { quoted } from '../core/words.ts';

/** A way to answer, one a paper. */
export type Method = 'hierarchy' | 'visibility' | 'raycast' | 'layers';

/** Methods that find triangles, to the last pair the same. */
export type TriangleMethod = 'hierarchy' | 'visibility';

/**
 * What 'auto' is where both could answer: the one place where that is chosen. Measured on an H200 with its clock locked,
 * milliseconds a frame from call to result, trees against images: two rabbits of 68,000 triangles 0.26 against 1.4, 150 bending
 * leaves 0.9 against 1.3, up to 345 pieces of a dragon 0.9 against 2.0, cloth of 92,000 folding on itself 1.1 against 2.9. What
 * images leave walks trees, so these are made in either way, and with trees at hand images cost more than they save. On a
 * software GPU images take several times as long.
 */
export const usualTriangleMethod: TriangleMethod = 'hierarchy';

/** Methods that sample: their answers carry what they may miss, and say nothing about triangles. */
export type SamplingMethod = 'raycast' | 'layers';

const methods: Readonly<Record<Method, { readonly samples: boolean }>> = {
  hierarchy: { samples: false },
  visibility: { samples: false },
  raycast: { samples: true },
  layers: { samples: true },
};

/** The method a question names; undefined where it leaves the choice open. Throws where there is none of that name. */
export function methodOf(options: { readonly method?: string | undefined }): Method | undefined {
  // What is not an object of options is refused when the other options are checked.
  const method = (options as typeof options | null)?.method;
  if (method === undefined || method === 'auto') return undefined;
  if (typeof method === 'string' && Object.hasOwn(methods, method)) return method as Method;
  const known = ['auto', ...Object.keys(methods)].map(name => `'${name}'`).join(', ');
  throw new NearfieldError('unsupported', `there is no method ${quoted(method)}; use one of ${known}`);
}

export const isSampling = (method: Method | undefined): method is SamplingMethod =>
  method !== undefined && methods[method].samples;

/** Throws where a question about triangles, or one that does not wait, names a method that samples. */
export function checkNotSampling(question: string, options: { readonly method?: string | undefined }): void {
  const method = methodOf(options);
  if (!isSampling(method)) return;
  const message = `${question} is exact, and method '${method}' samples; ask scene.sampledInterferences`;
  throw new NearfieldError('unsupported', message);
}

/** The method of a question that samples; throws where another is named, or none. */
export function samplingMethodOf(
  question: string,
  options: { readonly method?: string | undefined },
): SamplingMethod {
  const method = methodOf(options);
  if (isSampling(method)) return method;
  const given = method === undefined ? 'none' : `'${method}', which is exact: ask scene.interferences`;
  throw new NearfieldError('unsupported', `method of ${question} is 'raycast' or 'layers', not ${given}`);
}

export const withoutGpu = (method: Method): NearfieldError =>
  new NearfieldError('no-gpu', `method '${method}' draws on a GPU, and this question is answered on the CPU`);
