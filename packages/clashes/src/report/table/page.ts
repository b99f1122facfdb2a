// The script of the page: makes the table of pairs sortable, searchable and as long as it needs to be, and opens the
// viewer. Without JavaScript a reader has the first rows and all pictures. Bundled by scripts/report-scripts.mjs.

import { columnsOf, rowHtml, searched, type TableColumn } from './columns.ts';
import type { TableData } from './data.ts';
import { FilterBar } from './filter-bar.ts';
import { LongTable } from './long-table.ts';
import { type Sorting, selectRows } from './select.ts';
import { ViewerDialog } from './viewer-dialog.ts';

const element = (id: string): HTMLElement => document.getElementById(id)!;

/** Sorting and filtering of the table. */
function startTable(data: TableData): void {
  const columns = columnsOf(data);
  const texts = searched(data);
  const table = new LongTable(element('pair-rows'), row => rowHtml(data, columns, row), columns.length);
  let sorting: Sorting = { column: columns[0], isReversed: false };
  const update = () => {
    const rows = selectRows(data, texts, bar.filters, sorting);
    table.show(rows);
    bar.say(rows.length, data.rows.a.length);
  };
  const bar = new FilterBar(element('filters'), data, update);
  const heads = [...document.querySelectorAll<HTMLElement>('#pairs th')];
  const sortBy = (column: TableColumn) => {
    sorting = { column, isReversed: sorting.column === column && !sorting.isReversed };
    heads.forEach((head, i) => {
      if (columns[i] !== column) head.removeAttribute('aria-sort');
      else head.setAttribute('aria-sort', sorting.isReversed ? 'descending' : 'ascending');
    });
    update();
  };
  for (const [i, head] of heads.entries()) head.querySelector('button')!.onclick = () => sortBy(columns[i]);
  document.addEventListener('click', event => {
    const link = (event.target as Element).closest<HTMLElement>('[data-filter]');
    if (!link) return;
    bar.set(JSON.parse(link.dataset['filter']!));
    if (link.closest('#pairs')) event.preventDefault();
  });
  update();
}

document.documentElement.classList.add('js');
const data = document.getElementById('pair-data');
if (data) startTable(JSON.parse(data.textContent!));
const geometry = document.getElementById('geometry');
if (geometry) new ViewerDialog(element('viewer') as HTMLDialogElement, geometry);
