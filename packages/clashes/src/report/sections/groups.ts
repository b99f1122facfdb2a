// Clashes that one person would mend together: a row per group with its worst depth, opened for its members. If nobody
// asked for groups, pairs that are to be fixed are grouped by the part they share.

import type { Group } from '../../assembly/types.ts';
import { groupByPart } from '../../groups/by-part.ts';
import { isToFix } from '../../severity/order.ts';
import type { Steps } from '../../steps/steps.ts';
import { depth, escapeHtml, length, number, plural, relationWords, when } from '../html.ts';
import type { ReportInput, ReportPair } from '../types.ts';

/** Groups and members that are listed; the table has the rest. */
const [mostGroups, mostMembers] = [200, 50];
/** Groups that are seen at once. */
const firstGroups = 12;

export function* groupsOf({ groups, bodies, pairs }: ReportInput): Steps<readonly Group[]> {
  if (groups !== undefined) return groups;
  const open = pairs.filter(pair => pair.clash !== undefined && isToFix(pair));
  return yield* groupByPart(bodies, open);
}

/** `pairs` are in the order of their numbers; the first `pictured` have pictures. */
export function groupSection(
  { bodies, unitName, groups: asked }: ReportInput,
  groups: readonly Group[],
  pairs: readonly ReportPair[],
  pictured: number,
): string {
  // Groups of one say nothing that the table does not.
  if (asked === undefined && groups.every(({ members }) => members.length < 2)) return '';
  if (groups.length === 0) return '';
  const rowOf = new Map(pairs.map(({ clash }, row) => [clash, row]));
  // Groups of severe tests come before deeper ones of others, which only their severity explains.
  const areMixed = new Set(groups.map(({ members }) => pairs[rowOf.get(members[0])!].severity)).size > 1;
  const items = groups.slice(0, mostGroups).map(({ title, members, worst }, i) => {
    const lines = members.slice(0, mostMembers).map(clash => {
      const row = rowOf.get(clash)!;
      const { a, b, relation, depth: deep, distance } = pairs[row];
      const size =
        deep && deep.upper > 0
          ? depth(deep, unitName)
          : when(distance, value => `${length(value, unitName)} apart`);
      const n =
        row < pictured
          ? `<a href="#pair-${row + 1}" data-view="${row}">${number(row + 1)}</a>`
          : number(row + 1);
      return `<tr><td class="n">${n}</td><td>${escapeHtml(bodies[a].name)}</td><td>${escapeHtml(bodies[b].name)}</td><td>${relationWords(relation)}</td><td class="n">${escapeHtml(size)}</td></tr>`;
    });
    const more =
      members.length > mostMembers
        ? `<p class="note">The first ${number(mostMembers)} of ${number(members.length)}.</p>`
        : '';
    const { severity } = pairs[rowOf.get(members[0])!];
    const word =
      severity === undefined || !areMixed ? '' : `<span class="word ${severity}">${severity}</span>`;
    return `<details class="group"><summary><span class="title">${escapeHtml(title)}</span>${word}<span class="size">${when(worst, value => (value.upper > 0 ? `worst ${escapeHtml(depth(value, unitName))}` : ''))}</span></summary>
<table><tbody>${lines.join('\n')}</tbody></table>${more}
<p class="note js-only"><a href="#pairs" data-filter='{"group":${i}}'>Show them in the table</a></p></details>`;
  });
  const left = groups.length - items.length;
  const rest = items.slice(firstGroups).join('\n');
  return `<section>
<h2>Groups</h2>
<p class="note">${plural(groups.length, 'group')} of pairs that can be mended together, ${areMixed ? 'the most severe' : 'the worst'} first.${asked === undefined ? ' Pairs to fix are grouped by the part they share.' : ''}${left > 0 ? ` ${number(left)} more are in the table.` : ''}</p>
<div class="groups">${items.slice(0, firstGroups).join('\n')}</div>
${rest === '' ? '' : `<details class="rest"><summary>${plural(items.length - firstGroups, 'more group')}</summary>\n<div class="groups">${rest}</div></details>`}
</section>`;
}
