// The answer for people: a table of the pairs that interfere, and a sentence that sums it up.

import type { Distance, Penetration } from 'nearfield';
import type { AssemblyAnswer, AssemblyPair } from '../assembly.ts';
import { printable } from './terminal.ts';

const widestName = 40;
const count = (value: number): string => value.toLocaleString('en-US');
const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

export function* assemblyTable(
  answer: AssemblyAnswer,
  ignored: ReadonlySet<string>,
  triangles: boolean,
): Generator<string> {
  const { bodies, frames, isMotion, backend, method, timing } = answer;
  const total = bodies.reduce((sum, body) => sum + body.triangles, 0);
  yield `${plural(bodies.length, 'body', 'bodies')}, ${plural(total, 'triangle')}; `;
  yield `method ${method} on ${backend.kind} (${printable(backend.name)})\n\n`;

  const nameOf = (index: number) => {
    const name = printable(bodies[index].name);
    return `#${index} ${columnsOf(name) > widestName ? `${cut(name, widestName - 1)}…` : name}`;
  };
  const measured = frames.some(({ pairs }) => pairs.some(({ distance }) => distance !== undefined));
  const rows = stretchesOf(frames, triangles).map(({ from, to, least, most, nearest, pair }) => {
    const relation = ignored.has(pair.relation) ? `${pair.relation} (ignored)` : pair.relation;
    const counts = least === most ? count(most) : `${count(least)}–${count(most)}`;
    const cells = [nameOf(pair.a), nameOf(pair.b), relation, counts];
    if (measured) cells.push(nearest === undefined ? '' : shown(nearest));
    return { pair, cells: isMotion ? [from === to ? `${from}` : `${from}–${to}`, ...cells] : cells };
  });
  if (rows.length > 0) {
    const heads = ['a', 'b', 'relation', 'triangle pairs'];
    if (measured) heads.push('distance');
    if (isMotion) heads.unshift('frames');
    const widths = heads.map((head, i) =>
      rows.reduce((widest, { cells }) => Math.max(widest, columnsOf(cells[i])), head.length),
    );
    const rightAligned = (i: number) => i > heads.indexOf('relation') || (isMotion && i === 0);
    const line = (cells: readonly string[]) =>
      `${cells.map((cell, i) => padded(cell, widths[i], rightAligned(i))).join('  ')}\n`;
    yield line(heads);
    yield line(widths.map(width => '─'.repeat(width)));
    for (const { cells, pair } of rows) {
      yield line(cells);
      if (triangles && pair.triangles) yield* trianglePairs(pair.triangles, '    ');
    }
    yield '\n';
  }
  yield summary(answer, ignored);
  const ms = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
  yield ` (read ${ms(timing.read)}, build ${ms(timing.build)}, query ${ms(timing.query)})\n`;
}

/** A pair of bodies through consecutive frames in which its relation stays the same. */
interface Stretch {
  readonly from: number;
  to: number;
  /** Triangle pairs, the fewest and the most in any of the frames. */
  least: number;
  most: number;
  /** The least distance, where bodies are too close. */
  nearest: number | undefined;
  /** As it is in the first of them. */
  readonly pair: AssemblyPair;
}

/** In order of their first frames. `single` gives every frame a line of its own. */
function stretchesOf(frames: AssemblyAnswer['frames'], single: boolean): Stretch[] {
  const all: Stretch[] = [];
  const open = new Map<string, Stretch>();
  for (const { frame, pairs } of frames) {
    for (const pair of pairs) {
      const { triangleCount: found } = pair;
      const key = `${pair.a} ${pair.b} ${pair.relation}`;
      const known = open.get(key);
      if (!single && known?.to === frame - 1) {
        known.to = frame;
        known.least = Math.min(known.least, found);
        known.most = Math.max(known.most, found);
        if (pair.distance !== undefined) known.nearest = Math.min(known.nearest ?? Infinity, pair.distance);
        continue;
      }
      const begun = { from: frame, to: frame, least: found, most: found, nearest: pair.distance, pair };
      open.set(key, begun);
      all.push(begun);
    }
  }
  return all;
}

/** Characters that a terminal shows two columns wide: East Asian ones, and pictures. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const columnOf = (character: string): number =>
  /[\p{M}\p{Cf}]/u.test(character) ? 0 : wide.test(character) ? 2 : 1;
const columnsOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + columnOf(character), 0);

function cut(text: string, columns: number): string {
  let kept = '';
  for (const character of text) {
    columns -= columnOf(character);
    if (columns < 0) break;
    kept += character;
  }
  return kept;
}

function padded(text: string, columns: number, rightAligned: boolean): string {
  const space = ' '.repeat(columns - columnsOf(text));
  return rightAligned ? space + text : text + space;
}

function summary({ bodies, frames, isMotion }: AssemblyAnswer, ignored: ReadonlySet<string>): string {
  const relations = new Map<string, number>();
  let pairCount = 0;
  for (const { pairs } of frames) {
    for (const { relation } of pairs) {
      relations.set(relation, (relations.get(relation) ?? 0) + 1);
      pairCount++;
    }
  }
  const where = isMotion ? ` in ${plural(frames.length, 'frame')}` : '';
  if (pairCount === 0) return `No interference among ${plural(bodies.length, 'body', 'bodies')}${where}.`;
  const kinds = [...relations].sort().map(([relation, n]) => {
    return `${count(n)} ${relation === 'separate' ? 'too close' : relation}`;
  });
  const counted = [...relations.keys()].some(relation => !ignored.has(relation));
  return `${plural(pairCount, 'pair')}${where}: ${kinds.join(', ')}${counted ? '' : '; all ignored'}.`;
}

/** The first of a list of triangle pairs that a person would read; `most` unlimited shows all. */
export function* trianglePairs(
  triangles: Uint32Array,
  indent: string,
  most = Number.POSITIVE_INFINITY,
): Generator<string> {
  const shown = Math.min(triangles.length / 2, most);
  for (let i = 0; i < shown; i++) yield `${indent}${triangles[2 * i]} ${triangles[2 * i + 1]}\n`;
  const left = triangles.length / 2 - shown;
  if (left > 0) yield `${indent}… and ${count(left)} more\n`;
}

/** As many digits as a person reads. */
const shown = (value: number): string => String(Number(value.toPrecision(9)));

export function* distanceTable(
  names: readonly [string, string],
  frames: readonly Pick<Distance, 'distance' | 'pointA' | 'pointB' | 'triangleA' | 'triangleB'>[],
  isMotion: boolean,
): Generator<string> {
  const [a, b] = names.map(printable);
  for (let frame = 0; frame < frames.length; frame++) {
    const { distance, pointA, pointB, triangleA, triangleB } = frames[frame];
    if (isMotion) yield `frame ${frame}: `;
    if (distance === Infinity) {
      yield `There is nothing to measure between ${a} and ${b}: one has no triangles.\n`;
      continue;
    }
    if (distance === 0) yield `${a} and ${b} meet`;
    else yield `${a} and ${b} are ${distance} apart`;
    if (triangleA < 0) yield ': one lies within the other.\n';
    else {
      const at = (point: Float64Array) => `(${[...point].join(', ')})`;
      yield `: triangle ${triangleA} at ${at(pointA)}, triangle ${triangleB} at ${at(pointB)}.\n`;
    }
  }
}

export function* penetrationTable(
  names: readonly [string, string],
  frames: readonly Penetration[],
  isMotion: boolean,
): Generator<string> {
  const [a, b] = names.map(printable);
  for (let frame = 0; frame < frames.length; frame++) {
    const { depth, translation } = frames[frame];
    if (isMotion) yield `frame ${frame}: `;
    if (depth.upper === 0) yield `${a} and ${b} have no common interior.\n`;
    else {
      yield `${a} and ${b} overlap: moving ${b} by (${[...translation].join(', ')}), ${shown(depth.upper)} in all, `;
      yield `separates them; nothing shorter than ${shown(depth.lower)} does.\n`;
    }
  }
}

export function* selfTable(
  name: string,
  triangleCount: number,
  frames: readonly Uint32Array[],
  isMotion: boolean,
): Generator<string> {
  for (let frame = 0; frame < frames.length; frame++) {
    const where = isMotion ? `frame ${frame}: ` : '';
    const found = frames[frame].length / 2;
    const among = `the ${plural(triangleCount, 'triangle')} of ${printable(name)}`;
    if (found === 0) yield `${where}No self-intersection in ${among}.\n`;
    else {
      yield `${where}${plural(found, 'pair')} of ${among} ${found === 1 ? 'intersects' : 'intersect'}:\n`;
      yield* trianglePairs(frames[frame], '  ', 20);
    }
  }
}
