// How deep two closed solids overlap, at random placements: only a verified separating translation, and the bracket
// of the depth. The bunny has its holes filled, in full and thinned to 40,000 triangles; the bumpy sphere has 40,500.

import { identity, shapes } from 'nearfield';
import { type Case, movedTo, type SceneFile } from '../../case.ts';
import { turnAbout } from '../../poses.ts';
import { bumpySphere, extent, filled, type Model } from '../meshes/generated.ts';
import { bunny } from '../meshes/models.ts';
import { thinned } from '../meshes/thinned.ts';

const placements = 24;

export const penetration: SceneFile = {
  name: 'penetration',
  about: 'how deep two closed solids of 40,000 and 70,000 triangles overlap, at random places',
  caseCount: 6,
  seconds: { each: 40, peers: 0 },
  async *cases(): AsyncGenerator<Case> {
    const real = await bunny();
    const models = [bumpySphere(40500)];
    if (real) {
      const whole = filled(real.mesh);
      models.push({ name: 'closed bunny of 40,000', mesh: thinned(whole, 40000) });
      models.push({ name: 'closed bunny of 69,674', mesh: whole });
    }
    for (const model of models) {
      yield atRandom(model, 'separation', placements);
      yield atRandom(model, 'penetration', placements);
    }
  },
};

/** Two copies, the second rotated at random and shifted by up to 60 % of the box's longest side. */
function atRandom(model: Model, question: 'separation' | 'penetration', count: number): Case {
  const { mesh, name } = model;
  const { size, center } = extent(mesh.bounds);
  const random = shapes.createRandom(7);
  const frames = Array.from({ length: count }, () => {
    const far = 0.6 * random.next() * Math.max(...size);
    const [x, y, z] = random.direction();
    const pose = turnAbout(random.direction(), random.between(0, 2 * Math.PI), center, [
      far * x,
      far * y,
      far * z,
    ]);
    return movedTo([identity(), pose]);
  });
  const bodies = frames[0].poses.map(pose => ({ mesh, pose }));
  return { scene: 'penetration', name, question, bodies, frames };
}
