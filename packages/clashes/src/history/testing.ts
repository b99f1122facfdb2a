// Assemblies of boxes for tests of history. They are checked as the command line checks files: by checkAssembly on the CPU.

import { mesh, type Nearfield, open } from 'nearfield';
import { type CheckAnswer, type CheckQuestion, checkAssembly } from '../assembly/check.ts';
import type { AssemblyAnswer, AssemblyPair, GivenBody } from '../assembly/types.ts';
import { assemblyJson } from '../exchange/json.ts';
import { type Baseline, parseBaseline } from './baseline.ts';

export interface Part extends Omit<GivenBody, 'mesh' | 'pose'> {
  /** The lowest corner. */
  readonly at: readonly number[];
  readonly size: readonly number[];
  /** Whether its last face is missing: it is no solid then. */
  readonly isOpen?: boolean;
}

/** A box. The mesh is that of its size. */
export const part = (
  name: string,
  at: readonly number[],
  size: readonly number[],
  more: Partial<Part> = {},
): Part => ({
  ...{ name, file: 'house.ifc', at, size },
  ...more,
});

/** A translation. */
export const moved = (x: number, y: number, z: number): Float64Array =>
  Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1);

/** The corners are numbered by the bits of x, y and z; triangles face out. */
const faces = [
  ...[0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4],
  ...[2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5],
];

function bodyOf({ at, size, isOpen, ...said }: Part): GivenBody {
  const corners = Array.from({ length: 8 }, (_, i) => [i & 1, (i >> 1) & 1, i >> 2]);
  const positions = Float64Array.from(corners.flatMap(corner => corner.map((bit, axis) => bit * size[axis])));
  const indices = Uint32Array.from(isOpen ? faces.slice(0, -6) : faces);
  return { ...said, mesh: mesh(positions, indices), pose: moved(at[0], at[1], at[2]) };
}

let opened: Promise<Nearfield> | undefined;

/** The answer about the parts, with identities, and what the user is told. */
export async function checkParts(
  parts: readonly Part[],
  options: Partial<CheckQuestion> = {},
): Promise<CheckAnswer> {
  opened ??= open({ backend: 'cpu' });
  return checkAssembly(await opened, {
    ...{ method: 'auto', samples: false, depths: 'all', keepTriangles: 'none', points: true },
    ...{ readTime: 0, openTime: 0, version: '0.0.0', identities: true, progress: () => {} },
    bodies: parts.map(bodyOf),
    ...options,
  });
}

/** The answer as a later check reads it: written as JSON, and read. */
export const asBaseline = (answer: AssemblyAnswer): Baseline =>
  parseBaseline('last.json', [...assemblyJson(answer, false)].join(''));

/** `a | b`: a pair by the names of its bodies, in order. */
export const namesOf = ({ bodies }: Pick<AssemblyAnswer, 'bodies'>, { a, b }: AssemblyPair): string =>
  [bodies[a].name, bodies[b].name].sort().join(' | ');

/** The change of every clash, and the outcome of every one that is gone, by names of parts, in order. */
export function changesOf(answer: AssemblyAnswer): string[] {
  const now = answer.frames[0].pairs.flatMap(pair =>
    pair.change ? [`${namesOf(answer, pair)}: ${pair.change}`] : [],
  );
  const gone = (answer.history?.gone ?? []).map(
    ({ was, outcome }) => `${[was.a.name, was.b.name].sort().join(' | ')}: ${outcome}`,
  );
  return [...now, ...gone].sort();
}

/** The identity of each pair by the names of its bodies. */
export const idsOf = (answer: AssemblyAnswer): Map<string, string | undefined> =>
  new Map(answer.frames[0].pairs.map(pair => [namesOf(answer, pair), pair.clash]));
