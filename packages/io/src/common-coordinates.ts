// How do several files come together in one coordinate system? Formats that say which axis points up are turned so that it is the same
// for all (glTF has +y up; IFC, 3MF and URDF have +z up), then IFC files come to one place on the map (ifc/common-map.ts).
// A file alone, and files that agree, stay as they are. Units are not touched.

import { multiplyPoses, NearfieldError, type Pose } from 'nearfield';
import { onCommonMap } from './ifc/common-map.ts';
import type { ReadResult } from './read-result.ts';
import { inWords } from './reading/file-error.ts';

/** A file that was read, and its name. */
export type NamedResult = ReadResult & { readonly name: string };

/** Files in common coordinates. */
export interface InCommonCoordinates<Result> {
  /** The files in the order given. Those that were moved have other poses. */
  readonly results: readonly Result[];
  /**
   * Per file, the pose that was put before those of its bodies, in the file's unit. Undefined if the file stays where it is.
   */
  readonly moves: readonly (Pose | undefined)[];
  /** What the user should know: which files were turned or moved, and which do not say where they stand. One sentence each. */
  readonly messages: readonly string[];
}

/**
 * Brings files that were read to common coordinates: with +z up if some have +y and some have +z up (`ReadResult.up`), and to the place on the
 * map of the first file that states one (`ReadResult.map`). Turning only exchanges and negates coordinates, so nothing is rounded. Every file
 * keeps its own unit. Throws 'bad-option' if files cannot be brought together: their maps differ, or a file beside them does not
 * say where it stands.
 */
export function inCommonCoordinates<Result extends NamedResult>(
  results: readonly Result[],
): InCommonCoordinates<Result> {
  checkArguments(results);
  const turned = withCommonUp(results);
  const onMap = onCommonMap(turned.results);
  const moves = onMap.moves.map((move, i) => {
    const turn = turned.moves[i];
    return move && turn ? multiplyPoses(move, turn) : (move ?? turn);
  });
  return { results: onMap.results, moves, messages: [...turned.messages, ...onMap.messages] };
}

/** (x, y, z) becomes (x, −z, y): +y up becomes +z up. */
const upright = Float64Array.of(1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1);

function withCommonUp<Result extends NamedResult>(results: readonly Result[]): InCommonCoordinates<Result> {
  const [lying, standing] = (['y', 'z'] as const).map(up => results.filter(result => result.up === up));
  if (lying.length === 0 || standing.length === 0) {
    return { results, moves: results.map(() => undefined), messages: silentBeside(lying, results) };
  }
  const names = lying.slice(0, 3).map(({ name }) => name);
  const more = lying.length > 3 ? ` and ${lying.length - 3} more` : '';
  return {
    results: results.map(result => {
      if (result.up !== 'y') return result;
      const bodies = result.bodies.map(body => ({
        ...body,
        pose: body.pose ? multiplyPoses(upright, body.pose) : upright.slice(),
        meshRounding: body.meshRounding ?? body.rounding,
      }));
      return { ...result, bodies, up: 'z' };
    }),
    moves: results.map(({ up }) => (up === 'y' ? upright.slice() : undefined)),
    messages: [`${names.join(', ')}${more}: turned from +y up to +z up, as in ${standing[0].name}`],
  };
}

/** Most programs have +z up, so a file that does not say is worth a word only beside files with +y up. */
function silentBeside(lying: readonly NamedResult[], results: readonly NamedResult[]): string[] {
  const silent = results.find(({ up }) => up === undefined);
  if (lying.length === 0 || silent === undefined) return [];
  return [
    `${lying[0].name} has +y up, ${silent.name} does not say which axis points up: they are taken to have the same; if not, turn one of them`,
  ];
}

function checkArguments(results: unknown): void {
  const isResult = (given: unknown): boolean => {
    const { name, bodies, map } = (
      typeof given === 'object' && given !== null ? given : {}
    ) as Partial<NamedResult>;
    const isMap = map === undefined || (typeof map === 'object' && map !== null && Array.isArray(map.origin));
    return typeof name === 'string' && Array.isArray(bodies) && isMap;
  };
  const list: readonly unknown[] | undefined = Array.isArray(results) ? results : undefined;
  if (!list) throw bad(`inCommonCoordinates takes an array of results of readFile, not ${inWords(results)}`);
  const wrong = list.findIndex(given => !isResult(given));
  if (wrong >= 0)
    throw bad(
      `inCommonCoordinates: results[${wrong}] must be a result of readFile with a name, not ${inWords(list[wrong])}`,
    );
}

const bad = (what: string): NearfieldError => new NearfieldError('bad-option', what);
