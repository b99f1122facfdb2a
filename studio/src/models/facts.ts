// The model and the answer in a few numbers.

import type { Relation } from 'nearfield';
import { element } from '../parts/element.ts';
import { smallScreen } from '../parts/sheet.ts';
import type { Studio } from '../studio.ts';
import type { Live } from './live.ts';
import { duration, shortened } from './pairs.ts';

const relations: readonly Relation[] = ['crossing', 'inside', 'contains', 'coincident', 'touching'];

export function openFacts({ store, viewer }: Studio, live: Live, right: HTMLElement): () => void {
  const list = element('dl', { class: 'facts' });
  const facts = element(
    'details',
    { class: 'model-facts', data: { testid: 'facts' } },
    element('summary', {}, 'Facts'),
    list,
  );
  right.append(facts);
  // On a small screen it has a tab of its own.
  const unfold = () => {
    facts.open = smallScreen.matches;
  };
  unfold();
  smallScreen.addEventListener('change', unfold);
  const show = () => {
    const { bodies, clearance } = store.document;
    facts.hidden = bodies.length === 0;
    if (facts.hidden) return;
    const known = bodies.map(({ id }) => viewer.bodies.factsOf(id)).filter(each => each !== undefined);
    const open = known.filter(({ solid }) => !solid).length;
    const triangles = known.reduce((sum, each) => sum + each.triangles, 0);
    const rows: (readonly [string, string])[] = [
      ['Bodies', `${number(bodies.length)}${open > 0 ? `, ${number(open)} of them not solid` : ''}`],
      ['Triangles', number(triangles)],
    ];
    if (live.time !== undefined && bodies.length > 1 && !live.isOld) {
      for (const relation of relations) {
        const count = live.rows.filter(row => row.relation === relation).length;
        if (count > 0) rows.push([`Pairs ${relation}`, number(count)]);
      }
      const meeting = live.rows.reduce((sum, row) => sum + row.triangleCount, 0);
      if (meeting > 0) rows.push(['Triangle pairs that meet', number(meeting)]);
      const depths = [...live.depths.values()].map(({ upper }) => upper);
      if (depths.length > 0) rows.push(['Deepest', shortened(Math.max(...depths))]);
      if (clearance > 0) {
        const near = live.rows.flatMap(({ distance }) => distance ?? []);
        rows.push([`Closer than ${shortened(clearance)}`, number(near.length)]);
        if (near.length > 0) rows.push(['Nearest', shortened(Math.min(...near))]);
      }
      rows.push(['Answered', `${live.backend === 'gpu' ? 'GPU' : 'CPU'}, ${duration(live.time)}`]);
    }
    list.replaceChildren(
      ...rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
    );
  };
  const stop = [live.listen(show), store.listen(show)];
  show();
  return () => {
    smallScreen.removeEventListener('change', unfold);
    for (const end of stop) end();
  };
}

const number = (value: number): string => value.toLocaleString('en');
