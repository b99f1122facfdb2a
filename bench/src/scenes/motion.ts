// A cloth of 92,000 triangles that moves by a tenth of an edge per frame: its self-intersections in every frame, and the first
// contacts of its triangles with each other on the way to the next. Both are asked of the same positions, so the ratio is what
// looking between the frames costs. And two models of about 70,000 triangles, one of which passes through the other as it turns: their
// distance in frames, and their first contact between them.

import { elementary } from '@nearfield/samples';
import { identity, multiplyPoses, shapes } from 'nearfield';
import { type Case, type Frame, movedTo, type SceneFile } from '../case.ts';
import { extent, type Model, overlapping, single, touchingShares } from './meshes/generated.ts';
import { pairModels } from './meshes/models.ts';

const { sine } = elementary;
const frameCount = 8;

export const motion: SceneFile = {
  name: 'motion',
  about: 'a cloth of 92,000 triangles and two models of 70,000: what looking between frames costs',
  caseCount: 6,
  seconds: { each: 10, peers: 10 },
  async *cases(): AsyncGenerator<Case> {
    yield* clothCases();
    for (const model of await pairModels()) {
      const apart = passingModels(model);
      yield apart;
      yield { ...apart, question: 'motion' };
    }
  },
};

/** The cloth's self-intersections, and its first contacts with itself on the way to the next frame. */
export function* clothCases(): Generator<Case> {
  const self = movingCloth(92_230);
  yield self;
  yield { ...self, question: 'motion' };
}

/** Two copies of a model. The second moves from half a box beside the first to the other side of it, and turns by 60°. */
function passingModels(model: Model): Case {
  const bodies = overlapping(model, touchingShares[model.name] + 0.5);
  const [fixed, first] = bodies.map(({ pose }) => pose);
  const { center } = extent(model.mesh.bounds);
  const [c, s] = [0.5, Math.sqrt(0.75)];
  const turn = Float64Array.of(c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  const last = multiplyPoses(turn, first);
  // The middle of the second box, mirrored at that of the first.
  const place = (pose: Float64Array, row: number) =>
    pose[row] * center[0] + pose[4 + row] * center[1] + pose[8 + row] * center[2] + pose[12 + row];
  for (let row = 0; row < 3; row++)
    last[12 + row] += 2 * place(fixed, row) - place(first, row) - place(last, row);
  return {
    scene: 'motion',
    name: `two of ${model.name}`,
    question: 'distance',
    bodies,
    frames: [first, last].map(pose => movedTo([fixed, pose])),
  };
}

/** Folds that meet (steepness 2.2), swaying in waves. */
function movingCloth(triangles: number): Case {
  const mesh = single(shapes.cloth({ triangles, steepness: 2.2 }));
  // An edge is about as long as a square of the sheet, 4 by 2, that two triangles share.
  const step = Math.sqrt(16 / mesh.triangleCount) / 10;
  const frames: Frame[] = Array.from({ length: frameCount }, (_, frame) => {
    const phase = (2 * Math.PI * frame) / frameCount;
    const positions = Float32Array.from(mesh.positions);
    for (let v = 0; v < positions.length; v += 3) {
      const [x, y, z] = mesh.positions.subarray(v, v + 3);
      positions[v] += step * sine(9 * y + 3 * z + phase);
      positions[v + 1] += step * sine(11 * x + 5 * z + phase);
      positions[v + 2] += step * sine(7 * x + 13 * y + phase);
    }
    return { positions };
  });
  const count = mesh.triangleCount.toLocaleString('en');
  return {
    scene: 'motion',
    name: `cloth of ${count}`,
    question: 'self',
    bodies: [{ mesh, pose: identity() }],
    frames,
  };
}
