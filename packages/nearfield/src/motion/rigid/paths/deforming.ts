// Where is a body that deforms? Every vertex moves linearly from its world position P₀ to P₁, both in doubles. Trees see it where
// its local positions are interpolated and then placed by its pose: q₀ + t·(q₁ − q₀) takes three roundings of at most twice the
// largest local coordinate, and the pose places it as path.ts says of any pose. So the slack of path.ts holds here too.

import type { Shape } from '../../../bodies/snapshot/snapshot.ts';
import type { SnapshotBody } from '../../../bodies/snapshot/snapshot-body.ts';
import { usedVertices } from '../../../bodies/snapshot/world.ts';
import { keepsWelds } from '../../../bodies/welds.ts';
import { type Box, isEmptyBox, placeBox } from '../../../math/box.ts';
import { applyPose } from '../../../math/pose.ts';
import { boundsOf } from '../../../mesh/facts.ts';
import { Mesh, type Positions } from '../../../mesh/mesh.ts';
import { type Frames, frameSlacks, map3, straightWay } from './frames.ts';
import { type BodyPath, up } from './path.ts';
import { lengthOf, linearOf, normOf } from './turn.ts';

/** The path of a body whose local positions become others. */
export function deformingPath(body: SnapshotBody, end: Positions): BodyPath {
  const { mesh, positions, pose } = body;
  const between = (t: number): Float64Array => Float64Array.from(positions, (q, i) => q + t * (end[i] - q));
  // Vertices that part are no longer one: the mesh may be open then.
  const shape: Shape = {
    mesh: keepsWelds(mesh, end) ? mesh : new Mesh(between(0.5), mesh.indices),
    positions: end,
    revision: 1,
  };
  let placedAt = 1;
  const bodyAt = (t: number): SnapshotBody => {
    if (t === 0) return body;
    if (t !== placedAt) {
      shape.positions = t === 1 ? end : between(t);
      shape.revision++;
      placedAt = t;
    }
    return { ...body, shape, mesh: shape.mesh, positions: shape.positions, revision: shape.revision };
  };

  const [box0, box1] = [boundsOf(positions, mesh.indices), boundsOf(end, mesh.indices)];
  const isEmpty = isEmptyBox(box0);
  // The least of sums is at least the sum of the least.
  const boundsAt = (t: number): Box => box0.map((x, i) => (1 - t) * x + t * box1[i]);
  const [world0, world1] = [box0, box1].map(box => placeBox(pose, box, new Float64Array(6)));
  const ends = [
    { positions, centre: map3(i => (isEmpty ? 0 : 0.5 * world0[i] + 0.5 * world0[i + 3])) },
    { positions: end, centre: map3(i => (isEmpty ? 0 : 0.5 * world1[i] + 0.5 * world1[i + 3])) },
  ] as const;
  const place = (time: 0 | 1, vertex: number, out: Float64Array): void => {
    const from = ends[time].positions;
    applyPose(pose, from[3 * vertex], from[3 * vertex + 1], from[3 * vertex + 2], out, 0);
  };
  let [radius, speed, reach, most] = [0, 0, 0, 0];
  const places = [new Float64Array(3), new Float64Array(3)] as const;
  const difference = (p: ArrayLike<number>, q: ArrayLike<number>) => lengthOf(map3(i => p[i] - q[i]));
  for (const vertex of usedVertices(mesh.indices, positions.length / 3)) {
    for (const time of [0, 1] as const) {
      place(time, vertex, places[time]);
      radius = Math.max(radius, difference(places[time], ends[time].centre));
      for (let i = 0; i < 3; i++) {
        reach = Math.max(reach, Math.abs(places[time][i]));
        most = Math.max(most, Math.abs(ends[time].positions[3 * vertex + i]));
      }
    }
    speed = Math.max(speed, difference(places[0], places[1]));
  }
  const norm = normOf(linearOf(pose));
  const slack = 2 ** -45 * (Math.sqrt(3) * norm * most + reach) + 2 ** -1060 * (1 + norm + most + reach);
  return {
    poseAt: (_, out) => out.set(pose),
    slack,
    speed: () => (speed + slack) * up,
    derivativeAt: () => {
      throw new Error(
        'a body that deforms has no derivative of its pose: placingByFrames places its corners',
      );
    },
    velocitySlack: Infinity,
    acceleration: 0,
    rests: false,
    size: 2 * radius * up,
    reach: reach * up,
    frames: unit => framesOf(unit),
    deforming: { bodyAt, boundsAt, shape },
  };

  /** In the form of frames.ts: M is 0, so what is missing at both ends is everything. */
  function framesOf(unit: number): Frames {
    const nothing = new Float64Array(9);
    const way = straightWay(
      ends[0].centre.map(x => x * unit),
      ends[1].centre.map(x => x * unit),
    );
    return {
      at: t => ({ ...way(t), linear: nothing, turning: nothing }),
      offsetOf: (_, out) => out.fill(0),
      endOf(time, vertex, out) {
        place(time, vertex, out);
        for (let i = 0; i < 3; i++) out[i] *= unit;
      },
      ...frameSlacks(radius * unit, 0, 2 * reach * unit),
    };
  }
}
