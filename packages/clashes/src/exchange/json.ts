// The JSON of `check --json`. Programs rely on it, and tests hold it. It is written in pieces, because the triangle
// pairs of a large answer do not fit into one string.

import type { AssemblyAnswer, AssemblyBody, AssemblyFrame, AssemblyPair } from '../assembly/types.ts';
import { jsonText, stringJson } from '../text/escape.ts';
import { bracketJson, decisionsJson, pairDecisions } from './decisions-json.ts';

export function* assemblyJson(answer: AssemblyAnswer, triangles: boolean): Generator<string> {
  const { version, backend, method, bodies, frames, isMotion, timing } = answer;
  yield `{ "version": ${jsonText(version)},\n  "backend": ${jsonText(backend)},\n  "method": ${jsonText(method)},\n`;
  const { unit, unitName, tolerance, clearance, failOn, unmeasured, files = [] } = answer;
  const settings = { unit, unitName, tolerance, clearance, failOn, unmeasured };
  for (const [name, value] of Object.entries(settings)) {
    if (value !== undefined) yield `  "${name}": ${jsonText(value)},\n`;
  }
  if (files.length > 0) {
    yield '  "files": [';
    yield* list(files, '    ', file => [jsonText(file)]);
    yield '],\n';
  }
  yield '  "bodies": [';
  yield* list(bodies, '    ', bodyJson);
  yield '],\n';
  yield* decisionsJson(answer);
  if (isMotion) {
    yield '  "frames": [';
    yield* list(frames, '    ', function* ({ frame, pairs, bounds }) {
      yield `{ "frame": ${frame}, ${boundsJson(bounds)}"pairs": [`;
      yield* list(pairs, '      ', pair => pairJson(pair, triangles, bounds !== undefined));
      yield '] }';
    });
  } else {
    const [{ pairs, bounds }] = frames;
    yield `  ${boundsJson(bounds)}"pairs": [`;
    yield* list(pairs, '    ', pair => pairJson(pair, triangles, bounds !== undefined));
  }
  yield '],\n';
  const round = (value: number) => Math.round(value * 1000) / 1000;
  const times = Object.fromEntries(
    Object.entries(timing).flatMap(([name, value]) => (value === undefined ? [] : [[name, round(value)]])),
  );
  yield `  "timing": ${jsonText(times)} }\n`;
}

/** The error bounds of a method that samples. */
const boundsJson = (bounds: AssemblyFrame['bounds']): string =>
  bounds === undefined ? '' : `${jsonText(bounds).slice(1, -1)}, `;

/**
 * What `jsonText` writes for a body, without the fields that it does not have. There may be a million bodies, and
 * this takes half the time.
 */
function bodyJson(body: AssemblyBody): string {
  const { index, name, file, vertices, triangles, closed, solid } = body;
  const { path, id, type, properties, rounding, fingerprint } = body;
  const nameJson = stringJson(name);
  let text = `{"index":${index},"name":${nameJson}`;
  if (file !== undefined) text += `,"file":${stringJson(file)}`;
  text += `,"vertices":${vertices},"triangles":${triangles},"closed":${closed},"solid":${solid}`;
  if (path !== undefined) {
    const items = path.map(item => (item === name ? nameJson : stringJson(item)));
    text += `,"path":[${items.join()}]`;
  }
  if (id !== undefined) text += `,"id":${stringJson(id)}`;
  if (type !== undefined) text += `,"type":${stringJson(type)}`;
  if (properties !== undefined) text += `,"properties":${jsonText(properties)}`;
  if (rounding !== undefined) text += `,"rounding":${numberJson(rounding)}`;
  if (fingerprint !== undefined) {
    const { mesh, pose, box, sets } = fingerprint;
    text += `,"fingerprint":{"mesh":"${mesh}","pose":"${pose}"`;
    if (box !== undefined) text += `,"box":[${numbersJson(box)}]`;
    text += sets === undefined ? '}' : `,"sets":"${sets}"}`;
  }
  return `${text}}`;
}

const numberJson = (value: number): string => (Number.isFinite(value) ? `${value}` : 'null');

function numbersJson(values: readonly number[]): string {
  let text = '';
  for (let i = 0; i < values.length; i++)
    text += i === 0 ? numberJson(values[i]) : `,${numberJson(values[i])}`;
  return text;
}

/**
 * The JSON of a pair: one string if it has no triangles, else pieces. `more` has further fields, each after a comma.
 */
export const pairJson = (
  pair: AssemblyPair,
  triangles: boolean,
  sampled: boolean,
  more = '',
): string | Iterable<string> =>
  triangles ? withTriangles(pair, sampled, more) : `${pairFields(pair, sampled)}${more} }`;

function* withTriangles(pair: AssemblyPair, sampled: boolean, more: string): Generator<string> {
  yield `${pairFields(pair, sampled)}, "triangles": `;
  yield* indexPairs(pair.triangles ?? new Uint32Array(0));
  yield `${more} }`;
}

/** The JSON of a pair up to its triangles. */
function pairFields(pair: AssemblyPair, sampled: boolean): string {
  const { a, b, relation, triangleCount, distance, point, pointA, pointB, depth, translation, volume, area } =
    pair;
  let text = `{ "a": ${a}, "b": ${b}, "relation": "${relation}"`;
  if (!sampled) text += `, "triangleCount": ${triangleCount}`;
  if (distance !== undefined) text += `, "distance": ${distance}`;
  if (point !== undefined) text += `, "point": ${pointJson(point)}`;
  if (pointA !== undefined) text += `, "pointA": ${pointJson(pointA)}`;
  if (pointB !== undefined) text += `, "pointB": ${pointJson(pointB)}`;
  if (depth !== undefined) text += `, "depth": ${bracketJson(depth)}`;
  if (translation !== undefined) text += `, "translation": ${pointJson(translation)}`;
  if (volume !== undefined) text += `, "volume": ${volume}`;
  if (area !== undefined) text += `, "area": ${area}`;
  return text + pairDecisions(pair);
}

const pointJson = (point: Float64Array): string => `[${point[0]}, ${point[1]}, ${point[2]}]`;

/** [[i, j], …], some thousand per piece. */
export function* indexPairs(values: Uint32Array): Generator<string> {
  yield '[';
  let piece = '';
  for (let i = 0; i < values.length; i += 2) {
    piece += `${i === 0 ? '' : ', '}[${values[i]}, ${values[i + 1]}]`;
    if (piece.length > 65536) {
      yield piece;
      piece = '';
    }
  }
  yield `${piece}]`;
}

/** Short pieces are joined until they have this length, because handing over a piece takes longer than writing it. */
const pieceLength = 8192;

/** One item per line, as one text or in pieces. */
export function* list<T>(
  items: readonly T[],
  indent: string,
  show: (item: T, index: number) => string | Iterable<string>,
): Generator<string> {
  let text = '';
  for (let i = 0; i < items.length; i++) {
    text += `${i === 0 ? '' : ','}\n${indent}`;
    const item = show(items[i], i);
    if (typeof item === 'string') text += item;
    else {
      for (const piece of item) {
        text += piece;
        if (text.length > pieceLength || piece === '') {
          yield text;
          text = '';
        }
      }
    }
    if (text.length > pieceLength) {
      yield text;
      text = '';
    }
  }
  if (text !== '') yield text;
}
