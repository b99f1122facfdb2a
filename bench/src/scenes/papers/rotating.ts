// The figure of Gress and Zachmann (section 5): two copies of a model scaled to a cube of side 2, one rotated a full
// turn in small steps, at decreasing distances between the centres; the mean time per step, per distance. Their
// figure compares GPU and CPU with the same traversal, so the breadth-first traversals take part only here.

import { identity } from 'nearfield';
import { type Case, type Frame, movedTo, type SceneFile } from '../../case.ts';
import { turnAbout } from '../../poses.ts';
import { bumpySphere, fitted } from '../meshes/generated.ts';
import { bunny } from '../meshes/models.ts';

export const distances = [2, 1.8, 1.6, 1.4, 1.2, 1, 0.8, 0.6, 0.4] as const;
const stepCount = 72;

export const rotating: SceneFile = {
  name: 'rotating',
  about: 'the rotating pair of Gress and Zachmann at decreasing distances',
  caseCount: 9,
  seconds: { each: 50, peers: 80 },
  async *cases(): AsyncGenerator<Case> {
    const model = (await bunny()) ?? bumpySphere(69620);
    const mesh = fitted(model.mesh);
    for (const distance of distances) {
      const frames: Frame[] = Array.from({ length: stepCount }, (_, step) => {
        const angle = (2 * Math.PI * step) / stepCount;
        return movedTo([identity(), turnAbout([0, 1, 0], angle, [0, 0, 0], [distance, 0, 0])]);
      });
      const bodies = frames[0].poses!.map(pose => ({ mesh, pose }));
      yield {
        scene: 'rotating',
        name: `${model.name}, distance ${distance}`,
        question: 'pairs',
        bodies,
        frames,
      };
    }
  },
};
