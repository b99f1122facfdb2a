// The tab "Models": a person's own files, where they touch, how deep, how far apart.

import { isTyping } from '../parts/keys.ts';
import { withBody } from '../state/document.ts';
import type { Panel, Studio } from '../studio.ts';
import { openExport } from './export.ts';
import { openFiles } from './files.ts';
import { openInspector } from './inspector.ts';
import { Live } from './live.ts';
import { openMarks } from './meeting.ts';
import { openPairs } from './pairs.ts';
import { openToolbar } from './toolbar.ts';
import { openTree } from './tree.ts';

export const models: Panel = {
  name: 'models',
  title: 'Models',
  open(studio, left, right) {
    const { store, viewer } = studio;
    const live = new Live(studio);
    const close = [
      openFiles(studio, left),
      openTree(studio, left),
      openInspector(studio, left),
      openPairs(studio, live, right),
      openExport(studio, right),
      openToolbar(studio, live),
      openMarks(studio, live),
      openMoving(studio, live),
      openCommands(studio),
    ];
    const draw = () => {
      const { bodies, section } = store.document;
      viewer.bodies.show(bodies, live.chosenBodies);
      viewer.bodies.cut(section);
      viewer.camera.setExtent(viewer.bodies.box());
      forgetUnreachable(studio);
    };
    close.push(store.listen(draw), live.listen(draw));
    draw();
    live.ask();
    return () => {
      for (const end of close) end();
      live.close();
      viewer.gizmo.attach(undefined);
      viewer.marks.clear();
      viewer.bodies.show([]);
    };
  },
};

/** The gizmo follows the selected body, and the body the gizmo. */
function openMoving({ store, viewer }: Studio, live: Live): () => void {
  const { gizmo, bodies } = viewer;
  const attach = () => {
    const body = store.document.bodies.find(({ id }) => id === store.selected);
    if (body === undefined || !body.visible) gizmo.attach(undefined);
    else
      gizmo.attach(
        body.pose,
        bodies.box([body.id]).getCenter(viewer.camera.controls.target.clone()),
        bodies.origin,
      );
  };
  gizmo.dragged = (pose, drag) => {
    const id = store.selected;
    if (id === undefined) return;
    store.change('move', withBody(store.document, id, { pose }), drag);
  };
  const stop = [store.listen(attach), live.listen(attach)];
  attach();
  return () => {
    for (const end of stop) end();
  };
}

function openCommands({ store, viewer }: Studio): () => void {
  const canvas = viewer.renderer.domElement;
  let pressed: { x: number; y: number } | undefined;
  const down = (event: PointerEvent) => {
    pressed = { x: event.clientX, y: event.clientY };
  };
  const up = (event: PointerEvent) => {
    if (pressed === undefined || viewer.gizmo.isDragging) return;
    // A click, not the end of turning the view.
    if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < 4) {
      store.select(viewer.pick(event.clientX, event.clientY));
    }
    pressed = undefined;
  };
  const key = (event: KeyboardEvent) => {
    if (isTyping(event.target) || event.ctrlKey || event.metaKey) return;
    const id = store.selected;
    const body = store.document.bodies.find(body => body.id === id);
    if (event.key === 'g') viewer.gizmo.setMode('translate');
    if (event.key === 'r') viewer.gizmo.setMode('rotate');
    if (body === undefined) return;
    if (event.key === 'h') {
      store.change(
        body.visible ? 'hide' : 'show',
        withBody(store.document, body.id, { visible: !body.visible }),
      );
    }
    if (event.key === 'Delete') {
      const bodies = store.document.bodies.filter(({ id }) => id !== body.id);
      store.change('remove', { ...store.document, bodies });
    }
    const step = nudges[event.key];
    if (step && event.target === canvas) {
      const size = viewer.bodies.box().getSize(viewer.camera.camera.position.clone()).length() / 500;
      const pose = body.pose.slice();
      for (let axis = 0; axis < 3; axis++) pose[12 + axis] += step[axis] * size * (event.shiftKey ? 10 : 1);
      store.change('move', withBody(store.document, body.id, { pose }));
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

const nudges: Readonly<Record<string, readonly number[] | undefined>> = {
  ArrowLeft: [-1, 0, 0],
  ArrowRight: [1, 0, 0],
  ArrowUp: [0, 1, 0],
  ArrowDown: [0, -1, 0],
  PageUp: [0, 0, 1],
  PageDown: [0, 0, -1],
};

/** Memory of bodies that cannot come back is given back. */
function forgetUnreachable({ store, viewer, tasks }: Studio): void {
  const kept = store.reachable();
  const gone = [...viewer.bodies.known].filter(id => !kept.has(id) && id >= 0);
  if (gone.length === 0) return;
  viewer.bodies.forget(gone);
  void tasks.forget(gone);
}
