// Which of the dropped files are models, and which file does a model mean by a relative path? A dropped folder gives
// names with folders.

import { modelExtensions } from '@nearfield/io';
import type { NamedFile } from '../types.ts';

/** Files that belong to a model, and are no models of their own. */
const parts = /\.(bin|png|jpe?g|webp|mtl|srdf|dae)$/i;
const models = new RegExp(`\\.(${modelExtensions.join('|')})$`, 'i');

export interface AmongFiles {
  readonly models: readonly string[];
  /** Models dropped beside robots, but not in a folder: if no robot refers to them, the user should know. */
  readonly besideRobots: readonly string[];
  /** The one SRDF, if there is one. */
  readonly srdf: string | undefined;
  /** What the user should know about the others. */
  readonly skipped: string[];
}

export function modelsAmong(names: readonly string[]): AmongFiles {
  const robots = names.filter(name => /\.urdf$/i.test(name));
  const srdfs = names.filter(name => /\.srdf$/i.test(name));
  // The meshes of a robot are read with it.
  const alone = robots.length > 0 ? robots : names.filter(name => !parts.test(name));
  // What a folder has besides models is nobody's mistake. A single file is tried, and refused with a reason.
  const found = alone.filter(name => models.test(name) || !name.includes('/'));
  const skipped: string[] = [];
  if (srdfs.length > 1) skipped.push(`There are ${srdfs.length} SRDF files: none of them is used.`);
  if (found.length === 0) {
    skipped.push(
      'None of these files can be read. Supported: OBJ, STL, PLY, OFF, GLB, glTF, 3MF, IFC, STEP, IGES, BREP, URDF.',
    );
  }
  const besideRobots = names.filter(
    name => models.test(name) && !found.includes(name) && !name.includes('/'),
  );
  return { models: found, besideRobots, srdf: srdfs.length === 1 ? srdfs[0] : undefined, skipped };
}

/** Says which models beside robots were not read. `used` are the files that the robots refer to. */
export function unreadBeside(besideRobots: readonly string[], used: ReadonlySet<string>): string | undefined {
  const unread = besideRobots.filter(name => !used.has(name));
  if (unread.length === 0) return undefined;
  const more = unread.length > mostNamed ? ` and ${unread.length - mostNamed} more` : '';
  const [were, them] = unread.length === 1 ? ['was', 'it'] : ['were', 'them'];
  return `${unread.slice(0, mostNamed).join(', ')}${more} ${were} not read, because the robot does not refer to ${them}: open ${them} separately.`;
}

/** More files than this are counted in a message, not named. */
const mostNamed = 3;

export class DroppedFiles {
  readonly #files: ReadonlyMap<string, Blob>;

  constructor(given: readonly NamedFile[]) {
    this.#files = new Map(given.map(({ name, file }) => [name, file]));
  }

  async bytes(name: string): Promise<Uint8Array> {
    return new Uint8Array(await this.#files.get(name)!.arrayBuffer());
  }

  /** The folders around a file, innermost first. */
  folders(name: string): string[] {
    return name.split('/').slice(0, -1).reverse();
  }

  /** The file that `path` means beside `name`; in a flat drop, the one with the same last part. */
  beside(name: string, path: string): string | undefined {
    const parts = name.split('/').slice(0, -1);
    for (const part of path.split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '.' && part !== '') parts.push(part);
    }
    const whole = parts.join('/');
    if (this.#files.has(whole)) return whole;
    const last = path.split('/').at(-1)!;
    return name.includes('/') || !this.#files.has(last) ? undefined : last;
  }
}
