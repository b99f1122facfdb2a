// `nearfield motion FILE… --poses FRAMES`: when bodies first meet while they move from frame to frame, and how near they come.
// Looks at every moment in between, not at frames alone.

import {
  between,
  type FramePaths,
  followMotion,
  jointFrames,
  labelsOf,
  lengthIn,
  parseJointFrames,
  poseFrames,
  resolveRules,
} from '@nearfield/clashes';
import { nameOfUnit } from '@nearfield/io';
import { NearfieldError } from 'nearfield';
import { openLibrary } from '../../backend.ts';
import { Files, textOf } from '../../files.ts';
import { type Loaded, loadFiles } from '../../input/load.ts';
import { expandPatterns } from '../../input/patterns.ts';
import { readPoses } from '../../input/poses.ts';
import { writeResult } from '../../output/files/write-result.ts';
import { Progress } from '../../output/progress.ts';
import { say, type Terminal } from '../../output/terminal.ts';
import { isTooClose, motionJson } from './json.ts';
import { motionPlot } from './plot.ts';
import { type MotionCommandOptions, type MotionSettings, parseMotionSettings } from './settings.ts';
import { motionTable } from './table.ts';

export type { MotionCommandOptions } from './settings.ts';

/** Measurements per frame of a plot. */
const plotSamples = 48;

/** Returns 1 if bodies meet, may meet or come too close, else 0. */
export async function motion(
  names: readonly string[],
  options: MotionCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const settings = parseMotionSettings(options);
  const files = new Files(terminal.cwd, message => say(terminal, message));
  const progress = new Progress(terminal);
  try {
    progress.stage('reading');
    const { oneBody = false, srdf, json = false, out, plot } = options;
    const { units, tessellation, maxExpansion } = settings;
    const fileNames = await expandPatterns(names, terminal.cwd);
    const robots = srdf === undefined ? {} : { srdf: await files.read(srdf) };
    const reading = { oneBody, tessellation, maxExpansion, units, ...robots };
    const loaded = await loadFiles(fileNames, reading, files, progress, terminal);
    const frames = await readFrames(options, settings, loaded, files, terminal);
    if (out !== undefined) await files.checkOutput(out, '--out');
    if (plot !== undefined) await files.checkOutput(plot, '--plot');
    const clearance = settings.clearance && lengthIn(settings.clearance, loaded.unit, '--clearance');
    const { bodies, unit, allowed } = loaded;
    const rules = resolveRules(settings.between && between(...settings.between), bodies, { unit, allowed });
    if (rules.nothing !== undefined) throw new NearfieldError('bad-option', rules.nothing);
    const nf = await openLibrary('cpu');
    progress.stage('following');
    const question = {
      ...{ bodies, frames, rules, signal: terminal.signal },
      progress: (done: number) => progress.update(done),
      within: plot === undefined ? clearance : clearance === undefined ? Infinity : 4 * clearance,
      samples: plot === undefined ? 4 : plotSamples,
    };
    const answer = await followMotion(nf, question).finally(() => {
      progress.clear();
      nf.close();
    });
    const labels = labelsOf(bodies);
    const unitName = unit === undefined ? undefined : nameOfUnit(unit);
    const shown = { ...answer, labels, bodies, clearance, frameCount: frames.count, unitName };
    if (plot !== undefined) {
      await files.write(plot, '--plot', [motionPlot(shown, /\.html?$/i.test(plot))]);
      say(terminal, `the plot is in ${plot}`);
    }
    await writeResult(
      json ? motionJson(shown) : motionTable(shown, out === undefined ? terminal.outColumns : undefined),
      out,
      files,
      terminal,
    );
    const still = bodies.length - answer.movingCount;
    if (still > 1) {
      const message = `${still} bodies do not move; pairs of them are not looked at: "nearfield check" finds those that meet`;
      say(terminal, message);
    }
    const tooClose = answer.approaches?.some(approach => isTooClose(approach, clearance)) ?? false;
    return answer.contacts.length > 0 || tooClose ? 1 : 0;
  } finally {
    progress.clear();
  }
}

async function readFrames(
  { poses, joints }: MotionCommandOptions,
  { path }: MotionSettings,
  loaded: Loaded,
  files: Files,
  terminal: Terminal,
): Promise<FramePaths> {
  let frames: FramePaths;
  if (joints !== undefined) {
    const text = textOf(joints, await files.read(joints));
    const values = parseJointFrames(joints, text, loaded.robots, message =>
      say(terminal, `warning: ${message}`),
    );
    frames = jointFrames(values, loaded.robots);
  } else {
    const { frames: given } = await readPoses(poses!, loaded.bodies, files, terminal);
    frames = poseFrames(given, loaded.bodies, path);
  }
  if (frames.count >= 2) return frames;
  const what = 'a motion needs at least two frames, in an array';
  throw new NearfieldError('bad-file', `${joints ?? poses}: ${what}; "nearfield check" looks at one`);
}
