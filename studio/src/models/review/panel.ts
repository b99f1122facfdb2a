// The list of pairs as a place to review them: filtered, sorted, grouped, with what people have said. Choosing a pair
// flies to it.

import type { Groups } from '../../engine/review/types.ts';
import { element } from '../../parts/element.ts';
import { icons } from '../../parts/icons.ts';
import { longName } from '../../parts/long-name.ts';
import type { DocumentBody } from '../../state/document.ts';
import type { Studio } from '../../studio.ts';
import type { Live } from '../live.ts';
import type { PairTable } from '../table.ts';
import { openDetail } from './detail.ts';
import { openFilters, statusText } from './filters.ts';
import { openReviewKeys } from './keys.ts';
import { type ListItem, LongList } from './list.ts';
import { filteredRows } from './rows.ts';
import { amountInFull, amountOf, duration, relationOf, verdictOfRow } from './words.ts';

/**
 * The minimum pause, in milliseconds, before the list is sorted again while depths are measured. The pause is longer if
 * sorting takes long, so that sorting takes at most about a tenth of the time.
 */
const sortPause = 300;

/** What the list shows: a row of the table, or the title of a group. */
type Shown =
  | { readonly row: number }
  | { readonly group: number; readonly title: string; readonly size: number };

export function openReview(studio: Studio, live: Live, right: HTMLElement): () => void {
  const { store, tasks, work } = studio;
  const count = element('span', { class: 'count', aria: { role: 'status' }, data: { testid: 'pair-count' } });
  const old = element(
    'p',
    { class: 'hint row', data: { testid: 'old' } },
    'The question was not answered. This list is from before the change. ',
    element('button', { type: 'button', class: 'small', onclick: () => live.ask(true) }, 'Ask again'),
  );
  const notes = element('ul', { class: 'hint notes', data: { testid: 'notes' } });
  const none = element('p', { class: 'hint' });
  let rows: Uint32Array = new Uint32Array(0);
  let shown: readonly Shown[] | undefined;
  let groups: { readonly table: PairTable; readonly by: string; readonly found: Groups } | undefined;
  const closed = new Set<number>();
  let bodies = new Map<number, DocumentBody>();

  const at = (place: number): Shown => shown?.[place] ?? { row: rows[place] };
  const total = () => shown?.length ?? rows.length;
  const keyOf = (item: Shown): string => {
    if ('group' in item) return `group ${item.group}`;
    const { bodies: ids } = live.table!.columns;
    return `${ids[2 * item.row]} ${ids[2 * item.row + 1]}`;
  };
  const placeOf = (key: string): number => {
    const { table } = live;
    const [a, b] = key.split(' ').map(Number);
    if (table === undefined) return -1;
    if (key.startsWith('group ')) return shown?.findIndex(item => 'group' in item && item.group === b) ?? -1;
    const row = table.find(a, b);
    return shown ? shown.findIndex(item => 'row' in item && item.row === row) : rows.indexOf(row);
  };
  const choose = (place: number) => {
    const item = at(place);
    if ('group' in item) {
      if (closed.has(item.group)) closed.delete(item.group);
      else closed.add(item.group);
      arrange();
      return;
    }
    const row = live.table!.row(item.row);
    anchor = place;
    live.choose(row);
  };
  const list = new LongList({
    ...{ label: 'Pairs', count: total, item: place => itemOf(at(place)), placeOf, choose },
    seen: (from, to) => {
      const seen: number[] = [];
      for (let place = from; place < Math.min(to, total()); place++) {
        const item = at(place);
        if ('row' in item) seen.push(item.row);
      }
      if (live.table && !live.isOld) live.look(seen);
    },
  });
  const filters = openFilters(studio, live, () => arrange());
  const detail = openDetail(studio, live);

  function itemOf(item: Shown): ListItem {
    if ('group' in item) {
      const words = closed.has(item.group) ? `${item.title} (closed)` : item.title;
      return {
        ...{ key: keyOf(item), says: words, isSelected: false },
        fill: host => {
          host.dataset['group'] = String(item.group);
          host.append(element('strong', { class: 'names', title: item.title }, words));
        },
      };
    }
    const { table } = live;
    const row = table!.row(item.row);
    const [a, b] = [bodies.get(row.a)!, bodies.get(row.b)!];
    const amount = amountOf(row, store.document.unit);
    const inFull = amountInFull(row, store.document.unit);
    const [verdict, status] = [verdictOfRow(row), table!.statuses.get(item.row)];
    const isSelected = isChosen(row);
    return {
      key: keyOf(item),
      says: JSON.stringify([a.name, a.colour, b.name, b.colour, row.relation, amount, verdict, status]),
      isSelected,
      fill: host => {
        host.dataset['pair'] = keyOf(item);
        host.dataset['relation'] = row.relation;
        host.dataset['verdict'] = row.verdict;
        // Surfaces that lie on one another everywhere are no harmless touch.
        const look = row.isSame ? 'coincident' : row.relation;
        const relation = element('span', { class: `relation ${look}` });
        relation.innerHTML = icons[look];
        relation.append(relationOf(row));
        host.append(
          element('span', { class: 'names' }, partOf(a), partOf(b)),
          element('span', { class: 'amount', title: inFull }, amount),
          element(
            'span',
            { class: 'said' },
            relation,
            verdict ? element('span', { class: 'verdict' }, verdict) : undefined,
            status && status !== 'open'
              ? element('span', { class: 'status-word' }, statusText(status))
              : undefined,
          ),
        );
      },
    };
  }
  const isChosen = ({ a, b }: { a: number; b: number }): boolean => chosenKey === `${a} ${b}`;
  let chosenKey = '';
  /** The row in the list that the chosen pair had when it was chosen. */
  let anchor: number | undefined;

  function partOf({ name, colour, file, origin }: DocumentBody): HTMLElement {
    const swatch = element('span', { class: 'swatch' });
    swatch.style.background = colour;
    const where = origin.path ? origin.path.join(' / ') : name;
    return element(
      'span',
      { class: 'part', title: file ? `${where}\n${file}` : where },
      swatch,
      ...longName(name),
      ' ',
    );
  }

  /** Filters, sorts and groups. */
  function arrange(): void {
    const { table } = live;
    bodies = new Map(store.document.bodies.map(body => [body.id, body]));
    rows = table ? filteredRows(table, store.document.bodies, filters.filter) : new Uint32Array(0);
    const by = filters.group;
    if (table && by && (groups?.table !== table || groups.by !== by)) {
      void findGroups(table, by);
    }
    shown = by && groups?.table === table && groups?.by === by ? inGroups(groups.found) : undefined;
    show();
  }

  async function findGroups(table: PairTable, by: NonNullable<typeof filters.group>): Promise<void> {
    const accepted = Uint32Array.from(rowsWith(table, 'accepted'));
    const found = await work.run('groups', 'Grouping', () =>
      tasks.groups({ serial: table.serial, by, accepted }),
    );
    if (found === undefined || live.table !== table) return;
    groups = { table, by, found };
    closed.clear();
    arrange();
  }

  /** The groups that have rows which pass the filters, and after them the rows that are in no group. */
  function inGroups({ titles, rows: members, starts }: Groups): Shown[] {
    const remaining = new Set(rows);
    const items: Shown[] = [];
    for (const [group, title] of titles.entries()) {
      const own = Array.from(members.subarray(starts[group], starts[group + 1])).filter(row =>
        remaining.has(row),
      );
      if (own.length === 0) continue;
      items.push({ group, title, size: own.length });
      for (const row of own) {
        remaining.delete(row);
        if (!closed.has(group)) items.push({ row });
      }
    }
    if (remaining.size > 0) {
      const rest = titles.length;
      items.push({ group: rest, title: 'No clashes', size: remaining.size });
      if (!closed.has(rest)) for (const row of rows) if (remaining.has(row)) items.push({ row });
    }
    return items;
  }

  function show(): void {
    const { time, backend, isOld, table, chosen } = live;
    const few = store.document.bodies.length < 2;
    chosenKey = chosen ? `${chosen.a} ${chosen.b}` : '';
    const where = backend === 'gpu' ? ' on the GPU' : '';
    const all = table?.count ?? 0;
    const said = (value: number) => value.toLocaleString('en');
    const some = rows.length === all ? said(all) : `${said(rows.length)} of ${said(all)}`;
    count.textContent =
      few || time === undefined ? '' : `${some}${isOld ? ', outdated' : ` in ${duration(time)}${where}`}`;
    old.hidden = !isOld || few;
    none.hidden = !few && (rows.length > 0 || time === undefined || isOld);
    none.textContent = few
      ? 'If there are two bodies or more, pairs that meet are listed here.'
      : all === 0
        ? 'No two of these bodies meet. A clearance lists pairs that are closer than it.'
        : 'No pair is like that.';
    list.host.hidden = few;
    filters.host.hidden = few;
    notes.hidden = live.notes.length === 0;
    notes.replaceChildren(...live.notes.slice(0, 5).map(note => element('li', {}, note)));
    filters.show();
    detail.show();
    list.draw();
  }

  /** Goes to another clash in the list, and chooses it. */
  const step = (by: 1 | -1) => {
    let place = chosenKey === '' ? (by > 0 ? -1 : total()) : placeOf(chosenKey);
    // A clash that was just accepted goes to the end of the list. The next one is what took its place.
    const isAccepted = live.chosen?.verdict === 'accepted';
    if (isAccepted && anchor !== undefined && place !== anchor) place = by > 0 ? anchor - 1 : anchor;
    do place += by;
    while (place >= 0 && place < total() && 'group' in at(place));
    if (place < 0 || place >= total()) return;
    list.activate(place);
    choose(place);
  };

  let arranged: unknown[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  let took = 0;
  /** At once if there is another answer, else now and then. */
  const follow = () => {
    const now = [
      live.table,
      live.isOld,
      live.chosen?.row,
      store.document,
      live.table?.statuses,
      store.selected,
    ];
    const isNew = now.some((value, i) => value !== arranged[i]);
    const pause = Math.max(sortPause, 10 * took);
    const start = performance.now();
    if (!isNew && start - last < pause) {
      timer ??= setTimeout(() => {
        timer = undefined;
        follow();
      }, pause);
      return;
    }
    arranged = now;
    arrange();
    last = performance.now();
    took = last - start;
  };
  right.append(element('h2', {}, 'Pairs ', count), filters.host, old, notes, none, list.host, detail.host);
  const stop = [
    live.listen(follow),
    store.listen(follow),
    openReviewKeys(studio, live, { step, comment: () => detail.comment() }),
    () => clearTimeout(timer),
  ];
  follow();
  const { chosen } = live;
  if (chosen) list.activate(placeOf(`${chosen.a} ${chosen.b}`));
  return () => {
    for (const end of stop) end();
  };
}

function* rowsWith(table: PairTable, status: string): Generator<number> {
  for (const [row, said] of table.statuses) if (said === status || said === 'not-an-issue') yield row;
}
