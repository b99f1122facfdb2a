// The tree of bodies: what is in the files, with colour, name and visibility. Groups open and close; the tree follows
// what is picked in the view; several bodies can be selected. The page holds only the part of a long tree that is in sight.

import { element, iconButton } from '../../parts/element.ts';
import { icons } from '../../parts/icons.ts';
import { longName } from '../../parts/long-name.ts';
import { type DocumentBody, withBodies } from '../../state/document.ts';
import type { Studio } from '../../studio.ts';
import { groupsAround, type TreeBody, type TreeGroup, type TreeItem, treeItems } from './structure.ts';

/** All lines are equally high: the same number as in panels.css. */
const height = 32;
/** A shorter tree is drawn as a whole. */
const short = 200;

export function openTree({ store, viewer, live }: Studio, left: HTMLElement): () => void {
  const tree = element('ul', {
    class: 'tree',
    aria: { role: 'tree', label: 'Bodies', multiselectable: 'true' },
  });
  left.append(tree);
  const closed = new Set<string>();
  let items: readonly TreeItem[] = [];
  const drawn = new Map<string, { says: string; host: HTMLElement }>();
  /** The item that Tab reaches. */
  let current: string | undefined;
  /** Where a range of selected bodies begins. */
  let anchor: string | undefined;
  let last: { readonly bodies: readonly DocumentBody[]; readonly selection: readonly number[] } | undefined;

  /** The bodies of the chosen pair. */
  let pair: readonly number[] = [];
  const followPair = () => {
    const now = live.chosenBodies ?? [];
    if (sameIds(pair, now)) return;
    pair = now;
    for (const id of [...now].reverse()) reveal(id);
    draw();
  };
  const follow = () => {
    const { document, selection } = store;
    if (last?.bodies === document.bodies && sameIds(last.selection, selection)) return;
    const isPicked = selection.at(-1) !== undefined && !sameIds(last?.selection ?? [], selection);
    const isSame = last !== undefined && looksSame(last.bodies, document.bodies);
    last = { bodies: document.bodies, selection };
    // Positions are not shown here, so a drag redraws nothing.
    if (!isSame) items = treeItems(document, closed);
    if (isPicked) reveal(selection.at(-1)!);
    draw();
  };
  const arrange = () => {
    items = treeItems(store.document, closed);
    draw();
  };
  const reveal = (id: number) => {
    for (const key of groupsAround(store.document, id)) closed.delete(key);
    items = treeItems(store.document, closed);
    const place = items.findIndex(({ key }) => key === String(id));
    if (place >= 0) scrollTo(place);
  };
  const scrollTo = (place: number) => {
    const [top, bottom] = [place * height, (place + 1) * height];
    if (top < tree.scrollTop) tree.scrollTop = top;
    else if (bottom > tree.scrollTop + tree.clientHeight) tree.scrollTop = bottom - tree.clientHeight;
  };

  function draw(): void {
    const isShort = items.length <= short;
    const first = isShort ? 0 : Math.max(0, Math.floor(tree.scrollTop / height) - 8);
    const end = isShort
      ? items.length
      : Math.min(items.length, Math.ceil((tree.scrollTop + tree.clientHeight) / height) + 8);
    tree.style.setProperty('--above', `${first * height}px`);
    tree.style.setProperty('--below', `${(items.length - end) * height}px`);
    const selection = new Set(store.selection);
    const hadFocus = tree.contains(document.activeElement);
    const part = hadFocus ? partOf(document.activeElement as HTMLElement) : undefined;
    if (!items.some(({ key }) => key === current)) {
      current = items[Math.min(Math.max(placeBefore, 0), items.length - 1)]?.key;
    }
    placeBefore = items.findIndex(({ key }) => key === current);
    const wanted = items.slice(first, end);
    const keys = new Set(wanted.map(({ key }) => key));
    for (const [key, { host }] of drawn) {
      if (keys.has(key)) continue;
      host.remove();
      drawn.delete(key);
    }
    const hosts = wanted.map(item => hostOf(item, selection));
    let next = tree.firstElementChild;
    for (const host of hosts) {
      if (host === next) next = next.nextElementSibling;
      else tree.insertBefore(host, next);
    }
    // What had the focus may have been drawn again, or be gone.
    if (hadFocus && !tree.contains(document.activeElement)) focusCurrent(part);
  }
  let placeBefore = 0;

  function hostOf(item: TreeItem, selection: ReadonlySet<number>): HTMLElement {
    const stop = item.key === current ? 0 : -1;
    const isSelected =
      item.kind === 'body' ? selection.has(item.body.id) : item.ids.every(id => selection.has(id));
    const says =
      item.kind === 'body'
        ? JSON.stringify([item.body.name, item.body.colour, item.body.visible, item.level])
        : JSON.stringify([item.label, item.ids.length, closed.has(item.key), isShown(item), item.level]);
    let known = drawn.get(item.key);
    if (known?.says !== says) {
      const host = item.kind === 'body' ? bodyItem(item) : groupItem(item);
      known?.host.replaceWith(host);
      known = { says, host };
      drawn.set(item.key, known);
    }
    const { host } = known;
    host.setAttribute('aria-selected', String(isSelected));
    host.classList.toggle('in-pair', item.kind === 'body' && pair.includes(item.body.id));
    host.tabIndex = stop;
    for (const control of host.querySelectorAll<HTMLElement>('button, input')) control.tabIndex = stop;
    return host;
  }
  const isShown = ({ ids }: TreeGroup): boolean => {
    const all = new Set(ids);
    return store.document.bodies.some(({ id, visible }) => visible && all.has(id));
  };
  const setAll = (label: string, ids: readonly number[], change: Partial<DocumentBody>) =>
    store.change(
      label,
      withBodies(store.document, new Set(ids), () => change),
    );
  const toggle = (key: string) => {
    if (closed.has(key)) closed.delete(key);
    else closed.add(key);
    arrange();
  };

  function groupItem(item: TreeGroup): HTMLElement {
    const { key, label, ids, level, isFile } = item;
    const [isClosed, shown] = [closed.has(key), isShown(item)];
    const name = isFile ? label : (label.split(' / ').at(-1) ?? label);
    const host = element(
      'li',
      {
        class: isFile ? 'file' : 'group',
        data: { key },
        aria: { role: 'treeitem', level: String(level), expanded: String(!isClosed) },
        onclick: event => choose(item, event),
      },
      element('span', {
        class: isClosed ? 'twist closed' : 'twist',
        onclick: event => {
          event.stopPropagation();
          toggle(key);
        },
      }),
      element('span', { class: 'name', title: label }, ...longName(name)),
      element('span', { class: 'count' }, String(ids.length)),
      iconButton(shown ? icons.eye : icons.hidden, shown ? `Hide ${name}` : `Show ${name}`, event => {
        event.stopPropagation();
        setAll(shown ? `hide ${name}` : `show ${name}`, ids, { visible: !shown });
      }),
    );
    host.style.setProperty('--level', String(level - 1));
    return host;
  }

  function bodyItem(item: TreeBody): HTMLElement {
    const { body, level } = item;
    const { id, name, colour, visible, origin } = body;
    const swatch = element('input', { type: 'color', value: colour, title: `Colour of ${name}` });
    swatch.setAttribute('aria-label', `Colour of ${name}`);
    swatch.addEventListener('change', () => setAll(`colour of ${name}`, [id], { colour: swatch.value }));
    const host = element(
      'li',
      {
        class: visible ? 'body' : 'body off',
        onclick: event => choose(item, event),
        ondblclick: () => viewer.camera.flyTo(viewer.bodies.box([id])),
        data: { body: String(id), key: item.key },
        aria: { role: 'treeitem', level: String(level) },
      },
      swatch,
      element(
        'span',
        { class: 'name', title: origin.type ? `${name}\n${origin.type}` : name },
        ...longName(name),
      ),
      iconButton(visible ? icons.eye : icons.hidden, visible ? `Hide ${name}` : `Show ${name}`, event => {
        event.stopPropagation();
        setAll(visible ? `hide ${name}` : `show ${name}`, [id], { visible: !visible });
      }),
    );
    host.style.setProperty('--level', String(level - 1));
    return host;
  }

  const idsOf = (item: TreeItem) => (item.kind === 'body' ? [item.body.id] : item.ids);

  /** With Ctrl one more or less, with Shift all from the last one on. */
  function choose(item: TreeItem, { ctrlKey, metaKey, shiftKey }: MouseEvent | KeyboardEvent): void {
    current = item.key;
    if (shiftKey && anchor !== undefined) {
      const [p, q] = [anchor, item.key].map(key => items.findIndex(each => each.key === key));
      if (p >= 0 && q >= 0) {
        const range = items.slice(Math.min(p, q), Math.max(p, q) + 1);
        store.select(...new Set(range.flatMap(each => (each.kind === 'body' ? idsOf(each) : []))));
        return;
      }
    }
    anchor = item.key;
    if (!ctrlKey && !metaKey) store.select(...idsOf(item));
    else if (item.kind === 'body') store.toggle(item.body.id);
    else store.select(...new Set([...store.selection, ...item.ids]));
    draw();
  }

  /** The item itself, or one of its controls, by number. */
  const partOf = (focused: HTMLElement): number => {
    const host = focused.closest('li');
    return host ? [...host.querySelectorAll('button, input')].indexOf(focused) : -1;
  };
  function focusCurrent(part = -1): void {
    const host = current === undefined ? undefined : drawn.get(current)?.host;
    const control = part < 0 ? undefined : host?.querySelectorAll<HTMLElement>('button, input')[part];
    (control ?? host)?.focus({ preventScroll: true });
  }
  const go = (place: number) => {
    const item = items[Math.min(Math.max(place, 0), items.length - 1)];
    if (item === undefined) return;
    current = item.key;
    scrollTo(items.indexOf(item));
    draw();
    focusCurrent();
  };
  tree.addEventListener('focusin', ({ target }) => {
    const key = (target as HTMLElement).closest<HTMLElement>('li')?.dataset['key'];
    if (key === undefined || key === current) return;
    current = key;
    draw();
  });
  tree.addEventListener('keydown', event => {
    const host = (event.target as HTMLElement).closest<HTMLElement>('li');
    if (host === null || event.target !== host) return;
    const at = items.findIndex(({ key }) => key === host.dataset['key']);
    const item = items[at];
    if (item === undefined) return;
    const isClosed = closed.has(item.key);
    if (event.key === 'ArrowDown') go(at + 1);
    else if (event.key === 'ArrowUp') go(at - 1);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(items.length - 1);
    else if (event.key === 'ArrowRight') {
      if (item.kind === 'group' && isClosed) toggle(item.key);
      else go(at + 1);
    } else if (event.key === 'ArrowLeft') {
      if (item.kind === 'group' && !isClosed) toggle(item.key);
      else go(items.slice(0, at).findLastIndex(({ level }) => level < item.level));
    } else if (event.key === 'Enter' || event.key === ' ') choose(item, event);
    else return;
    event.preventDefault();
    // Arrows in a tree do not move bodies.
    event.stopPropagation();
  });
  tree.addEventListener('scroll', () => requestAnimationFrame(draw), { passive: true });
  const size = new ResizeObserver(() => draw());
  size.observe(tree);
  const stop = [store.listen(follow), live.listen(followPair)];
  follow();
  followPair();
  return () => {
    for (const end of stop) end();
    size.disconnect();
  };
}

const sameIds = (p: readonly number[], q: readonly number[]): boolean =>
  p.length === q.length && p.every((id, i) => id === q[i]);

function looksSame(before: readonly DocumentBody[], now: readonly DocumentBody[]): boolean {
  if (before.length !== now.length) return false;
  return now.every((body, i) => {
    const was = before[i];
    const sameName = body.name === was.name && body.file === was.file;
    return sameName && body.id === was.id && body.colour === was.colour && body.visible === was.visible;
  });
}
