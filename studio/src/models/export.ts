// Exports: JSON and report as the command line writes them, poses that it reads, and a picture of the view.

import type { Written } from '../engine/types.ts';
import { element } from '../parts/element.ts';
import { isTyping } from '../parts/keys.ts';
import type { Studio } from '../studio.ts';

export function openExport({ store, viewer, work, tasks }: Studio, right: HTMLElement): () => void {
  const save = (name: string, blob: Blob | undefined) => {
    if (blob === undefined) return;
    const link = element('a', { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  const written = (): Written => {
    const { bodies, clearance } = store.document;
    return {
      bodies: bodies.map(({ id, name, file, pose }) => ({ id, name, file, pose })),
      clearance: clearance > 0 ? clearance : undefined,
    };
  };
  const saveJson = async () =>
    save(
      'nearfield.json',
      await work.run('export', 'Writing the JSON', limits => tasks.json(written(), limits)),
    );
  const saveReport = async () =>
    save(
      'nearfield.html',
      await work.run('export', 'Writing the report', limits => tasks.report(written(), limits)),
    );
  const savePoses = () => {
    const poses = store.document.bodies.map(({ pose }, i) => [`#${i}`, [...pose]]);
    const text = `${JSON.stringify(Object.fromEntries(poses), null, 1)}\n`;
    save('poses.json', new Blob([text], { type: 'application/json' }));
  };
  const savePicture = async () =>
    save('nearfield.png', await work.run('export', 'Making a picture', () => viewer.picture()));
  const button = (title: string, words: string, save: () => unknown) =>
    element('button', { type: 'button', class: 'small', title, onclick: () => void save() }, words);
  const bar = element(
    'div',
    { class: 'row export', aria: { role: 'group', label: 'Save' } },
    button('The pairs, as nearfield check --json --triangles writes them (Ctrl+S)', 'JSON', saveJson),
    button('The pairs with pictures, as nearfield check --report writes them', 'Report', saveReport),
    button('The poses, as nearfield check --poses reads them', 'Poses', savePoses),
    button('A picture of the view', 'Picture', savePicture),
  );
  right.append(bar);
  const key = (event: KeyboardEvent) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || isTyping(event.target)) return;
    event.preventDefault();
    if (!bar.hidden) void saveJson();
  };
  addEventListener('keydown', key);
  const show = () => {
    bar.hidden = store.document.bodies.length === 0;
  };
  const stop = store.listen(show);
  show();
  return () => {
    stop();
    removeEventListener('keydown', key);
  };
}
