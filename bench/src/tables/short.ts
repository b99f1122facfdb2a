// Results for a terminal: one line per engine with the compared figures, in columns. The markdown files and the JSON
// have the rest.

import { paperTime } from '../case.ts';
import type { ParticleRow } from '../particles/measure.ts';
import { particleCells, particleHeads, particleNote } from '../particles/table.ts';
import type { CaseResult, Row } from '../run/runner.ts';
import type { Growth } from '../run/series.ts';
import { growthRows } from './images.ts';
import { cullingCells, cullingHeads, significant, timeOf } from './markdown.ts';

const heads = ['case', 'engine', 'ms', 'ratio', 'missed', 'false'];
const note =
  'ms: CPU time; wall-clock time if a GPU or other threads work. Engines that cannot answer are left out; --json has the rest.';

export function shortTable(
  cases: readonly CaseResult[],
  particles: readonly ParticleRow[] = [],
  growth: readonly Growth[] = [],
): string {
  const lines = cases.flatMap(result => {
    const own = result.rows.find(({ engine }) => engine.startsWith('Nearfield'))?.warm;
    const rows = result.rows
      .filter(({ cannot }) => cannot === undefined)
      .map((row, i) => [i === 0 ? titleOf(result) : '', row.engine, ...figures(row, own)]);
    const { paper } = result;
    if (paper?.machine !== undefined)
      rows.push(['', `the paper (${paper.machine})`, paperTime(paper), '', '', '']);
    return rows;
  });
  const tables = cases.length > 0 ? [`${inColumns(heads, lines, 2)}\n\n${note}\n`] : [];
  for (const { name, culling } of cases) {
    if (culling === undefined) continue;
    const title = `${name}: what images leave to test, on ${culling[0].device}`;
    tables.push(`${title}\n${inColumns(cullingHeads, culling.map(cullingCells), 1)}\n`);
  }
  const [grownHeads, ...grown] = growthRows([], growth);
  if (grownHeads !== undefined) tables.push(`${inColumns(grownHeads, grown, 3)}\n`);
  if (particles.length > 0) {
    tables.push(`${inColumns(particleHeads, particles.map(particleCells), 0)}\n\n${particleNote}\n`);
  }
  return tables.join('\n');
}

/** Text is left-aligned, figures right-aligned. */
export function inColumns(
  heads: readonly string[],
  lines: readonly (readonly string[])[],
  textColumns: number,
): string {
  const widths = heads.map((head, i) => Math.max(head.length, ...lines.map(cells => cells[i].length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i < textColumns ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
      .join('  ')
      .trimEnd();
  const rule = widths.map(width => '─'.repeat(width));
  return [heads, rule, ...lines].map(line).join('\n');
}

const titleOf = ({ scene, name, question }: CaseResult): string => `${scene}: ${name}, ${question}`;

function figures({ engine, warm, pairs }: Row, own: Row['warm']): string[] {
  const ratio = warm && own ? `${significant(timeOf(engine, warm) / timeOf(engine, own))}×` : '';
  const counts = pairs ? [pairs.missed, pairs.false].map(value => value.toLocaleString('en')) : ['', ''];
  return [warm ? significant(timeOf(engine, warm)) : '', ratio, ...counts];
}
