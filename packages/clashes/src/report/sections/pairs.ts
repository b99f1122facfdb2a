// The table of all pairs. The page has the first rows as text and all of them as data; its script sorts, filters and
// searches.

import { jsonText } from '../../text/escape.ts';
import { embedded, truncated } from '../html.ts';
import { columnsOf, headHtml, rowHtml } from '../table/columns.ts';
import type { TableData } from '../table/data.ts';

/** Rows that a reader without JavaScript sees. */
const staticRows = 200;

export function pairSection(data: TableData, limit: number): string {
  const count = data.rows.a.length;
  if (count === 0) return '<section id="pairs"><h2>Pairs</h2><p>All bodies are separate.</p></section>';
  const columns = columnsOf(data);
  const rows = Array.from({ length: Math.min(count, limit, staticRows) }, (_, row) =>
    rowHtml(data, columns, row),
  );
  const left = truncated(count, rows.length);
  return `<section id="pairs">
<h2>All pairs</h2>
<div id="filters" class="filters" hidden></div>
${left && `<noscript>${left}</noscript>`}<div class="scroll" tabindex="0" role="region" aria-label="All pairs"><table>
<thead><tr>${headHtml(columns)}</tr></thead>
<tbody id="pair-rows">${rows.join('\n')}</tbody>
</table></div>
<script type="application/json" id="pair-data">${embedded(jsonText(data))}</script>
</section>`;
}
