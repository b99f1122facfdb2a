// Where two bodies meet, shown: the triangles of both, the curve in which the surfaces cross, the line between the nearest
// points.

import type { BodyId, PairRow } from '../engine/types.ts';
import type { Studio } from '../studio.ts';
import type { Live } from './live.ts';

const colours = { a: '#d43a3a', b: '#e0862f', curve: '#1a0505', near: '#b3261e' } as const;

export function openMarks(studio: Studio, live: Live): () => void {
  const { viewer, store, tasks, work } = studio;
  let shown: unknown;
  const show = () => {
    const now = [live.rows, live.chosen, store.document];
    if (Array.isArray(shown) && now.every((value, i) => value === (shown as unknown[])[i])) return;
    shown = now;
    viewer.marks.clear();
    const rows = live.chosen ? [live.chosen] : live.rows;
    for (const row of rows) {
      if (live.revision !== store.revision) break;
      if (row.relation === 'touching' && !live.chosen) continue;
      viewer.marks.triangles(cornersOf(studio, row.a, every(row.triangles, 0)), { colour: colours.a });
      viewer.marks.triangles(cornersOf(studio, row.b, every(row.triangles, 1)), { colour: colours.b });
      if (row.pointA && row.pointB) {
        const ends = [...drawnAt(studio, row.pointA), ...drawnAt(studio, row.pointB)];
        viewer.marks.lines(Float32Array.from(ends), { colour: colours.near });
        viewer.marks.points(Float32Array.from(ends), { colour: colours.near, size: viewer.pointSize });
      }
    }
    if (live.chosen && live.chosen.triangleCount > 0) void showCurves(live.chosen);
  };
  const showCurves = async (row: PairRow) => {
    const poses = new Map(store.document.bodies.map(({ id, pose }) => [id, pose]));
    const [a, b] = [row.a, row.b].map(id => ({ id, pose: poses.get(id)! }));
    const curves = await work.run('curves', 'Following the curve', limits => tasks.curves({ a, b }, limits));
    if (curves === undefined || live.chosen !== row) return;
    const ends = new Float32Array(curves.ends.length);
    for (let i = 0; i < ends.length; i++) ends[i] = curves.ends[i] - viewer.bodies.origin[i % 3];
    viewer.marks.lines(ends, { colour: colours.curve });
  };
  const stop = [live.listen(show), store.listen(show)];
  show();
  return () => {
    for (const end of stop) end();
  };
}

/** Looks at where two bodies meet. */
export function flyToPair(studio: Studio, row: PairRow): void {
  const points: number[][] = [];
  if (row.pointA && row.pointB) points.push(drawnAt(studio, row.pointA), drawnAt(studio, row.pointB));
  const corners = cornersOf(studio, row.a, every(row.triangles, 0));
  for (let i = 0; i < corners.length; i += 3) points.push([corners[i], corners[i + 1], corners[i + 2]]);
  if (points.length === 0) {
    // One within the other: there is no place where the surfaces meet.
    const box = studio.viewer.bodies.box([row.relation === 'contains' ? row.b : row.a]);
    points.push(box.min.toArray(), box.max.toArray());
  }
  studio.viewer.flyTo(points);
}

/** One side's triangles, each once. */
function every(triangles: Uint32Array | undefined, side: 0 | 1): Iterable<number> {
  const found = new Set<number>();
  if (triangles) for (let i = side; i < triangles.length; i += 2) found.add(triangles[i]);
  return found;
}

/** Corners of triangles of a body, in drawn coordinates. */
function cornersOf({ viewer }: Studio, id: BodyId, triangles: Iterable<number>): Float32Array {
  const object = viewer.bodies.object(id);
  const out: number[] = [];
  if (object === undefined) return new Float32Array(0);
  const positions = object.geometry.getAttribute('position');
  const m = object.matrix.elements;
  for (const triangle of triangles) {
    for (let corner = 3 * triangle; corner < 3 * triangle + 3; corner++) {
      const [x, y, z] = [positions.getX(corner), positions.getY(corner), positions.getZ(corner)];
      for (let axis = 0; axis < 3; axis++) {
        out.push(m[axis] * x + m[4 + axis] * y + m[8 + axis] * z + m[12 + axis]);
      }
    }
  }
  return Float32Array.from(out);
}

function drawnAt({ viewer }: Studio, point: Float64Array): number[] {
  return [0, 1, 2].map(axis => point[axis] - viewer.bodies.origin[axis]);
}
