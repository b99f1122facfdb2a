// Reads a baseline: the JSON that an earlier `check --json` wrote. It is a file like any other and may be anything.
// Fields that older versions did not write are done without: then fewer parts are found again, and nothing is reused.

import { NearfieldError, type Relation } from 'nearfield';
import { pairKey } from '../assembly/pair-key.ts';
import type {
  AssemblyFrame,
  AssemblyPair,
  Fingerprint,
  GivenFile,
  PastBody,
  Verdict,
} from '../assembly/types.ts';
import { bodyKey } from '../identity/body-key.ts';
import { relations } from '../rules/parse.ts';
import { verdictOrder } from '../severity/order.ts';
import { JsonReader } from '../text/json-reader.ts';

export interface Baseline {
  /** The file's name, for messages. */
  readonly file: string;
  /** In metres; undefined if it is not known. */
  readonly unit?: number | undefined;
  readonly files: readonly Pick<GivenFile, 'name' | 'hash'>[];
  /** Bodies of the answer, then bodies that only `carried` pairs have. */
  readonly bodies: readonly PastBody[];
  /** How many of the bodies are of the answer. Only those were examined against each other. */
  readonly examined: number;
  /** Pairs refer to `bodies`. Without triangles. */
  readonly frames: readonly AssemblyFrame[];
  readonly isMotion: boolean;
  /** Clashes of still earlier runs that were not checked in this one. */
  readonly carried: readonly CarriedPair[];
  readonly question?: string | undefined;
}

/** A clash that an earlier run found and the baseline did not check. */
export interface CarriedPair extends AssemblyPair {
  readonly clash: string;
  readonly inMotion: boolean;
}

/** The answer of an earlier run. Throws 'bad-file'. */
export function parseBaseline(file: string, text: string): Baseline {
  const root = JsonReader.read(file, text);
  if (!root.isObject || root.get('bodies') === undefined) {
    const how = '"nearfield check FILE… --json --out LAST.json" writes one';
    throw new NearfieldError('bad-file', `${file}: not the answer of an earlier check; ${how}`);
  }
  const bodies = root.need('bodies').items().map(readBody);
  const examined = bodies.length;
  const isMotion = root.get('frames') !== undefined;
  const frames = (isMotion ? root.need('frames').items() : [root]).map((at, frame) =>
    readFrame(at, frame, examined),
  );
  if (frames.length === 0) root.need('frames').expected('at least one frame');
  const carried = readCarried(root.get('history'), bodies);
  const files = root.get('files') ? readFiles(root.need('files')) : [];
  return {
    file,
    unit: optional(root, 'unit', at => positive(at)),
    files: withFilesOf(bodies, files),
    bodies,
    examined,
    frames,
    isMotion,
    carried,
    question: optional(root, 'question', at => at.text()),
  };
}

/** A field that may be missing, or null. */
function optional<T>(at: JsonReader, name: string, read: (at: JsonReader) => T): T | undefined {
  const field = at.get(name);
  return field === undefined || field.value === null ? undefined : read(field);
}

const positive = (at: JsonReader): number => {
  const value = at.number();
  return value > 0 ? value : at.expected('a number above 0');
};

const readFiles = (at: JsonReader): Baseline['files'] =>
  at.items().map(file => ({
    name: file.need('name').text(),
    hash: optional(file, 'hash', hash => hash.text()) ?? '',
  }));

/** The files, and those of bodies that are of none of them: older versions list no files, and bodies may be carried. */
export function withFilesOf(
  bodies: readonly Pick<PastBody, 'file'>[],
  files: Baseline['files'],
): Baseline['files'] {
  const known = new Map(files.map(file => [file.name, file]));
  for (const { file } of bodies) {
    if (file !== undefined && !known.has(file)) known.set(file, { name: file, hash: '' });
  }
  return [...known.values()];
}

function readBody(at: JsonReader): PastBody {
  return {
    name: at.need('name').text(),
    file: optional(at, 'file', field => field.text()),
    path: optional(at, 'path', field => field.items('an array of names').map(item => item.text())),
    id: optional(at, 'id', field => field.text()),
    type: optional(at, 'type', field => field.text()),
    rounding: optional(at, 'rounding', field => field.size()),
    fingerprint: optional(at, 'fingerprint', readFingerprint),
  };
}

const readFingerprint = (at: JsonReader): Fingerprint => ({
  mesh: at.need('mesh').text(),
  pose: at.need('pose').text(),
  box: optional(at, 'box', field => field.numbers(6)),
  sets: optional(at, 'sets', field => field.text()),
});

function readFrame(at: JsonReader, frame: number, bodyCount: number): AssemblyFrame {
  const known = new Set<number>();
  const pairs = at
    .need('pairs')
    .items()
    .map(place => {
      const pair = readPair(place, bodyCount);
      const key = pairKey(pair, bodyCount);
      if (known.has(key)) place.fail(`the bodies ${pair.a} and ${pair.b} are paired twice`);
      known.add(key);
      return pair;
    });
  const mayMissBelow = optional(at, 'mayMissBelow', field => field.number());
  if (mayMissBelow === undefined) return { frame, pairs };
  const mayReportWithin = optional(at, 'mayReportWithin', field => field.number()) ?? 0;
  return { frame, pairs, bounds: { mayMissBelow, mayReportWithin, complete: false } };
}

/** A pair of an answer, without its triangles. */
export function readPair(at: JsonReader, bodyCount: number): AssemblyPair {
  const [a, b] = [at.need('a').index(bodyCount), at.need('b').index(bodyCount)];
  if (a === b) at.fail('a pair needs two different bodies');
  return {
    ...{ a, b },
    triangleCount: optional(at, 'triangleCount', field => field.size()) ?? 0,
    ...readState(at),
    pointA: optional(at, 'pointA', readPoint),
    pointB: optional(at, 'pointB', readPoint),
    translation: optional(at, 'translation', readPoint),
    volume: optional(at, 'volume', field => field.size()),
    area: optional(at, 'area', field => field.size()),
    verdict: optional(at, 'verdict', field => field.oneOf<Verdict>(verdictOrder)),
    undecided: optional(at, 'undecided', field => field.value === true),
    clash: optional(at, 'clash', readId),
  };
}

/** What a pair has in common with a clash of the past. */
const readState = (at: JsonReader) => ({
  relation: at.need('relation').oneOf<Relation>(relations),
  distance: optional(at, 'distance', field => field.size()),
  depth: optional(at, 'depth', field => {
    const [lower, upper] = [field.need('lower').size(), field.need('upper').size()];
    return lower <= upper ? { lower, upper } : field.fail('lower must not be above upper');
  }),
  point: optional(at, 'point', readPoint),
});

const readPoint = (at: JsonReader): Float64Array => Float64Array.from(at.numbers(3));

/** The identity of a clash. */
function readId(at: JsonReader): string {
  const id = at.text();
  return isClashId(id) ? id : at.expected('12 hexadecimal digits in lower case');
}

export const isClashId = (text: string): boolean => /^[0-9a-f]{12}$/.test(text);

/** The unchecked clashes of the history. Bodies that the answer does not have are added to `bodies`. */
function readCarried(history: JsonReader | undefined, bodies: PastBody[]): CarriedPair[] {
  if (history === undefined) return [];
  const byKey = new Map<string, number[]>();
  bodies.forEach((body, i) => {
    const key = bodyKey(body);
    byKey.set(key, [...(byKey.get(key) ?? []), i]);
  });
  const indexOf = (body: PastBody): number => {
    const key = bodyKey(body);
    const sharing = byKey.get(key) ?? [];
    const same = sharing.find(i => isSamePlaced(bodies[i], body));
    if (same !== undefined) return same;
    if (sharing.length === 1) return sharing[0];
    byKey.set(key, [...sharing, bodies.length]);
    return bodies.push(body) - 1;
  };
  return history
    .need('gone')
    .items()
    .filter(at => at.need('outcome').value === 'unchecked')
    .flatMap(at => {
      const was = at.need('was');
      const [a, b] = [indexOf(readBody(was.need('a'))), indexOf(readBody(was.need('b')))];
      if (a === b) return [];
      const inMotion = was.get('inMotion')?.value === true;
      return [{ a, b, triangleCount: 0, ...readState(was), inMotion, clash: readId(at.need('clash')) }];
    });
}

/** Whether two bodies have the same world positions, in all frames of a motion, as far as that is known. */
export const isSamePlaced = ({ fingerprint: p }: PastBody, { fingerprint: q }: PastBody): boolean =>
  p !== undefined && q !== undefined && p.mesh === q.mesh && p.pose === q.pose;
