// The table of bodies: what each is made of, and how many others it meets.

import { whyNotSolid } from '../../assembly/solids.ts';
import { escapeHtml, number, plural, truncated } from '../html.ts';
import { notesOf } from '../table/data.ts';
import type { ReportBody, ReportInput } from '../types.ts';

const surfaceOf = (body: ReportBody): string =>
  body.solid ? 'closed' : body.triangles === 0 ? 'empty' : `<b>${whyNotSolid(body)}</b>`;

export function bodySection({ bodies, pairs }: ReportInput, limit: number): string {
  const meets = new Uint32Array(bodies.length);
  for (const { a, b, relation } of pairs) {
    if (relation === 'separate') continue;
    meets[a]++;
    meets[b]++;
  }
  const notes = bodies.slice(0, limit).map(notesOf(bodies));
  const hasNotes = notes.some(note => note !== '');
  const lines = bodies.slice(0, limit).map(
    (
      body,
      i,
    ) => `<tr><td class="n">${i}</td><td>${escapeHtml(body.name)}</td>${hasNotes ? `<td class="soft">${escapeHtml(notes[i])}</td>` : ''}
<td class="n">${number(body.triangles)}</td><td class="n">${number(body.vertices)}</td><td>${surfaceOf(body)}</td><td class="n">${number(meets[i])}</td></tr>`,
  );
  return `<section>
<h2>Bodies</h2>
${truncated(bodies.length, limit)}<details${bodies.length <= 12 ? ' open' : ''}><summary>${plural(bodies.length, 'body', 'bodies')}</summary>
<div class="scroll"><table>
<thead><tr><th scope="col" class="n">Index</th><th scope="col">Name</th>${hasNotes ? '<th scope="col">Kind, identity, place</th>' : ''}<th scope="col" class="n">Triangles</th><th scope="col" class="n">Vertices</th><th scope="col">Surface</th><th scope="col" class="n">Meets</th></tr></thead>
<tbody>${lines.join('\n')}</tbody>
</table></div></details>
</section>`;
}
