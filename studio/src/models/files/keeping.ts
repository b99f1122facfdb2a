// Keeps the review in the browser while it changes, and brings it back after a reload; opens and saves it as a file.

import type { NamedFile, ReadAnswer } from '../../engine/types.ts';
import { forgetReview, keepFile, keepReview, keptFile, keptReview } from '../../state/browser-store.ts';
import { emptyDocument, type StudioDocument } from '../../state/document.ts';
import { kindOf } from '../../state/json-kind.ts';
import {
  type CameraData,
  type ReviewData,
  reviewOf,
  settingsOf,
  withReview,
} from '../../state/review-data.ts';
import { type Studio, wordsOf } from '../../studio.ts';
import { readMotion } from '../motion/motion-file.ts';
import { documentBodies } from './take.ts';

/** Milliseconds after the last change at which the review is kept. */
const after = 400;

/** The review as it is now. */
export function currentReview({ store, viewer, live }: Studio): ReviewData {
  const { camera, controls } = viewer.camera;
  const { origin } = viewer.bodies;
  const world = (place: { toArray(): number[] }) => place.toArray().map((value, i) => value + origin[i]);
  const up: CameraData['up'] = camera.up.y === 1 ? 'y' : 'z';
  const place = { position: world(camera.position), target: world(controls.target), up };
  return reviewOf(store.document, place, live.chosenBodies);
}

/** Keeps every change. Says once if the browser keeps nothing. */
export function keepInBrowser(studio: Studio): void {
  const { store, viewer, live, work } = studio;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasFailed = false;
  const keep = async () => {
    timer = undefined;
    try {
      await keepReview(currentReview(studio));
      document.body.dataset['kept'] = String(store.revision);
    } catch (error) {
      if (!hasFailed)
        work.say(`A reload will lose this review: the browser does not keep it (${wordsOf(error)}).`);
      hasFailed = true;
    }
  };
  let [revision, chosen] = [store.revision, ''];
  const follow = () => {
    const now = String(live.chosenBodies);
    if (store.revision === revision && now === chosen) return;
    [revision, chosen] = [store.revision, now];
    later();
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void keep(), after);
  };
  store.listen(follow);
  live.listen(follow);
  viewer.camera.controls.addEventListener('end', () => later());
  addEventListener('pagehide', () => {
    if (timer !== undefined) void keep();
  });
}

/** Keeps the files that were read, by their hashes. */
export async function keepFiles(
  { work }: Studio,
  given: readonly NamedFile[],
  answer: Pick<ReadAnswer, 'files'> | undefined,
): Promise<void> {
  const byName = new Map(given.map(({ name, file }) => [name, file]));
  try {
    for (const { name, hash, beside } of answer?.files ?? []) {
      for (const each of [{ name, hash }, ...beside]) {
        const file = byName.get(each.name);
        if (file) await keepFile(each.hash, file);
      }
    }
  } catch (error) {
    work.say(`A reload will lose these models: the browser does not keep them (${wordsOf(error)}).`);
  }
}

/** Brings back what the page had before a reload, and says so. */
export async function restoreLast(studio: Studio): Promise<void> {
  const { store, work, viewer, live } = studio;
  const kept = await keptReview().catch(() => undefined);
  if (kept === undefined || kept.bodies.length === 0 || store.document.bodies.length > 0) return;
  if (!(await openReview(studio, kept, []))) return;
  const startEmpty = async () => {
    live.choose(undefined);
    store.reset(emptyDocument);
    viewer.fit({ atOnce: true });
    await forgetReview().catch(() => {});
  };
  work.note(`Your last review is back: ${count(store.document.bodies.length, 'body', 'bodies')}.`, {
    label: 'Start empty',
    run: () => void startEmpty(),
  });
}

/** Opens a review. Its models are among the given files, or the browser has kept them. Returns whether it did. */
export async function openReview(
  studio: Studio,
  review: ReviewData,
  given: readonly NamedFile[],
): Promise<boolean> {
  const { store, viewer, work, tasks, live, meshes } = studio;
  const opened = await work.run('read', 'Opening the review', async limits => {
    const files = await filesOf(review, given);
    const read = files.found.length > 0 ? await tasks.read(files.found, limits) : undefined;
    const sample = review.bodies.some(({ file }) => file < 0) ? await tasks.sample(limits) : undefined;
    return { files, read, sample };
  });
  if (opened === undefined) return false;
  const { files, read, sample } = opened;
  for (const message of read?.messages ?? []) work.say(message);
  for (const note of read?.notes ?? []) work.note(note);
  for (const name of files.missing) work.say(`${name} is missing: drop it together with the review.`);
  const changed = review.files.filter(({ name, hash }) =>
    read?.files.some(each => each.name === name && each.hash !== hash),
  );
  for (const { name } of changed) work.note(`${name} has changed since the review was saved.`);
  const [own, sampled] = [read, sample].map(answer => (answer ? documentBodies(answer, review.unit) : []));
  const bodies = review.bodies.flatMap(said => {
    const name = review.files[said.file]?.name;
    const found = (said.file < 0 ? sampled : own).find(
      body => body.file === name && body.origin.index === said.index,
    );
    return found ? [withReview(found, said)] : [];
  });
  if (bodies.length === 0) return false;
  for (const answer of [read, sample]) {
    if (answer === undefined) continue;
    viewer.bodies.add(answer.bodies);
    meshes.add(answer.bodies);
  }
  await keepFiles(studio, given, read);
  live.choose(undefined);
  const placed = {
    ...emptyDocument,
    ...settingsOf(review),
    ...{ bodies, files: read?.files ?? [], unit: review.unit },
  };
  store.reset({ ...placed, ...(await motionOf(studio, review, given, placed)) });
  const [a, b] = review.chosen ?? [];
  if (a !== undefined && b !== undefined && bodies.length === review.bodies.length) {
    live.choose({ a: bodies[a].id, b: bodies[b].id });
  }
  if (review.camera) placeCamera(studio, review.camera);
  else viewer.fit({ atOnce: true });
  return true;
}

/** The motion of a review, if its file is among the given ones or the browser has kept it. */
async function motionOf(
  { work }: Studio,
  { motion: said, bodies: listed }: ReviewData,
  given: readonly NamedFile[],
  document: StudioDocument,
): Promise<Pick<StudioDocument, 'motion' | 'frame'> | undefined> {
  if (said === undefined) return undefined;
  const { name, hash, frame } = said;
  const dropped = given.find(each => each.name === name)?.file;
  const file = dropped ?? (await keptFile(hash).catch(() => undefined));
  if (file === undefined || listed.length !== document.bodies.length) {
    work.say(`${name} is missing: drop it to see its motion.`);
    return undefined;
  }
  try {
    const text = await file.text();
    const kind = kindOf(name, text);
    if (kind !== 'poses' && kind !== 'joints') return undefined;
    const names = new Map(document.bodies.map(({ id }, i) => [id, said.names[i] ?? '']));
    const { motion } = await readMotion(document, { name, text, kind }, names);
    if (dropped) await keepFile(motion.hash, dropped);
    return { motion, frame: Math.min(frame, motion.frames.length - 1) };
  } catch (error) {
    work.say(wordsOf(error));
    return undefined;
  }
}

async function filesOf(
  { files }: ReviewData,
  given: readonly NamedFile[],
): Promise<{ found: NamedFile[]; missing: string[] }> {
  const found = new Map<string, NamedFile>();
  const missing: string[] = [];
  for (const { name, hash } of files.flatMap(file => [file, ...file.beside])) {
    if (found.has(name)) continue;
    const last = name.split('/').at(-1);
    const file =
      given.find(each => each.name === name || each.name.split('/').at(-1) === last)?.file ??
      (await keptFile(hash).catch(() => undefined));
    if (file === undefined) missing.push(name);
    else found.set(name, { name, file });
  }
  return { found: [...found.values()], missing };
}

function placeCamera({ viewer }: Studio, { position, target, up }: CameraData): void {
  const { origin } = viewer.bodies;
  const place = ([x, y, z]: readonly number[]) => [x - origin[0], y - origin[1], z - origin[2]] as const;
  viewer.camera.setUp(up);
  viewer.camera.camera.position.set(...place(position));
  viewer.camera.controls.target.set(...place(target));
  viewer.camera.setExtent(viewer.bodies.box());
  viewer.invalidate();
}

const count = (value: number, one: string, many: string): string =>
  `${value.toLocaleString('en')} ${value === 1 ? one : many}`;
