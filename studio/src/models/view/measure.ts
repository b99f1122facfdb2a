// Measures: the distance between two bodies, exactly; or between two points or edges that are clicked.

import { Line3, Vector3 } from 'three/webgpu';
import { element, iconButton } from '../../parts/element.ts';
import { icons } from '../../parts/icons.ts';
import type { Studio } from '../../studio.ts';
import type { Hit } from '../../viewer/pick.ts';
import type { Live } from '../live.ts';
import { lengthIn } from '../review/words.ts';

const colour = '#0b62c4';
/** Corners and edges nearer to the pointer than this are meant, in pixels. */
const reach = 9;

/** A point, or an edge, in drawn coordinates. */
interface Feature {
  readonly kind: 'point' | 'corner' | 'edge';
  readonly line: Line3;
}

export function openMeasure({ store, viewer, tasks, work }: Studio, live: Live) {
  let mode: 'off' | 'bodies' | 'points' = 'off';
  let first: number | undefined;
  let measured: string | undefined;
  let features: readonly Feature[] = [];
  const { ruler, rulerLabels: labels } = viewer;
  const words = element('span', { aria: { role: 'status' }, data: { testid: 'measure' } });
  const what = element(
    'select',
    { aria: { label: 'What is measured' } },
    new Option('Bodies', 'bodies'),
    new Option('Points and edges', 'points'),
  );
  what.addEventListener('change', () => start(what.value as typeof mode));
  const readout = element('div', { class: 'measure' }, what, words);

  const start = (next: typeof mode) => {
    mode = next;
    first = undefined;
    measured = undefined;
    features = [];
    ruler.clear();
    labels.show([]);
    delete words.dataset['distance'];
    viewer.takesClick = mode === 'points' ? takeClick : undefined;
    if (mode !== 'off') live.choose(undefined);
    show();
  };
  const show = () => {
    readout.hidden = mode === 'off';
    button.setAttribute('aria-pressed', String(mode !== 'off'));
    if (mode === 'off') return;
    what.value = mode;
    if (mode === 'points') showFeatures();
    else showBodies();
  };

  const showBodies = () => {
    const nameOf = (id: number | undefined) => store.document.bodies.find(body => body.id === id)?.name;
    const id = store.selected;
    if (nameOf(first) === undefined) first = undefined;
    if (first === undefined && id !== undefined) first = id;
    if (first === undefined) words.textContent = 'Choose a body to measure from.';
    else if (id === undefined || id === first)
      words.textContent = `From ${nameOf(first)}: choose another body.`;
    else void measureBodies(first, id, `${nameOf(first)} to ${nameOf(id)}`);
  };
  const measureBodies = async (from: number, to: number, said: string) => {
    const asked = `${from} ${to} ${store.revision}`;
    if (asked === measured) return;
    measured = asked;
    const poses = new Map(store.document.bodies.map(({ id, pose }) => [id, pose]));
    const two = { a: { id: from, pose: poses.get(from)! }, b: { id: to, pose: poses.get(to)! } };
    const found = await work.run('measure', 'Measuring', limits => tasks.distance(two, limits));
    if (found === undefined || measured !== asked) return;
    words.textContent = `${said}: ${found.distance === 0 ? 'they meet' : inUnit(found.distance)}`;
    words.dataset['distance'] = String(found.distance);
    ruler.clear();
    labels.show([]);
    if (found.distance === 0) return;
    const { origin } = viewer.bodies;
    const at = (point: Float64Array) => new Vector3(...point.map((value, axis) => value - origin[axis]));
    drawLine(new Line3(at(found.pointA), at(found.pointB)), inUnit(found.distance));
  };

  const inUnit = (value: number) => lengthIn(value, store.document.unit);
  const takeClick = (x: number, y: number): boolean => {
    const hit = viewer.hit(x, y);
    if (hit === undefined) return false;
    const feature = featureAt(hit);
    features = features.length === 1 ? [...features, feature] : [feature];
    show();
    return true;
  };
  /** The corner or the edge under the pointer, if there is one; else the point of the surface. */
  const featureAt = ({ id, point }: Hit): Feature => {
    const at = new Vector3(...point);
    const { camera } = viewer.camera;
    const perPixel =
      (2 * at.distanceTo(camera.position) * Math.tan((camera.fov * Math.PI) / 360)) /
      viewer.renderer.domElement.clientHeight;
    let best = reach * perPixel;
    let edge: Line3 | undefined;
    const [ends, matrix] = [viewer.bodies.edges(id), viewer.bodies.matrix(id)!];
    const line = new Line3();
    const nearest = new Vector3();
    for (let i = 0; i < ends.length; i += 6) {
      line.start.fromArray(ends, i).applyMatrix4(matrix);
      line.end.fromArray(ends, i + 3).applyMatrix4(matrix);
      const distance = line.closestPointToPoint(at, true, nearest).distanceTo(at);
      if (distance < best) {
        best = distance;
        edge = line.clone();
      }
    }
    if (edge === undefined) return { kind: 'point', line: new Line3(at, at) };
    for (const end of [edge.start, edge.end]) {
      if (end.distanceTo(at) < reach * perPixel) return { kind: 'corner', line: new Line3(end, end) };
    }
    return { kind: 'edge', line: edge };
  };
  const showFeatures = () => {
    const [from, to] = features;
    ruler.clear();
    labels.show([]);
    for (const { line } of features) ruler.bold(endsOf(line), { colour: '#e0862f' });
    ruler.points(Float32Array.from(features.flatMap(({ line }) => line.start.toArray())), {
      ...{ colour, size: viewer.pointSize },
    });
    if (from === undefined) words.textContent = 'Click a point, a corner or an edge.';
    else if (to === undefined) {
      const length = from.kind === 'edge' ? ` of length ${inUnit(from.line.distance())}` : '';
      words.textContent = `From this ${from.kind}${length}: click another.`;
    } else {
      const line = shortest(from.line, to.line);
      const distance = line.distance();
      const parts = line.delta(new Vector3()).toArray();
      const [x, y, z] = parts.map(value => inUnit(Math.abs(value)));
      words.textContent = `${from.kind} to ${to.kind}: ${inUnit(distance)} (x ${x}, y ${y}, z ${z})`;
      words.dataset['distance'] = String(distance);
      drawLine(line, inUnit(distance));
    }
  };
  const drawLine = (line: Line3, text: string) => {
    const ends = endsOf(line);
    ruler.bold(ends, { colour });
    ruler.points(ends, { colour, size: viewer.pointSize });
    labels.show([{ at: line.getCenter(new Vector3()).toArray(), text, colour }]);
  };

  const toggle = () => start(mode === 'off' ? 'bodies' : 'off');
  const button = iconButton(icons.measure, 'Measure between bodies, points or edges (M)', toggle);
  const cancel = () => {
    if (mode !== 'off') start('off');
  };
  start('off');
  return { button, readout, toggle, show, cancel };
}

const endsOf = ({ start, end }: Line3): Float32Array => Float32Array.of(...start.toArray(), ...end.toArray());

/** The shortest line between two segments. */
function shortest(p: Line3, q: Line3): Line3 {
  const [from, to] = [new Vector3(), new Vector3()];
  p.distanceSqToLine3(q, from, to);
  return new Line3(from, to);
}
