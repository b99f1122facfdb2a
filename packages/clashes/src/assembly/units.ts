// In which unit are the lengths of several files? Files that state their unit are brought to one; a file that states
// none can be mixed with them only if the user says what it is in. Guessing would turn millimetres into metres.

import { nameOfUnit } from '@nearfield/io';
import { multiplyPoses, NearfieldError, type Pose } from 'nearfield';

/** A file and the unit it states, in metres. */
export interface FileUnit {
  readonly name: string;
  readonly unit?: number | undefined;
}

export interface CommonUnit {
  /** The unit of the answer, in metres; undefined if no file states one and the user does not either. */
  readonly unit: number | undefined;
  /** Per file, how many of the answer's units its own is. */
  readonly scales: readonly number[];
  /** What the user should know: which files were converted. */
  readonly message?: string | undefined;
}

/**
 * The unit of the answer: the given one, else the one that all files state, else that of the first file. Files without
 * a unit are in the given one. Throws 'bad-option' if some files state a unit, others do not, and none is given.
 */
export function commonUnit(files: readonly FileUnit[], given: number | undefined): CommonUnit {
  const stated = files.filter(file => file.unit !== undefined);
  const silent = files.find(file => file.unit === undefined);
  if (given === undefined && stated.length > 0 && silent !== undefined) {
    const [{ name, unit }] = stated;
    throw new NearfieldError(
      'bad-option',
      `${name} is in ${nameOfUnit(unit!)}, but ${silent.name} does not state its unit: say it with --units, such as --units mm; results are then in that unit too`,
    );
  }
  const unit = given ?? stated[0]?.unit;
  const scales = files.map(file => (file.unit ?? unit ?? 1) / (unit ?? 1));
  const converted = files.filter((_, i) => scales[i] !== 1);
  if (converted.length === 0 || unit === undefined) return { unit, scales };
  const shown = converted.slice(0, 3).map(file => `${file.name} from ${nameOfUnit(file.unit!)}`);
  const more = converted.length > 3 ? ` and ${converted.length - 3} more` : '';
  return {
    unit,
    scales,
    message: `lengths are in ${nameOfUnit(unit)}; converted: ${shown.join(', ')}${more}`,
  };
}

/** How a file is brought to the unit and the coordinates of the answer. */
export interface Conversion {
  /** Turns and moves it to common coordinates, in its own unit. */
  readonly move?: Pose | undefined;
  /** How many of the answer's units its own is. */
  readonly scale: number;
}

/** A pose in a file's own unit and coordinates, brought to those of the answer. */
export function convertedPose(pose: Pose | undefined, conversion: Conversion | undefined): Pose | undefined {
  if (conversion === undefined) return pose;
  const { move, scale } = conversion;
  return scaledPose(move && pose ? multiplyPoses(move, pose) : (move ?? pose), scale);
}

/** A pose after which everything is scaled about the origin. */
export function scaledPose(pose: Pose | undefined, scale: number): Pose | undefined {
  if (scale === 1) return pose;
  if (pose === undefined) return Float64Array.of(scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, 1);
  return Float64Array.from(pose, (value, i) => (i % 4 === 3 ? value : value * scale));
}
