// JSON files that are no models: rules, statuses, poses, joint values, a review. They are applied after the models.

import { parseRules, parseStatuses } from '@nearfield/clashes';
import type { NamedFile } from '../../engine/types.ts';
import { keepFile } from '../../state/browser-store.ts';
import { type JsonKind, kindOf } from '../../state/json-kind.ts';
import { parseReview } from '../../state/review-data.ts';
import { type Studio, wordsOf } from '../../studio.ts';
import { readMotion, withMotion } from '../motion/motion-file.ts';
import { openReview } from './keeping.ts';

/** Takes the JSON files among those that were dropped; returns the others. */
export async function takeJson(studio: Studio, given: readonly NamedFile[]): Promise<readonly NamedFile[]> {
  const isJson = ({ name }: NamedFile) => /\.json$/i.test(name);
  const others = given.filter(each => !isJson(each));
  const read: (TextOf & { readonly kind: JsonKind })[] = [];
  for (const { name, file } of given.filter(isJson)) {
    try {
      const text = await file.text();
      read.push({ name, file, text, kind: kindOf(name, text) });
    } catch (error) {
      studio.work.say(wordsOf(error));
    }
  }
  let motionName: string | undefined;
  const reviews = read.filter(({ kind }) => kind === 'review');
  for (const { name, text } of reviews) {
    try {
      const review = parseReview(name, text);
      motionName = review.motion?.name;
      await openReview(studio, review, given);
    } catch (error) {
      studio.work.say(wordsOf(error));
    }
  }
  // After the models that were dropped together with them. A review brings its own motion.
  for (const { kind, ...each } of read) {
    if (kind !== 'review' && each.name !== motionName) pending.push(() => takeOne(studio, kind, each));
  }
  return reviews.length > 0 ? [] : others;
}

type TextOf = NamedFile & { readonly text: string };

const pending: (() => void | Promise<void>)[] = [];

/** Applies rules, statuses, poses and joint values that came with the last files. */
export async function applyPending({ work }: Studio): Promise<void> {
  for (const apply of pending.splice(0)) {
    try {
      await apply();
    } catch (error) {
      work.say(wordsOf(error));
    }
  }
}

async function takeOne(
  { store, work }: Studio,
  kind: Exclude<JsonKind, 'review'>,
  { name, file, text }: TextOf,
): Promise<void> {
  if (kind === 'rules') {
    parseRules(name, text);
    store.change(`rules of ${name}`, { ...store.document, rules: { name, text } });
  } else if (kind === 'statuses') {
    store.change(`statuses of ${name}`, { ...store.document, statuses: parseStatuses(name, text) });
  } else {
    const read = await readMotion(store.document, { name, text, kind });
    const [first, ...others] = read.warnings;
    const more = others.length > 0 ? `, and ${others.length.toLocaleString('en')} more such values` : '';
    if (first !== undefined) work.note(`${first}${more}`);
    if (read.isMotion) {
      await keepFile(read.motion.hash, file).catch(error =>
        work.say(`A reload will lose this motion: the browser does not keep it (${wordsOf(error)}).`),
      );
    }
    store.change(`${read.isMotion ? 'motion' : kind} of ${name}`, withMotion(store.document, read));
  }
}
