// The page: a device, a view, a worker, and tabs that use them.

import { bench } from './bench/panel.ts';
import { chooseDevice } from './engine/choose.ts';
import { startWorker } from './engine/worker-client.ts';
import { hood } from './hood/panel.ts';
import { models } from './models/panel.ts';
import { element, find, iconButton } from './parts/element.ts';
import { icons } from './parts/icons.ts';
import { openKeys, showHelp } from './parts/keys.ts';
import { openRoving } from './parts/roving.ts';
import { openSheet } from './parts/sheet.ts';
import { openTheme } from './parts/theme.ts';
import { scenes } from './scenes/panel.ts';
import { Store } from './state/store.ts';
import { type Panel, type Studio, Work, wordsOf } from './studio.ts';
import { Viewer } from './viewer/viewer.ts';

const panels: readonly Panel[] = [models, scenes, hood, bench];

async function start(): Promise<void> {
  const tasks = startWorker();
  const chosen = await chooseDevice(location.search);
  const viewer = await Viewer.create(find('canvas'), chosen.device);
  const work = new Work();
  const device = chosen.asks ? chosen.device : undefined;
  const studio: Studio = { store: new Store(), viewer, tasks, work, device };
  const tools = find<HTMLElement>('.tools');
  const [undo, redo] = [
    iconButton(icons.undo, 'Undo', () => studio.store.undo()),
    iconButton(icons.redo, 'Redo', () => studio.store.redo()),
  ];
  tools.append(
    undo,
    redo,
    iconButton(icons.theme, 'Light or dark', openTheme(viewer)),
    iconButton(icons.help, 'Keys (?)', showHelp),
  );
  const showHistory = () => {
    const { undoLabel, redoLabel } = studio.store;
    undo.disabled = undoLabel === undefined;
    redo.disabled = redoLabel === undefined;
    undo.title = undoLabel ? `Undo: ${undoLabel} (Ctrl+Z)` : 'Nothing to undo';
    redo.title = redoLabel ? `Redo: ${redoLabel} (Shift+Ctrl+Z)` : 'Nothing to redo';
  };
  studio.store.listen(showHistory);
  showHistory();
  openTabs(studio);
  openSheet(studio.store);
  openKeys(studio);
  chosen.device?.lost.then(({ reason, message }) => {
    if (reason !== 'destroyed') work.say(`The GPU was lost (${message}). Reload the page to go on.`);
  });
  find('.engine').textContent = `${await tasks.hello()} in a worker; ${chosen.drawing}`;
  // For people at the console, and for tests.
  Object.assign(globalThis, { nearfieldStudio: studio });
  document.body.dataset['state'] = 'idle';
}

/** One tab open at a time; the address remembers which. */
function openTabs(studio: Studio): void {
  const [left, right] = [find<HTMLElement>('.left'), find<HTMLElement>('.right')];
  const bar = find<HTMLElement>('.tabs');
  let close: (() => void) | undefined;
  let shown: Panel | undefined;
  const show = (panel: Panel) => {
    // What follows the tab's name in the address is for the tab itself.
    if (panel === shown) return;
    shown = panel;
    close?.();
    left.replaceChildren();
    right.replaceChildren();
    document.body.dataset['tab'] = panel.name;
    for (const tab of bar.children) tab.setAttribute('aria-selected', String(tab.id === `tab-${panel.name}`));
    close = panel.open(studio, left, right);
  };
  for (const panel of panels) {
    const onclick = () => {
      location.hash = panel.name;
    };
    bar.append(
      element(
        'button',
        { type: 'button', id: `tab-${panel.name}`, onclick, aria: { role: 'tab' } },
        panel.title,
      ),
    );
  }
  openRoving(bar, '[role=tab]');
  const follow = () => {
    const [name] = location.hash.slice(1).split(/[=/]/);
    show(panels.find(panel => panel.name === name) ?? panels[0]);
  };
  addEventListener('hashchange', follow);
  follow();
}

start().catch(error => {
  find('.engine').textContent = 'The studio could not start.';
  new Work().say(wordsOf(error));
});
