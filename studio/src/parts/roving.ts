// Lists with one tab stop (roving tabindex): arrows, Home and End move through them.

/** Tab goes from the focused item to the controls inside it. */
export function openRoving(list: HTMLElement, selector: string): void {
  const items = () => [...list.querySelectorAll<HTMLElement>(selector)];
  const controls = (item: HTMLElement) => item.querySelectorAll<HTMLElement>('button, input');
  const set = (current: HTMLElement | undefined) => {
    for (const item of items()) {
      item.tabIndex = item === current ? 0 : -1;
      for (const control of controls(item)) control.tabIndex = item.tabIndex;
    }
  };
  list.addEventListener('focusin', ({ target }) => {
    const item = (target as HTMLElement).closest<HTMLElement>(selector);
    if (item) set(item);
  });
  list.addEventListener('keydown', event => {
    const all = items();
    const at = all.indexOf(event.target as HTMLElement);
    const to = at < 0 ? undefined : steps[event.key]?.(at, all.length);
    if (to === undefined) return;
    all[Math.min(Math.max(to, 0), all.length - 1)].focus();
    event.preventDefault();
    // Arrows in a list do not move bodies.
    event.stopPropagation();
  });
  const keepStop = () => {
    const all = items();
    const focused = all.find(item => item.contains(document.activeElement));
    set(focused ?? all.find(item => item.getAttribute('aria-selected') === 'true') ?? all[0]);
  };
  new MutationObserver(keepStop).observe(list, { childList: true });
  keepStop();
}

const steps: Readonly<Record<string, ((at: number, count: number) => number) | undefined>> = {
  ArrowDown: at => at + 1,
  ArrowRight: at => at + 1,
  ArrowUp: at => at - 1,
  ArrowLeft: at => at - 1,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * Redraws a list where it is scrolled to, and restores the focus: to the same control of the item with the same key, or, if the item is gone,
 * to the item that took its place.
 */
export function redraw(
  list: HTMLElement,
  selector: string,
  keyOf: (item: HTMLElement) => string | undefined,
  drawItems: () => void,
): void {
  const draw = () => {
    // A list without items for a moment is scrolled to its top.
    const { scrollTop } = list;
    drawItems();
    if (list.scrollTop !== scrollTop) list.scrollTop = scrollTop;
  };
  const items = () => [...list.querySelectorAll<HTMLElement>(selector)];
  const parts = (item: HTMLElement) => [item, ...item.querySelectorAll<HTMLElement>('button, input')];
  const active = document.activeElement as HTMLElement | null;
  const at = items().findIndex(item => item.contains(active));
  if (at < 0) {
    draw();
    return;
  }
  const item = items()[at];
  const [key, part] = [keyOf(item), parts(item).indexOf(active!)];
  draw();
  const now = items();
  const same = now.find(one => keyOf(one) === key) ?? now[Math.min(at, now.length - 1)];
  if (same) (parts(same)[part] ?? same).focus({ preventScroll: true });
}
