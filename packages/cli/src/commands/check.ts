// `nearfield check FILE…`: every pair of bodies in the files that touch, cross or contain one another.

import { basename } from 'node:path';
import {
  type AssemblyAnswer,
  type AssemblyPair,
  assemblyJson,
  assemblyReport,
  type Motion,
  notSolid,
  titleOf,
} from '@nearfield/clashes';
import { NearfieldError } from 'nearfield';
import { openAndAsk } from '../assembly.ts';
import { Files } from '../files.ts';
import { type LoadedBody, loadBodies } from '../input/load.ts';
import { expandPatterns } from '../input/patterns.ts';
import { parsePoses } from '../input/poses.ts';
import { methods } from '../method.ts';
import { pngUri } from '../output/png-uri.ts';
import { Progress } from '../output/progress.ts';
import { assemblyTable } from '../output/table.ts';
import { say, type Terminal } from '../output/terminal.ts';
import { writeResult } from '../output/write-result.ts';
import {
  checkReportName,
  parseBackend,
  parseClearance,
  parseExpansion,
  parseIgnored,
  parseMethod,
  parseResolution,
} from './options.ts';

export interface CheckOptions {
  readonly method: string;
  readonly resolution?: string | undefined;
  readonly backend: string;
  readonly clearance?: string | undefined;
  readonly poses?: string | undefined;
  readonly ignore?: readonly string[] | undefined;
  readonly triangles?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly out?: string | undefined;
  readonly report?: string | undefined;
  readonly oneBody?: boolean | undefined;
  readonly maxExpansion?: string | undefined;
}

/** Reads the bodies of a command. */
export type LoadAssembly = (files: Files, progress: Progress) => Promise<LoadedBody[]>;

export async function check(
  names: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
): Promise<number> {
  const maxExpansion = parseExpansion(options.maxExpansion);
  const fileNames = await expandPatterns(names, terminal.cwd);
  return checkAssembly(
    (files, progress) =>
      loadBodies(fileNames, { oneBody: options.oneBody ?? false, maxExpansion }, files, progress, terminal),
    titleOf(fileNames.map(name => basename(name))),
    options,
    terminal,
  );
}

/** Returns 1 if something was found that `--ignore` does not excuse, else 0. */
export async function checkAssembly(
  load: LoadAssembly,
  title: string,
  options: CheckOptions,
  terminal: Terminal,
): Promise<number> {
  const backend = parseBackend(options.backend);
  const method = parseMethod(options.method, backend);
  const resolution = parseResolution(options.resolution, method);
  const ignored = parseIgnored(options.ignore);
  const clearance = parseClearance(options.clearance);
  checkReportName(options.report);
  if (options.triangles && methods[method].samples) {
    throw new NearfieldError(
      'bad-option',
      `--method ${method} finds pairs of bodies only; it cannot list --triangles`,
    );
  }
  const { out, report } = options;
  const files = new Files(terminal.cwd, message => say(terminal, message));
  const progress = new Progress(terminal);
  try {
    const readStart = performance.now();
    progress.stage('reading');
    const bodies = await load(files, progress);
    let motion: Motion | undefined;
    if (options.poses !== undefined) {
      motion = parsePoses(options.poses, await files.read(options.poses), bodies);
    }
    // Check the outputs before the work. All inputs are known now.
    if (out !== undefined) await files.checkOutput(out, '--out');
    if (report !== undefined) await files.checkOutput(report, '--report');
    if (bodies.length === 1) {
      say(terminal, 'there is only one body, so no pairs; "nearfield self" checks a body against itself');
    }
    const readTime = performance.now() - readStart;
    const keepTriangles = options.triangles ? 'all' : report !== undefined ? 'worst' : 'none';
    const { signal, samples } = terminal;
    const points = options.json ?? false;
    const answer = await openAndAsk({
      ...{ bodies, motion, backend, method, resolution, clearance, keepTriangles, points, readTime },
      ...{ signal, progress },
    });

    if (answer.bodies.length > 1) {
      const surfaces = notSolid(answer.bodies);
      if (surfaces !== undefined) say(terminal, surfaces);
    }
    await writeResult(
      options.json
        ? assemblyJson(answer, options.triangles ?? false)
        : assemblyTable(answer, ignored, options.triangles ?? false),
      out,
      files,
      terminal,
    );
    if (report !== undefined) {
      const html = await assemblyReport({
        ...{ title, answer, bodies, motion, clearance, samples },
        encode: pngUri,
      });
      await files.write(report, '--report', html);
      say(terminal, `the report is in ${report}`);
    }
    return isFound(answer, ignored) ? 1 : 0;
  } finally {
    progress.clear();
  }
}

const isFound = ({ frames }: AssemblyAnswer, ignored: ReadonlySet<string>): boolean =>
  frames.some(({ pairs }) => pairs.some(pair => isInterference(pair) && !ignored.has(pair.relation)));

/** False if a sampled method reports a pair that the exact relation does not confirm. */
const isInterference = ({ relation, distance }: AssemblyPair): boolean =>
  relation !== 'separate' || distance !== undefined;
