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
const laterMethods = ['raycast', 'layers', 'field'];
const mostResolution = 8192;

export function parseBackend(value: string): Backend {
  if (value === 'auto' || value === 'gpu' || value === 'cpu') return value;
  throw new NearfieldError('bad-option', `--backend is auto, gpu or cpu, not "${value}"`);
}

export function parseMethod(value: string, backend: Backend): Method {
  if (value === 'visibility' && backend === 'cpu') {
    throw new NearfieldError('bad-option', '--method visibility draws on a GPU, and --backend cpu has none');
  }
  if (value === 'auto' || value === 'hierarchy' || value === 'visibility') return value;
  if (laterMethods.includes(value)) {
    throw new NearfieldError(
      'unsupported',
      `--method ${value} is not in this version; use auto, hierarchy or visibility`,
    );
  }
  throw new NearfieldError('bad-option', `--method is auto, hierarchy or visibility, not "${value}"`);
}

/** Pixels along one side of an image. */
export function parseResolution(value: string | undefined, method: Method): number | undefined {
  if (value === undefined) return undefined;
  if (method !== 'visibility') {
    throw new NearfieldError('bad-option', '--resolution is of the images that --method visibility makes');
  }
  const resolution = value.trim() === '' ? Number.NaN : Number(value);
  if (Number.isInteger(resolution) && resolution >= 1 && resolution <= mostResolution) return resolution;
  const message = `--resolution takes a whole number of pixels from 1 to ${mostResolution}, not "${value}"`;
  throw new NearfieldError('bad-option', message);
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
