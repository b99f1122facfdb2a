// Writes the answer of a check: to stdout, or to every `--out` in the format of its extension.

import {
  type AssemblyAnswer,
  assemblyBcf,
  assemblyCsv,
  assemblyGlb,
  assemblyJson,
  assemblyJunit,
  assemblyReport,
  bcfViews,
  finishInTurns,
  glbVisits,
  type Motion,
  type PlacedBody,
  reportInput,
  shareOf,
  sortVisits,
} from '@nearfield/clashes';
import type { Files } from '../../files.ts';
import { assemblyTable, type TableOptions } from '../../output/assembly/table.ts';
import type { Content } from '../../output/files/replace-file.ts';
import { gathered, writeResult } from '../../output/files/write-result.ts';
import { pngUri } from '../../output/png-uri.ts';
import type { Progress } from '../../output/progress.ts';
import { say, type Terminal } from '../../output/terminal.ts';
import type { OutFormat } from './formats.ts';
import type { CheckOptions, Settings } from './settings.ts';

export interface Written {
  readonly title: string;
  readonly answer: AssemblyAnswer;
  readonly bodies: readonly PlacedBody[];
  readonly motion: Motion | undefined;
  readonly options: CheckOptions;
  readonly settings: Settings;
  readonly files: Files;
  readonly progress: Progress;
  readonly terminal: Terminal;
}

export async function writeOutputs(written: Written): Promise<void> {
  const { settings, options, answer, files, progress, terminal } = written;
  const table = { triangles: options.triangles ?? false, rows: settings.rows };
  if (settings.outputs.every(({ option }) => option === '--report')) {
    const shown = { ...table, columns: terminal.outColumns };
    const pieces = textOf(options.json ? 'json' : 'table', answer, shown);
    await writeResult(pieces, undefined, files, terminal);
  }
  for (const { option, name, format } of settings.outputs) {
    const content =
      (await drawn(format, written)) ??
      gathered(textOf(format, answer, table), terminal.signal, linesOf(format, written));
    terminal.signal.throwIfAborted();
    await files.write(name, option, content);
    progress.clear();
    say(terminal, `the ${option === '--report' ? 'report' : 'answer'} is in ${name}`);
  }
}

/** Begins the stage in which a text is written, and reports it by its lines: one per pair, and in JSON per body and group. */
function linesOf(format: OutFormat, { answer, progress }: Written): (lines: number, steps: number) => void {
  progress.stage('writing');
  const { bodies, frames, groups = [] } = answer;
  const pairs = frames.reduce((sum, frame) => sum + frame.pairs.length, 0);
  const expected = format === 'json' ? bodies.length + pairs + groups.length : pairs;
  if (format === 'json') return lines => progress.update(lines / expected);
  // Pairs are put in order before the first line.
  const before = shareOf({ progress: progress.update, from: 0, to: 0.5 }, pairs + sortVisits(pairs));
  return (lines, steps) => (lines === 0 ? before(steps) : progress.update(0.5 + (0.5 * lines) / expected));
}

function textOf(format: OutFormat, answer: AssemblyAnswer, table: TableOptions): Iterable<string> {
  if (format === 'json') return assemblyJson(answer, table.triangles);
  if (format === 'csv') return assemblyCsv(answer);
  return format === 'junit' ? assemblyJunit(answer) : assemblyTable(answer, table);
}

/** Formats with pictures or geometry, which take a while. */
async function drawn(format: OutFormat, written: Written): Promise<Content | undefined> {
  const { title, answer, bodies, motion, progress, settings, terminal } = written;
  const { signal, samples } = terminal;
  const { unit } = answer;
  const date = new Date().toISOString();
  const input = { title, answer, bodies, motion, date, samples };
  const limits = { signal, progress: progress.update };
  if (format !== 'report' && format !== 'bcf' && format !== 'glb') return undefined;
  progress.stage(format === 'glb' ? 'writing' : 'drawing');
  try {
    if (format === 'report') return await assemblyReport({ ...input, ...limits, encode: pngUri });
    const visits = bodies.length + 2 * answer.frames[0].pairs.length;
    const prepared = shareOf({ progress: progress.update, from: 0, to: 0.3 }, visits);
    const shown = await finishInTurns(reportInput(input), signal, prepared);
    if (format === 'glb') {
      const count = shareOf({ progress: progress.update, from: 0.3, to: 1 }, glbVisits(answer));
      return await finishInTurns(assemblyGlb(answer, shown), signal, count);
    }
    return await assemblyBcf(answer, {
      ...{ signal, version: settings.bcfVersion, date },
      progress: done => progress.update(0.3 + 0.7 * done),
      viewOf: bcfViews(shown, {
        unit,
        size: { width: 600, height: 412, samples },
        signal,
      }),
    });
  } finally {
    progress.clear();
  }
}
