// The model and the answer in a few numbers.

import type { Relation } from 'nearfield';
import { element } from '../parts/element.ts';
import { smallScreen } from '../parts/sheet.ts';
import type { Studio } from '../studio.ts';
import type { Live } from './live.ts';
import { duration, lengthIn } from './review/words.ts';
import type { PairTable } from './table.ts';

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
    const { bodies, clearance, unit } = store.document;
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
      const found = summaryOf(live.table!);
      for (const relation of relations) {
        const count = found.relations.get(relation);
        if (count) rows.push([`Pairs ${relation}`, number(count)]);
      }
      if (found.triangles > 0) rows.push(['Triangle pairs that meet', number(found.triangles)]);
      if (found.deepest > 0) rows.push(['Deepest', lengthIn(found.deepest, unit)]);
      if (clearance > 0) {
        rows.push([`Closer than ${lengthIn(clearance, unit)}`, number(found.near)]);
        if (found.near > 0) rows.push(['Nearest', lengthIn(found.nearest, unit)]);
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

function summaryOf(table: PairTable) {
  const { triangleCounts, depths, distances } = table.columns;
  const found = {
    relations: new Map<Relation, number>(),
    triangles: 0,
    deepest: 0,
    near: 0,
    nearest: Infinity,
  };
  for (let row = 0; row < table.count; row++) {
    const relation = table.relation(row);
    found.relations.set(relation, (found.relations.get(relation) ?? 0) + 1);
    found.triangles += triangleCounts[row];
    if (depths[2 * row + 1] > found.deepest) found.deepest = depths[2 * row + 1];
    if (Number.isNaN(distances[row])) continue;
    found.near++;
    found.nearest = Math.min(found.nearest, distances[row]);
  }
  return found;
}

const number = (value: number): string => value.toLocaleString('en');
