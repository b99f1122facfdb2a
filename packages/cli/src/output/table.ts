// The answer for people: a table of the pairs that interfere, and a sentence that sums it up.

import { type AssemblyAnswer, type AssemblyPair, labelsOf, listing } from '@nearfield/clashes';
import type { Distance } from 'nearfield';
import columnsOf from 'string-width';
import { at, rounded, roundedUp } from './sentences.ts';
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

  const labels = labelsOf(bodies);
  const nameOf = (index: number) => {
    const name = printable(bodies[index].name);
    const file = printable(labels[index].slice(bodies[index].name.length));
    return `#${index} ${columnsOf(name) > widestName ? `${cut(name, widestName - 1)}…` : name}${file}`;
  };
  const measured = frames.some(({ pairs }) => pairs.some(({ distance }) => distance !== undefined));
  const sampled = frames.some(({ bounds }) => bounds !== undefined);
  const stretches = stretchesOf(frames, triangles);
  // A motion is listed in order of time, an assembly in order of importance.
  if (!isMotion) stretches.sort((p, q) => rank(p.pair) - rank(q.pair));
  const rows = stretches.map(({ from, to, least, most, nearest, pair }) => {
    const why = ignored.has(pair.relation) ? ' (ignored)' : isConfirmed(pair) ? '' : ' (within the bound)';
    const relation = pair.relation + why;
    const counts = least === most ? count(most) : `${count(least)}–${count(most)}`;
    const cells = [nameOf(pair.a), nameOf(pair.b), relation];
    if (!sampled) cells.push(counts);
    if (measured) cells.push(nearest === undefined ? '' : rounded(nearest));
    return { pair, cells: isMotion ? [from === to ? `${from}` : `${from}–${to}`, ...cells] : cells };
  });
  if (rows.length > 0) {
    const heads = ['a', 'b', 'relation'];
    if (!sampled) heads.push('triangle pairs');
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
  if (sampled) yield boundsInWords(frames);
  if (!isMotion) yield toDo(frames[0].pairs, ignored);
}

/** Whether the exact relation, or a requested distance, confirms a pair of a sampled method. */
const isConfirmed = ({ relation, distance }: AssemblyPair): boolean =>
  relation !== 'separate' || distance !== undefined;

/** The widest bounds over all frames. */
function boundsInWords(frames: AssemblyAnswer['frames']): string {
  const bounds = frames.flatMap(({ bounds }) => bounds ?? []);
  const most = (value: (bound: (typeof bounds)[number]) => number) =>
    roundedUp(Math.max(...bounds.map(value)));
  const unseen = bounds.every(({ complete }) => complete) ? '' : ' Parts of the scene could not be examined.';
  return `Sampled: may miss overlaps too thin for a ball of diameter ${most(bound => bound.mayMissBelow)}; may list bodies up to ${most(bound => bound.mayReportWithin)} apart.${unseen}\n`;
}

const rank = ({ relation }: AssemblyPair): number => listing.indexOf(relation);

/** A pair of bodies over consecutive frames with the same relation. */
interface Stretch {
  readonly from: number;
  to: number;
  /** The smallest and the largest number of triangle pairs in any of the frames. */
  least: number;
  most: number;
  /** The smallest distance, if the bodies are too close. */
  nearest: number | undefined;
  /** The pair in the first of these frames. */
  readonly pair: AssemblyPair;
}

/** In order of their first frames. `single` gives every frame its own line. */
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

function cut(text: string, columns: number): string {
  let kept = '';
  for (const { segment: character } of new Intl.Segmenter().segment(text)) {
    columns -= columnsOf(character);
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
  const found = frames.flatMap(({ pairs }) => pairs.filter(isConfirmed));
  const where = isMotion ? ` in ${plural(frames.length, 'frame')}` : '';
  if (found.length === 0) return `No interference among ${plural(bodies.length, 'body', 'bodies')}${where}.`;
  const counted = found.some(({ relation }) => !ignored.has(relation));
  const end = counted ? '.' : '; all ignored.';
  if (isMotion) return motionSummary(frames, bodies.length) + end;
  const kinds = listing.flatMap(relation => {
    const n = found.filter(pair => pair.relation === relation).length;
    return n === 0 ? [] : [`${count(n)} ${relation === 'separate' ? 'too close' : relation}`];
  });
  return `${plural(found.length, 'pair')}: ${kinds.join(', ')}${end}`;
}

/** "1 pair meets in 3 of 4 frames: crossing in 2, touching in 1; 2 pairs are too close in 1 frame" */
function motionSummary(frames: AssemblyAnswer['frames'], bodyCount: number): string {
  const pairsThat = (test: (pair: AssemblyPair) => boolean) =>
    new Set(frames.flatMap(({ pairs }) => pairs.filter(test).map(({ a, b }) => a * bodyCount + b))).size;
  const framesThat = (test: (pair: AssemblyPair) => boolean) =>
    frames.filter(({ pairs }) => pairs.some(test)).length;
  const isClose = ({ relation, distance }: AssemblyPair) => relation === 'separate' && distance !== undefined;
  const meets = ({ relation }: AssemblyPair) => relation !== 'separate';
  const kinds = listing.flatMap(relation => {
    const n = relation === 'separate' ? 0 : framesThat(pair => pair.relation === relation);
    return n === 0 ? [] : [`${relation} in ${count(n)}`];
  });
  const [meeting, close] = [pairsThat(meets), pairsThat(isClose)];
  const parts: string[] = [];
  if (meeting > 0) {
    const when = `in ${count(framesThat(meets))} of ${plural(frames.length, 'frame')}`;
    parts.push(`${plural(meeting, 'pair')} ${meeting === 1 ? 'meets' : 'meet'} ${when}: ${kinds.join(', ')}`);
  }
  if (close > 0) {
    const when = `in ${count(framesThat(isClose))} of ${plural(frames.length, 'frame')}`;
    parts.push(`${plural(close, 'pair')} ${close === 1 ? 'is' : 'are'} too close ${when}`);
  }
  return parts.join('; ');
}

/** Says how much remains if contact is forgiven. Empty if there is no contact, or if it is forgiven already. */
function toDo(pairs: readonly AssemblyPair[], ignored: ReadonlySet<string>): string {
  const touching = pairs.filter(({ relation }) => relation === 'touching').length;
  if (touching === 0 || ignored.has('touching')) return '';
  const others = pairs.filter(({ relation }) => relation !== 'touching' && !ignored.has(relation)).length;
  const [touch, them] = touching === 1 ? ['touches', 'it'] : ['touch', 'them'];
  const first = others > 0 ? `${count(others)} to fix; ` : '';
  return `${first}${count(touching)} ${touch} (--ignore touching forgives ${them})\n`;
}

/** The first triangle pairs of a list; with `most` unlimited, all of them. */
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
      yield `${a} and ${b} have no distance: one of them has no triangles.\n`;
      continue;
    }
    if (distance === 0) yield `${a} and ${b} meet`;
    else yield `${a} and ${b} are ${rounded(distance)} apart`;
    if (triangleA < 0) yield ': one lies within the other.\n';
    else {
      yield `: triangle ${triangleA} at ${at(pointA)}, triangle ${triangleB} at ${at(pointB)}.\n`;
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
