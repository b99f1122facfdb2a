// The chosen pair in the view: seen from where both bodies and their contact are visible, the contact as a glow along
// the curve in which the surfaces cross, the way out as an arrow with its length.

import { Vector3 } from 'three/webgpu';
import type { PairViewData } from '../../engine/types.ts';
import type { Studio } from '../../studio.ts';
import type { Live } from '../live.ts';
import { bracketIn, lengthIn } from '../review/words.ts';
import { type DepthData, depthOf, type PairRow } from '../table.ts';

const colours = { crossing: '#ff2a3c', touching: '#1b7a6c', gap: '#c41c8a', way: '#0b62c4' } as const;

/** How much more is seen than in the report's pictures, so that the bodies are recognised. */
const around = 1.6;

interface Found {
  readonly row: PairRow;
  readonly view: PairViewData;
  /** The exact curve, in drawn coordinates, once it is known. */
  curve: Float32Array | undefined;
}

/** Draws the chosen pair. Other marks are left out while there is one. */
export function openSeenPair(studio: Studio, live: Live): () => void {
  const { viewer, store, tasks, work } = studio;
  let asked: unknown[] = [];
  let found: Found | undefined;

  /** Asks anew when another pair is chosen or a body of it has moved. */
  const look = () => {
    const { chosen } = live;
    const poses = chosen && posesOf(studio, chosen);
    const now = [chosen && `${chosen.a} ${chosen.b}`, poses?.a.pose, poses?.b.pose, chosen?.relation];
    if (now.every((value, i) => value === asked[i])) return draw();
    const isNew = now[0] !== asked[0];
    asked = now;
    found = undefined;
    if (chosen === undefined || poses === undefined) {
      work.cancel('view');
      viewer.sight.set({ glass: undefined });
      return draw();
    }
    if (isNew) viewer.sight.set({ glass: glassBefore(chosen) });
    draw();
    if (!viewer.gizmo.isDragging) void see(chosen, poses, isNew);
  };

  const see = async (row: PairRow, poses: NonNullable<ReturnType<typeof posesOf>>, isNew: boolean) => {
    const { relation, pointA, pointB } = row;
    const { camera, up } = viewer.camera;
    const question = { ...poses, relation, pointA, pointB, up, aspect: camera.aspect };
    const view = await work.run('view', 'Looking for a view', limits => tasks.pairView(question, limits));
    if (view === undefined || asked[1] !== poses.a.pose || asked[2] !== poses.b.pose) return;
    const seen: Found = { row, view, curve: undefined };
    found = seen;
    if (isNew) {
      viewer.sight.set({ glass: view.glass === undefined ? undefined : view.glass === 'a' ? row.a : row.b });
      viewer.camera.flyToView({
        target: drawnAt(studio, view.target),
        toward: new Vector3(...view.toward),
        width: around * view.width,
        height: around * view.height,
      });
    }
    draw();
    if (row.triangleCount === 0 || relation === 'coincident') return;
    // The exact curve takes longer.
    const curves = await work.run('curves', 'Computing the curve', limits => tasks.curves(poses, limits));
    if (curves === undefined || found !== seen || curves.ends.length === 0) return;
    seen.curve = drawnAll(studio, curves.ends);
    draw();
  };

  let drawn: unknown[] = [];
  const draw = () => {
    const { chosen } = live;
    const depth = chosen && depthOf(chosen);
    const now = [chosen?.row, found, found?.curve, depth?.lower, depth?.upper, viewer.sight.state.apart];
    if (now.every((value, i) => i < drawn.length && value === drawn[i])) return;
    drawn = now;
    if (chosen === undefined) {
      viewer.labels.show([]);
      return;
    }
    viewer.marks.clear();
    viewer.labels.show([]);
    // Bodies that are moved apart meet nowhere.
    if (found === undefined || viewer.sight.state.apart > 0) return;
    const { view, curve, row } = found;
    const contact = drawnAt(studio, view.contact);
    if (row.relation === 'separate') {
      const ends = drawnAll(studio, view.segments);
      viewer.marks.bold(ends, { colour: colours.gap });
      viewer.marks.points(ends, { colour: colours.gap, size: 0.012 * view.height });
      const text = `${lengthIn(row.distance ?? 0, store.document.unit)} apart`;
      viewer.labels.show([{ at: contact.toArray(), text, colour: colours.gap }]);
      return;
    }
    const colour = row.relation === 'touching' ? colours.touching : colours.crossing;
    const ends = curve ?? drawnAll(studio, view.segments);
    // Surfaces that lie on one another have no curve, or only its rim.
    if (row.relation === 'touching' || row.relation === 'coincident' || ends.length === 0) {
      viewer.marks.triangles(drawnAll(studio, view.corners), { colour });
    }
    viewer.marks.glow(ends, { colour });
    if (depth !== undefined && depth.upper > 0) showWay(contact, depth, view.height);
  };

  /** The way of the second body out of the first. */
  const showWay = (from: Vector3, { lower, upper, translation }: DepthData, height: number) => {
    const to = from.clone().add(new Vector3(...translation));
    viewer.marks.arrow(from, to, { colour: colours.way, size: 0.012 * height });
    const text = `${bracketIn({ lower, upper }, store.document.unit)} deep`;
    viewer.labels.show([{ at: to.toArray(), text, colour: colours.way }]);
  };

  const stop = [live.listen(look), store.listen(look), viewer.sight.listen(draw)];
  look();
  return () => {
    for (const end of stop) end();
    viewer.labels.show([]);
  };
}

/** Until the view is known. */
const glassBefore = ({ relation, a, b }: PairRow) =>
  relation === 'contains' ? a : relation === 'inside' ? b : undefined;

function posesOf({ store }: Studio, { a, b }: PairRow) {
  const [p, q] = [a, b].map(id => store.document.bodies.find(body => body.id === id));
  return p && q && { a: { id: a, pose: p.pose }, b: { id: b, pose: q.pose } };
}

function drawnAt({ viewer }: Studio, point: ArrayLike<number>): Vector3 {
  const { origin } = viewer.bodies;
  return new Vector3(point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]);
}

function drawnAll({ viewer }: Studio, points: Float64Array): Float32Array {
  const { origin } = viewer.bodies;
  const out = new Float32Array(points.length);
  for (let i = 0; i < out.length; i++) out[i] = points[i] - origin[i % 3];
  return out;
}
