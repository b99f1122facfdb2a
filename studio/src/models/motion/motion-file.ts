// Files of poses and of joint values: one frame places the bodies, several are a motion.

import { type Conversion, parsePoses } from '@nearfield/clashes';
import { hashOf } from '../../engine/read/hash.ts';
import type { BodyId } from '../../engine/types.ts';
import {
  atFrame,
  type DocumentBody,
  type DocumentMotion,
  filePose,
  type StudioDocument,
} from '../../state/document.ts';
import { readJoints } from './robots.ts';

export interface MotionFile {
  readonly name: string;
  readonly text: string;
  readonly kind: 'poses' | 'joints';
}

export interface ReadMotion {
  readonly isMotion: boolean;
  readonly motion: DocumentMotion;
  /** What the user should know about its values. */
  readonly warnings: readonly string[];
}

/**
 * Reads the file for the bodies of the document, by the names that they have now, or that they had. Throws 'bad-file',
 * and 'bad-option' if there are joint values and no robot.
 */
export async function readMotion(
  document: StudioDocument,
  { name, text, kind }: MotionFile,
  names: ReadonlyMap<BodyId, string> = new Map(document.bodies.map(({ id, name }) => [id, name])),
): Promise<ReadMotion> {
  const bytes = new TextEncoder().encode(text);
  const hash = await hashOf(bytes);
  if (kind === 'joints') {
    const { isMotion, frames, joints, warnings } = readJoints(document, name, text);
    return { isMotion, motion: { name, hash, names, frames, joints }, warnings };
  }
  const { bodies } = document;
  const named = bodies.map(body => ({
    name: names.get(body.id) ?? body.name,
    conversion: conversionOf(body, document),
  }));
  const { isMotion, frames } = parsePoses(name, bytes, named);
  // As for the command line, a body that a frame does not name has the pose of its file there.
  const moving = [...new Set(frames.flatMap(frame => [...frame.keys()]))];
  const byId = frames.map(frame => {
    const poseOf = (i: number) => frame.get(i) ?? filePose(bodies[i].origin, document.unit);
    return new Map(moving.map(i => [bodies[i].id, Float64Array.from(poseOf(i))]));
  });
  return { isMotion, motion: { name, hash, names, frames: byId }, warnings: [] };
}

/** A pose of a file of poses is in the unit and the coordinates of the body's own file, as for the command line. */
function conversionOf({ file, origin }: DocumentBody, { files, unit }: StudioDocument): Conversion {
  const own = files.find(({ name }) => name === file);
  return { move: own?.move, scale: (origin.unit ?? unit ?? 1) / (unit ?? 1) };
}

/** The document with the motion, at its first frame; or as the only frame has it. */
export function withMotion(
  document: StudioDocument,
  { isMotion, motion }: Pick<ReadMotion, 'isMotion' | 'motion'>,
): StudioDocument {
  const first = atFrame({ ...document, motion }, 0);
  return isMotion ? first : { ...first, motion: document.motion, frame: document.frame };
}
