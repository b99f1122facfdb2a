// The controls above the list: what is asked, and which pairs are listed, in which order and groups.

import { relations, statusWords, type Verdict, verdictOrder, verdictWords } from '@nearfield/clashes';
import { nameOfUnit, parseLength } from '@nearfield/io';
import type { Relation } from 'nearfield';
import type { GroupBy } from '../../engine/review/types.ts';
import { element } from '../../parts/element.ts';
import type { Studio } from '../../studio.ts';
import type { Live } from '../live.ts';
import { everything, type RowFilter, type Sort } from './rows.ts';

export interface Filters {
  readonly host: HTMLElement;
  readonly filter: RowFilter;
  readonly group: GroupBy | undefined;
  /** Adapts the choices to the answer. */
  show(): void;
}

export function openFilters({ store, work }: Studio, live: Live, changed: () => void): Filters {
  let filter: RowFilter = everything;
  const set = (change: Partial<RowFilter>) => {
    filter = { ...filter, ...change };
    changed();
  };
  const search = element('input', { type: 'search', placeholder: 'Search names' });
  search.setAttribute('aria-label', 'Search the pairs');
  search.addEventListener('input', () => set({ search: search.value }));
  const verdict = choice('Verdict', value => set({ verdict: (value || undefined) as Verdict | undefined }));
  const relation = choice('Relation', value =>
    set({ relation: (value || undefined) as Relation | undefined }),
  );
  const status = choice('Status', value => set({ status: (value || undefined) as RowFilter['status'] }));
  const test = choice('Rule', value => set({ test: value === '' ? undefined : Number(value) }));
  const ruleSet = choice('Set', () => followSet());
  /** The bodies of a set change with the document. */
  const followSet = () => {
    const found = live.sets.find(({ name }) => name === ruleSet.host.value);
    const ids = found && new Set(found.ids);
    if (!same(ids, filter.inSet)) set({ inSet: ids });
  };
  const sort = choice('Sort', value => set({ sort: value as Sort }));
  const group = choice('Groups', () => changed());
  const parts = element('input', { type: 'checkbox' });
  const follow = () => {
    const ids = parts.checked && store.selection.length > 0 ? new Set(store.selection) : undefined;
    if (same(ids, filter.parts)) return;
    set({ parts: ids });
  };
  parts.addEventListener('change', follow);

  const clearance = lengthField(
    'Clearance',
    'Bodies closer to each other than this are listed too',
    value => {
      store.change('clearance', { ...store.document, clearance: typeof value === 'number' ? value : 0 });
    },
  );
  const tolerance = lengthField(
    'Tolerance',
    'An overlap that is proven not deeper than this is forgiven; "file" for what the files round',
    value => store.change('tolerance', { ...store.document, tolerance: value }),
  );
  const rules = element('p', { class: 'hint row rules', data: { testid: 'rules' } });
  const dropRules = () => store.change('remove the rules', { ...store.document, rules: undefined });

  function lengthField(
    name: string,
    title: string,
    take: (value: number | 'file' | undefined) => void,
  ): HTMLInputElement {
    const field = element('input', { type: 'text', inputMode: 'decimal', title });
    field.setAttribute('aria-label', name);
    field.addEventListener('change', () => {
      try {
        take(lengthOf(field.value, name, store.document.unit));
      } catch (error) {
        work.say(error instanceof Error ? error.message : String(error));
      }
      show();
    });
    return field;
  }

  const show = () => {
    const { unit, clearance: near, tolerance: forgiven, rules: file } = store.document;
    for (const [field, value] of [
      [clearance, near === 0 ? '0' : String(near)],
      [tolerance, forgiven === undefined ? '' : String(forgiven)],
    ] as const) {
      if (document.activeElement !== field) field.value = value;
    }
    for (const label of host.querySelectorAll('.unit')) label.textContent = unit ? nameOfUnit(unit) : '';
    rules.hidden = file === undefined;
    if (file) {
      const drop = element('button', { type: 'button', class: 'small', onclick: dropRules }, 'Remove');
      rules.replaceChildren(`Rules: ${file.name}`, drop);
    }
    const { table } = live;
    const counts = new Map<string, number>();
    if (table) {
      const { relations: kinds, tests } = table.columns;
      for (const [i, found] of tally(table.verdicts)) counts.set(`verdict ${verdictOrder[i]}`, found);
      for (const [i, found] of tally(kinds)) counts.set(`relation ${relations[i]}`, found);
      for (const [i, found] of tally(tests)) counts.set(`test ${i}`, found);
      for (const said of table.statuses.values())
        counts.set(`status ${said}`, (counts.get(`status ${said}`) ?? 0) + 1);
    }
    const ofKind = (kind: string, names: readonly (readonly [string, string])[]) =>
      names.flatMap(([value, words]) => {
        const found = counts.get(`${kind} ${value}`);
        return found ? [[value, `${words} (${found.toLocaleString('en')})`] as const] : [];
      });
    verdict.fill([
      ['', 'Any verdict'],
      ...ofKind(
        'verdict',
        verdictOrder.map(each => [each, verdictWords[each]]),
      ),
    ]);
    relation.fill([
      ['', 'Any relation'],
      ...ofKind(
        'relation',
        relations.map(each => [each, each]),
      ),
    ]);
    status.fill([
      ['', 'Any status'],
      ['none', 'nothing said'],
      ...ofKind(
        'status',
        statusWords.map(each => [each, statusText(each)]),
      ),
    ]);
    test.fill([
      ['', 'Any rule'],
      ...ofKind(
        'test',
        live.tests.map((name, i) => [String(i), name]),
      ),
    ]);
    test.host.hidden = live.tests.length === 0;
    ruleSet.fill([
      ['', 'Any set'],
      ...live.sets.map(({ name, ids }) => {
        const bodies = ids.length === 1 ? 'body' : 'bodies';
        return [name, `${name} (${ids.length.toLocaleString('en')} ${bodies})`] as const;
      }),
    ]);
    ruleSet.host.hidden = live.sets.length === 0;
    followSet();
    sort.fill([
      ['importance', 'Worst first'],
      ['depth', 'Deepest first'],
      ['distance', 'Nearest first'],
      ['name', 'By name'],
    ]);
    group.fill([
      ['', 'No groups'],
      ['part', 'By part'],
      ['place', 'By place'],
      ...(live.tests.length > 0 ? [['test', 'By rule'] as const] : []),
    ]);
    follow();
  };
  const unit = () => element('span', { class: 'unit' });
  const host = element(
    'div',
    { class: 'filters' },
    element(
      'div',
      { class: 'row' },
      element('label', {}, 'Clearance', clearance, unit()),
      element('label', {}, 'Tolerance', tolerance, unit()),
    ),
    rules,
    element('div', { class: 'row' }, search, sort.host),
    element(
      'details',
      { class: 'more-filters' },
      element('summary', {}, 'Filters and groups'),
      element(
        'div',
        { class: 'row' },
        verdict.host,
        relation.host,
        status.host,
        test.host,
        ruleSet.host,
        group.host,
      ),
      element('label', { title: 'Only pairs with a selected body' }, parts, 'with the selected bodies'),
    ),
  );
  return {
    host,
    show,
    get filter() {
      return filter;
    },
    get group() {
      return (group.host.value || undefined) as GroupBy | undefined;
    },
  };
}

/** `not-an-issue` → `not an issue` */
export const statusText = (status: string): string => status.replaceAll('-', ' ');

/** Throws if the text is no length. Without a unit it is in the document's. */
export function lengthOf(text: string, name: string, unit: number | undefined): number | 'file' | undefined {
  if (text.trim() === '') return undefined;
  if (name === 'Tolerance' && text.trim() === 'file') return 'file';
  const length = parseLength(text.trim());
  if (!(length.value >= 0)) throw new Error(`${name} must be 0 or more, not "${text}".`);
  if (length.unit === undefined || length.unit === unit) return length.value;
  if (unit === undefined) {
    throw new Error(`The files do not say their unit, so ${name.toLowerCase()} cannot have one: "${text}".`);
  }
  return length.value * (length.unit / unit);
}

/** A select that keeps its choice while its options change. */
function choice(label: string, take: (value: string) => void) {
  const host = element('select', {});
  host.setAttribute('aria-label', label);
  host.addEventListener('change', () => take(host.value));
  let filled = '';
  const fill = (options: readonly (readonly [string, string])[]) => {
    const text = JSON.stringify(options);
    if (text === filled) return;
    filled = text;
    const { value } = host;
    host.replaceChildren(...options.map(([value, words]) => element('option', { value }, words)));
    if (options.some(([each]) => each === value)) host.value = value;
    else if (value !== '') take(host.value);
  };
  return { host, fill };
}

function same(p: ReadonlySet<number> | undefined, q: ReadonlySet<number> | undefined): boolean {
  return (
    p === q || (p !== undefined && q !== undefined && p.size === q.size && [...p].every(id => q.has(id)))
  );
}

/** How often each number of a column occurs. Some are −1. */
function tally(column: ArrayLike<number>): Map<number, number> {
  const counts: number[] = [];
  for (let row = 0; row < column.length; row++) {
    const at = column[row] + 1;
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return new Map(Object.entries(counts).map(([at, count]) => [Number(at) - 1, count]));
}
