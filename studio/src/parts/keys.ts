// Keys that work in every tab. Each tab has its own besides.

import type { Studio } from '../studio.ts';
import { element } from './element.ts';

/** Keys and their actions, for the list behind "?". */
const keyHelp: readonly (readonly [string, string])[] = [
  ['1 – 4', 'models, scenes, under the hood, benchmarks'],
  ['O', 'open files'],
  ['G / R', 'move / rotate the selected body'],
  [
    'Arrows, Page Up, Page Down',
    'in the view: move or rotate the selected body a little; with Shift, ten times as far',
  ],
  ['F', 'show everything'],
  ['S', 'section: a plane or a box'],
  ['M', 'measure between bodies, points or edges'],
  ['I / X / E', 'isolate the selected body / x-ray / explode'],
  ['A', 'ambient shading when the view is at rest'],
  ['Shift+H', 'hide all but the chosen pair'],
  ['H', 'hide or show the selected body'],
  ['F2', 'rename the selected body'],
  ['Delete', 'remove the selected body'],
  ['↑ ↓ Enter', 'in the list of pairs: choose one, fly to it'],
  ['J / K', 'the next clash, the previous one'],
  ['Shift+A, X, N, O', 'the chosen clash is accepted, fixed, not an issue, open'],
  ['Shift+C', 'comment on the chosen clash; Esc goes back'],
  ['Space', 'play or pause a scene'],
  ['← →', 'previous or next step under the hood'],
  ['Ctrl+Z, Shift+Ctrl+Z or Ctrl+Y', 'undo, redo'],
  ['Ctrl+S', 'save the pairs as JSON'],
  ['Esc', 'cancel work, clear the selection'],
  ['?', 'this list'],
];

export function openKeys({ store, work, viewer }: Studio): void {
  addEventListener('keydown', event => {
    // An open dialog handles its own keys.
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (command && (key === 'z' || key === 'y')) {
      if (key === 'y' || event.shiftKey) store.redo();
      else store.undo();
      event.preventDefault();
    } else if (command) return;
    else if (key === 'escape') {
      if (work.cancelAll()) event.preventDefault();
      else store.select(undefined);
    } else if (key === 'f') viewer.fit();
    else if (key === '?') showHelp();
    else if (/^[1-4]$/.test(key)) {
      document.querySelectorAll<HTMLElement>('.tabs [role=tab]')[Number(key) - 1]?.click();
    }
  });
}

/** Letters typed into a field are not commands. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement
  );
}

export function showHelp(): void {
  if (document.querySelector('dialog.help')) return;
  const list = element(
    'dl',
    {},
    ...keyHelp.flatMap(([key, does]) => [element('dt', {}, key), element('dd', {}, does)]),
  );
  const dialog = element('dialog', { class: 'help' }, element('h2', {}, 'Keys'), list);
  dialog.append(element('button', { type: 'button', onclick: () => dialog.close() }, 'Close'));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
