// `nearfield bench --against FOLDER`: compares this build with another build of the repository in one run. Every
// engine runs each case in three processes that take turns: this build, this build again, and the other. The first
// two differ by chance only, so a row shows how much slower or faster this build is, and how much of that is chance.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Engine } from './peers/engine.ts';
import type { CaseResult, Row } from './run/runner.ts';
import { significant, timeOf } from './tables/markdown.ts';
import { inColumns } from './tables/short.ts';

/** A row that is slower by more than this, beyond chance, is listed below the table. */
const allowance = 0.03;

export class NoBuildThere extends Error {
  constructor(folder: string) {
    super(
      `there is no built clone in '${folder}': bench/dist/engine-process.js is missing (npm run build there)`,
    );
  }
}

/** The file that runs an engine's process in another clone that has been built. */
export function engineProcessIn(folder: string): URL {
  const file = resolve(folder, 'bench/dist/engine-process.js');
  if (!existsSync(file)) throw new NoBuildThere(folder);
  return pathToFileURL(file);
}

/** Each engine three times: here, here again, and there. */
export const beside = (engines: readonly Engine[], process: URL): Engine[] =>
  engines.flatMap(engine => [engine, engine, { ...engine, process }]);

export interface Compared {
  readonly title: string;
  readonly engine: string;
  /** Milliseconds; undefined if a build cannot answer. */
  readonly here?: number | undefined;
  readonly there?: number | undefined;
  /** The time of this build divided by that of the other. */
  readonly ratio?: number | undefined;
  /** How far apart two processes of this build are, as a share of the time. */
  readonly spread?: number | undefined;
  readonly slower: boolean;
  /** Why there is no ratio. */
  readonly cannot?: string | undefined;
}

/** The rows of cases that ran with `beside`. */
export const compared = (cases: readonly CaseResult[]): Compared[] =>
  cases.flatMap(({ scene, name, question, rows }) =>
    rows.flatMap((row, i) =>
      i % 3 === 0 ? [comparedRow(`${scene}: ${name}, ${question}`, row, rows[i + 1], rows[i + 2])] : [],
    ),
  );

function comparedRow(title: string, first: Row, again: Row, other: Row): Compared {
  const { engine } = first;
  const [a, b, c] = [first, again, other].map(({ warm }) => warm && timeOf(engine, warm));
  const cannot = first.cannot ?? again.cannot ?? (other.cannot && `there: ${other.cannot}`);
  if (a === undefined || b === undefined) return { title, engine, slower: false, cannot };
  const here = Math.sqrt(a * b);
  const spread = Math.abs(a - b) / here;
  if (c === undefined) return { title, engine, here, spread, slower: false, cannot };
  const ratio = here / c;
  return { title, engine, here, there: c, ratio, spread, slower: ratio > 1 + allowance + spread };
}

const nameOf = ({ title, engine }: Compared): string => `${title}, ${engine}`;

const heads = ['case', 'engine', 'here, ms', 'there, ms', 'here/there', 'chance'];
const note =
  'here/there: time of this build divided by that of the other. chance: difference between two processes of this build. ms: CPU time; wall-clock time if a GPU or other threads work.';

export function comparedTable(rows: readonly Compared[]): string {
  const lines = rows.map(({ title, engine, here, there, ratio, spread }, i) => [
    rows[i - 1]?.title === title ? '' : title,
    engine,
    here === undefined ? 'cannot' : significant(here),
    there === undefined ? (here === undefined ? '' : 'cannot') : significant(there),
    ratio === undefined ? '' : `${ratio.toFixed(3)}`,
    spread === undefined ? '' : `±${(100 * spread).toFixed(1)} %`,
  ]);
  const slower = rows.filter(row => row.slower);
  const ratios = rows.flatMap(({ ratio }) => (ratio === undefined ? [] : [Math.log(ratio)]));
  const mean = Math.exp(ratios.reduce((sum, log) => sum + log, 0) / ratios.length);
  const sum = ratios.length > 0 ? `geometric mean of ${ratios.length} rows: ${mean.toFixed(3)}\n` : '';
  const named =
    slower.length === 0
      ? `no row is slower by more than ${100 * allowance} % beyond chance\n`
      : `slower by more than ${100 * allowance} % beyond chance:\n${slower
          .map(row => `  ${nameOf(row)}: ${row.ratio?.toFixed(3)}\n`)
          .join('')}`;
  const cannot = rows.flatMap(row => (row.cannot === undefined ? [] : [`  ${nameOf(row)}: ${row.cannot}\n`]));
  const unable = cannot.length > 0 ? `not compared:\n${cannot.join('')}` : '';
  return `${inColumns(heads, lines, 2)}\n\n${note}\n${unable}${sum}${named}`;
}
