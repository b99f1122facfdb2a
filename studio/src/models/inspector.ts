// The selected body: its facts, and its position as numbers to edit.

import { element } from '../parts/element.ts';
import { withBody } from '../state/document.ts';
import type { Studio } from '../studio.ts';

export function openInspector({ store, viewer, work }: Studio, left: HTMLElement): () => void {
  const host = element('div', { class: 'inspector', aria: { label: 'The selected body' } });
  left.append(host);
  let drawn: unknown;
  const show = () => {
    const body = store.document.bodies.find(({ id }) => id === store.selected);
    if (body === drawn) return;
    drawn = body;
    if (body === undefined) {
      host.replaceChildren();
      return;
    }
    const name = element('input', { type: 'text', value: body.name, maxLength: 200 });
    name.setAttribute('aria-label', 'Name');
    name.addEventListener('change', () =>
      store.change('rename', withBody(store.document, body.id, { name: name.value || body.name })),
    );
    const places = ['x', 'y', 'z'].map((label, axis) => {
      const field = element('input', { type: 'number', value: String(body.pose[12 + axis]), step: 'any' });
      field.setAttribute('aria-label', `Position ${label}`);
      field.addEventListener('change', () => {
        const value = field.valueAsNumber;
        if (!Number.isFinite(value)) {
          work.say(`The position ${label} of ${body.name} must be a number, not "${field.value}".`);
          field.value = String(body.pose[12 + axis]);
          return;
        }
        const pose = body.pose.slice();
        pose[12 + axis] = value;
        store.change('move', withBody(store.document, body.id, { pose }));
      });
      return element('label', {}, label, field);
    });
    const facts = viewer.bodies.factsOf(body.id);
    host.replaceChildren(
      element('h2', {}, name),
      element('div', { class: 'row' }, ...places),
      element(
        'p',
        { class: 'hint' },
        `${(facts?.triangles ?? 0).toLocaleString('en')} triangles${body.file ? `, ${body.file}` : ''}`,
      ),
      ...(facts && !facts.solid ? [element('p', { class: 'hint' }, openWords(facts.closed))] : []),
    );
  };
  const stop = store.listen(show);
  show();
  return stop;
}

const openWords = (isClosed: boolean): string =>
  isClosed
    ? 'Its triangles are not consistently oriented. So it has no inside and no depth, and contains nothing.'
    : 'Its surface has holes. So it has no inside and no depth, and contains nothing.';
