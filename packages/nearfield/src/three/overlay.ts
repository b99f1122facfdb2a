// Turns answers into geometry for drawing: triangles that meet, curves, arrows. `origin` is subtracted from positions
// in doubles before they become single precision, so that an assembly in map coordinates does not tremble. Place the
// object at `origin`.

import { applyPose, type Body, type Curve, NearfieldError, type Pair, type Positions } from 'nearfield';
import { BufferAttribute, BufferGeometry } from 'three';
import {
  checkBody,
  checkIterable,
  checkOptions,
  checkPositions,
  inWords,
  numbers,
  type Rule,
} from './arguments.ts';
import { flatGeometry } from './geometry.ts';

/** How marks are drawn over a scene. */
export interface OverlayOptions {
  /** x, y, z, subtracted in doubles from every position; default 0 0 0. Place the object there. */
  readonly origin?: ArrayLike<number>;
}

/** How triangles are highlighted. */
export interface HighlightOptions extends OverlayOptions {
  /** The local positions of a deformed body (`await body.readPositions()`); default those of its mesh. */
  readonly positions?: Positions;
}

/**
 * The triangles of `body` that meet another body in these pairs, each once, in world coordinates. Throws 'bad-option' for
 * what are not pairs or bodies, 'bad-array' for positions that do not fit.
 */
export function highlightGeometry(
  pairs: Iterable<Pair>,
  body: Body,
  options: HighlightOptions = {},
): BufferGeometry {
  checkIterable(pairs, 'pairs');
  checkBody(body);
  const meeting = new Set<number>();
  for (const pair of pairs) {
    if (!(pair?.triangles instanceof Uint32Array)) {
      throw new NearfieldError('bad-option', `pairs must contain pairs of an answer, not ${inWords(pair)}`);
    }
    const { a, b, triangles } = pair;
    if (a !== body && b !== body) continue;
    for (let i = a === body ? 0 : 1; i < triangles.length; i += 2) meeting.add(triangles[i]);
  }
  return trianglesGeometry(body, meeting, options);
}

/**
 * Some triangles of a body, by their indices, in world coordinates. Throws 'bad-option' for a triangle that it does not
 * have, 'bad-array' for positions that do not fit.
 */
export function trianglesGeometry(
  body: Body,
  triangles: Iterable<number>,
  options: HighlightOptions = {},
): BufferGeometry {
  checkBody(body);
  const { mesh, pose } = body;
  checkIterable(triangles, 'triangles');
  const aPosition: Rule = given => checkPositions(given, mesh.positions.length);
  checkOptions(options, { origin: numbers(3), positions: aPosition });
  const { origin = zero, positions = mesh.positions } = options;
  const corners: number[] = [];
  const point = new Float64Array(3);
  for (const triangle of triangles) {
    if (!(Number.isInteger(triangle) && triangle >= 0 && triangle < mesh.triangleCount)) {
      const message = `triangles must be numbers from 0 to ${mesh.triangleCount - 1}, not ${inWords(triangle)}`;
      throw new NearfieldError('bad-option', message);
    }
    for (let corner = 0; corner < 3; corner++) {
      const vertex = 3 * mesh.indices[3 * triangle + corner];
      applyPose(pose, positions[vertex], positions[vertex + 1], positions[vertex + 2], point, 0);
      corners.push(point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]);
    }
  }
  return flatGeometry(Float32Array.from(corners));
}

/**
 * The curves where surfaces meet, in world coordinates, for LineSegments. Curves of a single point have no length and are
 * left out. Throws 'bad-option' for what are not curves.
 */
export function curvesGeometry(curves: Iterable<Curve>, options: OverlayOptions = {}): BufferGeometry {
  checkIterable(curves, 'curves');
  checkOptions(options, { origin: numbers(3) });
  const { origin = zero } = options;
  const ends: number[] = [];
  for (const curve of curves) {
    if (!(curve?.points instanceof Float64Array)) {
      throw new NearfieldError('bad-option', `curves must contain what curves gives, not ${inWords(curve)}`);
    }
    const { points, closed } = curve;
    const count = points.length / 3;
    for (let i = 0; i + 1 < count + (closed ? 1 : 0); i++) {
      for (const vertex of [i, (i + 1) % count]) {
        for (let axis = 0; axis < 3; axis++) ends.push(points[3 * vertex + axis] - origin[axis]);
      }
    }
  }
  return lines(ends);
}

/**
 * A line from each point along its vector, with a head of two strokes, for LineSegments: x, y, z per point and per vector,
 * in world coordinates. Throws 'bad-option' unless there are as many of both.
 */
export function arrowsGeometry(
  points: ArrayLike<number>,
  vectors: ArrayLike<number>,
  options: OverlayOptions = {},
): BufferGeometry {
  numbers()(points, 'points');
  numbers(points.length)(vectors, 'vectors');
  checkOptions(options, { origin: numbers(3) });
  const { origin = zero } = options;
  const ends: number[] = [];
  for (let i = 0; i < points.length; i += 3) {
    const from = [0, 1, 2].map(axis => points[i + axis] - origin[axis]);
    const along = [0, 1, 2].map(axis => vectors[i + axis]);
    const tip = from.map((value, axis) => value + along[axis]);
    const across = anyAcross(along);
    ends.push(...from, ...tip);
    for (const side of [1, -1]) {
      ends.push(...tip, ...tip.map((value, axis) => value - 0.25 * along[axis] + side * 0.12 * across[axis]));
    }
  }
  return lines(ends);
}

const zero = [0, 0, 0] as const;

function lines(ends: readonly number[]): BufferGeometry {
  return new BufferGeometry().setAttribute('position', new BufferAttribute(Float32Array.from(ends), 3));
}

/** A vector of the same length at right angles to another. */
function anyAcross([x, y, z]: readonly number[]): number[] {
  const length = Math.hypot(x, y, z);
  const least = Math.min(Math.abs(x), Math.abs(y), Math.abs(z));
  const other = Math.abs(x) === least ? [1, 0, 0] : Math.abs(y) === least ? [0, 1, 0] : [0, 0, 1];
  const cross = [y * other[2] - z * other[1], z * other[0] - x * other[2], x * other[1] - y * other[0]];
  const size = Math.hypot(...cross);
  return size === 0 ? [0, 0, 0] : cross.map(value => (value * length) / size);
}
