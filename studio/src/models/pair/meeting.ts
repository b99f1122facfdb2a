// Shows where all pairs of bodies meet: the curves in which they cross, and the lines between nearest points.

import type { Studio } from '../../studio.ts';
import type { Live } from '../live.ts';
import type { PairTable } from '../table.ts';
import type { PointedClashes } from './pointed.ts';

const colours = { crossing: '#ff2a3c', near: '#c41c8a' } as const;
/** No more segments than this are drawn, of all pairs together. */
const mostSegments = 50_000;

/** Marks every pair that does more than touch. The chosen pair is drawn by pair/seen.ts. */
export function openMarks(studio: Studio, live: Live, pointed: PointedClashes): () => void {
  const { viewer, store, tasks } = studio;
  let shown: readonly unknown[] = [];
  const show = () => {
    const now = [live.table, live.chosenBodies?.join(), store.document, viewer.sight.state.apart];
    if (now.every((value, i) => i < shown.length && value === shown[i])) return;
    shown = now;
    void draw(now);
  };
  const draw = async (now: readonly unknown[]) => {
    pointed.show(undefined);
    if (live.chosen) return;
    const { table } = live;
    const rows = table && viewer.sight.state.apart === 0 ? rowsToMark(studio, live) : [];
    const touched =
      table && rows.length > 0
        ? await tasks.touched({
            ...{ serial: table.serial, rows: Uint32Array.from(rows) },
            ...{ origin: viewer.bodies.origin, most: mostSegments },
          })
        : undefined;
    // While the worker was asked, something else may have been chosen.
    if (shown !== now) return;
    viewer.marks.clear();
    if (touched) viewer.marks.curve(touched.segments, { colour: colours.crossing });
    pointed.show(touched && { ...touched, table: table! });
    const ends = table ? nearEnds(table, rows, viewer.bodies.origin) : new Float32Array(0);
    viewer.marks.lines(ends, { colour: colours.near });
    viewer.marks.points(ends, { colour: colours.near, size: viewer.pointSize });
  };
  const stop = [live.listen(show), store.listen(show), viewer.sight.listen(show)];
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
  for (let row = 0; row < table!.count && rows.length < mostSegments; row++) {
    if (table!.relation(row) === 'touching') continue;
    if (visible.has(bodies[2 * row]) && visible.has(bodies[2 * row + 1])) rows.push(row);
  }
  return rows;
}

/** The nearest points of bodies that are too close, in drawn coordinates. */
function nearEnds(
  { columns: { distances, ends } }: PairTable,
  rows: readonly number[],
  origin: readonly number[],
): Float32Array {
  const near = rows.filter(row => !Number.isNaN(distances[row]));
  const out = new Float32Array(6 * near.length);
  for (let i = 0; i < out.length; i++) {
    const [row, entry] = [near[Math.floor(i / 6)], i % 6];
    out[i] = ends[6 * row + entry] - origin[entry % 3];
  }
  return out;
}
