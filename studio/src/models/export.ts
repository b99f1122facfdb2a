// Taking the answer away: JSON as the command line writes it, poses that it reads, a picture of the view.

import { element } from '../parts/element.ts';
import type { Studio } from '../studio.ts';
import type { Live } from './live.ts';

export function openExport({ store, viewer, work }: Studio, live: Live, right: HTMLElement): () => void {
  const save = (name: string, blob: Blob) => {
    const link = element('a', { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  const text = (name: string, value: unknown) =>
    save(name, new Blob([`${JSON.stringify(value, null, 1)}\n`], { type: 'application/json' }));
  const button = (title: string, words: string, onclick: () => void) =>
    element('button', { type: 'button', class: 'small', title, onclick }, words);
  const bar = element(
    'div',
    { class: 'row export' },
    button('The pairs, as nearfield check --json writes them', 'JSON', () =>
      text('nearfield.json', answerJson(live, store)),
    ),
    button('The poses, as nearfield check --poses reads them', 'Poses', () =>
      text('poses.json', posesJson(store)),
    ),
    button('A picture of the view', 'Picture', () => {
      void work.run('picture', 'Making a picture', async () => save('nearfield.png', await viewer.picture()));
    }),
  );
  right.append(bar);
  const show = () => {
    bar.hidden = store.document.bodies.length === 0;
  };
  const stop = store.listen(show);
  show();
  return stop;
}

/** Bodies by index, as they are listed. */
function answerJson(live: Live, { document }: Studio['store']) {
  const index = new Map(document.bodies.map(({ id }, i) => [id, i]));
  return {
    bodies: document.bodies.map(({ name, file }, i) => ({ index: i, name, file })),
    pairs: live.rows.map(({ a, b, relation, triangleCount, triangles, distance }) => ({
      ...{ a: index.get(a), b: index.get(b), relation, triangleCount, distance },
      triangles: Array.from({ length: (triangles?.length ?? 0) / 2 }, (_, i) => [
        ...triangles!.subarray(2 * i, 2 * i + 2),
      ]),
    })),
    clearance: document.clearance,
    timing: { query: live.time },
  };
}

function posesJson({ document }: Studio['store']) {
  return Object.fromEntries(document.bodies.map(({ pose }, i) => [`#${i}`, [...pose]]));
}
