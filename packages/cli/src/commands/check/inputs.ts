// What a check reads besides the models: poses or joint values, rules, the baseline and the statuses.

import { between, type Motion, parseRules, type Rules } from '@nearfield/clashes';
import { NearfieldError } from 'nearfield';
import type { Files } from '../../files.ts';
import { parseJoints } from '../../input/joints.ts';
import type { Loaded } from '../../input/load.ts';
import { parsePoses } from '../../input/poses.ts';
import { say, type Terminal } from '../../output/terminal.ts';
import type { CheckOptions, Settings } from './settings.ts';

export interface Inputs {
  readonly motion: Motion | undefined;
  readonly rules: Rules | undefined;
}

export async function readInputs(
  { poses, joints, rules }: CheckOptions,
  settings: Settings,
  { bodies, robots }: Loaded,
  files: Files,
  terminal: Terminal,
): Promise<Inputs> {
  const text = async (name: string) => textOf(name, await files.read(name));
  let motion: Motion | undefined;
  if (poses !== undefined) motion = parsePoses(poses, await files.read(poses), bodies);
  if (joints !== undefined) {
    motion = parseJoints(joints, await text(joints), robots, message => say(terminal, message));
  }
  return {
    motion,
    rules:
      rules !== undefined
        ? parseRules(rules, await text(rules))
        : settings.between && between(...settings.between),
  };
}

/** The text of a file; 'bad-file' if it is not UTF-8. */
export function textOf(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new NearfieldError('bad-file', `${name}: the file is not UTF-8 text`, { cause: error });
  }
}
