// Closed surfaces that cross themselves at random, and the same surfaces triangulated differently. No part of them is
// convex, so shortcuts for convex parts do not apply.

type Integers = (n: number) => number;

/** Vertices, and three vertex indices per triangle. */
export interface Surface {
  readonly vertices: readonly (readonly number[])[];
  readonly triangles: readonly (readonly number[])[];
}

const pointOf = (random: Integers, size: number): number[] => [0, 1, 2].map(() => 4 * random(size));

/** A surface with the topology of a sphere, with vertices anywhere on a grid of 4·size. */
export function crossingSurface(random: Integers, triangleCount: number, size: number): Surface {
  let surface: Surface = {
    vertices: Array.from({ length: 4 }, () => pointOf(random, size)),
    triangles: [
      [0, 2, 1],
      [0, 1, 3],
      [1, 2, 3],
      [0, 3, 2],
    ],
  };
  while (surface.triangles.length < triangleCount) {
    surface = split(surface, random(surface.triangles.length), random(3), pointOf(random, size));
  }
  return surface;
}

/** The same surface with edges split in two. */
export function withSplitEdges(random: Integers, surface: Surface, triangleCount: number): Surface {
  let fine = surface;
  while (fine.triangles.length < triangleCount) {
    const [t, k] = [random(fine.triangles.length), random(3)];
    const [from, to] = [0, 1].map(step => fine.vertices[fine.triangles[t][(k + step) % 3]]);
    fine = split(
      fine,
      t,
      k,
      from.map((x, axis) => (x + to[axis]) / 2),
    );
  }
  return fine;
}

/** The surface with side k of triangle t split at a new vertex. Both triangles of the side become two. */
export function split(
  { vertices, triangles }: Surface,
  t: number,
  k: number,
  at: readonly number[],
): Surface {
  const [a, b] = [triangles[t][k], triangles[t][(k + 1) % 3]];
  const middle = vertices.length;
  const isSide = (from: number, to: number): boolean => (from === a && to === b) || (from === b && to === a);
  return {
    vertices: [...vertices, at],
    triangles: triangles.flatMap(own => {
      const side = own.findIndex((from, i) => isSide(from, own[(i + 1) % 3]));
      if (side < 0) return [own];
      const [p, q, r] = [own[side], own[(side + 1) % 3], own[(side + 2) % 3]];
      return [
        [p, middle, r],
        [middle, q, r],
      ];
    }),
  };
}

/** Nine numbers per triangle. */
export const soupOf = ({ vertices, triangles }: Surface): number[][] =>
  triangles.map(corners => corners.flatMap(v => vertices[v]));

/** The same triangles with reversed orientation. */
export const turnedSoup = (soup: readonly (readonly number[])[]): number[][] =>
  soup.map(t => [...t.slice(0, 3), ...t.slice(6, 9), ...t.slice(3, 6)]);
