// The list of pairs: relation, number of triangle pairs, depth or distance. Choosing a pair flies to it.

import type { PairRow } from '../engine/types.ts';
import { element } from '../parts/element.ts';
import { icons } from '../parts/icons.ts';
import { redraw } from '../parts/roving.ts';
import type { Studio } from '../studio.ts';
import { keyOf, type Live } from './live.ts';

/** The most important relations come first. Parts that touch are mostly meant to. */
const severity = ['crossing', 'inside', 'contains', 'coincident', 'separate', 'touching'];
/** More rows than this are drawn on request. */
const most = 500;

export function openPairs(studio: Studio, live: Live, right: HTMLElement): () => void {
  const { store } = studio;
  const count = element('span', { class: 'count', aria: { role: 'status' }, data: { testid: 'pair-count' } });
  const list = element('div', { class: 'pairs', tabIndex: 0, aria: { role: 'listbox', label: 'Pairs' } });
  const clearance = element('input', { type: 'number', min: '0', step: 'any', value: '0' });
  clearance.setAttribute('aria-label', 'Clearance');
  clearance.addEventListener('change', () => {
    const value = clearance.valueAsNumber;
    if (value >= 0 && Number.isFinite(value))
      store.change('clearance', { ...store.document, clearance: value });
    clearance.value = String(store.document.clearance);
  });
  const old = element(
    'p',
    { class: 'hint row', data: { testid: 'old' } },
    'The question was not answered. This list is from before the change. ',
    element('button', { type: 'button', class: 'small', onclick: () => live.ask(true) }, 'Ask again'),
  );
  const hideTouching = element('input', { type: 'checkbox' });
  hideTouching.addEventListener('change', () => show());
  right.append(
    element('h2', {}, 'Pairs ', count),
    element(
      'div',
      { class: 'row' },
      element(
        'label',
        { title: 'Bodies closer to each other than this are listed too' },
        'Clearance',
        clearance,
      ),
      element('label', {}, hideTouching, 'hide touching'),
    ),
    old,
    list,
  );
  let limit = most;

  /** The rows in the page. Unchanged rows are kept, so that a list of hundreds updates during a drag. */
  const drawn = new Map<string, { readonly says: string; readonly item: HTMLElement }>();
  const show = () => {
    const names = new Map(store.document.bodies.map(({ id, name, colour }) => [id, { name, colour }]));
    const rows = live.rows
      .filter(
        ({ a, b, relation }) =>
          names.has(a) && names.has(b) && !(hideTouching.checked && relation === 'touching'),
      )
      .sort((p, q) => severity.indexOf(p.relation) - severity.indexOf(q.relation));
    const { time, backend, isOld } = live;
    const where = backend === 'gpu' ? ' on the GPU' : '';
    count.textContent =
      store.document.bodies.length < 2 || time === undefined
        ? ''
        : `${rows.length}${isOld ? ', outdated' : ` in ${duration(time)}${where}`}`;
    old.hidden = !isOld || store.document.bodies.length < 2;
    redraw(
      list,
      '.pair',
      ({ dataset }) => dataset['pair'],
      () => {
        const items = rows.slice(0, limit).map(row => itemOf(row, names));
        const kept = new Set(items);
        for (const [key, { item }] of drawn) if (!kept.has(item)) drawn.delete(key);
        if (items.length !== list.childElementCount || items.some((item, i) => item !== list.children[i])) {
          list.replaceChildren(...items);
        }
      },
    );
    if (rows.length > limit) {
      const more = () => {
        limit += most;
        show();
      };
      list.append(element('button', { type: 'button', onclick: more }, `${rows.length - limit} more`));
    }
    if (rows.length === 0 && time !== undefined && !isOld && store.document.bodies.length > 1) {
      list.append(element('p', { class: 'hint' }, 'No two of these bodies meet.'));
    }
    if (store.document.bodies.length < 2) {
      list.append(
        element('p', { class: 'hint' }, 'If there are two bodies or more, pairs that meet are listed here.'),
      );
    }
    clearance.value = String(store.document.clearance);
  };

  type Names = ReadonlyMap<number, { readonly name: string; readonly colour: string }>;

  function itemOf(row: PairRow, names: Names): HTMLElement {
    const [a, b] = [names.get(row.a)!, names.get(row.b)!];
    const key = keyOf(row);
    const isChosen = live.chosen === row;
    const amount = amountOf(row, live);
    const says = JSON.stringify([a, b, row.relation, amount, isChosen]);
    const known = drawn.get(key);
    if (known?.says === says) return known.item;
    const swatch = (colour: string) => {
      const made = element('span', { class: 'swatch' });
      made.style.background = colour;
      return made;
    };
    const relation = element('span', { class: `relation ${row.relation}` });
    relation.innerHTML = icons[row.relation];
    relation.append(row.relation);
    const item = element(
      'div',
      {
        class: 'pair',
        tabIndex: -1,
        onclick: () => choose(key),
        data: { pair: key, relation: row.relation },
        aria: { role: 'option', selected: String(isChosen) },
      },
      element('span', { class: 'names' }, swatch(a.colour), a.name, ' · ', swatch(b.colour), b.name),
      relation,
      element('span', { class: 'amount' }, amount),
    );
    drawn.set(key, { says, item });
    return item;
  }

  const choose = (key: string) => {
    const row = live.rows.find(each => keyOf(each) === key);
    if (row === undefined) return;
    live.choose(row);
  };

  list.addEventListener('keydown', event => {
    const items = [...list.querySelectorAll<HTMLElement>('.pair')];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      items[Math.min(Math.max(at + step, 0), items.length - 1)]?.focus();
      event.preventDefault();
    } else if (event.key === 'Enter' && at >= 0) items[at].click();
  });
  const stop = [live.listen(show), store.listen(show)];
  show();
  return () => {
    for (const end of stop) end();
  };
}

/** Number of triangle pairs and depth, or distance. */
export function amountOf(row: PairRow, live: Pick<Live, 'depths'>): string {
  if (row.distance !== undefined) return `${shortened(row.distance)} apart`;
  const depth = live.depths.get(keyOf(row));
  const triangles = row.triangleCount > 0 ? `${row.triangleCount.toLocaleString('en')} triangle pairs` : '';
  if (depth === undefined || depth.upper === 0) return triangles;
  const [low, high] = [shortened(depth.lower), shortened(depth.upper)];
  return `${low === high ? `${high} deep` : `${low} to ${high} deep`}${triangles && `, ${triangles}`}`;
}

export const duration = (milliseconds: number): string =>
  milliseconds < 1000 ? `${shortened(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;

export const shortened = (value: number): string =>
  value === 0 ? '0' : String(Number(value.toPrecision(3)));
