// Parses and checks the options of `check`, before any file is opened. Lengths may have units of their own; they become
// numbers when the unit of the answer is known.

import type { BcfVersion, GroupBy, ShardNumber } from '@nearfield/clashes';
import type { Length, Tessellation } from '@nearfield/io';
import { NearfieldError, type Relation } from 'nearfield';
import type { Backend } from '../../backend.ts';
import { type Method, methods } from '../../method.ts';
import {
  checkReportName,
  parseBackend,
  parseChoice,
  parseExpansion,
  parseIgnored,
  parseLengthOption,
  parseMethod,
  parseResolution,
  parseTessellation,
  parseUnits,
} from '../options.ts';
import { formatOf, type OutFormat } from './formats.ts';

/** As the command line gives them. */
export interface CheckOptions {
  readonly method: string;
  readonly resolution?: string | undefined;
  readonly backend: string;
  readonly clearance?: string | undefined;
  readonly tolerance?: string | undefined;
  readonly units?: string | undefined;
  readonly rules?: string | undefined;
  readonly between?: readonly string[] | undefined;
  readonly baseline?: string | undefined;
  readonly failOn?: string | undefined;
  readonly statuses?: string | undefined;
  readonly group?: string | undefined;
  readonly depths?: string | undefined;
  readonly volumes?: boolean | undefined;
  readonly rows?: string | undefined;
  readonly poses?: string | undefined;
  readonly joints?: string | undefined;
  readonly srdf?: string | undefined;
  readonly ignore?: readonly string[] | undefined;
  readonly triangles?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly out?: readonly string[] | undefined;
  readonly report?: string | undefined;
  readonly bcfVersion?: string | undefined;
  readonly oneBody?: boolean | undefined;
  readonly tessellation?: string | undefined;
  readonly tessellationAngle?: string | undefined;
  readonly maxExpansion?: string | undefined;
  readonly shard?: string | undefined;
}

/** The options that say what is asked: all shards of a check have the same. The others say what is made of the answer. */
export const askingOptions = [
  ...(['method', 'resolution', 'clearance', 'tolerance', 'units', 'rules', 'between', 'depths'] as const),
  ...(['volumes', 'poses', 'joints', 'srdf', 'ignore', 'triangles', 'oneBody', 'maxExpansion'] as const),
  ...(['tessellation', 'tessellationAngle'] as const),
];

export interface Settings {
  readonly method: Method;
  readonly backend: Backend;
  readonly resolution: number | undefined;
  readonly clearance: Length | undefined;
  readonly tolerance: Length | 'file' | undefined;
  /** In metres. */
  readonly units: number | undefined;
  readonly ignore: ReadonlySet<Relation>;
  readonly between: readonly [string, string] | undefined;
  readonly failOn: 'any' | 'new';
  readonly group: GroupBy | undefined;
  readonly depths: 'none' | 'shown' | 'all' | undefined;
  readonly rows: number;
  readonly outputs: readonly Output[];
  readonly bcfVersion: BcfVersion;
  readonly tessellation: Tessellation | undefined;
  readonly maxExpansion: number | undefined;
  /** The part of the question that is asked; undefined for all of it. */
  readonly shard: ShardNumber | undefined;
}

/** Where an answer goes, in which format. */
export interface Output {
  readonly option: '--out' | '--report';
  readonly name: string;
  readonly format: OutFormat;
}

/** Rows that a person reads. */
const usualRows = 100;

export function parseSettings(options: CheckOptions): Settings {
  const backend = parseBackend(options.backend);
  const method = parseMethod(options.method, backend);
  if (options.triangles && methods[method].samples) {
    throw new NearfieldError(
      'bad-option',
      `--method ${method} finds pairs of bodies only; it cannot list --triangles`,
    );
  }
  if (options.rules !== undefined && options.between !== undefined) {
    throw new NearfieldError('bad-option', '--rules and --between both say what is checked: give one');
  }
  if (options.group === 'test' && options.rules === undefined && options.between === undefined) {
    throw new NearfieldError('bad-option', '--group test needs --rules, whose tests the clashes belong to');
  }
  if (options.poses !== undefined && options.joints !== undefined) {
    throw new NearfieldError('bad-option', '--poses and --joints both say where bodies are: give one');
  }
  if (options.failOn === 'new' && options.baseline === undefined) {
    throw new NearfieldError('bad-option', '--fail-on new needs --baseline, to know what is new');
  }
  const compared = options.baseline !== undefined ? '--baseline' : options.statuses && '--statuses';
  if (compared !== undefined && options.depths !== undefined && options.depths !== 'all') {
    throw new NearfieldError(
      'bad-option',
      `${compared} measures every depth, to know what is deeper than it was: leave --depths ${options.depths} out`,
    );
  }
  const { tolerance } = options;
  return {
    ...{ method, backend, resolution: parseResolution(options.resolution, method) },
    clearance: parseLengthOption(options.clearance, '--clearance'),
    tolerance: tolerance === 'file' ? tolerance : parseLengthOption(tolerance, '--tolerance'),
    units: parseUnits(options.units),
    ignore: parseIgnored(options.ignore),
    between: parseBetween(options.between),
    failOn: parseChoice(options.failOn, '--fail-on', ['any', 'new']) ?? 'any',
    group: parseChoice(options.group, '--group', ['part', 'place', 'test']),
    depths: parseChoice(options.depths, '--depths', ['none', 'shown', 'all']),
    rows: parseRows(options.rows),
    outputs: parseOutputs(options),
    bcfVersion: parseChoice(options.bcfVersion, '--bcf-version', ['2.1', '3.0']) ?? '2.1',
    tessellation: parseTessellation(options.tessellation, options.tessellationAngle),
    maxExpansion: parseExpansion(options.maxExpansion),
    shard: parseShard(options, method),
  };
}

/** More tiles than this no machine room has, and every machine finds the cuts of all. */
const mostShards = 65536;

/** Options that need all shards, with the way the user writes them. */
const ofMerge = {
  baseline: '--baseline',
  failOn: '--fail-on',
  statuses: '--statuses',
  group: '--group',
  rows: '--rows',
  report: '--report',
} as const;

function parseShard(options: CheckOptions, method: Method): ShardNumber | undefined {
  const { shard, out = [] } = options;
  if (shard === undefined) return undefined;
  const [, index, count] = (/^(\d{1,6})\/(\d{1,6})$/.exec(shard) ?? []).map(Number);
  if (!(index >= 1 && index <= count && count <= mostShards)) {
    throw new NearfieldError(
      'bad-option',
      `--shard takes a number and how many there are, from 1/1 to ${mostShards}/${mostShards}, such as 3/8; not "${shard}"`,
    );
  }
  if (methods[method].samples) {
    throw new NearfieldError(
      'bad-option',
      `--method ${method} draws all bodies into one image: --shard needs a method that finds every pair by itself`,
    );
  }
  for (const [name, option] of Object.entries(ofMerge)) {
    if (options[name as keyof typeof ofMerge] === undefined) continue;
    throw new NearfieldError('bad-option', `${option} needs all shards: give it to "nearfield merge"`);
  }
  if (out.length > 1 || out.some(name => formatOf(name, true) !== 'json')) {
    const [name] = out.filter(each => formatOf(each, true) !== 'json').concat(out[1] ?? []);
    throw new NearfieldError('bad-option', `--out ${name}: a shard is written as JSON, to one file`);
  }
  return { index, count };
}

export function parseBetween(patterns: readonly string[] | undefined): readonly [string, string] | undefined {
  if (patterns === undefined) return undefined;
  const [a, b] = patterns;
  if (patterns.length === 2) return [a, b];
  throw new NearfieldError(
    'bad-option',
    `--between takes two patterns of file or body names, such as --between "pipes*" "walls*"; got ${patterns.length}`,
  );
}

function parseRows(text: string | undefined): number {
  if (text === undefined) return usualRows;
  if (text === 'all') return Number.POSITIVE_INFINITY;
  const rows = Number(text);
  if (text.trim() !== '' && Number.isInteger(rows) && rows >= 0) return rows;
  throw new NearfieldError('bad-option', `--rows takes a whole number or "all", not "${text}"`);
}

function parseOutputs({ out = [], report, json = false }: CheckOptions): Output[] {
  checkReportName(report);
  const outputs = out.map((name): Output => ({ option: '--out', name, format: formatOf(name, json) }));
  if (json && outputs.length > 0 && outputs.every(({ format }) => format !== 'json')) {
    throw new NearfieldError(
      'bad-option',
      `--json and --out ${out[0]} ask for two formats: leave --json out, or add an --out that ends in .json`,
    );
  }
  if (report !== undefined) outputs.push({ option: '--report', name: report, format: 'report' });
  return outputs;
}
