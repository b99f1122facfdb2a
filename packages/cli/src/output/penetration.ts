// The answer of `nearfield penetration`, as JSON and in sentences. Programs rely on the JSON, and tests hold it.
// Points are written in pieces, because those of a large file do not fit into one string.

import { list } from '@nearfield/clashes';
import type { PenetratingPoints, PenetratingVertices, Penetration } from 'nearfield';
import { at, rounded, roundedDown, roundedUp } from './sentences.ts';
import { printable } from './terminal.ts';

/** `frames` has one entry per frame of a motion, or just one. An unbounded ratio is null. */
export function* penetrationJson(frames: readonly Penetration[], isMotion: boolean): Generator<string> {
  if (!isMotion) {
    yield* answerJson(frames[0], {});
    yield '\n';
    return;
  }
  yield '{ "frames": [';
  yield* list(frames, '  ', (found, frame) => answerJson(found, { frame }));
  yield '] }\n';
}

function* answerJson(
  { depth, ratio, direction, translation, points }: Penetration,
  before: object,
): Generator<string> {
  const fields = { ...before, depth, ratio, direction: [...direction], translation: [...translation] };
  const text = JSON.stringify(fields);
  if (points === undefined) {
    yield text;
    return;
  }
  yield `${text.slice(0, -1)},\n  "points": {\n    "a": [`;
  yield* verticesJson(points.a);
  yield '],\n    "b": [';
  yield* verticesJson(points.b);
  yield ']';
  if (points.samples !== undefined) {
    const { tolerance } = points.samples;
    yield `,\n    "tolerance": ${tolerance},\n    "samples": [`;
    yield* samplesJson(points.samples);
    yield ']';
  }
  yield ' } }';
}

/** The three numbers of point i. */
const triple = (values: Float64Array | Float32Array, i: number): number[] => [
  ...values.subarray(3 * i, 3 * i + 3),
];

function* verticesJson(found: PenetratingVertices): Generator<string> {
  const { vertices, points, depths, directions, triangles } = found;
  yield* inPieces(vertices.length, i => ({
    vertex: vertices[i],
    point: triple(points, i),
    depth: depths[i],
    direction: triple(directions, i),
    triangle: triangles[i],
  }));
}

function* samplesJson({ points, depths }: NonNullable<PenetratingPoints['samples']>): Generator<string> {
  const { depth, direction, body, triangle } = depths!;
  yield* inPieces(depth.length, i => ({
    point: triple(points, i),
    depth: depth[i],
    direction: triple(direction, i),
    nearest: body[i] === 0 ? 'a' : 'b',
    triangle: triangle[i],
  }));
}

/** The entries of a list, one per line, some hundreds per piece. */
function* inPieces(count: number, entry: (i: number) => object): Generator<string> {
  let piece = '';
  for (let i = 0; i < count; i++) {
    piece += `${i === 0 ? '' : ','}\n      ${JSON.stringify(entry(i))}`;
    if (piece.length <= 65536) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

export function* penetrationTable(
  names: readonly [string, string],
  frames: readonly Penetration[],
  isMotion: boolean,
): Generator<string> {
  const [a, b] = names.map(printable);
  for (let frame = 0; frame < frames.length; frame++) {
    const { depth, translation, points } = frames[frame];
    if (isMotion) yield `frame ${frame}: `;
    if (depth.upper === 0) {
      yield `${a} and ${b} have no common interior.\n`;
      continue;
    }
    yield `${a} and ${b} overlap: moving ${b} by ${at(translation)}, ${roundedUp(depth.upper)} in all, `;
    yield `separates them; no translation shorter than ${roundedDown(depth.lower)} does.\n`;
    if (points === undefined) continue;
    yield verticesSentence(a, b, points.a);
    yield verticesSentence(b, a, points.b);
    if (points.samples !== undefined) yield samplesSentence(points.samples);
  }
}

function verticesSentence(of: string, within: string, found: PenetratingVertices): string {
  const { points, depths, directions } = found;
  const count = depths.length.toLocaleString('en-US');
  if (depths.length === 0) return `  No vertex of ${of} lies in ${within}.\n`;
  const deepest = mostOf(depths);
  const where = `at ${at(points.subarray(3 * deepest, 3 * deepest + 3))}`;
  const way = `out along ${at(directions.subarray(3 * deepest, 3 * deepest + 3))}`;
  const lie = depths.length === 1 ? 'vertex' : 'vertices';
  const verb = depths.length === 1 ? 'lies' : 'lie';
  const depth = rounded(depths[deepest]);
  return `  ${count} ${lie} of ${of} ${verb} in ${within}, at most ${depth} deep: ${where}, ${way}.\n`;
}

function samplesSentence(samples: NonNullable<PenetratingPoints['samples']>): string {
  const { count, tolerance, depths, points } = samples;
  const within = `to a tolerance of ${roundedUp(tolerance)}`;
  if (count === 0) return `  No sample lies in both, ${within}.\n`;
  const deepest = mostOf(depths!.depth);
  const depth = rounded(depths!.depth[deepest]);
  const where = at(points.subarray(3 * deepest, 3 * deepest + 3));
  const number = `${count.toLocaleString('en-US')} ${count === 1 ? 'sample lies' : 'samples lie'}`;
  return `  ${number} in both, ${within}, at most ${depth} below the nearest surface: at ${where}.\n`;
}

function mostOf(values: Float64Array | Float32Array): number {
  let most = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[most]) most = i;
  return most;
}
