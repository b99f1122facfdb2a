// The chosen pair: full names, what was decided, what people say about it.

import { type Status, statusWords, verdictWords } from '@nearfield/clashes';
import { element } from '../../parts/element.ts';
import type { Studio } from '../../studio.ts';
import type { Live } from '../live.ts';
import type { PairRow } from '../table.ts';
import { statusText } from './filters.ts';
import { withComment, withStatus } from './statuses.ts';
import { amountInFull, relationOf } from './words.ts';

export function openDetail({ store }: Studio, live: Live) {
  const names = element('p', { class: 'full-names' });
  const facts = element('p', { class: 'hint' });
  const comment = element('textarea', { rows: 2, placeholder: 'Comment', title: 'Comment (Shift+C)' });
  comment.setAttribute('aria-label', 'Comment');
  comment.addEventListener('change', () => {
    const { chosen } = live;
    if (chosen) store.change('comment', withComment(store.document, chosen, comment.value));
  });
  comment.addEventListener('keydown', event => {
    // Escape goes back to the list and keeps what was typed.
    if (event.key !== 'Escape') return;
    comment.blur();
    document.querySelector<HTMLElement>('.pairs')?.focus();
    event.stopPropagation();
  });
  const buttons = statusWords.map(status =>
    element(
      'button',
      {
        type: 'button',
        class: 'small',
        title: `${statusText(status)} (Shift+${statusKeys[status]})`,
        onclick: () => {
          const { chosen } = live;
          if (chosen) store.change(statusText(status), withStatus(store.document, chosen, status));
        },
      },
      statusText(status),
    ),
  );
  const host = element(
    'div',
    { class: 'detail', data: { testid: 'detail' } },
    names,
    facts,
    element('div', { class: 'row', aria: { role: 'group', label: 'Status' } }, ...buttons),
    comment,
  );
  let written = '';
  const show = () => {
    const { chosen, table } = live;
    host.hidden = chosen === undefined || table === undefined;
    if (chosen === undefined || table === undefined) return;
    const nameOf = (id: number) => {
      const body = store.document.bodies.find(each => each.id === id);
      return body?.origin.path ? body.origin.path.join(' / ') : (body?.name ?? '');
    };
    names.replaceChildren(nameOf(chosen.a), element('br'), nameOf(chosen.b));
    facts.textContent = factsOf(chosen, store.document.unit, live.tests);
    const entry = store.document.statuses.clashes.get(chosen.clash);
    for (const [i, status] of statusWords.entries()) {
      buttons[i].setAttribute('aria-pressed', String(entry?.status === status));
    }
    const key = `${chosen.clash} ${entry?.comment ?? ''}`;
    if (key !== written && document.activeElement !== comment) {
      comment.value = entry?.comment ?? '';
      written = key;
    }
  };
  return { host, show, comment: () => comment.focus() };
}

/** The letters that set a status, with Shift. */
export const statusKeys: Readonly<Record<Status, string>> = {
  open: 'O',
  accepted: 'A',
  fixed: 'X',
  'not-an-issue': 'N',
};

function factsOf(row: PairRow, unit: number | undefined, tests: readonly string[]): string {
  const amount = amountInFull(row, unit);
  return [
    `${relationOf(row)}: ${verdictWords[row.verdict]}`,
    ...(amount ? [amount] : []),
    ...(row.test >= 0 ? [`rule "${tests[row.test]}"`] : []),
    `id ${row.clash}`,
  ].join(', ');
}
