// How deep the points of a volume lie, as Hoff et al. published it (sections 5.2 to 5.4), on the CPU: one distance field
// per body in the box around the points, drawn as distance meshes, and differences of the nearest body's field.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { worldBox } from '../../../bodies/snapshot/world.ts';
import type { CpuEngine } from '../../../cpu/engine.ts';
import type { Box } from '../../../math/box.ts';
import type { FieldTask } from '../distance/sample-field.ts';
import type { RawField } from '../field.ts';
import type { Grid } from '../grid.ts';
import { commonBox } from '../slices/localise.ts';
import type { PointDepths, RawVolume } from '../volume.ts';
import { drawField } from './draw-field.ts';

/** Depths of the points of a volume. Yields the share done. */
export function* drawDepths(
  engine: CpuEngine,
  bodies: readonly Placed[],
  volume: RawVolume,
): Generator<number, PointDepths> {
  const { grid, cells, count } = volume;
  const depths: PointDepths = {
    depth: new Float32Array(count),
    direction: new Float32Array(3 * count),
    body: new Uint32Array(count),
    triangle: new Uint32Array(count),
  };
  if (count === 0) return depths;
  const places = placesOf(grid, cells);
  const [around, low] = gridAround(grid, places);
  // The ball around a point that reaches to the nearest surface lies in the volume. If the grid covers the whole volume,
  // the ball lies in the box around the points; in any case it lies in the box that the bodies share. So half the shorter
  // side of that box bounds its radius. Two cells more are for a neighbour of the deepest point and for the error of its
  // distance.
  const shared = bodies.length === 1 ? worldBox(bodies[0]) : commonBox(bodies);
  const side = covers(grid, shared)
    ? Math.min(...around.dimensions) * grid.cell
    : Math.min(...[0, 1, 2].map(axis => shared[axis + 3] - shared[axis]));
  const upTo = side / 2 + 2 * grid.cell;
  const task: FieldTask = {
    ...{ grid: around, upTo, signed: false, form: 'distance-meshes', meshTolerance: undefined },
  };
  const fields: RawField[] = [];
  for (let b = 0; b < bodies.length; b++) {
    const work = drawField(engine, bodies[b], task, { first: 0, end: around.dimensions[2] });
    for (let step = work.next(); ; step = work.next()) {
      if (step.done) {
        fields.push(step.value);
        break;
      }
      yield (b + step.value) / bodies.length;
    }
  }
  const [nx, ny] = around.dimensions;
  for (let p = 0; p < count; p++) {
    const [i, j, k] = [0, 1, 2].map(axis => places[3 * p + axis] - low[axis]);
    writeDepth(depths, p, fields, i + nx * (j + ny * k), [1, nx, nx * ny]);
  }
  const works = fields.map(({ meshes }) => meshes!);
  const sum = (key: 'sites' | 'meshes' | 'pieces' | 'fill') =>
    works.reduce((total, work) => total + work[key]!, 0);
  const error = Math.max(...works.map(work => work.error));
  const [sites, meshes, pieces, fill] = [sum('sites'), sum('meshes'), sum('pieces'), sum('fill')];
  return { ...depths, meshes: { error, sites, meshes, pieces, fill } };
}

const covers = ({ origin, cell, dimensions }: Grid, box: Box): boolean =>
  origin.every((start, axis) => start <= box[axis] && start + cell * dimensions[axis] >= box[axis + 3]);

/** i, j, k of every point. */
function placesOf({ dimensions: [nx, , nz] }: Grid, cells: Uint32Array): Uint32Array {
  const places = new Uint32Array(3 * cells.length);
  cells.forEach((cell, p) => {
    const column = Math.floor(cell / nz);
    places.set([column % nx, Math.floor(column / nx), cell % nz], 3 * p);
  });
  return places;
}

/** The samples of the box around all points and one more on every side, and the first of them. */
function gridAround({ origin, cell }: Grid, places: Uint32Array): [Grid, [number, number, number]] {
  const low = [Infinity, Infinity, Infinity];
  const high = [0, 0, 0];
  places.forEach((at, i) => {
    low[i % 3] = Math.min(low[i % 3], at - 1);
    high[i % 3] = Math.max(high[i % 3], at + 2);
  });
  const [x, y, z] = low;
  const start = origin.map((from, axis) => from + low[axis] * cell);
  return [
    {
      origin: [start[0], start[1], start[2]],
      cell,
      dimensions: [high[0] - x, high[1] - y, high[2] - z],
    },
    [x, y, z],
  ];
}

/** Depth, nearest body and triangle, and direction of a point, which is a sample of the fields. */
function writeDepth(
  depths: PointDepths,
  p: number,
  fields: readonly RawField[],
  sample: number,
  steps: readonly number[],
): void {
  let nearest = 0;
  for (let b = 1; b < fields.length; b++) {
    if (fields[b].distance[sample] < fields[nearest].distance[sample]) nearest = b;
  }
  const { distance, owner } = fields[nearest];
  depths.depth[p] = distance[sample];
  depths.body[p] = nearest;
  depths.triangle[p] = owner[sample];
  const toward = steps.map(step => {
    // The neighbour with the larger difference: the other may lie beyond a crease of the field (section 5.3).
    const below = distance[sample] - distance[sample - step];
    const above = distance[sample + step] - distance[sample];
    return -(Math.abs(below) > Math.abs(above) ? below : above);
  });
  const length = Math.sqrt(toward[0] ** 2 + toward[1] ** 2 + toward[2] ** 2);
  if (length > 0) for (let axis = 0; axis < 3; axis++) depths.direction[3 * p + axis] = toward[axis] / length;
}
