// The list of pairs: relation, how many triangles meet, how deep or how far. Choosing one flies to it.

import type { PairRow } from '../engine/types.ts';
import { element } from '../parts/element.ts';
import { icons } from '../parts/icons.ts';
import { redraw } from '../parts/roving.ts';
import type { Studio } from '../studio.ts';
import { keyOf, type Live } from './live.ts';
import { flyToPair } from './meeting.ts';

/** What matters most comes first; parts that touch are mostly meant to. */
const severity = ['crossing', 'inside', 'contains', 'coincident', 'separate', 'touching'];
/** More rows than these are drawn when they are asked for. */
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
  const hideTouching = element('input', { type: 'checkbox' });
  hideTouching.addEventListener('change', () => show());
  right.append(
    element('h2', {}, 'Pairs ', count),
    element(
      'div',
      { class: 'row' },
      element(
        'label',
        { title: 'Bodies nearer to each other than this are listed too' },
        'Clearance',
        clearance,
      ),
      element('label', {}, hideTouching, 'hide touching'),
    ),
    list,
  );
  let limit = most;

  const show = () => {
    const names = new Map(store.document.bodies.map(({ id, name, colour }) => [id, { name, colour }]));
    const rows = live.rows
      .filter(
        ({ a, b, relation }) =>
          names.has(a) && names.has(b) && !(hideTouching.checked && relation === 'touching'),
      )
      .sort((p, q) => severity.indexOf(p.relation) - severity.indexOf(q.relation));
    const time = live.time === undefined ? '' : ` in ${duration(live.time)}`;
    count.textContent = store.document.bodies.length < 2 ? '' : `${rows.length}${time}`;
    redraw(
      list,
      '.pair',
      ({ dataset }) => dataset['pair'],
      () => list.replaceChildren(...rows.slice(0, limit).map(row => rowOf(row, names))),
    );
    if (rows.length > limit) {
      const more = () => {
        limit += most;
        show();
      };
      list.append(element('button', { type: 'button', onclick: more }, `${rows.length - limit} more`));
    }
    if (rows.length === 0 && live.time !== undefined && store.document.bodies.length > 1) {
      list.append(element('p', { class: 'hint' }, 'No two of these bodies meet.'));
    }
    clearance.value = String(store.document.clearance);
  };

  function rowOf(row: PairRow, names: ReadonlyMap<number, { name: string; colour: string }>): HTMLElement {
    const [a, b] = [names.get(row.a)!, names.get(row.b)!];
    const isChosen = live.chosen === row;
    const swatch = (colour: string) => {
      const made = element('span', { class: 'swatch' });
      made.style.background = colour;
      return made;
    };
    const relation = element('span', { class: `relation ${row.relation}` });
    relation.innerHTML = icons[row.relation];
    relation.append(row.relation);
    const choose = () => {
      live.choose(row);
      flyToPair(studio, row);
    };
    return element(
      'div',
      {
        class: 'pair',
        tabIndex: -1,
        onclick: choose,
        data: { pair: keyOf(row), relation: row.relation },
        aria: { role: 'option', selected: String(isChosen) },
      },
      element('span', { class: 'names' }, swatch(a.colour), a.name, ' · ', swatch(b.colour), b.name),
      relation,
      element('span', { class: 'amount' }, amountOf(row, live)),
    );
  }

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

/** Triangles that meet and how deep, or how far apart. */
export function amountOf(row: PairRow, live: Pick<Live, 'depths'>): string {
  if (row.distance !== undefined) return `${shortened(row.distance)} apart`;
  const depth = live.depths.get(keyOf(row));
  const triangles = row.triangleCount > 0 ? `${row.triangleCount.toLocaleString('en')} triangle pairs` : '';
  if (depth === undefined || depth.upper === 0) return triangles;
  const [low, high] = [shortened(depth.lower), shortened(depth.upper)];
  return `${low === high ? `${high} deep` : `${low} to ${high} deep`}${triangles && `, ${triangles}`}`;
}

const duration = (milliseconds: number): string =>
  milliseconds < 1000 ? `${shortened(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;

export const shortened = (value: number): string =>
  value === 0 ? '0' : String(Number(value.toPrecision(3)));
