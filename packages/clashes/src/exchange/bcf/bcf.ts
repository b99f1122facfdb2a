// The answer as a BCF file (BIM Collaboration Format), which programs for BIM open as a list of topics with viewpoints. It
// is a zip archive with one folder per topic.

import type { Zippable } from 'fflate';
import { NearfieldError } from 'nearfield';
import type { AssemblyAnswer } from '../../assembly/types.ts';
import { otherTasks } from '../../steps/pauses.ts';
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
  const { strToU8, zipSync } = await import('fflate');
  const folders: Zippable = { 'bcf.version': strToU8(versionXml(version)) };
  const topics = topicsOf(answer, date);
  if (version === '3.0') folders['extensions.xml'] = strToU8(extensionsXml(topics));
  for (const [i, topic] of topics.entries()) {
    progress?.(i / topics.length);
    // Pictures take long: let a Ctrl-C through.
    await otherTasks(signal);
    const view = await viewOf?.(topic, i);
    const shown = { ...topic, view };
    folders[topic.guid] = {
      'markup.bcf': strToU8(markupXml(shown, answer.files ?? [], date, version)),
      ...(view && {
        'viewpoint.bcfv': strToU8(viewpointXml(shown, view, version)),
        // A PNG is compressed already.
        'snapshot.png': [view.snapshot, { level: 0 }],
      }),
    };
  }
  return zipSync(folders, { level: 6, mtime: date });
}
