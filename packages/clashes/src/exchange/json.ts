// The JSON of `check --json`. Programs rely on it, and tests hold it. It is written in pieces, because the triangle
// pairs of a large answer do not fit into one string.

import type { AssemblyAnswer, AssemblyFrame, AssemblyPair } from '../assembly/types.ts';
import { jsonText } from '../text/escape.ts';
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
  yield* list(bodies, '    ', ({ index, name, file, vertices, triangles, closed, solid, ...said }) => {
    const { path, id, type, properties, rounding, fingerprint } = said;
    const facts = { path, id, type, properties, rounding, fingerprint };
    return [jsonText({ index, name, file, vertices, triangles, closed, solid, ...facts })];
  });
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

/** The object of a pair. */
export function* pairJson(pair: AssemblyPair, triangles: boolean, sampled: boolean): Generator<string> {
  const { a, b, relation, triangleCount, distance, point, pointA, pointB, depth, translation, volume, area } =
    pair;
  const numbers = (values: Float64Array) => `[${[...values].join(', ')}]`;
  yield `{ "a": ${a}, "b": ${b}, "relation": "${relation}"`;
  if (!sampled) yield `, "triangleCount": ${triangleCount}`;
  if (distance !== undefined) yield `, "distance": ${distance}`;
  if (point !== undefined) yield `, "point": ${numbers(point)}`;
  if (pointA !== undefined) yield `, "pointA": ${numbers(pointA)}`;
  if (pointB !== undefined) yield `, "pointB": ${numbers(pointB)}`;
  if (depth !== undefined) yield `, "depth": ${bracketJson(depth)}`;
  if (translation !== undefined) yield `, "translation": ${numbers(translation)}`;
  if (volume !== undefined) yield `, "volume": ${volume}`;
  if (area !== undefined) yield `, "area": ${area}`;
  yield pairDecisions(pair);
  if (triangles) {
    yield ', "triangles": ';
    yield* indexPairs(pair.triangles ?? new Uint32Array(0));
  }
  yield ' }';
}

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

/** One item per line. */
export function* list<T>(
  items: readonly T[],
  indent: string,
  show: (item: T, index: number) => Iterable<string>,
): Generator<string> {
  for (let i = 0; i < items.length; i++) {
    yield `${i === 0 ? '' : ','}\n${indent}`;
    yield* show(items[i], i);
  }
}
