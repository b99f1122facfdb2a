// The figures of particles as a table: one line per case and backend.

import { count, significant } from '../tables/markdown.ts';
import type { ParticleRow } from './measure.ts';

export const particleHeads: readonly string[] = [
  ...[
    'particles',
    'colliders',
    'life, s',
    'on',
    'impacts per frame',
    'found, ms',
    'with time and place as doubles, ms',
    'as single-precision arrays, ms',
    'with a map painted, ms',
    'with positions, ms',
  ],
  ...['first frame, ms', 'particles × colliders per second', 'followed', 'unsure first, %'],
];

/** The time of a frame: wall-clock time for a GPU, CPU time for a CPU. */
export const frameTime = ({ backend, found }: ParticleRow): number =>
  backend === 'gpu' ? found.median : found.processor;

export function particleCells(row: ParticleRow): string[] {
  const { particles, colliders, kinds, life, backend, found, told, arrays, painted, drawn } = row;
  const { cold, impacts, due, unsureShare } = row;
  const of = (times: typeof found) => significant(backend === 'gpu' ? times.median : times.processor);
  return [
    `${count(particles)}${row.target ? ' *' : ''}`,
    `${count(colliders)} ${kinds}`,
    `${life}`,
    backend,
    count(Math.round(impacts)),
    of(found),
    of(told),
    arrays ? of(arrays) : '',
    painted ? of(painted) : '',
    drawn ? of(drawn) : '',
    significant(cold),
    power((particles * colliders * 1000) / frameTime(row)),
    count(Math.round(due)),
    backend === 'gpu' ? significant(100 * unsureShare) : '',
  ];
}

export const particleNote =
  'A frame is 1/60 s. Medians of wall-clock time on a GPU, of CPU time on a CPU. Found: from the call until it is known which particles hit what; with time and place as doubles: also both in order, computed in double precision when they are read; as single-precision arrays: the GPU’s own numbers with bounds, read back with the answer; with a map painted: a map of 512 × 512 texels on the first collider, by the GPU; with positions: also all positions computed on the GPU. First frame: every life is solved. Followed: particles that needed a closer test. *: the goal, at most 2 ms with events read back.';

/** 1.23·10¹². */
function power(value: number): string {
  const exponent = Math.floor(Math.log10(value));
  const digits = [...String(exponent)].map(digit => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('');
  return `${(value / 10 ** exponent).toFixed(2)}·10${digits}`;
}
