// The page of one paper: Markdown with its tables, and an SVG file per plot.

import { isSoftware } from '../culling/culling.ts';
import type { Machine } from '../machine.ts';
import { significant } from '../tables/markdown.ts';
import type { Cell, Exhibit, Findings, Paper, PaperTable } from './paper.ts';
import { plotSvg } from './plot.ts';

/** An exhibit with what was measured; without findings, the reason why it was not. */
export interface Shown {
  readonly exhibit: Exhibit;
  readonly findings: Findings | { readonly missing: string; readonly error?: unknown };
}

export interface PageFile {
  readonly name: string;
  readonly text: string;
}

/**
 * The files of a paper's page: its text, and an SVG file per plot. A section that was not reached is kept as it
 * stands on the page of an earlier run, with the machine and the date of that run. One that failed says so.
 */
export function pageOf(
  paper: Paper,
  shown: readonly Shown[],
  machine: Machine,
  date: string,
  earlier = '',
): PageFile[] {
  const { processor, cores, node, gpu, clock } = machine;
  const before = sectionsOf(earlier);
  const files: PageFile[] = [];
  const parts = [
    `# ${paper.title}`,
    `${paper.source}. ${paper.about}`,
    `Measured on ${gpu === undefined ? '' : `${gpu}, `}${clock === undefined ? '' : `its clock locked at ${clock.toLocaleString('en')} MHz, `}${processor}, ${cores} cores, Node ${node}; ${date}. ` +
      `Made by \`npx nearfield papers ${paper.name}\`. Times are in milliseconds, medians of many runs in the least disturbed of five turns, from call to answer in JavaScript unless a column says otherwise.${gpu !== undefined && isSoftware(gpu) ? softwareWords : ''}`,
  ];
  for (const { exhibit, findings } of shown) {
    const head = `## ${exhibit.name}: ${exhibit.title}`;
    const kept = before.get(head);
    if ('missing' in findings && findings.error === undefined && kept !== undefined) {
      parts.push(kept);
      continue;
    }
    parts.push(head, exhibit.about);
    if ('missing' in findings) {
      parts.push(`${notMeasured} ${findings.missing}.`);
      continue;
    }
    for (const plot of findings.plots ?? []) {
      const name = `${paper.name}-${plot.id}.svg`;
      files.push({ name, text: plotSvg(plot) });
      parts.push(`![${plot.title}](${name})`);
    }
    parts.push(...findings.tables.map(tableText), ...(findings.notes ?? []));
  }
  return [{ name: `${paper.name}.md`, text: `${parts.join('\n\n')}\n` }, ...files];
}

const notMeasured = 'Not measured here:';
const keptFrom = 'From an earlier run, on';

/** The measured sections of a page by their headings; each ends with the machine and the date of its run. */
function sectionsOf(page: string): Map<string, string> {
  const run = /^Measured on (.*; \d{4}-\d\d-\d\d)\. /m.exec(page)?.[1];
  const sections = new Map<string, string>();
  for (const text of page.split(/^(?=## )/m).slice(1)) {
    if (text.includes(`\n${notMeasured}`)) continue;
    const section = text.trimEnd();
    const head = section.slice(0, section.indexOf('\n'));
    sections.set(head, section.includes(`\n${keptFrom}`) ? section : `${section}\n\n${keptFrom} ${run}.`);
  }
  return sections;
}

const softwareWords =
  ' The GPU is a program on the same processor: its times show that everything runs, not how fast a GPU is. Sizes are smaller where that is stated.';

function tableText({ title, heads, rows }: PaperTable): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const wrong = rows.find(row => row.length !== heads.length);
  if (wrong !== undefined)
    throw new Error(`a row has ${wrong.length} cells for ${heads.length} heads: ${wrong}`);
  const body = [heads.map(cellText), heads.map(() => '---'), ...rows.map(row => row.map(cellText))];
  const text = body.map(line).join('\n');
  return title === undefined ? text : `**${title}**\n\n${text}`;
}

const cellText = (cell: Cell): string =>
  cell === undefined
    ? ''
    : typeof cell === 'number'
      ? Number.isInteger(cell)
        ? cell.toLocaleString('en')
        : significant(cell)
      : cell.replace(/\|/g, '\\|');
