// What the command line needs to know about the library's methods: one table for the options, the help and the answer.

import type { Method as KnownMethod } from 'nearfield';

/** What `--method` takes. */
export type Method = 'auto' | KnownMethod;

export const methods: Readonly<Record<Method, MethodFacts>> = {
  auto: { images: false, samples: false },
  hierarchy: { images: false, samples: false },
  visibility: { images: true, samples: false },
  raycast: { images: true, samples: true },
  layers: { images: true, samples: true },
};

interface MethodFacts {
  /** Renders images: needs a GPU and takes --resolution. */
  readonly images: boolean;
  /** May miss small interferences, states how small, and finds pairs of bodies instead of triangles. */
  readonly samples: boolean;
}

export const methodNames = Object.keys(methods) as Method[];

/** "auto, hierarchy or visibility" */
export function listed(names: readonly string[], last = 'or'): string {
  return names.length < 2
    ? names.join()
    : `${names.slice(0, -1).join(', ')} ${last} ${names[names.length - 1]}`;
}

export const methodsWith = (fact: keyof MethodFacts): Method[] =>
  methodNames.filter(name => methods[name][fact]);
