// `nearfield map A B --out map.png`: the distance between two surfaces along a direction, per pixel, as a picture or
// as numbers. The statistics go to stdout. Each file is taken as one body.

import { type DistanceMap, type DistanceMapOptions, NearfieldError } from 'nearfield';
import { type MapFormat, mapFormat, writeMap } from '../../output/map/file.ts';
import { type MapAnswer, mapAnswer, mapJson } from '../../output/map/json.ts';
import { mapWords } from '../../output/map/words.ts';
import type { Terminal } from '../../output/terminal.ts';
import { type TwoFilesOptions, twoFiles } from '../measure/two-files.ts';
import { parsePixels, parsePositive } from '../options.ts';

export interface MapOptions extends TwoFilesOptions {
  readonly out: string;
  readonly pixel?: string | undefined;
  readonly resolution?: string | undefined;
  readonly direction?: string | undefined;
  readonly range?: string | undefined;
  readonly within?: string | undefined;
  readonly facing?: boolean | undefined;
  readonly regions?: string | undefined;
}

/** Returns 1 if the two overlap in any frame of a motion, else 0. */
export async function map(
  names: readonly [string, string],
  options: MapOptions,
  terminal: Terminal,
): Promise<number> {
  const format = mapFormat(options.out);
  const asked = mapQuestion(options);
  const range = parseRange(options.range);
  if (range !== undefined && format !== 'png') {
    throw new NearfieldError(
      'bad-option',
      '--range sets the colours of a picture, so --out must end in .png',
    );
  }
  const { backend, poses, json, maxExpansion, units } = options;
  return twoFiles<MapAnswer>(names, { backend, poses, json, maxExpansion, units }, terminal, {
    outputs: (frames, isMotion) => outputsOf(options.out, format, frames, isMotion),
    ask: async (scene, a, b, { files, outputs, ...limits }) => {
      const started = performance.now();
      const found: DistanceMap = await scene.distanceMap(a, b, { ...asked, ...limits });
      const took = performance.now() - started;
      const out = outputs[0];
      await writeMap(found, out, format, range, files);
      return mapAnswer(found, out, took);
    },
    json: mapJson,
    table: mapWords,
    isFound: ({ statistics }) => statistics.penetrationArea > 0,
  });
}

/** The output files of each frame: the map, and its description if the map is bare numbers. */
function outputsOf(out: string, format: MapFormat, frames: number, isMotion: boolean): string[][] {
  const digits = Math.max(3, String(frames - 1).length);
  return Array.from({ length: frames }, (_, frame) => {
    const name = isMotion
      ? out.replace(/\.[^.]*$/, ending => `-${String(frame).padStart(digits, '0')}${ending}`)
      : out;
    return format === 'raw' ? [name, `${name}.json`] : [name];
  });
}

function mapQuestion(options: MapOptions): DistanceMapOptions {
  if (options.pixel !== undefined && options.resolution !== undefined) {
    throw new NearfieldError(
      'bad-option',
      '--pixel and --resolution both set the size of a pixel: give only one',
    );
  }
  if (options.regions !== undefined && options.regions !== 'parts') {
    throw new NearfieldError('bad-option', `--regions takes "parts", not "${options.regions}"`);
  }
  return {
    pixel: parsePositive(options.pixel, '--pixel'),
    resolution: parsePixels(options.resolution),
    direction: parseDirection(options.direction),
    within: parsePositive(options.within, '--within'),
    surfaces: options.facing ? 'facing' : undefined,
    regions: options.regions,
  };
}

function parseDirection(value: string | undefined): DistanceMapOptions['direction'] {
  if (value === undefined || value === 'boxes' || value === 'normals') return value;
  const [x, y, z, ...more] = numbersIn(value);
  if (z !== undefined && more.length === 0 && (x !== 0 || y !== 0 || z !== 0)) return [x, y, z];
  throw new NearfieldError(
    'bad-option',
    `--direction takes three numbers such as 0,0,1, or "boxes", or "normals", not "${value}"`,
  );
}

function parseRange(value: string | undefined): [number, number] | undefined {
  if (value === undefined) return undefined;
  const [low, high, ...more] = numbersIn(value);
  if (low < high && more.length === 0) return [low, high];
  throw new NearfieldError(
    'bad-option',
    `--range takes the smallest and the largest distance, such as -0.5,2, not "${value}"`,
  );
}

/** Numbers separated by commas. Undefined if any of them is not a finite number. */
function numbersIn(value: string): number[] {
  const numbers = value.split(',').map(text => (text.trim() === '' ? Number.NaN : Number(text)));
  return numbers.every(Number.isFinite) ? numbers : [];
}
