// A list of which only the rows in sight are in the page, so that a hundred thousand rows scroll. The focus stays on the
// list; one item is active, and arrows move it.

import { element } from '../../parts/element.ts';

/** All items are equally high: the same number as in review.css. */
const height = 66;

export interface ListItem {
  /** Two items with the same key are the same. */
  readonly key: string;
  /** What it shows: if it is equal, the item is not drawn again. */
  readonly says: string;
  readonly isSelected: boolean;
  /** Fills an element. */
  fill(host: HTMLElement): void;
}

export interface ListOptions {
  readonly label: string;
  readonly count: () => number;
  readonly item: (place: number) => ListItem;
  /** Where the item with a key is; -1 if it is nowhere. */
  readonly placeOf: (key: string) => number;
  /** Somebody clicks an item, or presses Enter on it. */
  readonly choose: (place: number) => void;
  /** These places are in sight. */
  readonly seen: (from: number, to: number) => void;
}

export class LongList {
  readonly host: HTMLElement;
  readonly #options: ListOptions;
  readonly #space = element('div', { class: 'space', aria: { role: 'presentation' } });
  readonly #drawn = new Map<string, { says: string; readonly host: HTMLElement }>();
  /** The key of the active item. */
  #active: string | undefined;
  #wanted = false;

  constructor(options: ListOptions) {
    this.#options = options;
    this.host = element('div', {
      class: 'pairs',
      tabIndex: 0,
      aria: { role: 'listbox', label: options.label },
    });
    this.host.append(this.#space);
    this.host.addEventListener('scroll', () => this.invalidate(), { passive: true });
    this.host.addEventListener('keydown', event => this.#key(event));
    new ResizeObserver(() => this.invalidate()).observe(this.host);
  }

  /** Draws again before the next frame, however often it is called. */
  invalidate(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    requestAnimationFrame(() => {
      this.#wanted = false;
      this.draw();
    });
  }

  /** Draws what is in sight. */
  draw(): void {
    const { count, item, seen } = this.#options;
    const total = count();
    this.#space.style.height = `${total * height}px`;
    const first = Math.max(0, Math.floor(this.host.scrollTop / height) - 2);
    const last = Math.min(total, Math.ceil((this.host.scrollTop + this.host.clientHeight) / height) + 2);
    const kept = new Set<string>();
    for (let place = first; place < last; place++) kept.add(this.#place(item(place), place, total));
    for (const [key, { host }] of this.#drawn) {
      if (kept.has(key)) continue;
      host.remove();
      this.#drawn.delete(key);
    }
    const active = this.#active === undefined ? undefined : this.#drawn.get(this.#active);
    if (active) this.host.setAttribute('aria-activedescendant', active.host.id);
    else this.host.removeAttribute('aria-activedescendant');
    // What one sees is measured first, not what is ready to be scrolled to.
    seen(Math.floor(this.host.scrollTop / height), last);
  }

  /** Makes an item active and scrolls to it. */
  activate(place: number): void {
    const { count, item } = this.#options;
    if (place < 0 || place >= count()) return;
    this.#active = item(place).key;
    const [top, bottom] = [place * height, (place + 1) * height];
    const { scrollTop, clientHeight } = this.host;
    if (top < scrollTop) this.host.scrollTop = top;
    else if (bottom > scrollTop + clientHeight) this.host.scrollTop = bottom - clientHeight;
    this.draw();
  }

  /** The place of the active item; -1 if there is none. */
  get active(): number {
    return this.#active === undefined ? -1 : this.#options.placeOf(this.#active);
  }

  #place(item: ListItem, place: number, total: number): string {
    let drawn = this.#drawn.get(item.key);
    if (drawn === undefined) {
      const host = element('div', { class: 'pair', aria: { role: 'option' } });
      host.id = `item-${item.key.replaceAll(/\W/g, '-')}`;
      host.addEventListener('click', () => {
        const now = this.#options.placeOf(item.key);
        if (now < 0) return;
        this.activate(now);
        this.#options.choose(now);
      });
      this.#space.append(host);
      drawn = { says: '', host };
      this.#drawn.set(item.key, drawn);
    }
    const { host } = drawn;
    if (drawn.says !== item.says) {
      host.replaceChildren();
      item.fill(host);
      drawn.says = item.says;
    }
    host.style.transform = `translateY(${place * height}px)`;
    host.setAttribute('aria-selected', String(item.isSelected));
    host.setAttribute('aria-posinset', String(place + 1));
    host.setAttribute('aria-setsize', String(total));
    host.classList.toggle('active', item.key === this.#active);
    return item.key;
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const total = this.#options.count();
    const page = Math.max(1, Math.floor(this.host.clientHeight / height) - 1);
    const at = this.active;
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: total - 1,
    }[event.key];
    if (to !== undefined) {
      this.activate(Math.min(Math.max(to, 0), total - 1));
      event.preventDefault();
      // Arrows in a list do not move bodies.
      event.stopPropagation();
    } else if ((event.key === 'Enter' || event.key === ' ') && at >= 0) {
      this.#options.choose(at);
      event.preventDefault();
      event.stopPropagation();
    }
  }
}
