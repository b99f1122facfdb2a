// The clash matrix: sets against sets, or files against files. A cell has the clashes of two sets, how deep the worst is,
// and what else was found; it opens the table with these pairs.

import type { MatrixCell, Verdict } from '../../assembly/types.ts';
import { verdictOrder, verdictWords } from '../../severity/order.ts';
import { baseName } from '../../text/paths.ts';
import { depth, escapeHtml, number, plural, when } from '../html.ts';
import type { ReportInput } from '../types.ts';

/** A matrix of more sets would be wider than any page. */
const mostSets = 40;

export function matrixSection({ matrix, sets, unitName }: ReportInput): string {
  if (matrix === undefined || matrix.sets.length < 2) return '';
  const names = matrix.sets
    .slice(0, mostSets)
    .map(name => escapeHtml(sets === undefined ? baseName(name) : name));
  const byPlace = new Map(matrix.cells.map(cell => [`${cell.a} ${cell.b}`, cell]));
  const rows = names.map((name, p) => {
    const cells = names.map((_, q) =>
      q < p ? '<td class="mirror"></td>' : cellHtml(byPlace.get(`${p} ${q}`), unitName),
    );
    return `<tr><th scope="row">${name}</th>${cells.join('')}</tr>`;
  });
  const isPartly = rows.some(row => row.includes('class="unchecked"'));
  const left = matrix.sets.length - names.length;
  return `<section>
<h2>${sets === undefined ? 'Files against files' : 'Sets against sets'}</h2>
<p class="note">The number in a cell is how many pairs with one part in its row's and one in its column's ${sets === undefined ? 'file' : 'set'} are to be fixed. Choose a cell to list all its pairs.${isPartly ? ' A dash is a combination that no test asks about.' : ''}${left > 0 ? ` ${plural(left, 'set')} not shown.` : ''}</p>
<div class="scroll"><table class="matrix">
<thead><tr><td></td>${names.map(name => `<th scope="col">${name}</th>`).join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table></div>
</section>`;
}

function cellHtml(cell: MatrixCell | undefined, unit: string | undefined): string {
  if (cell === undefined) return '<td class="unchecked" title="not checked">–</td>';
  const count = (verdict: Verdict) => cell.counts[verdict] ?? 0;
  const fix = count('clash') + count('too-close');
  const others = verdictOrder.filter(
    verdict => verdict !== 'clash' && verdict !== 'too-close' && count(verdict) > 0,
  );
  if (fix === 0 && others.length === 0) {
    return cell.checked ? '<td class="none">0</td>' : '<td class="unchecked" title="not checked">–</td>';
  }
  const rest = others.map(verdict => `${number(count(verdict))} ${escapeHtml(verdictWords[verdict])}`);
  return `<td${fix > 0 ? ' class="hit"' : ''}><a href="#pairs" data-filter='{"cell":[${cell.a},${cell.b}]}'><b>${number(fix)}</b>${when(cell.worst, worst => ` <small>worst <span class="whole">${escapeHtml(depth(worst, unit))}</span></small>`)}${rest.length > 0 ? `<small>${rest.join('<br>')}</small>` : ''}</a></td>`;
}
