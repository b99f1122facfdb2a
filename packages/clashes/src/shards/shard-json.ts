// A shard as a file: JSON, which says what was asked and what was found. A merge reads many of them, from anywhere, so
// everything is checked.

import { NearfieldError } from 'nearfield';
import type { FoundPair } from '../assembly/types.ts';
import { list, pairJson } from '../exchange/json.ts';
import { readPair } from '../history/baseline.ts';
import { jsonText } from '../text/escape.ts';
import { JsonReader } from '../text/json-reader.ts';
import type { Shard, ShardNumber } from './find.ts';

/** What all shards of a check have in common. */
export interface AskedOfShards {
  /** The version of the program. */
  readonly version: string;
  /** The models, as the user named them. */
  readonly models: readonly string[];
  /** The options that say what is asked, as the user gave them. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Every file that was read for the question, with the SHA-256 of its bytes, in order of the names. */
  readonly files: readonly { readonly name: string; readonly hash: string }[];
}

/** A shard that was read, before the bodies are known: its pairs are not read yet. */
export interface ShardFile {
  /** The file's name, for messages. */
  readonly file: string;
  readonly number: ShardNumber;
  readonly asked: AskedOfShards;
  readonly content: JsonReader;
}

export function* shardJson(shard: Shard, number: ShardNumber, asked: AskedOfShards): Generator<string> {
  const { method, backend, timing, bodies, work, frames } = shard;
  const { index, count } = number;
  yield `{ "shard": ${jsonText({ index, count })},\n  "asked": ${jsonText(asked)},\n`;
  for (const [name, value] of Object.entries({ method, backend, timing, bodies, work }))
    yield `  "${name}": ${jsonText(value)},\n`;
  yield '  "frames": [';
  yield* list(frames, '    ', function* ({ frame, pairs }) {
    yield `{ "frame": ${frame}, "pairs": [`;
    yield* list(pairs, '      ', ({ parted, ...pair }) =>
      pairJson(
        pair,
        pair.triangles !== undefined,
        false,
        parted === undefined ? '' : `, "parted": ${parted}`,
      ),
    );
    yield '] }';
  });
  yield '] }\n';
}

/** Reads which shard of which question a file holds. Throws 'bad-file'. */
export function readShard(file: string, text: string): ShardFile {
  const content = JsonReader.read(file, text);
  if (!content.isObject || content.get('shard') === undefined || content.get('asked') === undefined) {
    const how = '"nearfield check FILE… --shard 1/8 --out SHARD.json" writes one';
    throw new NearfieldError('bad-file', `${file}: not a shard of a check; ${how}`);
  }
  const number = content.need('shard');
  const count = whole(number.need('count'), 1);
  const index = whole(number.need('index'), 1);
  if (index > count) number.need('index').expected(`a whole number from 1 to ${count}`);
  return { file, content, number: { index, count }, asked: readAsked(content.need('asked')) };
}

/** What shards were asked. Options are not checked yet. */
export const readAsked = (at: JsonReader): AskedOfShards => ({
  version: at.need('version').text(),
  models: at
    .need('models')
    .items()
    .map(model => model.text()),
  options: Object.fromEntries(Array.from(at.need('options').entries(), ([name, { value }]) => [name, value])),
  files: at
    .need('files')
    .items()
    .map(file => ({ name: file.need('name').text(), hash: file.need('hash').text() })),
});

function whole(at: JsonReader, from: number): number {
  const value = at.number();
  return Number.isInteger(value) && value >= from ? value : at.expected(`a whole number from ${from}`);
}

/** What a shard found, about bodies with these numbers of triangles. Throws 'bad-file'. */
export function readFound(
  { content }: ShardFile,
  triangleCounts: readonly number[],
  frameCount: number,
): Omit<Shard, 'bodies' | 'work'> {
  const backend = content.need('backend');
  const timing = content.need('timing');
  const frames = content
    .need('frames')
    .items()
    .map(at => {
      const pairs = at
        .need('pairs')
        .items()
        .map(each => readFoundPair(each, triangleCounts));
      return { frame: at.need('frame').index(frameCount), pairs };
    });
  return {
    method: content.need('method').text(),
    backend: {
      kind: backend.need('kind').oneOf<'cpu' | 'gpu'>(['cpu', 'gpu']),
      name: backend.need('name').text(),
    },
    timing: { query: timing.need('query').size(), judge: timing.get('judge')?.size() },
    frames,
  };
}

function readFoundPair(at: JsonReader, triangleCounts: readonly number[]): FoundPair {
  const pair = readPair(at, triangleCounts.length);
  if (!(pair.a < pair.b)) at.fail('a must be less than b');
  const parted = at.get('parted');
  const triangles = at.get('triangles');
  return {
    ...pair,
    ...(parted && {
      parted: typeof parted.value === 'boolean' ? parted.value : parted.expected('true or false'),
    }),
    ...(triangles && { triangles: readTriangles(triangles, triangleCounts[pair.a], triangleCounts[pair.b]) }),
  };
}

function readTriangles(at: JsonReader, inA: number, inB: number): Uint32Array {
  const items = at.items();
  const triangles = new Uint32Array(2 * items.length);
  items.forEach((item, i) => {
    const two = item.items('two indices of triangles');
    if (two.length !== 2) item.expected('two indices of triangles');
    triangles[2 * i] = two[0].index(inA);
    triangles[2 * i + 1] = two[1].index(inB);
  });
  return triangles;
}
