// Table 1 of Myszkowski, Okunev and Kunii: two simple polyhedra of 160,000 polygons together at 512 × 512 pixels, where lines pass
// each of them twice at most (figure 3b), one of them up to six times (3a), or both (3c); and the same at smaller sizes, because
// the paper says that cost grows in proportion. Its shapes are known from their description alone.

import { type Mesh, multiplyPoses } from 'nearfield';
import { type Case, type SceneFile, still } from '../case.ts';
import { turnAbout } from '../poses.ts';
import { bar, comb, cutTo } from './polyhedra.ts';
import { coarsely, growingSizes } from './raycast.ts';

export const polygonCounts = [10_000, 20_000, 40_000, 60_000, 80_000, 100_000, 130_000, 160_000];

/** Seconds of the paper: RealityEngine2, Extreme. */
export const figures = [
  // The one that is convex along lines comes first: it is looked at as A.
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

/** Each figure at eight sizes that cost enough to be told apart, on a GPU of today or on one that is a program. */
export function* growing(software: boolean): Generator<readonly Case[]> {
  for (const figure of figures) {
    yield growingSizes(software).map(count =>
      coarsely(software, twoPolyhedra(figure, count, `${figure.name}, in turn`)),
    );
  }
}

/**
 * About the direction they are looked at along, which changes no line's layers. Cut along rows of pixels, a polyhedron has edges
 * as long as the picture: one in a hundred thousand of a pixel beside the middles of a column, as one of eight sizes has it, all
 * lines of that column are cast exactly, for as long as the rest takes.
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
      // Turned so that no face of one is parallel to one of the other, and deep between the teeth where there are any.
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
