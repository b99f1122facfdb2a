// Parses and checks the options of `motion`, before any file is opened.

import type { Length, Tessellation } from '@nearfield/io';
import { NearfieldError } from 'nearfield';
import { parseBetween } from '../check/settings.ts';
import { parseChoice, parseExpansion, parseLengthOption, parseTessellation, parseUnits } from '../options.ts';

/** As the command line gives them. */
export interface MotionCommandOptions {
  readonly poses?: string | undefined;
  readonly joints?: string | undefined;
  readonly path?: string | undefined;
  readonly srdf?: string | undefined;
  readonly between?: readonly string[] | undefined;
  readonly clearance?: string | undefined;
  readonly units?: string | undefined;
  readonly plot?: string | undefined;
  readonly json?: boolean | undefined;
  readonly out?: string | undefined;
  readonly oneBody?: boolean | undefined;
  readonly tessellation?: string | undefined;
  readonly tessellationAngle?: string | undefined;
  readonly maxExpansion?: string | undefined;
}

export interface MotionSettings {
  readonly path: 'turn' | 'screw';
  readonly between: readonly [string, string] | undefined;
  readonly clearance: Length | undefined;
  /** In metres. */
  readonly units: number | undefined;
  readonly tessellation: Tessellation | undefined;
  readonly maxExpansion: number | undefined;
}

export function parseMotionSettings(options: MotionCommandOptions): MotionSettings {
  const { poses, joints, plot } = options;
  if ((poses === undefined) === (joints === undefined)) {
    const message = 'motion needs --poses or --joints: the frames between which bodies move';
    throw new NearfieldError('bad-option', poses === undefined ? message : `${message}; give one of them`);
  }
  if (joints !== undefined && options.path !== undefined)
    throw new NearfieldError('bad-option', '--path is for --poses: joints state how links move');
  if (plot !== undefined && !/\.(svg|html?)$/i.test(plot))
    throw new NearfieldError('bad-option', `--plot must end in .svg or .html, not "${plot}"`);
  return {
    path: parseChoice(options.path, '--path', ['turn', 'screw']) ?? 'turn',
    between: parseBetween(options.between),
    clearance: parseLengthOption(options.clearance, '--clearance'),
    units: parseUnits(options.units),
    tessellation: parseTessellation(options.tessellation, options.tessellationAngle),
    maxExpansion: parseExpansion(options.maxExpansion),
  };
}
