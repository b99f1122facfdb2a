// Shows the place where two bodies meet: the triangles of both, the curve along which the surfaces cross, the line
// between the nearest points.

import { Box3, Vector3 } from 'three/webgpu';
import type { Studio } from '../studio.ts';
import type { Live } from './live.ts';
import type { PairRow } from './table.ts';

const colours = { a: '#d43a3a', b: '#e0862f', curve: '#1a0505', near: '#b3261e' } as const;
/** No more triangles than this are marked, of all pairs together. */
const mostTriangles = 50_000;

export function openMarks(studio: Studio, live: Live): () => void {
  const { viewer, store, tasks, work } = studio;
  let shown: readonly unknown[] = [];
  const show = () => {
    const now = [live.table, live.chosen?.row, store.document];
    if (now.every((value, i) => i < shown.length && value === shown[i])) return;
    shown = now;
    void draw(now);
  };
  const draw = async (now: readonly unknown[]) => {
    const { table, chosen } = live;
    const rows = table ? (chosen ? [chosen.row] : rowsToMark(studio, live)) : [];
    const touched =
      table && rows.length > 0
        ? await tasks.touched({
            ...{ serial: table.serial, rows: Uint32Array.from(rows) },
            ...{ origin: viewer.bodies.origin, most: mostTriangles },
          })
        : undefined;
    // While the worker was asked, something else may have been chosen.
    if (shown !== now) return;
    viewer.marks.clear();
    if (touched) {
      viewer.marks.triangles(touched.a, { colour: colours.a });
      viewer.marks.triangles(touched.b, { colour: colours.b });
    }
    const ends = Float32Array.from(rows.flatMap(row => endsOf(studio, table!.row(row))));
    viewer.marks.lines(ends, { colour: colours.near });
    viewer.marks.points(ends, { colour: colours.near, size: viewer.pointSize });
    // The worker computes the curve, but is needed for pairs during a drag.
    if (chosen && chosen.triangleCount > 0 && !viewer.gizmo.isDragging) await showCurves(chosen, now);
  };
  const showCurves = async (row: PairRow, now: readonly unknown[]) => {
    const poses = new Map(store.document.bodies.map(({ id, pose }) => [id, pose]));
    const [a, b] = [row.a, row.b].map(id => ({ id, pose: poses.get(id)! }));
    const curves = await work.run('curves', 'Computing the curve', limits => tasks.curves({ a, b }, limits));
    if (curves === undefined || shown !== now) return;
    const ends = new Float32Array(curves.ends.length);
    for (let i = 0; i < ends.length; i++) ends[i] = curves.ends[i] - viewer.bodies.origin[i % 3];
    viewer.marks.lines(ends, { colour: colours.curve });
  };
  const stop = [live.listen(show), store.listen(show)];
  show();
  return () => {
    shown = [];
    for (const end of stop) end();
  };
}

/** Pairs of visible bodies that do more than touch. */
function rowsToMark({ store }: Studio, { table }: Live): number[] {
  const visible = new Set(store.document.bodies.flatMap(({ id, visible }) => (visible ? [id] : [])));
  const { bodies } = table!.columns;
  const rows: number[] = [];
  for (let row = 0; row < table!.count && rows.length < mostTriangles; row++) {
    if (table!.relation(row) === 'touching') continue;
    if (visible.has(bodies[2 * row]) && visible.has(bodies[2 * row + 1])) rows.push(row);
  }
  return rows;
}

/** Moves the camera to where two bodies meet. */
export async function flyToPair({ viewer, tasks, live }: Studio, row: PairRow): Promise<void> {
  const box = new Box3();
  const include = (places: ArrayLike<number>) => {
    for (let i = 0; i < places.length; i += 3) {
      box.expandByPoint(new Vector3(places[i], places[i + 1], places[i + 2]));
    }
  };
  const { origin } = viewer.bodies;
  include(endsOf({ viewer }, row));
  if (row.triangleCount > 0 && live.table) {
    const rows = Uint32Array.of(row.row);
    const most = mostTriangles;
    include((await tasks.touched({ serial: live.table.serial, rows, origin, most })).a);
  }
  // One body lies within the other: the surfaces do not meet.
  if (box.isEmpty()) box.union(viewer.bodies.box([row.relation === 'contains' ? row.b : row.a]));
  viewer.flyTo(box);
}

/** The nearest points of two bodies that are too close, in drawn coordinates. */
function endsOf({ viewer }: Pick<Studio, 'viewer'>, { pointA, pointB }: PairRow): number[] {
  if (pointA === undefined || pointB === undefined) return [];
  return [...pointA, ...pointB].map((value, i) => value - viewer.bodies.origin[i % 3]);
}
