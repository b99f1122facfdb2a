// Where do the files of an assembly stand? Each file once per instance of the part that it is for. Its bodies get that
// pose: instances share their meshes, which stay in the coordinates of their own file.

import { identity, multiplyPoses, type Pose } from 'nearfield';
import { type PartName, pathOf } from '../../facts/part-path.ts';
import type { ReadBody } from '../../read-result.ts';
import type { Budget } from '../../reading/budget.ts';
import { badFile } from '../../reading/file-error.ts';
import type { LinkedFile } from './linked-files.ts';
import { Placements } from './placements.ts';
import type { Instance } from './structure.ts';

/** An instance of a whole file. */
export interface PlacedFile {
  readonly linked: LinkedFile;
  readonly pose: Pose;
  /** The instance of the part that the file is for; undefined for the file that was given. */
  readonly name: PartName | undefined;
}

/**
 * All instances of all files, the outermost first. Poses are in `unit`, in metres. Instances are counted as they are
 * made: files that use one another often multiply.
 */
export function placeFiles(linked: readonly LinkedFile[], unit: number, budget: Budget): PlacedFile[] {
  const inFiles = new Map<LinkedFile, readonly Instance[]>();
  const placed: PlacedFile[] = [];
  const stack: PlacedFile[] = [{ linked: linked[0], pose: identity(), name: undefined }];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    placed.push(at);
    const { file, parts } = at.linked;
    const instances = inFiles.get(at.linked) ?? instancesIn(at.linked, unit);
    inFiles.set(at.linked, instances);
    for (let i = instances.length - 1; i >= 0; i--) {
      const { definition, name, pose } = instances[i];
      budget.spendBodies(1, 0, '');
      const inWorld = multiplyPoses(at.pose, pose);
      if (!inWorld.every(Number.isFinite))
        badFile(file, `#${definition}`, 'the product of the placements down to it is not finite');
      stack.push({ linked: parts.get(definition)!, pose: inWorld, name: below(at.name, pathOf(name)) });
    }
  }
  return placed;
}

/** The instances of a file's parts that are in other files, in its own coordinates. */
function instancesIn({ file, stated, structure, parts }: LinkedFile, unit: number): readonly Instance[] {
  const placements = new Placements(file, stated.records, stated.unit, unit);
  return [...structure.instancesOf(new Set(parts.keys()), use => placements.poseOf(use))];
}

/** A body of a file as one of an instance of that file. The only one has the name of the part that the file is for. */
export function placeBody(
  body: ReadBody,
  { pose, name }: PlacedFile,
  isOnly: boolean,
  budget: Budget,
): ReadBody {
  // The bodies of the given file stand where Open CASCADE has put them.
  if (!name) return body;
  const own = isOnly && name.name !== '' ? name : below(name, body.path ?? [body.name]);
  const path = pathOf(own).filter(part => part !== '');
  budget.spendBodies(1, body.name.length + 8 * path.length, '');
  const placed = body.pose ? multiplyPoses(pose, body.pose) : pose;
  // Poses of an assembly only turn and move.
  return {
    ...body,
    name: own.name || body.name,
    pose: placed,
    path,
    pathNodes: undefined,
    meshRounding: body.rounding,
  };
}

/** The names within a file, below the part that the file is for. A product has one name in both files. */
function below(part: PartName | undefined, names: readonly string[]): PartName {
  const own = part && names[0] === part.name ? names.slice(1) : names;
  return own.reduce<PartName | undefined>((parent, name) => ({ name, parent }), part)!;
}
