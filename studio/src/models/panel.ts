// The tab "Models": the user's own files, where they touch, how deep, how far apart.

import { find } from '../parts/element.ts';
import { isTyping } from '../parts/keys.ts';
import { smallScreen } from '../parts/sheet.ts';
import { type DocumentBody, withBodies, withBody } from '../state/document.ts';
import type { Panel, Studio } from '../studio.ts';
import { matrixOf } from '../viewer/bodies.ts';
import type { Viewer } from '../viewer/viewer.ts';
import { openInspector } from './bodies/inspector.ts';
import { openTree } from './bodies/tree.ts';
import { openFacts } from './facts.ts';
import { openExport } from './files/export.ts';
import { openFiles } from './files/files.ts';
import type { Live } from './live.ts';
import { openJoints } from './motion/joints.ts';
import { openTimeline } from './motion/timeline.ts';
import { openPairCard } from './pair/card.ts';
import { openMarks } from './pair/meeting.ts';
import { openPointed, type PointedClashes } from './pair/pointed.ts';
import { openSeenPair } from './pair/seen.ts';
import { openReview } from './review/panel.ts';
import { openToolbar } from './toolbar.ts';

/** Milliseconds after the last change at which unreachable bodies are freed. */
const forgetAfter = 2000;

export const models: Panel = {
  open(studio, left, right) {
    const { store, viewer, live } = studio;
    let drawn: readonly unknown[] = [];
    const draw = () => {
      // One new depth in the list is no reason to draw again.
      const { sight } = viewer;
      const now = [store.document, live.chosen?.a, live.chosen?.b, store.selected, sight.state];
      if (now.every((value, i) => i < drawn.length && value === drawn[i])) return;
      drawn = now;
      const { bodies, section } = store.document;
      viewer.bodies.show(bodies, sight.emphasis(live.chosenBodies, store.selected));
      viewer.bodies.explode(sight.state.apart);
      viewer.bodies.cut(section);
      viewer.camera.setExtent(viewer.bodies.box());
    };
    const pointed = openPointed(studio, live);
    const close = [
      () => pointed.close(),
      // Drawn before everything that is overlaid on the bodies.
      store.listen(draw),
      live.listen(draw),
      viewer.sight.listen(draw),
      openFiles(studio, left),
      openTree(studio, left),
      openJoints(studio, left),
      openInspector(studio, left),
      openReview(studio, live, right),
      openFacts(studio, live, right),
      openExport(studio, right),
      openToolbar(studio, live),
      openTimeline(studio),
      openMarks(studio, live, pointed),
      openSeenPair(studio, live),
      openPairCard(studio, live),
      openMoving(studio, live),
      openCommands(studio, live, pointed),
    ];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const forget = () => {
      clearTimeout(timer);
      timer = setTimeout(() => forgetUnreachable(studio), forgetAfter);
    };
    close.push(store.listen(forget), () => clearTimeout(timer));
    draw();
    live.ask(live.isOld);
    return () => {
      for (const end of close) end();
      viewer.gizmo.attach(undefined);
      viewer.marks.clear();
      viewer.bodies.show([]);
      viewer.bodies.cut(undefined);
    };
  },
};

/** The gizmo follows the selected body, and the body the gizmo. */
function openMoving({ store, viewer }: Studio, live: Live): () => void {
  const { gizmo, bodies } = viewer;
  const attach = () => {
    const body = store.document.bodies.find(({ id }) => id === store.selected);
    if (body === undefined || !body.visible || smallScreen.matches) gizmo.attach(undefined);
    else
      gizmo.attach(
        body.pose,
        bodies.box([body.id]).getCenter(viewer.camera.controls.target.clone()),
        bodies.origin,
      );
  };
  gizmo.dragged = (pose, drag) => {
    const body = store.document.bodies.find(({ id }) => id === store.selected);
    if (body === undefined) return;
    // The other selected bodies move along.
    const others = new Set(store.selection.filter(id => id !== body.id));
    const turn = matrixOf(pose).multiply(matrixOf(body.pose).invert());
    const moved = withBodies(store.document, others, other => ({ pose: after(turn, other.pose) }));
    store.change('move', withBody(moved, body.id, { pose }), drag);
  };
  smallScreen.addEventListener('change', attach);
  const stop = [store.listen(attach), live.listen(attach)];
  attach();
  return () => {
    smallScreen.removeEventListener('change', attach);
    for (const end of stop) end();
  };
}

function openCommands({ store, viewer }: Studio, live: Live, pointed: PointedClashes): () => void {
  const canvas = viewer.renderer.domElement;
  let pressed: { x: number; y: number } | undefined;
  let nudge = {};
  const down = (event: PointerEvent) => {
    pressed = { x: event.clientX, y: event.clientY };
  };
  const up = (event: PointerEvent) => {
    if (pressed === undefined || viewer.gizmo.isDragging) return;
    // A click, not the end of a camera drag.
    if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < 4) {
      const [x, y] = [event.clientX, event.clientY];
      const adds = event.ctrlKey || event.metaKey;
      if (!viewer.takesClick?.(x, y) && (adds || !pointed.choose(x, y))) {
        const id = viewer.pick(x, y);
        if (id !== undefined && adds) store.toggle(id);
        else store.select(id);
      }
    }
    pressed = undefined;
  };
  const key = (event: KeyboardEvent) => {
    if (isTyping(event.target) || event.ctrlKey || event.metaKey) return;
    const id = store.selected;
    const body = store.document.bodies.find(body => body.id === id);
    // First cancel pending work.
    if (event.key === 'Escape' && !event.defaultPrevented) live.choose(undefined);
    if (body === undefined) return;
    const selection = new Set(store.selection);
    if (event.key === 'h') {
      const visible = !body.visible;
      store.change(
        visible ? 'show' : 'hide',
        withBodies(store.document, selection, () => ({ visible })),
      );
    }
    if (event.key === 'Delete' || event.key === 'Backspace') {
      const bodies = store.document.bodies.filter(({ id }) => !selection.has(id));
      store.change('remove', { ...store.document, bodies });
    }
    if (event.key === 'F2') {
      find<HTMLInputElement>('.inspector [aria-label=Name]').select();
      event.preventDefault();
    }
    const step = nudges[event.key];
    if (step && event.target === canvas) {
      // A key that is held down is one change.
      if (!event.repeat) nudge = {};
      const label = viewer.gizmo.mode === 'rotate' ? 'rotate' : 'move';
      const place = label === 'rotate' ? turned : moved;
      const next = withBodies(store.document, selection, each => ({
        pose: place(viewer, each, step, event.shiftKey),
      }));
      store.change(label, next, nudge);
      event.preventDefault();
    }
  };
  canvas.addEventListener('pointerdown', down);
  canvas.addEventListener('pointerup', up);
  addEventListener('keydown', key);
  return () => {
    canvas.removeEventListener('pointerdown', down);
    canvas.removeEventListener('pointerup', up);
    removeEventListener('keydown', key);
  };
}

/** A pose after a movement of the world. */
function after(turn: ReturnType<typeof matrixOf>, pose: Float64Array): Float64Array {
  const next = Float64Array.from(turn.clone().multiply(matrixOf(pose)).elements);
  for (const [i, value] of [0, 0, 0, 1].entries()) next[4 * i + 3] = value;
  return next;
}

/** By a five-hundredth of the size of the scene, or ten times that. */
function moved(
  { bodies, camera }: Viewer,
  { pose }: DocumentBody,
  step: readonly number[],
  far: boolean,
): Float64Array {
  const size = bodies.box().getSize(camera.camera.position.clone()).length() / 500;
  const next = pose.slice();
  for (let axis = 0; axis < 3; axis++) next[12 + axis] += step[axis] * size * (far ? 10 : 1);
  return next;
}

/**
 * By one degree or ten about the middle of the body: left and right about z, up and down about x, Page Up and Page
 * Down about y.
 */
function turned(
  { bodies, camera }: Viewer,
  { id, pose }: DocumentBody,
  [x, y, z]: readonly number[],
  far: boolean,
): Float64Array {
  const middle = bodies.box([id]).getCenter(camera.camera.position.clone()).toArray();
  const angle = ((x + y + z) * (far ? 10 : 1) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  // The two axes of the plane of rotation.
  const [from, to] = x !== 0 ? [0, 1] : y !== 0 ? [1, 2] : [2, 0];
  const next = pose.slice();
  for (let column = 0; column < 16; column += 4) {
    const about = (axis: number) => (column === 12 ? middle[axis] + bodies.origin[axis] : 0);
    const [u, v] = [pose[column + from] - about(from), pose[column + to] - about(to)];
    next[column + from] = cos * u - sin * v + about(from);
    next[column + to] = sin * u + cos * v + about(to);
  }
  return next;
}

const nudges: Readonly<Record<string, readonly number[] | undefined>> = {
  ArrowLeft: [-1, 0, 0],
  ArrowRight: [1, 0, 0],
  ArrowUp: [0, 1, 0],
  ArrowDown: [0, -1, 0],
  PageUp: [0, 0, 1],
  PageDown: [0, 0, -1],
};

/** Frees the memory of bodies that undo cannot bring back. */
function forgetUnreachable({ store, viewer, tasks, meshes }: Studio): void {
  const kept = store.reachable();
  const gone = [...viewer.bodies.known].filter(id => !kept.has(id) && id >= 0);
  if (gone.length === 0) return;
  viewer.bodies.forget(gone);
  meshes.forget(gone);
  void tasks.forget(gone);
}
