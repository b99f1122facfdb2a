// Where are the bodies in each frame? Parses the file of `--poses`: one frame is an object from a body's name (or
// "#INDEX") to 16 column-major numbers; an array of frames is a motion.

import { findRepeatedKey } from '@nearfield/io';
import { NearfieldError, type Pose } from 'nearfield';
import type { Motion } from '../assembly/types.ts';
import { type Conversion, convertedPose } from '../assembly/units.ts';
import { visible } from '../text/escape.ts';

/** What a body is called in a file of poses. */
export interface Named {
  readonly name: string;
  /** A second name, which applies if no body has it as its first. */
  readonly alias?: string | undefined;
  /** How its file was brought to the unit and the coordinates of the answer, if it was. */
  readonly conversion?: Conversion | undefined;
}

/**
 * The poses of some of the bodies, per frame. A pose replaces the one that the body's file gives it, so it is in the unit
 * and the coordinates of that file, and is converted as the file is. Throws 'bad-file'.
 */
export function parsePoses(file: string, bytes: Uint8Array, bodies: readonly Named[]): Motion {
  let value: unknown;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch (error) {
    throw new NearfieldError('bad-file', `${file}: the poses are not valid JSON`, { cause: error });
  }
  // If a name occurs twice, JSON.parse silently keeps the last pose.
  const repeated = findRepeatedKey(text);
  if (repeated) {
    const [frame] = repeated.path;
    const place = typeof frame === 'number' ? `${file}: frame ${frame}` : file;
    throw new NearfieldError('bad-file', `${place}: ${quote(repeated.key)} is given twice`);
  }
  const indexOf = indexByName(bodies);
  const conversionOf = (index: number) => bodies[index].conversion;
  if (!Array.isArray(value))
    return { isMotion: false, frames: [parseFrame(file, value, indexOf, conversionOf)] };
  if (value.length === 0) throw new NearfieldError('bad-file', `${file}: the motion has no frames`);
  const frames = value.map((frame, i) => parseFrame(`${file}: frame ${i}`, frame, indexOf, conversionOf));
  return { isMotion: true, frames };
}

function parseFrame(
  place: string,
  value: unknown,
  indexOf: (name: string, place: string) => number,
  conversionOf: (index: number) => Conversion | undefined,
): ReadonlyMap<number, Pose> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new NearfieldError('bad-file', `${place}: a frame must be an object from body names to poses`);
  }
  const poses = new Map<number, Pose>();
  for (const [name, numbers] of Object.entries(value)) {
    const index = indexOf(name, place);
    const who = `${place}: ${quote(name)}`;
    if (poses.has(index)) throw new NearfieldError('bad-file', `${who} names a body that already has a pose`);
    if (!Array.isArray(numbers) || numbers.length !== 16) {
      throw new NearfieldError('bad-file', `${who} must have 16 numbers, column by column`);
    }
    for (let i = 0; i < 16; i++) {
      if (typeof numbers[i] !== 'number' || !Number.isFinite(numbers[i])) {
        throw new NearfieldError(
          'bad-file',
          `${who}: number ${i} is ${quote(String(JSON.stringify(numbers[i])))}`,
        );
      }
    }
    const [last, origin] = [
      [3, 7, 11, 15],
      [12, 13, 14],
    ].map(at => at.map(i => numbers[i]).join(' '));
    if (last !== '0 0 0 1') {
      const hint = origin === '0 0 0' ? ': are they in row-major order?' : '';
      const message = `${who}: the last row of a pose must be 0 0 0 1, but numbers 3, 7, 11 and 15 are ${last}${hint}`;
      throw new NearfieldError('bad-file', message);
    }
    poses.set(index, convertedPose(Float64Array.from(numbers as number[]), conversionOf(index))!);
  }
  return poses;
}

function indexByName(bodies: readonly Named[]): (name: string, place: string) => number {
  const names = bodies.map(({ name }) => name);
  const indices = new Map<string, number>();
  const repeated = new Set<string>();
  const enter = (name: string, index: number) => {
    if (indices.has(name)) repeated.add(name);
    indices.set(name, index);
  };
  names.forEach(enter);
  bodies.forEach(({ alias }, index) => {
    if (alias !== undefined && !names.includes(alias)) enter(alias, index);
  });
  return (name, place) => {
    if (/^#\d+$/.test(name)) {
      const index = Number(name.slice(1));
      if (index < names.length) return index;
      throw new NearfieldError(
        'bad-file',
        `${place}: there is no body ${name}; the bodies are #0 to #${names.length - 1}`,
      );
    }
    if (repeated.has(name)) {
      throw new NearfieldError(
        'bad-file',
        `${place}: several bodies are called ${quote(name)}: use "#INDEX"`,
      );
    }
    const index = indices.get(name);
    if (index === undefined) {
      throw new NearfieldError(
        'bad-file',
        `${place}: no body is called ${quote(name)}; the bodies are ${listed(names)}`,
      );
    }
    return index;
  };
}

/** The first few names. */
function listed(names: readonly string[], most = 8): string {
  const shown = names.slice(0, most).map(quote).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

const quote = (text: string): string => `"${visible(text.length > 60 ? `${text.slice(0, 57)}…` : text)}"`;
