// Opens files, dropped anywhere on the page or chosen.

import { modelExtensions } from '@nearfield/io';
import { modelsAmong } from '../../engine/read/names.ts';
import type { NamedFile } from '../../engine/types.ts';
import { element, find } from '../../parts/element.ts';
import { isTyping } from '../../parts/keys.ts';
import type { Studio } from '../../studio.ts';
import { droppedFiles, namedFiles } from './dropped.ts';
import { applyPending, takeJson } from './json-files.ts';
import { keepFiles } from './keeping.ts';
import { takeRead } from './take.ts';

/**
 * A file with the name of one that is there already gets a number: a name stands for one file in the tree, in rules and in
 * reports. Parts of a model keep their names, by which the model refers to them.
 */
function withOwnNames(given: readonly NamedFile[], taken: ReadonlySet<string>): NamedFile[] {
  const names = new Set([...taken, ...given.map(({ name }) => name)]);
  const models = new Set(modelsAmong(given.map(({ name }) => name)).models);
  return given.map(({ name, file }) => {
    if (!taken.has(name) || !models.has(name)) return { name, file };
    const [, stem, extension] = /^(.*?)(\.[^./]*)?$/s.exec(name)!;
    let [own, number] = [name, 1];
    while (names.has(own)) own = `${stem} (${++number})${extension ?? ''}`;
    names.add(own);
    return { name: own, file };
  });
}

/** Models, the files that belong to them, and what the command line reads beside them. */
const accept = [...modelExtensions, 'bin', 'srdf', 'json'].map(extension => `.${extension}`).join();

export function openFiles(studio: Studio, left: HTMLElement): () => void {
  const { store, work, tasks } = studio;
  const input = element('input', { type: 'file', multiple: true, accept, hidden: true });
  input.dataset['testid'] = 'files';
  const read = async (given: readonly NamedFile[]) => {
    const files = withOwnNames(
      await takeJson(studio, given),
      new Set(store.document.files.map(({ name }) => name)),
    );
    if (files.length > 0) {
      const label = files.length === 1 ? `Reading ${files[0].name}` : `Reading ${files.length} files`;
      const answer = await work.run('read', label, limits => tasks.read(files, limits));
      await takeRead(studio, answer);
      await keepFiles(studio, files, answer);
    }
    await applyPending(studio);
  };
  input.addEventListener('change', () => {
    void read(namedFiles(input.files ?? []));
    input.value = '';
  });
  const open = () => input.click();
  const sample = () =>
    void work.run('read', 'Making the gearbox', tasks.sample).then(answer => takeRead(studio, answer));
  const welcome = element(
    'div',
    { class: 'welcome' },
    element('h2', { class: 'lead' }, 'Drop models here'),
    element(
      'p',
      {},
      'STEP, IFC, glTF, STL, OBJ, PLY, OFF, 3MF, IGES, BREP, or the folder of a robot (URDF). They stay on this machine. See where they touch, how deep and how far apart.',
    ),
    element('button', { type: 'button', class: 'primary', onclick: open }, 'Open files'),
    element('button', { type: 'button', onclick: sample }, 'Open the sample gearbox'),
  );
  const again = element(
    'button',
    { type: 'button', class: 'small', onclick: open, title: 'Open files (O)' },
    'Open files',
  );
  const bar = element('div', { class: 'row open-files' }, again);
  const view = find('.view');
  left.append(input, bar);
  view.append(welcome);
  const over = (event: DragEvent) => {
    event.preventDefault();
    view.classList.add('dropping');
  };
  const leave = () => view.classList.remove('dropping');
  const drop = (event: DragEvent) => {
    event.preventDefault();
    leave();
    void droppedFiles(event.dataTransfer).then(files => {
      if (files.length > 0) void read(files);
    });
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === 'o' && !isTyping(event.target) && !event.ctrlKey && !event.metaKey) open();
  };
  addEventListener('dragover', over);
  addEventListener('dragleave', leave);
  addEventListener('drop', drop);
  addEventListener('keydown', key);
  const show = () => {
    const isEmpty = store.document.bodies.length === 0;
    const hadFocus = welcome.contains(document.activeElement);
    welcome.hidden = !isEmpty;
    bar.hidden = isEmpty;
    // The pressed button no longer exists, so move the focus.
    if (hadFocus && !isEmpty) again.focus();
  };
  const stop = store.listen(show);
  show();
  return () => {
    stop();
    welcome.remove();
    removeEventListener('dragover', over);
    removeEventListener('dragleave', leave);
    removeEventListener('drop', drop);
    removeEventListener('keydown', key);
  };
}
