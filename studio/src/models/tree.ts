// The bodies in a tree: files and their bodies, with colour, name and visibility.

import type { BodyId } from '../engine/types.ts';
import { element, iconButton } from '../parts/element.ts';
import { icons } from '../parts/icons.ts';
import { openRoving, redraw } from '../parts/roving.ts';
import { type DocumentBody, withBody } from '../state/document.ts';
import type { Studio } from '../studio.ts';

export function openTree({ store, viewer }: Studio, left: HTMLElement): () => void {
  const tree = element('ul', { class: 'tree', aria: { role: 'tree', label: 'Bodies' } });
  left.append(tree);
  let drawn: { readonly bodies: readonly DocumentBody[]; readonly selected: BodyId | undefined } | undefined;
  const show = () => {
    const { bodies } = store.document;
    const { selected } = store;
    // Positions are not shown here, so a drag redraws nothing.
    if (drawn && drawn.selected === selected && looksSame(drawn.bodies, bodies)) return;
    drawn = { bodies, selected };
    const files = new Map<string | undefined, DocumentBody[]>();
    for (const body of bodies) files.set(body.file, [...(files.get(body.file) ?? []), body]);
    redraw(
      tree,
      '[role=treeitem]',
      ({ dataset }) => dataset['body'] ?? dataset['file'],
      () => {
        tree.replaceChildren();
        for (const [file, inFile] of files) {
          if (file !== undefined && inFile.length > 1) tree.append(fileItem(file, inFile));
          for (const body of inFile) tree.append(bodyItem(body, inFile.length > 1 ? 2 : 1));
        }
      },
    );
  };
  const set = (label: string, id: BodyId, change: Partial<DocumentBody>) =>
    store.change(label, withBody(store.document, id, change));

  function fileItem(file: string, inFile: readonly DocumentBody[]): HTMLElement {
    const isShown = inFile.some(({ visible }) => visible);
    const toggle = () => {
      const ids = new Set(inFile.map(({ id }) => id));
      const next = store.document.bodies.map(body =>
        ids.has(body.id) ? { ...body, visible: !isShown } : body,
      );
      store.change(isShown ? `hide ${file}` : `show ${file}`, { ...store.document, bodies: next });
    };
    return element(
      'li',
      {
        class: 'file',
        tabIndex: -1,
        data: { file },
        aria: { role: 'treeitem', level: '1', expanded: 'true' },
      },
      element('span', { class: 'name', title: file }, file),
      element('span', { class: 'count' }, String(inFile.length)),
      iconButton(isShown ? icons.eye : icons.hidden, isShown ? `Hide ${file}` : `Show ${file}`, toggle),
    );
  }

  function bodyItem(body: DocumentBody, level: number): HTMLElement {
    const { id, name, colour, visible } = body;
    const swatch = element('input', { type: 'color', value: colour, title: `Colour of ${name}` });
    swatch.setAttribute('aria-label', `Colour of ${name}`);
    swatch.addEventListener('change', () => set(`colour of ${name}`, id, { colour: swatch.value }));
    const item = element(
      'li',
      {
        class: visible ? 'body' : 'body off',
        tabIndex: -1,
        onclick: () => store.select(id),
        data: { body: String(id) },
        aria: { role: 'treeitem', level: String(level), selected: String(id === store.selected) },
      },
      swatch,
      element('span', { class: 'name', title: name }, name),
      iconButton(visible ? icons.eye : icons.hidden, visible ? `Hide ${name}` : `Show ${name}`, event => {
        event.stopPropagation();
        set(visible ? `hide ${name}` : `show ${name}`, id, { visible: !visible });
      }),
    );
    item.addEventListener('keydown', event => {
      if (event.key === 'Enter' && event.target === item) store.select(id);
    });
    item.addEventListener('dblclick', () => viewer.camera.flyTo(viewer.bodies.box([id])));
    return item;
  }

  const stop = store.listen(show);
  show();
  openRoving(tree, '[role=treeitem]');
  return stop;
}

function looksSame(before: readonly DocumentBody[], now: readonly DocumentBody[]): boolean {
  if (before.length !== now.length) return false;
  return now.every((body, i) => {
    const was = before[i];
    const sameName = body.name === was.name && body.file === was.file;
    return sameName && body.id === was.id && body.colour === was.colour && body.visible === was.visible;
  });
}
