// The chosen pair in words over the view, and what can be done about it: the way out applied, the rest hidden.

import { element } from '../../parts/element.ts';
import { withBody } from '../../state/document.ts';
import type { Studio } from '../../studio.ts';
import type { Live } from '../live.ts';
import { amountOf, relationOf, wayIn } from '../review/words.ts';
import { depthOf } from '../table.ts';

export function openPairCard({ store, viewer, tasks, work }: Studio, live: Live): () => void {
  const scale = element('div', { hidden: true });
  const map = element(
    'button',
    { type: 'button', class: 'small', title: 'Colours both surfaces by their distance from the other body' },
    'Map of clearance',
  );
  /** Removes the map that is shown. */
  let removeMap: (() => void) | undefined;
  const hideMap = () => {
    removeMap?.();
    removeMap = undefined;
    work.cancel('map');
    scale.hidden = true;
    map.setAttribute('aria-pressed', 'false');
    if (viewer.sight.state.mapped.length > 0) viewer.sight.set({ mapped: [] });
  };
  const showMap = async () => {
    const { chosen } = live;
    if (chosen === undefined) return;
    const poses = new Map(store.document.bodies.map(({ id, pose }) => [id, pose]));
    const [a, b] = [chosen.a, chosen.b].map(id => ({ id, pose: poses.get(id)! }));
    const [found, { drawMap, scaleOfMap }] = await Promise.all([
      work.run('map', 'Measuring the clearance', limits => tasks.clearance({ a, b }, limits)),
      import('./map.ts'),
    ]);
    const isSame = store.document.bodies.every(({ id, pose }) => poses.get(id) === pose);
    if (found === undefined || !isSame || live.chosen?.a !== a.id || live.chosen.b !== b.id) return;
    hideMap();
    removeMap = drawMap(viewer, found);
    scale.replaceChildren(scaleOfMap(found, store.document.unit));
    scale.hidden = false;
    map.setAttribute('aria-pressed', 'true');
    viewer.sight.set({ mapped: [a.id, b.id] });
  };
  map.addEventListener('click', () => (removeMap ? hideMap() : void showMap()));
  const words = element('span', { class: 'pair-words', data: { testid: 'pair-words' } });
  const out = element('button', { type: 'button', class: 'small', onclick: () => moveOut() });
  const others = element(
    'button',
    { type: 'button', class: 'small', title: 'Hide all other bodies, or show them as ghosts (Shift+H)' },
    'Hide others',
  );
  others.addEventListener('click', () => viewer.sight.set({ hidesOthers: !viewer.sight.state.hidesOthers }));
  const card = element(
    'div',
    { class: 'pair-card', aria: { role: 'group', label: 'The chosen pair' } },
    words,
    element('div', { class: 'row' }, out, others, map),
    scale,
  );
  document.querySelector('.view')!.append(card);

  /** The translation was verified to separate the two: it leaves them touching at most. */
  const moveOut = () => {
    const { chosen } = live;
    const depth = chosen && depthOf(chosen);
    const body = store.document.bodies.find(({ id }) => id === chosen?.b);
    if (depth === undefined || body === undefined) return;
    const pose = body.pose.slice();
    for (let axis = 0; axis < 3; axis++) pose[12 + axis] += depth.translation[axis];
    store.change(`move ${body.name} out`, withBody(store.document, body.id, { pose }));
  };

  let mapOf: readonly unknown[] = [];
  const show = () => {
    const { chosen } = live;
    const now = [chosen && `${chosen.a} ${chosen.b}`, store.document.bodies];
    if (now.some((value, i) => value !== mapOf[i])) hideMap();
    mapOf = now;
    card.hidden = chosen === undefined;
    others.setAttribute('aria-pressed', String(viewer.sight.state.hidesOthers));
    if (chosen === undefined) return;
    const nameOf = (id: number) => store.document.bodies.find(body => body.id === id)?.name ?? '';
    const depth = depthOf(chosen);
    const hasDepth = depth !== undefined && depth.upper > 0;
    const { unit } = store.document;
    const amount = hasDepth || chosen.distance !== undefined ? [amountOf(chosen, unit)] : [];
    const said = [...(chosen.distance === undefined ? [relationOf(chosen)] : []), ...amount];
    words.textContent = `${nameOf(chosen.a)} · ${nameOf(chosen.b)}: ${said.join(', ')}`;
    out.hidden = !hasDepth;
    if (hasDepth) {
      out.textContent = `Move out by ${wayIn(depth.upper, unit)}`;
      out.title = `Moves ${nameOf(chosen.b)} along the arrow until the two no longer overlap`;
    }
  };
  const stop = [live.listen(show), store.listen(show), viewer.sight.listen(show)];
  show();
  return () => {
    for (const end of stop) end();
    hideMap();
    card.remove();
  };
}
