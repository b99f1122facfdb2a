// What a check reads besides the models: poses or joint values, rules, the baseline and the statuses.

import {
  type Baseline,
  between,
  type Motion,
  parseBaseline,
  parseJoints,
  parseRules,
  type Rules,
  type Statuses,
} from '@nearfield/clashes';
import { type Files, textOf } from '../../files.ts';
import type { Loaded } from '../../input/load.ts';
import { readPoses } from '../../input/poses.ts';
import { readStatuses } from '../../input/statuses.ts';
import { say, type Terminal } from '../../output/terminal.ts';
import type { CheckOptions, Settings } from './settings.ts';

export interface Inputs {
  readonly motion: Motion | undefined;
  readonly rules: Rules | undefined;
  readonly baseline: Baseline | undefined;
  readonly statuses: Statuses | undefined;
}

/** The rules of the file with this name, or those of --between. */
export async function readRules(
  name: string | undefined,
  settings: Settings,
  files: Files,
): Promise<Rules | undefined> {
  if (name === undefined) return settings.between && between(...settings.between);
  return parseRules(name, textOf(name, await files.read(name)));
}

export async function readInputs(
  { poses, joints, rules, baseline, statuses }: CheckOptions,
  settings: Settings,
  { bodies, robots }: Loaded,
  files: Files,
  terminal: Terminal,
): Promise<Inputs> {
  const text = async (name: string) => textOf(name, await files.read(name));
  let motion: Motion | undefined;
  if (poses !== undefined) motion = await readPoses(poses, bodies, files, terminal);
  if (joints !== undefined) {
    motion = parseJoints(joints, await text(joints), robots, message => say(terminal, `warning: ${message}`));
  }
  return {
    motion,
    rules: await readRules(rules, settings, files),
    baseline: baseline === undefined ? undefined : parseBaseline(baseline, await text(baseline)),
    statuses: statuses === undefined ? undefined : await readStatuses(statuses, files),
  };
}
