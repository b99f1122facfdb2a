// What the shards of a check have in common, and what they have found together.

import {
  type AskedOfShards,
  type CheckQuestion,
  checkFiles,
  type FoundPairs,
  type JsonReader,
  mergeFound,
  type ShardFile,
} from '@nearfield/clashes';
import { NearfieldError } from 'nearfield';
import type { Files } from '../../../files.ts';
import { version } from '../../../version.ts';
import { askingOptions, type CheckOptions } from '../settings.ts';

/** What a shard is asked: the models, the options that say what is asked, and every file that was read. */
export function askedNow(names: readonly string[], options: CheckOptions, files: Files): AskedOfShards {
  const given = askingOptions.flatMap(name => (options[name] === undefined ? [] : [[name, options[name]]]));
  const read = Array.from(files.hashes, ([name, hash]) => ({ name, hash }));
  return {
    ...{ version, models: names },
    options: Object.fromEntries(given),
    files: read.sort((p, q) => (p.name < q.name ? -1 : 1)),
  };
}

const switches: readonly string[] = ['volumes', 'triangles', 'oneBody'];
const lists: readonly string[] = ['between', 'ignore'];

/** The options that a shard was asked with. The file may say anything: only options that ask are taken, and checked. */
export function optionsAsked(asked: JsonReader): Pick<CheckOptions, 'method'> & Partial<CheckOptions> {
  const options = asked.need('options').only(askingOptions);
  for (const [name, at] of options.entries()) {
    if (switches.includes(name)) {
      if (typeof at.value !== 'boolean') at.expected('true or false');
    } else if (lists.includes(name)) for (const item of at.items()) item.text();
    else at.text();
  }
  return { method: options.need('method').text(), ...(options.value as Partial<CheckOptions>) };
}

/** What the shards have found. Throws if the files have changed, or if something is needed that they do not have. */
export function foundBy(
  shards: readonly ShardFile[],
  { bodies, motion, keepTriangles }: Pick<CheckQuestion, 'bodies' | 'motion' | 'keepTriangles'>,
  files: Files,
): FoundPairs {
  const [{ asked }] = shards;
  checkFiles(asked, files.hashes);
  if (keepTriangles !== 'none' && asked.options['triangles'] !== true) {
    throw new NearfieldError(
      'bad-option',
      'a report and a GLB show triangles: make the shards with --triangles, or leave these outputs out',
    );
  }
  const triangleCounts = bodies.map(({ mesh }) => mesh.triangleCount);
  return mergeFound(shards, triangleCounts, motion?.frames.length ?? 1);
}
