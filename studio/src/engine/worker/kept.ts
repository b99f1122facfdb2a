// What the worker keeps of the files: meshes, and what else the files say. It makes of them, and of the document, the
// question that the command line asks.

import {
  type AllowedBodies,
  type GivenFile,
  type PlacedBody,
  parseRules,
  type Rules,
  scaledPose,
} from '@nearfield/clashes';
import { type ReadResult, roundingAt } from '@nearfield/io';
import { type Mesh, NearfieldError } from 'nearfield';
import type { Assembly, BodyId } from '../types.ts';

export interface KeptFile extends Pick<ReadResult, 'unit' | 'tessellation' | 'allowed'> {
  readonly name: string;
  readonly hash: string;
  /** Whether the command line reads the properties of its bodies only if there are rules. */
  readonly isDescribedForRules: boolean;
}

/** A body as its file has it, in the file's unit. */
export interface KeptBody extends Omit<PlacedBody, 'file'> {
  readonly file?: KeptFile | undefined;
  /** Its number among the bodies of its file. */
  readonly index: number;
  /** Per name in the path, a number that tells equal names apart, if the reader has them. */
  readonly pathNodes?: readonly number[] | undefined;
}

/** What is asked about, as the command line has it. */
export interface AskedBodies {
  readonly bodies: readonly PlacedBody[];
  readonly files: readonly GivenFile[];
  readonly allowed: readonly AllowedBodies[];
  readonly rules: Rules | undefined;
}

export class Kept {
  readonly #bodies = new Map<BodyId, KeptBody>();
  #next = 0;
  #rules: { readonly text: string; readonly rules: Rules } | undefined;

  add(body: KeptBody): BodyId {
    const id = this.#next++;
    this.#bodies.set(id, body);
    return id;
  }

  meshOf(id: BodyId): Mesh | undefined {
    return this.#bodies.get(id)?.mesh;
  }

  forget(ids: Iterable<BodyId>): void {
    for (const id of ids) this.#bodies.delete(id);
  }

  /** Throws 'bad-file' if the rules are not rules. */
  asked({ placed: { ids, poses }, names, unit, rules: text }: Assembly): AskedBodies {
    const rules = text && this.#parsed(text.name, text.text);
    const files = new Map<string, GivenFile>();
    const places = new Map<KeptFile, Map<number, number>>();
    const bodies = Array.from(ids, (id, i): PlacedBody => {
      const kept = this.#bodies.get(id);
      if (kept === undefined) throw new NearfieldError('closed', `there is no body ${id}`);
      const { file, index, pose: own, rounding, meshRounding = rounding, properties, ...body } = kept;
      const scale = (file?.unit ?? unit ?? 1) / (unit ?? 1);
      const scaled = (length: number | undefined) => (length === undefined ? undefined : length * scale);
      if (file !== undefined) {
        const { name, hash, tessellation } = file;
        if (!files.has(name))
          files.set(name, { name, hash, unit: file.unit, tessellation: scaled(tessellation) });
        let known = places.get(file);
        if (known === undefined) places.set(file, (known = new Map()));
        known.set(index, i);
      }
      const name = names.get(id);
      const pose = poses.slice(16 * i, 16 * i + 16);
      const isOwn = scaledPose(own, scale)?.every((value, k) => value === pose[k]) ?? false;
      return {
        ...body,
        ...{ file: file?.name, pose, meshRounding },
        // The rounding of its file's pose is not that of a pose by hand.
        rounding: isOwn ? scaled(rounding) : roundingAt({ mesh: body.mesh, rounding, meshRounding }, pose),
        ...(properties && (rules || !file?.isDescribedForRules) && { properties }),
        // A clash is known by what the file calls its parts, whatever the user calls them.
        ...(name !== undefined && { name, path: body.path ?? [body.name] }),
      };
    });
    const allowed: AllowedBodies[] = [];
    for (const [file, known] of places) {
      for (const { a, b, reason } of file.allowed ?? []) {
        const [p, q] = [known.get(a), known.get(b)];
        if (p !== undefined && q !== undefined) allowed.push({ a: p, b: q, reason });
      }
    }
    return { bodies, files: [...files.values()], allowed, rules };
  }

  #parsed(name: string, text: string): Rules {
    if (this.#rules?.text !== text) this.#rules = { text, rules: parseRules(name, text) };
    return this.#rules.rules;
  }
}
