// The page: a device, a view, a worker, and the tabs that use them.

import { chooseDevice } from './engine/pairs/choose.ts';
import { GpuPairs, KnownMeshes } from './engine/pairs/gpu-pairs.ts';
import { Pairs } from './engine/pairs/pairs.ts';
import { startWorker } from './engine/worker/worker-client.ts';
import { keepInBrowser, restoreLast } from './models/files/keeping.ts';
import { Live } from './models/live.ts';
import { models } from './models/panel.ts';
import { element, find, iconButton } from './parts/element.ts';
import { icons } from './parts/icons.ts';
import { openKeys, showHelp } from './parts/keys.ts';
import { openResizing } from './parts/resize.ts';
import { openRoving } from './parts/roving.ts';
import { openSheet } from './parts/sheet.ts';
import { openTheme } from './parts/theme.ts';
import { Store } from './state/store.ts';
import { type Panel, type Services, type Studio, Work, wordsOf } from './studio.ts';
import { Viewer } from './viewer/viewer.ts';

/** The first tab is bundled; the others are loaded when opened. */
const tabs: readonly Tab[] = [
  { name: 'models', title: 'Models', load: () => models },
  { name: 'scenes', title: 'Scenes', load: async () => (await import('./scenes/panel.ts')).scenes },
  { name: 'hood', title: 'Under the hood', load: async () => (await import('./hood/panel.ts')).hood },
  { name: 'bench', title: 'Benchmarks', load: async () => (await import('./bench/panel.ts')).bench },
];

interface Tab {
  readonly name: string;
  readonly title: string;
  load(): Panel | Promise<Panel>;
}

async function start(): Promise<void> {
  const tasks = startWorker();
  const chosen = await chooseDevice(location.search);
  const viewer = await Viewer.create(find('canvas'), chosen);
  const work = new Work();
  const device = chosen.asks ? chosen.device : undefined;
  const meshes = new KnownMeshes();
  const pairs = new Pairs({
    askWorker: tasks.pairs,
    openGpu: device && (() => GpuPairs.open(device, tasks, meshes)),
    ...{ isAsked: chosen.isAsked, changed: () => showEngine() },
  });
  const services: Services = { store: new Store(), viewer, tasks, work, pairs, meshes, device };
  const studio = { ...services, live: new Live(services) };
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
  const openTab = openTabs(studio);
  openSheet(studio.store);
  openResizing();
  openKeys(studio);
  let { drawing } = chosen;
  const processor = await tasks.hello();
  const showEngine = () => {
    find('.engine').textContent = `${pairs.words(processor)}; ${drawing}`;
  };
  // The page continues without the GPU: the open tab is opened again, and finds no device.
  chosen.device?.lost.then(async ({ message }) => {
    work.cancelAll();
    studio.device = undefined;
    pairs.withoutGpu();
    await viewer.drawByWebGl();
    await openTab();
    drawing = 'drawing with WebGL: the GPU was lost';
    showEngine();
    const why = message ? ` (${message.replace(/\.$/, '')})` : '';
    work.say(`The GPU was lost${why}. The page continues without it: the CPU answers, and WebGL draws.`);
  });
  showEngine();
  await openTab();
  // For the console and for tests.
  Object.assign(globalThis, { nearfieldStudio: studio });
  document.body.dataset['state'] = 'idle';
  await restoreLast(studio);
  keepInBrowser(studio);
}

/** One tab is open at a time, and the address remembers which. Returns a function that opens it again. */
function openTabs(studio: Studio): () => Promise<void> {
  const [left, right] = [find<HTMLElement>('.left'), find<HTMLElement>('.right')];
  const bar = find<HTMLElement>('.tabs');
  let close: (() => void) | undefined;
  let shown: Tab | undefined;
  const show = async (tab: Tab) => {
    // The part of the address after the tab's name belongs to the tab.
    if (tab === shown) return;
    shown = tab;
    close?.();
    close = undefined;
    left.replaceChildren();
    right.replaceChildren();
    document.body.dataset['tab'] = tab.name;
    for (const each of bar.children)
      each.setAttribute('aria-selected', String(each.id === `tab-${tab.name}`));
    const panel = await studio.work.run('tab', `Opening ${tab.title}`, async () => tab.load());
    if (panel && tab === shown) close = panel.open(studio, left, right);
  };
  for (const { name, title } of tabs) {
    const onclick = () => {
      location.hash = name;
    };
    bar.append(
      element('button', { type: 'button', id: `tab-${name}`, onclick, aria: { role: 'tab' } }, title),
    );
  }
  openRoving(bar, '[role=tab]');
  const follow = () => {
    const [name] = location.hash.slice(1).split(/[=/]/);
    return show(tabs.find(tab => tab.name === name) ?? tabs[0]);
  };
  addEventListener('hashchange', () => void follow());
  return () => {
    shown = undefined;
    return follow();
  };
}

start().catch(error => {
  find('.engine').textContent = 'The studio could not start.';
  new Work().say(wordsOf(error));
});
