// The answer as a BCF file (BIM Collaboration Format), which programs for BIM open as a list of topics with viewpoints. It
// is a zip archive with one folder per topic.

import { NearfieldError } from 'nearfield';
import type { AssemblyAnswer } from '../../assembly/types.ts';
import { Pauses } from '../../steps/pauses.ts';
import { type BcfVersion, extensionsXml, markupXml, versionXml, viewpointXml } from './documents.ts';
import { type Topic, topicsOf } from './topics.ts';
import type { BcfView } from './view.ts';

export type { BcfVersion } from './documents.ts';

export interface BcfOptions {
  /** Default: 2.1, which more programs read. */
  readonly version?: BcfVersion | undefined;
  /** The date of new topics, as ISO 8601: 2026-11-18T09:30:00Z. */
  readonly date: string;
  /** The viewpoint of a topic; called in order of importance. Topics without one are listed all the same. */
  readonly viewOf?: ((topic: Topic, index: number) => Promise<BcfView | undefined>) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((done: number) => void) | undefined;
}

/** The bytes of the file. Throws 'unsupported' for a motion, which BCF cannot express. */
export async function assemblyBcf(
  answer: AssemblyAnswer,
  { version = '2.1', date, viewOf, signal, progress }: BcfOptions,
): Promise<Uint8Array> {
  if (answer.isMotion)
    throw new NearfieldError('unsupported', 'BCF describes one state, not the frames of a motion');
  const { strToU8, Zip, ZipDeflate, ZipPassThrough } = await import('fflate');
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece);
  });
  const add = (name: string, content: string | Uint8Array) => {
    // A PNG is compressed already.
    const file = typeof content === 'string' ? new ZipDeflate(name, { level: 6 }) : new ZipPassThrough(name);
    file.mtime = date;
    zip.add(file);
    file.push(typeof content === 'string' ? strToU8(content) : content, true);
  };
  const pauses = new Pauses(signal);
  add('bcf.version', versionXml(version));
  const topics = await pauses.finish(topicsOf(answer, date));
  if (version === '3.0') add('extensions.xml', extensionsXml(topics));
  for (const [i, topic] of topics.entries()) {
    progress?.(i / topics.length);
    await pauses.take();
    const view = await viewOf?.(topic, i);
    const shown = { ...topic, view };
    add(`${topic.guid}/markup.bcf`, markupXml(shown, answer.files ?? [], date, version));
    if (view === undefined) continue;
    add(`${topic.guid}/viewpoint.bcfv`, viewpointXml(shown, view, version));
    add(`${topic.guid}/snapshot.png`, view.snapshot);
  }
  zip.end();
  return joined(pieces);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
