// What the options of a command line mean, checked before any file is opened.

import { NearfieldError, type Relation } from 'nearfield';
import type { Method } from '../assembly.ts';
import type { Backend } from '../backend.ts';

export const relations: readonly Relation[] = [
  'separate',
  'touching',
  'coincident',
  'inside',
  'contains',
  'crossing',
];
/** The methods of the design that this version does not have. */
const laterMethods = ['visibility', 'raycast', 'layers', 'field'];

export function parseBackend(value: string): Backend {
  if (value === 'auto' || value === 'gpu' || value === 'cpu') return value;
  throw new NearfieldError('bad-option', `--backend is auto, gpu or cpu, not "${value}"`);
}

export function parseMethod(value: string): Method {
  if (value === 'auto' || value === 'hierarchy') return value;
  if (laterMethods.includes(value)) {
    throw new NearfieldError(
      'unsupported',
      `--method ${value} is not in this version; use auto or hierarchy`,
    );
  }
  throw new NearfieldError('bad-option', `--method is auto or hierarchy, not "${value}"`);
}

export function parseClearance(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const clearance = value.trim() === '' ? Number.NaN : Number(value);
  if (clearance > 0 && clearance < Infinity) return clearance;
  throw new NearfieldError('bad-option', `--clearance takes a distance above 0, not "${value}"`);
}

/** A browser goes by the ending. */
export function checkReportName(report: string | undefined): void {
  if (report === undefined || /\.html?$/i.test(report)) return;
  throw new NearfieldError('bad-option', `--report writes a page and ends in .html, not "${report}"`);
}

/** Relations given one by one or with commas between. */
export function parseIgnored(values: readonly string[] = []): ReadonlySet<Relation> {
  const ignored = new Set<Relation>();
  for (const value of values.flatMap(text => text.split(','))) {
    const relation = relations.find(known => known === value.trim());
    if (!relation) {
      throw new NearfieldError(
        'bad-option',
        `--ignore takes a relation (${relations.join(', ')}), not "${value}"`,
      );
    }
    ignored.add(relation);
  }
  return ignored;
}
