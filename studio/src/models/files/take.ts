// Takes what was read into the document, as one change. Files in different units are brought to one, as the command line
// does.

import { commonUnit, scaledPose } from '@nearfield/clashes';
import { nameOfUnit, parseUnit } from '@nearfield/io';
import type { BodyData, FileData, ReadAnswer } from '../../engine/types.ts';
import { element } from '../../parts/element.ts';
import {
  type BodyOrigin,
  type DocumentBody,
  filePose,
  palette,
  type StudioDocument,
} from '../../state/document.ts';
import type { Studio } from '../../studio.ts';

export async function takeRead(studio: Studio, answer: ReadAnswer | undefined): Promise<void> {
  const { store, viewer, work, meshes } = studio;
  for (const message of answer?.messages ?? []) work.say(message);
  for (const note of answer?.notes ?? []) work.note(note);
  if (answer === undefined || answer.bodies.length === 0) return;
  const before = store.document;
  const files = [...before.files, ...answer.files];
  const unit = await unitFor(studio, files, answer.files);
  if (unit === 'cancelled') return;
  viewer.bodies.add(answer.bodies);
  meshes.add(answer.bodies);
  const added = documentBodies(answer, unit, before.bodies.length);
  const placed = inUnit(store.document, unit);
  const { bodies } = placed;
  const all = [...bodies, ...added];
  const isGltf = all.every(({ file }) => /\.(glb|gltf)$/i.test(file ?? ''));
  viewer.camera.setUp(isGltf ? 'y' : 'z');
  store.change(added.length === 1 ? `add ${added[0].name}` : `add ${added.length} bodies`, {
    ...placed,
    bodies: all,
    files,
  });
  viewer.fit({ atOnce: bodies.length === 0 });
}

/** Bodies as they were read, in a unit. `first` is how many have a colour already. */
export function documentBodies(
  { bodies, files }: Pick<ReadAnswer, 'bodies' | 'files'>,
  unit: number | undefined,
  first = 0,
): DocumentBody[] {
  return bodies.map((body, i) => {
    const origin = originOf(body, files);
    const { id, name, file } = body;
    const colour = palette[(first + i) % palette.length];
    return { id, name, file, colour, visible: true, pose: filePose(origin, unit), origin };
  });
}

/** The unit of all files; asks the user if some state one and others do not. */
async function unitFor(
  { store, work }: Studio,
  files: readonly FileData[],
  added: readonly FileData[],
): Promise<number | undefined | 'cancelled'> {
  const { unit: now, bodies } = store.document;
  const isSilent = ({ unit }: FileData) => unit === undefined;
  const stated = files.find(file => !isSilent(file));
  let given = bodies.length > 0 ? now : undefined;
  const silent = added.find(isSilent) ?? (given === undefined ? files.find(isSilent) : undefined);
  if (silent && stated) {
    const answer = await askUnit(silent.name, stated.name, nameOfUnit(stated.unit!));
    if (answer === undefined) return 'cancelled';
    given = parseUnit(answer);
  }
  const { unit, message } = commonUnit(files, given);
  if (message !== undefined) work.note(`${message[0].toUpperCase()}${message.slice(1)}.`);
  return unit;
}

/** Guessing would turn millimetres into metres. Undefined if the user does not say. */
function askUnit(silent: string, stated: string, unit: string): Promise<string | undefined> {
  const select = element(
    'select',
    {},
    ...['mm', 'cm', 'm', 'in', 'ft'].map(value => element('option', { value }, value)),
  );
  select.setAttribute('aria-label', `Unit of ${silent}`);
  select.value = unit;
  const form = element(
    'form',
    { method: 'dialog' },
    element('h2', {}, `In which unit is ${silent}?`),
    element('p', {}, `${stated} is in ${unit}, but ${silent} does not state its unit.`),
    select,
    element(
      'div',
      { class: 'row' },
      element('button', { value: 'unit', class: 'primary' }, 'Open'),
      element('button', { value: '' }, 'Cancel'),
    ),
  );
  const dialog = element('dialog', { class: 'ask', data: { testid: 'unit' } }, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise(resolve => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'unit' ? select.value : undefined);
    });
  });
}

function originOf(
  { name, file, index, path, pathNodes, type, pose }: BodyData,
  files: readonly FileData[],
): BodyOrigin {
  const own = files.find(each => each.name === file);
  return { hash: own?.hash, index, name, path, pathNodes, type, pose, unit: own?.unit };
}

/**
 * The document with its lengths in another unit: poses, also of its motion, clearance and tolerance. Bodies that nobody moved
 * are placed as their files say, to the last digit.
 */
export function inUnit(document: StudioDocument, unit: number | undefined): StudioDocument {
  const { unit: before, clearance, tolerance, motion } = document;
  if (unit === before) return document;
  const scale = (before ?? unit ?? 1) / (unit ?? 1);
  const converted = (pose: Float64Array) => scaledPose(pose, scale) as Float64Array;
  const bodies = document.bodies.map(body => {
    const was = filePose(body.origin, before);
    const isMoved = body.pose.some((value, i) => value !== was[i]);
    return { ...body, pose: isMoved ? converted(body.pose) : filePose(body.origin, unit) };
  });
  const frames = motion?.frames ?? [];
  const moved = frames.map(frame => new Map(Array.from(frame, ([id, pose]) => [id, converted(pose)])));
  return {
    ...{ ...document, bodies, unit, motion: motion && { ...motion, frames: moved } },
    clearance: scale * clearance,
    tolerance: typeof tolerance === 'number' ? scale * tolerance : tolerance,
  };
}
