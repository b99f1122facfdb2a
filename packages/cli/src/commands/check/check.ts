// `nearfield check FILE…`: every pair of bodies in the files that clash, are too close, touch or contain one another, the
// worst first. Reads what the options name, asks, writes the outputs, and decides the exit status.

import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { isFailing, lengthIn, notSolid, titleOf } from '@nearfield/clashes';
import { NearfieldError } from 'nearfield';
import { openAndAsk } from '../../assembly.ts';
import { Files } from '../../files.ts';
import { type Loaded, loadFiles } from '../../input/load.ts';
import { expandPatterns } from '../../input/patterns.ts';
import { addStatuses } from '../../input/statuses.ts';
import { failOnNewInWords } from '../../output/assembly/summary.ts';
import { Progress } from '../../output/progress.ts';
import { say, type Terminal } from '../../output/terminal.ts';
import { readInputs } from './inputs.ts';
import { writeOutputs } from './outputs.ts';
import { type CheckOptions, parseSettings, type Settings } from './settings.ts';

export type { CheckOptions } from './settings.ts';

/** Reads the bodies of a command. */
export type LoadAssembly = (files: Files, progress: Progress, settings: Settings) => Promise<Loaded>;

export async function check(
  names: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
): Promise<number> {
  const fileNames = await expandPatterns(names, terminal.cwd);
  const { oneBody = false, srdf, rules } = options;
  return checkAssembly(
    async (files, progress, { units, tessellation, maxExpansion }) => {
      const reading = { oneBody, tessellation, maxExpansion, units, properties: rules !== undefined };
      const robots = srdf === undefined ? {} : { srdf: await files.read(srdf) };
      return loadFiles(fileNames, { ...reading, ...robots }, files, progress, terminal);
    },
    titleOf(fileNames.map(name => basename(name))),
    options,
    terminal,
  );
}

/** Returns 1 if something was found that nothing excuses, else 0. */
export async function checkAssembly(
  load: LoadAssembly,
  title: string,
  options: CheckOptions,
  terminal: Terminal,
): Promise<number> {
  const settings = parseSettings(options);
  const { method, backend, resolution, ignore, failOn, group, rows, outputs } = settings;
  const files = new Files(terminal.cwd, message => say(terminal, message));
  const progress = new Progress(terminal);
  try {
    const readStart = performance.now();
    progress.stage('reading');
    const loaded = await load(files, progress, settings);
    const { bodies, unit, allowed } = loaded;
    const { motion, rules, baseline, statuses } = await readInputs(
      options,
      settings,
      loaded,
      files,
      terminal,
    );
    const single = outputs.find(({ format }) => format === 'bcf' || format === 'glb');
    if (motion?.isMotion && single !== undefined) {
      throw new NearfieldError(
        'bad-option',
        `--out ${single.name} shows one state, not the frames of a motion`,
      );
    }
    // Check the outputs before the work. All inputs are known now.
    for (const { name, option } of outputs) await files.checkOutput(name, option);
    if (bodies.length === 1) {
      say(terminal, 'there is only one body, so no pairs; "nearfield self" checks a body against itself');
    }
    const wanted = new Set(
      outputs.length === 0 ? [options.json ? 'json' : 'table'] : outputs.map(out => out.format),
    );
    const { clearance, tolerance } = settings;
    const { answer, notes } = await openAndAsk({
      ...{ bodies, files: loaded.files, unit, motion, backend, method, resolution, ignore, rules, allowed },
      ...{ baseline, statuses, failOn, group, rows, volumes: options.volumes },
      clearance: clearance && lengthIn(clearance, unit, '--clearance'),
      tolerance: tolerance === 'file' ? tolerance : tolerance && lengthIn(tolerance, unit, '--tolerance'),
      // The frames of a motion are listed in order of time, so depths are found only if they are asked for.
      depths: settings.depths ?? (motion?.isMotion ? 'none' : 'auto'),
      keepTriangles: options.triangles ? 'all' : wanted.has('report') || wanted.has('glb') ? 'worst' : 'none',
      points: [...wanted].some(format => format !== 'table') || baseline !== undefined || group !== undefined,
      readTime: performance.now() - readStart,
      identities: [...wanted].some(format => format !== 'table' && format !== 'glb'),
      digest: bytes => createHash('sha256').update(bytes).digest(),
      ...{ signal: terminal.signal, progress },
    });
    if (answer.bodies.length > 1) {
      const surfaces = notSolid(answer.bodies);
      if (surfaces !== undefined) say(terminal, surfaces);
    }
    for (const note of notes) say(terminal, note);
    if (motion !== undefined && motion.frames.length > 1)
      say(terminal, 'check looks at the frames only; "nearfield motion" looks between them');
    await writeOutputs({ title, answer, bodies, motion, options, settings, files, progress, terminal });
    if (statuses !== undefined) await addStatuses(statuses, answer, files, terminal);
    if (failOn === 'new') say(terminal, failOnNewInWords(answer));
    return answer.frames.some(({ pairs }) => pairs.some(pair => isFailing(pair, failOn))) ? 1 : 0;
  } finally {
    progress.clear();
  }
}
