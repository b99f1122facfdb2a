// Answers about assemblies for tests, without an engine.

import type { AssemblyAnswer, AssemblyPair } from './assembly/types.ts';

/** An answer about solids with these names. */
export function answerOf(
  names: readonly string[],
  pairs: readonly AssemblyPair[],
  more: Partial<AssemblyAnswer> = {},
): AssemblyAnswer {
  return {
    version: '0.0.0',
    backend: { kind: 'cpu', name: 'test' },
    method: 'hierarchy',
    bodies: names.map((name, index) => ({
      index,
      name,
      vertices: 8,
      triangles: 12,
      closed: true,
      solid: true,
    })),
    isMotion: false,
    frames: [{ frame: 0, pairs }],
    timing: { read: 0, build: 0, query: 0 },
    ...more,
  };
}
