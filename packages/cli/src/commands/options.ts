// Parses and checks the options of the command line, before any file is opened.

import { relations } from '@nearfield/clashes';
import { type Length, parseLength, parseUnit, type Tessellation } from '@nearfield/io';
import { NearfieldError, type Relation } from 'nearfield';
import type { Backend } from '../backend.ts';
import { listed, type Method, methodNames, methods, methodsWith } from '../method.ts';

const mostResolution = 8192;

export const parseBackend = (value: string): Backend =>
  parseChoice(value, '--backend', ['auto', 'gpu', 'cpu'] as const)!;

export function parseMethod(value: string, backend: Backend): Method {
  const method = methodNames.find(known => known === value);
  if (method === undefined) {
    throw new NearfieldError('bad-option', `--method must be ${listed(methodNames)}, not "${value}"`);
  }
  if (methods[method].images && backend === 'cpu') {
    throw new NearfieldError(
      'bad-option',
      `--method ${method} needs a GPU; it cannot run with --backend cpu`,
    );
  }
  return method;
}

/** Pixels along one side of an image. */
export function parseResolution(value: string | undefined, method: Method): number | undefined {
  if (value !== undefined && !methods[method].images) {
    const makers = listed(methodsWith('images'));
    throw new NearfieldError('bad-option', `--resolution needs --method ${makers}`);
  }
  return parsePixels(value);
}

export function parsePixels(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const resolution = value.trim() === '' ? Number.NaN : Number(value);
  if (Number.isInteger(resolution) && resolution >= 1 && resolution <= mostResolution) return resolution;
  const message = `--resolution takes a whole number of pixels from 1 to ${mostResolution}, not "${value}"`;
  throw new NearfieldError('bad-option', message);
}

/** A unit of length, in metres. */
export function parseUnits(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  try {
    return parseUnit(value);
  } catch (error) {
    if (!(error instanceof NearfieldError)) throw error;
    throw new NearfieldError('bad-option', `--units: ${error.message}`, { cause: error });
  }
}

/** How far triangles may lie from curved surfaces, and the angle between neighbouring ones, which is given in degrees. */
export function parseTessellation(
  distance: string | undefined,
  degrees: string | undefined,
): Tessellation | undefined {
  if (distance === undefined && degrees === undefined) return undefined;
  const angle = degrees === undefined || degrees.trim() === '' ? Number.NaN : Number(degrees);
  if (degrees !== undefined && !(angle >= 1 && angle <= 180)) {
    const message = `--tessellation-angle takes degrees from 1 to 180, not "${degrees}"`;
    throw new NearfieldError('bad-option', message);
  }
  return {
    linear: parseLengthOption(distance, '--tessellation'),
    angular: degrees === undefined ? undefined : (angle * Math.PI) / 180,
  };
}

/** A length above 0, with or without a unit. */
export function parseLengthOption(text: string | undefined, option: string): Length | undefined {
  if (text === undefined) return undefined;
  try {
    const length = parseLength(text);
    if (length.value > 0) return length;
  } catch (error) {
    if (!(error instanceof NearfieldError)) throw error;
  }
  throw new NearfieldError(
    'bad-option',
    `${option} takes a distance above 0, such as 5 or 5mm, not "${text}"`,
  );
}

/** One of a few words. */
export function parseChoice<T extends string>(
  value: string | undefined,
  option: string,
  choices: readonly T[],
): T | undefined {
  if (value === undefined) return undefined;
  const choice = choices.find(known => known === value);
  if (choice !== undefined) return choice;
  throw new NearfieldError('bad-option', `${option} must be ${listed(choices)}, not "${value}"`);
}

export const parseExpansion = (value: string | undefined): number | undefined =>
  parsePositive(value, '--max-expansion');

const mostThreads = 256;

export function parseThreads(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const threads = value.trim() === '' ? Number.NaN : Number(value);
  if (Number.isInteger(threads) && threads >= 1 && threads <= mostThreads) return threads;
  const message = `--threads takes a whole number from 1 to ${mostThreads}, not "${value}"`;
  throw new NearfieldError('bad-option', message);
}

const bytesOf = { '': 1e6, MB: 1e6, GB: 1e9, MiB: 2 ** 20, GiB: 2 ** 30 } as const;
const leastMegabytes = 17;

/** A size of memory in bytes, from megabytes or with a unit. */
export function parseMemory(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const [, number, unit] = /^\s*(\d+(?:\.\d+)?)\s*(MB|GB|MiB|GiB|)\s*$/.exec(value) ?? [];
  const bytes = Math.floor(Number(number) * (bytesOf[unit as keyof typeof bytesOf] ?? Number.NaN));
  if (bytes >= leastMegabytes * 1e6) return bytes;
  const message = `--max-memory takes at least ${leastMegabytes} megabytes, or a size such as 2GB or 512MiB, not "${value}"`;
  throw new NearfieldError('bad-option', message);
}

export function parsePositive(
  value: string | undefined,
  option: string,
  what = 'number',
): number | undefined {
  if (value === undefined) return undefined;
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (number > 0 && number < Infinity) return number;
  throw new NearfieldError('bad-option', `${option} takes a ${what} above 0, not "${value}"`);
}

/** A browser recognises a page by its file extension. */
export function checkReportName(report: string | undefined): void {
  if (report === undefined || /\.html?$/i.test(report)) return;
  throw new NearfieldError('bad-option', `--report must end in .html, not "${report}"`);
}

/** Relations from repeated options, or separated by commas. */
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

/** For an option that may be given several times. */
export const collect = (value: string, values: string[] = []) => [...values, value];
