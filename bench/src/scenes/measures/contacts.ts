// Contact patches of two solids, with normal, depth, area and points. There are deep overlaps of two solids of 980
// triangles each, whose surfaces cross in one curve or in many, and rings. A sphere laid upon itself has to be decided
// exactly everywhere. A sphere of 18,000 triangles gets new positions every frame, and its surface has to be checked
// again for self-intersections before it is known to bound a solid. The first two pairs are also measured for their
// common volume.

import { elementary } from '@nearfield/samples';
import { identity, type Mesh, mesh, shapes } from 'nearfield';
import { type Case, type Frame, type SceneFile, still } from '../../case.ts';
import { turnAbout } from '../../poses.ts';
import { single } from '../meshes/generated.ts';

const { unitAt } = elementary;

const turned = (along: readonly [number, number, number], angle = 0.7): Float64Array =>
  turnAbout([1, 2, 3], angle, [0, 0, 0], along);

/** Scaled along each axis, in single precision. */
const stretched = ({ positions, indices }: Mesh, by: readonly [number, number, number]): Mesh =>
  mesh(
    Float32Array.from(positions, (value, i) => value * by[i % 3]),
    indices,
  );

export const contacts: SceneFile = {
  name: 'contacts',
  about:
    'contact patches of two solids: deep overlaps of 980 triangles, 18,000 laid upon themselves or deforming',
  caseCount: 9,
  seconds: { each: 25, peers: 10 },
  *cases(): Generator<Case> {
    const ball = single(shapes.icosphere({ frequency: 7 }));
    const rough = [1, 2].map(seed => single(shapes.displacedSphere({ triangles: 980, seed })));
    const ring = single(shapes.torus({ majorSegments: 24, minorSegments: 12 }));
    for (const question of ['contacts', 'overlap'] as const) {
      const half = of('spheres of 980, half overlapping', [ball, ball], turned([0.4, 0.2, 0.1]));
      const deep = of('rough spheres of 980, deep in one another', rough, turned([0.05, 0.02, 0.1]));
      yield { ...half, question };
      yield { ...deep, question };
    }
    const [long, tall] = [stretched(ball, [2, 1, 1]), stretched(ball, [1, 1, 2])];
    yield of('ellipsoids of 980, through one another', [tall, long], turned([0.05, 0.02, 0.1], 0.2));
    yield of('rings of 576, pressed together', [ring, ring], turned([0.2, 0.1, 0.05], 0.3));
    yield of('sphere of 980 upon itself', [ball, ball], identity());
    const fine = single(shapes.icosphere({ frequency: 30 }));
    yield of('sphere of 18,000 upon itself', [fine, fine], identity());
    yield deforming(fine, ball);
  },
};

function of(name: string, [a, b]: readonly Mesh[], pose: Float64Array): Case {
  const bodies = [
    { mesh: a, pose: identity() },
    { mesh: b, pose },
  ];
  return { scene: 'contacts', name, question: 'contacts', bodies, frames: still };
}

/** A sphere that swells and shrinks along an axis, pressed upon another. */
function deforming(first: Mesh, other: Mesh): Case {
  const frames: Frame[] = Array.from({ length: 8 }, (_, frame) => {
    const [x] = unitAt((2 * Math.PI * frame) / 8);
    return {
      positions: Float32Array.from(first.positions, (value, i) =>
        i % 3 === 0 ? value * (1 + 0.05 * x) : value,
      ),
    };
  });
  return {
    ...of('sphere of 18,000, deforming, upon one of 980', [first, other], turned([1.5, 0.2, 0.1])),
    frames,
  };
}
