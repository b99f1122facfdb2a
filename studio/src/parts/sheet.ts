// A small screen has room for one side below the view: which, a person says. Sides are named for what the tab puts there.

import type { Store } from '../state/store.ts';
import { element, find } from './element.ts';

type Side = 'left' | 'right';

const names: Readonly<Record<string, Readonly<Record<Side, string>> & { readonly first: Side }>> = {
  models: { left: 'Bodies', right: 'Pairs', first: 'left' },
  scenes: { left: 'Scenes', right: 'Facts', first: 'right' },
  hood: { left: 'Methods', right: 'Steps', first: 'right' },
  bench: { left: 'Cases', right: 'Times', first: 'left' },
};

export function openSheet(store: Store): void {
  const { dataset } = document.body;
  const buttons = (['left', 'right'] as const).map(side => {
    const onclick = () => set(side);
    return { side, button: element('button', { type: 'button', onclick }) };
  });
  const set = (side: Side) => {
    dataset['sheet'] = side;
    for (const each of buttons) each.button.setAttribute('aria-pressed', String(each.side === side));
  };
  const bar = element(
    'div',
    { class: 'segments', aria: { role: 'group', label: 'Below the view' } },
    ...buttons.map(({ button }) => button),
  );
  find('.page').append(bar);
  const follow = () => {
    const words = names[dataset['tab'] ?? ''];
    if (words === undefined) return;
    for (const { side, button } of buttons) {
      button.textContent = words[side];
      find(`.${side}`).setAttribute('aria-label', words[side]);
    }
    set(dataset['tab'] === 'models' && count > 0 ? 'right' : words.first);
  };
  let count = 0;
  store.listen(() => {
    const now = store.document.bodies.length;
    // What was opened first is looked at first.
    if ((now === 0) !== (count === 0)) {
      count = now;
      follow();
    }
  });
  new MutationObserver(follow).observe(document.body, { attributeFilter: ['data-tab'] });
  follow();
}
