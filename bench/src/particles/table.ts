// Figures of particles as a table: a line a case and backend.

import { significant } from '../table.ts';
import type { ParticleRow } from './measure.ts';

export const particleHeads: readonly string[] = [
  ...[
    'particles',
    'colliders',
    'life, s',
    'on',
    'impacts a frame',
    'found, ms',
    'with time and place, ms',
    'with positions, ms',
  ],
  ...['first frame, ms', 'particles × colliders a second', 'followed', 'unsure first, %'],
];

/** A frame is a GPU's on the clock, a CPU's on the processor. */
export const frameTime = ({ backend, found }: ParticleRow): number =>
  backend === 'gpu' ? found.median : found.processor;

export function particleCells(row: ParticleRow): string[] {
  const { particles, colliders, kinds, life, backend, found, told, drawn, cold, impacts, due, unsureShare } =
    row;
  const of = (times: typeof found) => significant(backend === 'gpu' ? times.median : times.processor);
  return [
    `${count(particles)}${row.target ? ' *' : ''}`,
    `${count(colliders)} ${kinds}`,
    `${life}`,
    backend,
    count(Math.round(impacts)),
    of(found),
    of(told),
    drawn ? of(drawn) : '',
    significant(cold),
    power((particles * colliders * 1000) / frameTime(row)),
    count(Math.round(due)),
    backend === 'gpu' ? significant(100 * unsureShare) : '',
  ];
}

export const particleNote =
  'A frame is 1/60 s, medians: of the clock on a GPU, on the processor on a CPU. Found: from the call until it is known which particles hit what; with time and place: and both in order, in double precision; with positions: and all of them made on the GPU. First frame: every life solved. Followed: particles that were looked at more closely, the others had nothing to tell. *: the goal, at most 2 ms with events read back.';

const count = (value: number): string => value.toLocaleString('en');

/** 1.23·10¹². */
function power(value: number): string {
  const exponent = Math.floor(Math.log10(value));
  const digits = [...String(exponent)].map(digit => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('');
  return `${(value / 10 ** exponent).toFixed(2)}·10${digits}`;
}
