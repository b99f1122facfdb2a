// The paper's Figure 7: where the crossing pairs of triangles lie that FAR keeps and CULLIDE loses.

import type { Mesh } from 'nearfield';
import type { Case } from '../../case.ts';
import type { Plot } from '../paper.ts';
import type { Followed } from './follow.ts';

/** A dot per crossing pair of two bodies, at its first body's triangle, seen along y in that body's own frame. */
export function lostPlot(
  job: Case,
  exact: Followed,
  cullide: Followed,
  far: Followed,
  resolution: number,
): Plot {
  const [found, kept] = [keysOf(cullide), keysOf(far)];
  const both: [number, number][] = [];
  const lost: [number, number][] = [];
  for (let at = 0; at < exact.pairs.length; at += 2) {
    const key = keyOf(exact.pairs, at);
    if (!kept.has(key)) continue;
    (found.has(key) ? both : lost).push(middleOf(job.bodies[0].mesh, exact.pairs[at]));
  }
  return {
    id: 'figure-7-pairs',
    title: `Crossing pairs of triangles at ${resolution} × ${resolution}`,
    x: { label: 'x' },
    y: { label: 'z' },
    series: [
      {
        name: `found by FAR and by CULLIDE: ${both.length.toLocaleString('en')}`,
        points: both,
        isDots: true,
      },
      { name: `lost by CULLIDE: ${lost.length.toLocaleString('en')}`, points: lost, isDots: true },
    ],
  };
}

const keyOf = (pairs: Uint32Array, at: number): number => 2 ** 26 * pairs[at] + pairs[at + 1];

const keysOf = ({ pairs }: Followed): Set<number> =>
  new Set(Array.from({ length: pairs.length / 2 }, (_, i) => keyOf(pairs, 2 * i)));

function middleOf({ positions, indices }: Mesh, triangle: number): [number, number] {
  const along = (axis: number) =>
    [0, 1, 2].reduce((sum, k) => sum + positions[3 * indices[3 * triangle + k] + axis], 0) / 3;
  return [along(0), along(2)];
}
