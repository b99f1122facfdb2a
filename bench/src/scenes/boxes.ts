// Ten thousand boxes that all move every frame: which of them meet? The first boxes are axis-aligned, so that boxes
// decide everything. The others are rotated, so that an axis-aligned box only gives candidates. There are two questions
// each: which bodies meet, decided by their triangles, and which axis-aligned boxes meet, which is all that engines for
// boxes answer.

import { elementary } from '@nearfield/samples';
import { mesh as createMesh, type Mesh, shapes } from 'nearfield';
import { type Case, movedTo, type Placement, type SceneFile } from '../case.ts';
import { turnAbout } from '../poses.ts';
import { single } from './meshes/generated.ts';

const { cubeRoot, sine } = elementary;

const bodyCount = 10_000;
const frameCount = 8;

export const boxes: SceneFile = {
  name: 'boxes',
  about: '10,000 moving boxes',
  caseCount: 4,
  seconds: { each: 12, peers: 45 },
  *cases(): Generator<Case> {
    for (const kind of ['axis-aligned', 'turned'] as const) {
      const job = movingBoxes(kind);
      yield job;
      yield { ...job, question: 'boxes' };
    }
  },
};

/**
 * Sides from 0.5 to 1.5 in a cube whose side is chosen so that a frame has about 550 pairs if axis-aligned: `usualSide` for
 * 10,000 boxes, and as dense for others. Each box swings about its place by up to a few of its own lengths, at its own speed.
 */
export function movingBoxes(
  kind: 'axis-aligned' | 'turned',
  count = bodyCount,
  seed = 7,
  usualSide = 93,
): Case {
  const random = shapes.createRandom(seed);
  const side = usualSide * cubeRoot(count / bodyCount);
  const meshes: Mesh[] = Array.from({ length: 16 }, () => {
    const size = [random.between(0.5, 1.5), random.between(0.5, 1.5), random.between(0.5, 1.5)] as const;
    const { positions, indices } = single(shapes.box({ size }));
    return createMesh(positions, indices);
  });
  const movers = Array.from({ length: count }, () => ({
    mesh: meshes[random.integer(meshes.length)],
    home: [random.between(0, side), random.between(0, side), random.between(0, side)],
    swing: [random.between(-2, 2), random.between(-2, 2), random.between(-2, 2)],
    axis: random.direction(),
    phase: random.between(0, 2 * Math.PI),
  }));
  const frames = Array.from({ length: frameCount }, (_, frame) => {
    const poses = movers.map(({ home, swing, axis, phase }) => {
      const time = phase + (2 * Math.PI * frame) / frameCount;
      const shift = home.map((value, i) => value + swing[i] * sine(time));
      // In single precision, as a simulation on a GPU has: every engine gets the same numbers.
      return turnAbout(axis, kind === 'turned' ? time : 0, [0, 0, 0], shift).map(Math.fround);
    });
    return movedTo(poses);
  });
  const bodies: Placement[] = movers.map(({ mesh }, i) => ({ mesh, pose: frames[0].poses[i] }));
  return {
    scene: 'boxes',
    name: `${count.toLocaleString('en')} ${kind}`,
    question: 'bodies',
    bodies,
    frames,
    boxes: kind,
  };
}
