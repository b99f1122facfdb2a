// Writes the answer of a check: to stdout, or to every `--out` in the format of its extension.

import {
  type AssemblyAnswer,
  assemblyCsv,
  assemblyJson,
  assemblyJunit,
  assemblyReport,
  type Motion,
  type PlacedBody,
} from '@nearfield/clashes';
import type { Files } from '../../files.ts';
import { assemblyTable } from '../../output/assembly/table.ts';
import { pngUri } from '../../output/png-uri.ts';
import type { Progress } from '../../output/progress.ts';
import { say, type Terminal } from '../../output/terminal.ts';
import { gathered, writeResult } from '../../output/write-result.ts';
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
  const { settings, options, files, terminal } = written;
  if (settings.outputs.every(({ option }) => option === '--report')) {
    await writeResult(textOf(options.json ? 'json' : 'table', written), undefined, files, terminal);
  }
  for (const { option, name, format } of settings.outputs) {
    const content = format === 'report' ? await reportOf(written) : textOf(format, written);
    terminal.signal.throwIfAborted();
    await files.write(name, option, typeof content === 'string' ? content : gathered(content));
    say(terminal, `the ${option === '--report' ? 'report' : 'answer'} is in ${name}`);
  }
}

function textOf(format: OutFormat, { answer, options, settings }: Written): Iterable<string> {
  const triangles = options.triangles ?? false;
  switch (format) {
    case 'json':
      return assemblyJson(answer, triangles);
    case 'csv':
      return assemblyCsv(answer);
    case 'junit':
      return assemblyJunit(answer);
    default:
      return assemblyTable(answer, { triangles, rows: settings.rows });
  }
}

async function reportOf({ title, answer, bodies, motion, progress, terminal }: Written): Promise<string> {
  const { signal, samples } = terminal;
  const { clearance } = answer;
  progress.stage('drawing');
  const html = await assemblyReport({
    ...{ title, answer, bodies, motion, clearance, samples, signal, progress: progress.update },
    encode: pngUri,
  });
  progress.clear();
  return html;
}
