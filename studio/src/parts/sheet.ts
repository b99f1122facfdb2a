// A small screen has room for one thing below the view: which, a person says. The segments are named for what the tab puts there.

import type { Store } from '../state/store.ts';
import { element, find } from './element.ts';

/** As layout.css has it. */
export const smallScreen = matchMedia('(max-width: 720px)');

/** 'none': all is the view. */
type Sheet = 'left' | 'right' | 'facts' | 'none';
type Segments = Readonly<Partial<Record<Sheet, string>>>;

/** In the order they are shown; `first` is open when a tab is. */
const segmentsOf: Readonly<Record<string, { readonly names: Segments; readonly first: Sheet }>> = {
  models: { names: { right: 'Pairs', left: 'Bodies', facts: 'Facts' }, first: 'none' },
  scenes: { names: { left: 'Scenes', right: 'Facts' }, first: 'right' },
  hood: { names: { left: 'Methods', right: 'Steps' }, first: 'right' },
  bench: { names: { left: 'Cases', right: 'Times' }, first: 'left' },
};

export function openSheet(store: Store): void {
  const { dataset } = document.body;
  const bar = element('div', { class: 'segments', aria: { role: 'group', label: 'Below the view' } });
  const set = (sheet: string) => {
    dataset['sheet'] = sheet;
    for (const button of bar.children as HTMLCollectionOf<HTMLElement>) {
      button.setAttribute('aria-pressed', String(button.dataset['sheet'] === sheet));
    }
  };
  find('.page').append(bar);
  let count = 0;
  const follow = () => {
    const tab = segmentsOf[dataset['tab'] ?? ''];
    if (tab === undefined) return;
    const { left, right } = tab.names;
    find('.left').setAttribute('aria-label', left!);
    find('.right').setAttribute('aria-label', right!);
    bar.replaceChildren(
      ...Object.entries(tab.names).map(([sheet, name]) =>
        element('button', { type: 'button', data: { sheet }, onclick: () => set(sheet) }, name),
      ),
    );
    set(dataset['tab'] === 'models' && count > 0 ? 'right' : tab.first);
  };
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
