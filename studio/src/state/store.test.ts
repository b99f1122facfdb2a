import { expect, test } from 'vitest';
import { type DocumentBody, emptyDocument, withBody } from './document.ts';
import { Store } from './store.ts';

const body = (id: number): DocumentBody => ({
  ...{ id, name: `body ${id}`, colour: '#000000', visible: true },
  pose: new Float64Array(16),
  origin: {
    ...{ hash: undefined, index: id, name: `body ${id}`, path: undefined, type: undefined, unit: undefined },
    pose: new Float64Array(16),
  },
});

test('undoes and redoes changes one by one', () => {
  const store = new Store();
  store.change('add', { ...emptyDocument, bodies: [body(0), body(1)] });
  store.change('hide', withBody(store.document, 1, { visible: false }));
  expect([store.undoLabel, store.redoLabel]).toEqual(['hide', undefined]);
  store.undo();
  expect(store.document.bodies.map(({ visible }) => visible)).toEqual([true, true]);
  expect([store.undoLabel, store.redoLabel]).toEqual(['add', 'hide']);
  store.undo();
  expect(store.document).toBe(emptyDocument);
  expect(store.undoLabel).toBe(undefined);
  store.undo();
  store.redo();
  store.redo();
  expect(store.document.bodies[1].visible).toBe(false);
});

test('a drag is one change; a change clears the redo history', () => {
  const store = new Store();
  store.change('add', { ...emptyDocument, bodies: [body(0)] });
  const drag = {};
  for (const x of [1, 2, 3])
    store.change('move', withBody(store.document, 0, { pose: Float64Array.of(x) }), drag);
  expect(store.document.bodies[0].pose[0]).toBe(3);
  store.undo();
  expect(store.document.bodies[0].pose.length).toBe(16);
  store.change('remove', emptyDocument);
  expect(store.redoLabel).toBe(undefined);
  expect([...store.reachable()]).toEqual([0]);
});

test('the selection is reported, is not a change, and ends with its body', () => {
  const store = new Store();
  let told = 0;
  const stop = store.listen(() => told++);
  store.change('add', { ...emptyDocument, bodies: [body(0)] });
  store.select(0);
  store.select(0);
  expect([told, store.revision, store.selected]).toEqual([2, 1, 0]);
  store.undo();
  expect(store.selected).toBe(undefined);
  stop();
  store.redo();
  expect(told).toBe(3);
});
