// The selected bodies: their facts, and position and rotation of one of them as numbers to edit.

import { nameOfUnit } from '@nearfield/io';
import { Euler, Matrix4, Vector3 } from 'three/webgpu';
import { element } from '../../parts/element.ts';
import { type DocumentBody, withBody } from '../../state/document.ts';
import type { Studio } from '../../studio.ts';
import { matrixOf } from '../../viewer/bodies.ts';

const axes = ['x', 'y', 'z'] as const;
const degree = Math.PI / 180;

export function openInspector(studio: Studio, left: HTMLElement): () => void {
  const { store, viewer, work } = studio;
  const host = element('div', { class: 'inspector', aria: { label: 'The selected body' } });
  left.append(host);
  let drawn: unknown;
  let count = 0;
  const show = () => {
    const { selection } = store;
    const body = store.document.bodies.find(({ id }) => id === store.selected);
    if (body === drawn && selection.length === count) return;
    drawn = body;
    count = selection.length;
    if (body === undefined) {
      host.replaceChildren();
      return;
    }
    const name = element('input', { type: 'text', value: body.name, maxLength: 200 });
    name.setAttribute('aria-label', 'Name');
    name.addEventListener('change', () =>
      store.change('rename', withBody(store.document, body.id, { name: name.value || body.name })),
    );
    const places = numbers(
      'Position',
      [12, 13, 14].map(i => body.pose[i]),
      body,
      (axis, value) => {
        const pose = body.pose.slice();
        pose[12 + axis] = value;
        store.change('move', withBody(store.document, body.id, { pose }));
      },
    );
    const angles = anglesOf(body.pose);
    const turns = numbers('Rotation', angles, body, (axis, value) => {
      const wanted = angles.map((angle, i) => (i === axis ? value : angle));
      store.change('rotate', withBody(store.document, body.id, { pose: turnedTo(studio, body, wanted) }));
    });
    const facts = viewer.bodies.factsOf(body.id);
    const { path, type } = body.origin;
    const { unit } = store.document;
    host.replaceChildren(
      element('h2', {}, name),
      ...(count > 1
        ? [element('p', { class: 'hint' }, `${count} bodies are selected; this is the last.`)]
        : []),
      element(
        'div',
        { class: 'row', title: unit ? `In ${nameOfUnit(unit)}` : 'In the unit of the files' },
        ...places,
      ),
      element('div', { class: 'row', title: 'In degrees about x, y and z' }, ...turns),
      element(
        'p',
        { class: 'hint' },
        `${(facts?.triangles ?? 0).toLocaleString('en')} triangles${body.file ? `, ${body.file}` : ''}`,
      ),
      ...(type ? [element('p', { class: 'hint' }, type)] : []),
      ...(path ? [element('p', { class: 'hint' }, path.join(' / '))] : []),
      ...(facts && !facts.solid ? [element('p', { class: 'hint' }, openWords(facts.closed))] : []),
    );
  };
  const numbers = (
    label: string,
    values: readonly number[],
    body: DocumentBody,
    take: (axis: number, value: number) => void,
  ) =>
    axes.map((name, axis) => {
      const field = element('input', { type: 'number', value: String(values[axis]), step: 'any' });
      field.setAttribute('aria-label', `${label} ${name}`);
      field.addEventListener('change', () => {
        const value = field.valueAsNumber;
        if (Number.isFinite(value)) {
          take(axis, value);
          return;
        }
        work.say(
          `The ${label.toLowerCase()} ${name} of ${body.name} must be a number, not "${field.value}".`,
        );
        field.value = String(values[axis]);
      });
      return element('label', {}, name, field);
    });
  const stop = store.listen(show);
  show();
  return stop;
}

/** In degrees about x, then y, then z of the world, rounded to what the fields show. */
function anglesOf(pose: Float64Array): number[] {
  const rotation = new Matrix4().extractRotation(matrixOf(pose));
  const { x, y, z } = new Euler().setFromRotationMatrix(rotation, 'ZYX');
  return [x, y, z].map(angle => Number((angle / degree).toFixed(6)) + 0);
}

/** The body turned about its middle until it has these angles. */
function turnedTo({ viewer }: Studio, { id, pose }: DocumentBody, wanted: readonly number[]): Float64Array {
  const [x, y, z] = wanted.map(angle => angle * degree);
  const now = new Matrix4().extractRotation(matrixOf(pose));
  const turn = new Matrix4().makeRotationFromEuler(new Euler(x, y, z, 'ZYX')).multiply(now.invert());
  const { origin } = viewer.bodies;
  const middle = viewer.bodies.box([id]).getCenter(new Vector3());
  const about = middle.add(new Vector3(origin[0], origin[1], origin[2]));
  const there = new Matrix4().makeTranslation(about);
  const back = new Matrix4().makeTranslation(about.clone().negate());
  const next = Float64Array.from(there.multiply(turn).multiply(back).multiply(matrixOf(pose)).elements);
  next.set([0], 3);
  next.set([0], 7);
  next.set([0], 11);
  next.set([1], 15);
  return next;
}

const openWords = (isClosed: boolean): string =>
  isClosed
    ? 'Its triangles are not consistently oriented. So it has no inside and no depth, and contains nothing.'
    : 'Its surface has holes. So it has no inside and no depth, and contains nothing.';
