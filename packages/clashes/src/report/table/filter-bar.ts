// The search field and the lists above the table. A list is shown only if it has at least two values. Filters that were
// chosen elsewhere on the page (a part, a group, a cell of the matrix) are named beside the lists and can be removed.

import { verdictOrder, verdictWords } from '../../severity/order.ts';
import { escapeHtml, number, plural, relationWords } from '../html.ts';
import { severity as relationOrder } from '../types.ts';
import type { Column, TableData } from './data.ts';
import type { Filters } from './select.ts';

/** A value of a list: what it filters by, how it reads, and how many rows have it. */
interface Choice {
  readonly value: unknown;
  readonly label: string;
  readonly count: number;
}

type Listed = 'verdict' | 'relation' | 'change' | 'status' | 'severity' | 'test';
type Chosen = 'group' | 'part' | 'cell';

export class FilterBar {
  private readonly search: HTMLInputElement;
  private readonly lists: readonly { key: Listed; select: HTMLSelectElement; choices: readonly Choice[] }[];
  private readonly chips: HTMLElement;
  private readonly count: HTMLElement;
  private chosen: Partial<Pick<Filters, Chosen>> = {};

  constructor(
    bar: HTMLElement,
    private readonly data: TableData,
    private readonly changed: () => void,
  ) {
    const all = choicesOf(data).filter(({ choices }) => choices.length > 1);
    bar.innerHTML = `<label class="search"><span>Search</span><input type="search" placeholder="names, kinds, identities …"></label>
${all.map(({ label }) => `<label><span>${label}</span><select><option>all</option></select></label>`).join('')}
<div class="chips"></div>
<p class="note" role="status"></p>`;
    bar.hidden = false;
    this.search = bar.querySelector('input')!;
    this.search.addEventListener('input', changed);
    const selects = bar.querySelectorAll('select');
    this.lists = all.map(({ key, choices }, i) => {
      for (const { label, count } of choices) selects[i].add(new Option(`${label} (${number(count)})`));
      selects[i].addEventListener('change', changed);
      return { key, select: selects[i], choices };
    });
    this.chips = bar.querySelector('.chips')!;
    this.count = bar.querySelector('[role=status]')!;
    this.chips.addEventListener('click', event => {
      const key = (event.target as Element).closest<HTMLElement>('button')?.dataset['chip'];
      if (key === 'all') this.set({});
      else if (key) this.choose({ ...this.chosen, [key]: undefined });
    });
  }

  get filters(): Filters {
    const listed = this.lists.map(({ key, select, choices }) => [
      key,
      choices[select.selectedIndex - 1]?.value,
    ]);
    return { text: this.search.value, ...Object.fromEntries(listed), ...this.chosen };
  }

  /** Replaces all filters. */
  set(filters: Filters): void {
    this.search.value = filters.text ?? '';
    for (const { key, select, choices } of this.lists) {
      const wanted = JSON.stringify(filters[key]);
      select.selectedIndex = 1 + choices.findIndex(({ value }) => JSON.stringify(value) === wanted);
    }
    const { group, part, cell } = filters;
    this.choose({ group, part, cell });
  }

  /** Says how many rows are shown. */
  say(shown: number, all: number): void {
    this.count.textContent =
      shown === all ? plural(all, 'pair') : `${number(shown)} of ${plural(all, 'pair')}`;
    const hasFilter = this.lists.some(({ select }) => select.selectedIndex > 0) || this.search.value !== '';
    const { parts, groups, sets } = this.data;
    const { part, group, cell } = this.chosen;
    const named: [string, string][] = [];
    if (part !== undefined) named.push(['part', `part: ${parts[part]}`]);
    if (group !== undefined) named.push(['group', `group: ${groups![group]}`]);
    if (cell !== undefined) named.push(['cell', `${sets![cell[0]]} with ${sets![cell[1]]}`]);
    if (hasFilter || named.length > 0) named.push(['all', 'Show all']);
    this.chips.innerHTML = named
      .map(([key, label]) => {
        const title = key === 'all' ? '' : ' title="Remove this filter"';
        return `<button type="button" data-chip="${key}"${title}>${escapeHtml(label)}${key === 'all' ? '' : ' ×'}</button>`;
      })
      .join('');
  }

  private choose(chosen: Partial<Pick<Filters, Chosen>>): void {
    this.chosen = chosen;
    this.changed();
  }
}

function choicesOf({ rows, tests }: TableData): { key: Listed; label: string; choices: Choice[] }[] {
  const verdicts = counted(rows.verdict, verdict => verdictWords[verdictOrder[verdict]]).map(choice => ({
    ...{ ...choice, value: [choice.value] },
  }));
  const fix = [verdictOrder.indexOf('clash'), verdictOrder.indexOf('too-close')];
  const toFix = rows.verdict.filter(verdict => fix.includes(verdict)).length;
  const both = fix.every(verdict => rows.verdict.includes(verdict));
  return [
    {
      ...{ key: 'verdict', label: 'Verdict' },
      choices: [...(both ? [{ value: fix, label: 'to fix', count: toFix }] : []), ...verdicts],
    },
    {
      ...{ key: 'relation', label: 'Relation' },
      choices: counted(rows.relation, index => relationWords(relationOrder[index])),
    },
    { key: 'change', label: 'Change', choices: counted<string>(rows.change, String) },
    { key: 'status', label: 'Status', choices: counted<string>(rows.status, String) },
    { key: 'severity', label: 'Severity', choices: counted<string>(rows.severity, String) },
    { key: 'test', label: 'Test', choices: counted(rows.test, index => tests![index]) },
  ];
}

/** The values of a column and how often each occurs. */
function counted<T extends string | number>(column: Column<T>, label: (value: T) => string): Choice[] {
  const counts = new Map<T, number>();
  for (const value of column ?? []) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  const known = [...counts].map(([value, count]) => ({ value, label: label(value), count }));
  return known.sort((p, q) => (p.value < q.value ? -1 : 1));
}
