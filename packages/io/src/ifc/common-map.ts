// How do IFC files that stand at different places on a map come together?
//
// A file alone stays in its project's coordinates: they are small, people and other programs know them, and map lengths
// are not lengths on the ground. Files with the same place on the map stay there too. Files with different places are
// brought to the coordinates of the first of them: from their own to the map, and from the map to those of the first.
// So a file's own answers do not change when a file is added after it, and nothing goes through numbers of millions of
// metres: the difference of two places on the map is taken first. The move is a pose in doubles; meshes stay as they are.

import { multiplyPoses, NearfieldError, type Pose } from 'nearfield';
import type { InCommonCoordinates, NamedResult } from '../common-coordinates.ts';
import type { ReadBody } from '../read-result.ts';
import { quoted } from '../reading/file-error.ts';
import type { MapPlacement } from './map-placement.ts';

/**
 * Brings files that state different places on a map (`ReadResult.map`) to the coordinates of the first of them. Every
 * file keeps its own unit. Throws 'bad-option' if they cannot be brought together: their maps differ, or a file beside
 * them does not say where it stands.
 */
export function onCommonMap<Result extends NamedResult>(
  results: readonly Result[],
): InCommonCoordinates<Result> {
  const [first] = results.filter(({ map }) => map !== undefined);
  const moves: (Pose | undefined)[] = results.map(() => undefined);
  if (!first) return { results, moves, messages: [] };
  const silent = results.find(({ map }) => map === undefined);
  const messages: string[] = [];
  const moved = results.map((result, i) => {
    const { name, map, unit } = result;
    if (!map) return result;
    const move = moveBetween(first.map!, map, unit ?? 1);
    checkMaps(first, result, move !== undefined);
    if (!move) return result;
    if (!move.every(Number.isFinite)) refuse(`${first.name} and ${name} are too far apart on the map`);
    if (silent) {
      const map = first.map!.system === undefined ? 'the map' : `the map ${quoted(first.map!.system)}`;
      refuse(
        `${first.name} and ${name} stand at different places on ${map}, but ${silent.name} does not say where it stands: leave it out, or export it with its place (IfcMapConversion)`,
      );
    }
    messages.push(`${name} is moved to the coordinates of ${first.name}: ${moveInWords(move, unit ?? 1)}`);
    moves[i] = move;
    return { ...result, bodies: result.bodies.map(body => movedBody(body, move)) };
  });
  if (silent) {
    const same = 'they are taken to be in the same coordinates';
    messages.push(`${first.name} says where it stands on a map, ${silent.name} does not: ${same}`);
  }
  return { results: moved, moves, messages: [...new Set(messages)] };
}

function refuse(what: string): never {
  throw new NearfieldError('bad-option', what);
}

/** Refuses maps that differ by name. Files at the same place need not both name their map. */
function checkMaps(first: NamedResult, other: NamedResult, isMoved: boolean): void {
  const named = (text: string | undefined) =>
    text === undefined ? 'one that it does not name' : quoted(text);
  for (const [key, what, mustBeNamed] of [
    ['system', 'the coordinate system', isMoved],
    ['verticalDatum', 'heights above', false],
  ] as const) {
    const [a, b] = [first.map![key], other.map![key]];
    if (a?.trim().toLowerCase() === b?.trim().toLowerCase()) continue;
    if (!mustBeNamed && (a === undefined || b === undefined)) continue;
    refuse(
      `${first.name} is on a map with ${what} ${named(a)}, ${other.name} on one with ${named(b)}: they cannot be brought together; export both for the same map`,
    );
  }
}

/**
 * From the coordinates of a file to those of another, in the unit of the first (in metres). Undefined if they are the
 * same. With R the rotation of the x axis, k the scale and o the origin on the map, a point p of a file lies at k R p + o
 * there. So it lies at (k / k') R'ᵀR p + R'ᵀ(o − o') / k' in the coordinates of the other.
 */
function moveBetween(to: MapPlacement, from: MapPlacement, unit: number): Pose | undefined {
  // The difference of the angles. Equal axes give exactly 1 and 0.
  const along = to.axis[0] * from.axis[0] + to.axis[1] * from.axis[1];
  const across = to.axis[0] * from.axis[1] - to.axis[1] * from.axis[0];
  const length = Math.hypot(along, across);
  const [cos, sin] = [along / length, across / length];
  const [horizontal, vertical] = [0, 1].map(i => from.scale[i] / to.scale[i]);
  const [east, north, up] = [0, 1, 2].map(i =>
    to.unit === from.unit
      ? (from.origin[i] - to.origin[i]) * ratio(to.unit, unit)
      : (from.origin[i] * from.unit - to.origin[i] * to.unit) / unit,
  );
  const [x, y] = to.axis;
  const move = new Float64Array(16);
  move.set([horizontal * cos, horizontal * sin, 0], 0);
  move.set([0 - horizontal * sin, horizontal * cos, 0], 4);
  move[10] = vertical;
  move.set(
    [(x * east + y * north) / to.scale[0], (x * north - y * east) / to.scale[0], up / to.scale[1], 1],
    12,
  );
  return move.every((value, i) => value === (i % 5 === 0 ? 1 : 0)) ? undefined : move;
}

/** 0.0254 / 0.001 is not the double nearest to 25.4. */
const ratio = (a: number, b: number): number => (a === b ? 1 : Number((a / b).toPrecision(15)));

function movedBody(body: ReadBody, move: Pose): ReadBody {
  const pose = body.pose ? multiplyPoses(move, body.pose) : move;
  // The move may lengthen by the ratio of two scales of maps. Positions are rounded once more at their new place.
  const stretch = Math.max(Math.hypot(move[0], move[1]), move[10]);
  const far = Math.max(...[12, 13, 14].map(i => Math.abs(pose[i])));
  const rounding =
    body.rounding === undefined ? undefined : body.rounding * stretch + Math.sqrt(3) * 2 ** -53 * far;
  return { ...body, pose, rounding, meshRounding: body.meshRounding ?? body.rounding };
}

function moveInWords(move: Pose, unit: number): string {
  const metres = [12, 13, 14].map(i => Number((move[i] * unit).toPrecision(6)));
  const degrees = Number(((Math.atan2(move[1], move[0]) * 180) / Math.PI).toPrecision(6));
  return `by (${metres.join(', ')}) m${degrees === 0 ? '' : `, turned by ${degrees}°`}`;
}
