// Table 1 of Myszkowski, Okunev and Kunii: two simple polyhedra of 160,000 polygons together at 512 × 512 pixels.
// Lines pass each of them at most twice (figure 3b), or one of them up to six times (3a), or both (3c). Smaller sizes
// too, because the paper says that cost is linear. Its shapes are known only from their description.

import { type Mesh, multiplyPoses } from 'nearfield';
import { type Case, type SceneFile, still } from '../../case.ts';
import { turnAbout } from '../../poses.ts';
import { bar, comb, cutTo } from '../meshes/polyhedra.ts';
import { coarsely, growingSizes } from './raycast.ts';

export const polygonCounts = [10_000, 20_000, 40_000, 60_000, 80_000, 100_000, 130_000, 160_000];

/** Seconds of the paper: RealityEngine2, Extreme. */
export const figures = [
  // The polyhedron that is convex along lines comes first, as A.
  { name: 'one π-convex (figure 3a)', shapes: [bar, comb], algorithm: 'extended', paper: [0.84, 1.47] },
  { name: 'two π-convex (figure 3b)', shapes: [bar, bar], algorithm: 'convex', paper: [0.77, 1.36] },
  { name: 'general (figure 3c)', shapes: [comb, comb], algorithm: 'general', paper: [1.39, 2.34] },
] as const;

export const layers: SceneFile = {
  name: 'layers',
  about: 'two polyhedra layer by layer in depth: table 1 of Myszkowski et al.',
  caseCount: figures.length * polygonCounts.length,
  seconds: { each: 70, peers: 100 },
  *cases(): Generator<Case> {
    for (const figure of figures) {
      for (const polygons of polygonCounts) yield twoPolyhedra(figure, polygons);
    }
  },
};

/** Each figure at eight sizes that cost enough to be measured, on a modern GPU or on a software GPU. */
export function* growing(software: boolean): Generator<readonly Case[]> {
  for (const figure of figures) {
    yield growingSizes(software).map(count =>
      coarsely(software, twoPolyhedra(figure, count, `${figure.name}, in turn`)),
    );
  }
}

/**
 * Rotated about the view direction, which changes no line's layers. Aligned with rows of pixels, a polyhedron has
 * edges as long as the picture. One of the eight sizes has such an edge within one hundred-thousandth of a pixel of a
 * column's middles; then all lines of that column are cast exactly, which takes as long as the rest.
 */
const rolled = turnAbout([1, 0, 0], 0.3, [0, 0, 0], [0, 0, 0]);

export function twoPolyhedra(
  { name, shapes, algorithm, paper }: (typeof figures)[number],
  polygons: number,
  series: string = name,
): Case {
  const cut = new Map<() => Mesh, Mesh>();
  const meshes = shapes.map(shape => {
    const made = cut.get(shape) ?? cutTo(shape(), polygons / 2);
    cut.set(shape, made);
    return made;
  });
  const size = meshes[0].triangleCount + meshes[1].triangleCount;
  return {
    scene: 'layers',
    name: `${series}, ${size.toLocaleString('en')}`,
    question: 'any',
    bodies: [
      { mesh: meshes[0], pose: rolled },
      // Rotated so that no face of one is parallel to one of the other, and deep between the teeth if there are any.
      {
        mesh: meshes[1],
        pose: multiplyPoses(rolled, turnAbout([1, 2, 2], 0.4, [0, 0, 0], [0.3, 0.45, 0.2])),
      },
    ],
    frames: still,
    images: { resolution: 512, algorithm, direction: [1, 0, 0] },
    series: { name: series, unit: 'polygon', size },
    ...(polygons === 160_000 &&
      series === name && {
        paper: {
          from: 1000 * paper[0],
          milliseconds: 1000 * paper[1],
          machine: 'RealityEngine2–Extreme, 1995',
        },
      }),
  };
}
