// Shows where all pairs of bodies meet: the triangles of both, and the lines between nearest points.

import type { PairRow } from '../engine/types.ts';
import type { Studio } from '../studio.ts';
import type { Live } from './live.ts';

const colours = { a: '#d43a3a', b: '#e0862f', near: '#b3261e' } as const;

/** Marks every pair that does more than touch. The chosen pair is drawn by pair/seen.ts. */
export function openMarks(studio: Studio, live: Live): () => void {
  const { viewer, store } = studio;
  let shown: unknown;
  const show = () => {
    const now = [live.rows, live.chosen, store.document, viewer.sight.state.apart];
    if (Array.isArray(shown) && now.every((value, i) => value === (shown as unknown[])[i])) return;
    shown = now;
    if (live.chosen) return;
    viewer.marks.clear();
    if (viewer.sight.state.apart > 0) return;
    // During a drag the marks are slightly old, but move with the bodies.
    const { bodies } = store.document;
    const shownIds = new Set(bodies.filter(({ visible }) => visible).map(({ id }) => id));
    const rows = live.rows.filter(
      ({ a, b, relation }) => relation !== 'touching' && shownIds.has(a) && shownIds.has(b),
    );
    const corners = (side: 0 | 1) => joined(rows.map(row => cornersOf(studio, row, side)));
    viewer.marks.triangles(corners(0), { colour: colours.a });
    viewer.marks.triangles(corners(1), { colour: colours.b });
    const ends = Float32Array.from(
      rows.flatMap(({ pointA, pointB }) =>
        pointA && pointB ? [...drawnAt(studio, pointA), ...drawnAt(studio, pointB)] : [],
      ),
    );
    viewer.marks.lines(ends, { colour: colours.near });
    viewer.marks.points(ends, { colour: colours.near, size: viewer.pointSize });
  };
  const stop = [live.listen(show), store.listen(show), viewer.sight.listen(show)];
  show();
  return () => {
    for (const end of stop) end();
  };
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Corners of the triangles of one side that meet the other, each triangle once, in drawn coordinates. */
function cornersOf({ viewer }: Studio, { a, b, triangles }: PairRow, side: 0 | 1): Float32Array {
  const id = side === 0 ? a : b;
  const positions = viewer.bodies.corners(id);
  if (positions === undefined || triangles === undefined) return new Float32Array(0);
  const found = new Uint8Array(positions.length / 9);
  let count = 0;
  for (let i = side; i < triangles.length; i += 2) {
    if (found[triangles[i]] === 0) count++;
    found[triangles[i]] = 1;
  }
  const m = viewer.bodies.matrix(id)!.elements;
  const out = new Float32Array(9 * count);
  let length = 0;
  for (let triangle = 0; length < out.length; triangle++) {
    if (found[triangle] === 0) continue;
    for (let at = 9 * triangle; at < 9 * triangle + 9; at += 3) {
      const x = positions[at];
      const y = positions[at + 1];
      const z = positions[at + 2];
      for (let axis = 0; axis < 3; axis++) {
        out[length++] = m[axis] * x + m[4 + axis] * y + m[8 + axis] * z + m[12 + axis];
      }
    }
  }
  return out;
}

function drawnAt({ viewer }: Studio, point: Float64Array): number[] {
  return [0, 1, 2].map(axis => point[axis] - viewer.bodies.origin[axis]);
}
