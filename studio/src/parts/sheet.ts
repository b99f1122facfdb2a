// A small screen has room for one panel below the view, and the user chooses which. The tab names the panels.

import type { Store } from '../state/store.ts';
import { element, find } from './element.ts';

/** The same width as in layout.css. */
export const smallScreen = matchMedia('(max-width: 720px)');

/** 'none': the view takes all the space. */
type Sheet = 'left' | 'right' | 'facts' | 'none';
type Segments = Readonly<Partial<Record<Sheet, string>>>;

/** In display order. `first` is open initially. */
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
    // The panel registered first is shown first.
    if ((now === 0) !== (count === 0)) {
      count = now;
      follow();
    }
  });
  new MutationObserver(follow).observe(document.body, { attributeFilter: ['data-tab'] });
  follow();
}
