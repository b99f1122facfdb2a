// Exports: JSON and report as the command line writes them, poses that it reads, and a picture of the view.

import { renderStatuses } from '@nearfield/clashes';
import type { Written } from '../../engine/types.ts';
import { element } from '../../parts/element.ts';
import { isTyping } from '../../parts/keys.ts';
import { assemblyOf, placedIn } from '../../state/document.ts';
import type { Studio } from '../../studio.ts';
import { currentReview } from './keeping.ts';

export function openExport(studio: Studio, right: HTMLElement): () => void {
  const { store, viewer, work, tasks } = studio;
  const save = (name: string, blob: Blob | undefined) => {
    if (blob === undefined) return;
    const link = element('a', { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  const written = async (format: Written['format'], name: string, words: string) => {
    const { statuses, motion } = store.document;
    const question: Written = {
      ...{ assembly: assemblyOf(store.document), format, group: undefined },
      statuses: statuses.clashes.size > 0 ? renderStatuses(statuses) : undefined,
      frames: motion?.frames.map(placedIn),
    };
    save(name, await work.run('export', `Writing ${words}`, limits => tasks.write(question, limits)));
  };
  const saveJson = () => written('json', 'nearfield.json', 'the JSON');
  const savePoses = () => {
    const poses = store.document.bodies.map(({ pose }, i) => [`#${i}`, [...pose]]);
    const text = `${JSON.stringify(Object.fromEntries(poses), null, 1)}\n`;
    save('poses.json', new Blob([text], { type: 'application/json' }));
  };
  const saveStatuses = () => {
    const text = renderStatuses(store.document.statuses);
    save('nearfield-statuses.json', new Blob([text], { type: 'application/json' }));
  };
  const saveReview = () => {
    const text = `${JSON.stringify(currentReview(studio), null, 1)}\n`;
    save('nearfield-review.json', new Blob([text], { type: 'application/json' }));
  };
  const savePicture = async () =>
    save('nearfield.png', await work.run('export', 'Making a picture', () => viewer.picture()));
  const button = (title: string, words: string, save: () => unknown) =>
    element('button', { type: 'button', class: 'small', title, onclick: () => void save() }, words);
  const bar = element(
    'div',
    { class: 'row export', aria: { role: 'group', label: 'Save' } },
    button('The pairs, as nearfield check --json --triangles writes them (Ctrl+S)', 'JSON', saveJson),
    button('The pairs with pictures, as nearfield check --report writes them', 'Report', () =>
      written('report', 'nearfield.html', 'the report'),
    ),
    button('A BIM issue per clash, with viewpoints and pictures', 'BCF', () =>
      written('bcf', 'nearfield.bcf', 'the BCF'),
    ),
    button('The pairs as a table', 'CSV', () => written('csv', 'nearfield.csv', 'the CSV')),
    button('The pairs as test results', 'JUnit', () => written('junit', 'nearfield.xml', 'the JUnit file')),
    button('The bodies that clash, and where', 'GLB', () => written('glb', 'nearfield.glb', 'the GLB')),
    button('What was said about clashes, as nearfield check --statuses reads it', 'Statuses', saveStatuses),
    button(
      'Models by hash, poses, camera, section, rules and statuses: drop it here to go on',
      'Review',
      saveReview,
    ),
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
