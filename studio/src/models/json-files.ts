// JSON files that are no models: rules, statuses, poses, a review. What a file says tells which it is.

import { type Conversion, JsonReader, parsePoses, parseRules, parseStatuses } from '@nearfield/clashes';
import type { NamedFile } from '../engine/types.ts';
import { type DocumentBody, type StudioDocument, withBodies } from '../state/document.ts';
import { parseReview } from '../state/review-data.ts';
import { type Studio, wordsOf } from '../studio.ts';
import { openReview } from './keeping.ts';

type Kind = 'review' | 'statuses' | 'rules' | 'poses';

/** What the file is; throws 'bad-file' if it is no JSON. */
export function kindOf(name: string, text: string): Kind {
  const root = JsonReader.read(name, text);
  if (!root.isObject) return 'poses';
  if (root.get('kind')?.value === 'nearfield-review') return 'review';
  if (root.get('clashes')?.isObject) return 'statuses';
  const poses = [...root.entries()].some(
    ([, value]) => value.isArray && (value.value as unknown[]).length === 16,
  );
  return poses ? 'poses' : 'rules';
}

/** Takes the JSON files among those that were dropped; returns the others. */
export async function takeJson(studio: Studio, given: readonly NamedFile[]): Promise<readonly NamedFile[]> {
  const { work } = studio;
  const others = given.filter(({ name }) => !/\.json$/i.test(name));
  let rest: readonly NamedFile[] = others;
  const later: (() => void)[] = [];
  for (const { name, file } of given) {
    if (!/\.json$/i.test(name)) continue;
    try {
      const text = await file.text();
      const kind = kindOf(name, text);
      if (kind === 'review') {
        await openReview(studio, parseReview(name, text), others);
        rest = [];
      } else later.push(() => takeOne(studio, kind, name, text));
    } catch (error) {
      work.say(wordsOf(error));
    }
  }
  // After the models that were dropped together with them.
  pending.push(...later);
  return rest;
}

const pending: (() => void)[] = [];

/** Applies rules, statuses and poses that came with the last files. */
export function applyPending({ work }: Studio): void {
  for (const apply of pending.splice(0)) {
    try {
      apply();
    } catch (error) {
      work.say(wordsOf(error));
    }
  }
}

/** A pose of a file of poses is in the unit and the coordinates of the body's own file, as for the command line. */
function conversionOf({ file, origin }: DocumentBody, { files, unit }: StudioDocument): Conversion {
  const own = files.find(({ name, hash }) => name === file && hash === origin.hash);
  return { move: own?.move, scale: (origin.unit ?? unit ?? 1) / (unit ?? 1) };
}

function takeOne({ store }: Studio, kind: Exclude<Kind, 'review'>, name: string, text: string): void {
  const { document } = store;
  if (kind === 'rules') {
    parseRules(name, text);
    store.change(`rules of ${name}`, { ...document, rules: { name, text } });
  } else if (kind === 'statuses') {
    store.change(`statuses of ${name}`, { ...document, statuses: parseStatuses(name, text) });
  } else {
    const { bodies } = document;
    const named = bodies.map(body => ({ name: body.name, conversion: conversionOf(body, document) }));
    const { isMotion, frames } = parsePoses(name, new TextEncoder().encode(text), named);
    const byId = frames.map(
      frame => new Map(Array.from(frame, ([i, pose]) => [bodies[i].id, Float64Array.from(pose)])),
    );
    if (isMotion) store.change(`motion of ${name}`, { ...document, motion: { name, frames: byId } });
    else {
      const placed = withBodies(document, new Set(byId[0].keys()), ({ id }) => ({ pose: byId[0].get(id)! }));
      store.change(`poses of ${name}`, placed);
    }
  }
}
