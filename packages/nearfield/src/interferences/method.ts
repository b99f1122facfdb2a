// The methods by name, and which questions accept which method.

import { NearfieldError } from '../core/errors.ts';
import { quoted } from '../core/words.ts';

/** A method, one per paper. */
export type Method = 'hierarchy' | 'visibility' | 'raycast' | 'layers';

/** Exact methods. They find identical sets of triangle pairs. */
export type TriangleMethod = 'hierarchy' | 'visibility';

/**
 * What 'auto' stands for. Measured on an H200 with its clock locked, in milliseconds per frame from call to result,
 * trees against images: two rabbits of 68,000 triangles 0.26 against 1.4, 150 bending leaves 0.9 against 1.3, up to 345
 * pieces of a dragon 0.9 against 2.0, cloth of 92,000 triangles folding on itself 1.1 against 2.9. The visibility
 * method needs trees too, for the triangles that images do not exclude, and once there are trees the images cost more
 * than they save. On a software GPU images take several times as long as trees.
 */
export const usualTriangleMethod: TriangleMethod = 'hierarchy';

/** Sampling methods. Their answers state what they may miss, and name no triangles. */
export type SamplingMethod = 'raycast' | 'layers';

const methods: Readonly<Record<Method, { readonly samples: boolean }>> = {
  hierarchy: { samples: false },
  visibility: { samples: false },
  raycast: { samples: true },
  layers: { samples: true },
};

/** The method that the options name; undefined for 'auto' or none. Throws 'unsupported' if there is no such method. */
function methodOf(options: { readonly method?: string | undefined }): Method | undefined {
  // `options` may be null here: whether it is an object is checked with the other options.
  const method = (options as typeof options | null)?.method;
  if (method === undefined || method === 'auto') return undefined;
  if (typeof method === 'string' && Object.hasOwn(methods, method)) return method as Method;
  const known = ['auto', ...Object.keys(methods)].map(name => `'${name}'`).join(', ');
  throw new NearfieldError('unsupported', `there is no method ${quoted(method)}; use one of ${known}`);
}

const isSampling = (method: Method | undefined): method is SamplingMethod =>
  method !== undefined && methods[method].samples;

/** Throws 'unsupported' if an exact question names a sampling method. */
export function checkNotSampling(question: string, options: { readonly method?: string | undefined }): void {
  const method = methodOf(options);
  if (!isSampling(method)) return;
  const message = `${question} is exact, but method '${method}' samples; use sampledInterferences`;
  throw new NearfieldError('unsupported', message);
}

/** The sampling method that the options name. Throws 'unsupported' if they name an exact method or none. */
export function samplingMethodOf(
  question: string,
  options: { readonly method?: string | undefined },
): SamplingMethod {
  const method = methodOf(options);
  if (isSampling(method)) return method;
  const given = method === undefined ? 'none' : `'${method}', which is exact: use interferences`;
  throw new NearfieldError(
    'unsupported',
    `method of ${question} must be 'raycast' or 'layers', not ${given}`,
  );
}

export const withoutGpu = (method: Method): NearfieldError =>
  new NearfieldError('no-gpu', `method '${method}' draws on a GPU, but this question is answered on the CPU`);
