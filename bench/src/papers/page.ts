// The page of one paper: Markdown with its tables, and an SVG file per plot.

import { isSoftware } from '../culling/culling.ts';
import type { Machine } from '../machine.ts';
import { significant } from '../tables/markdown.ts';
import type { Cell, Exhibit, Findings, Paper, PaperTable } from './paper.ts';
import { plotSvg } from './plot.ts';

/** An exhibit with what was measured; without findings, the reason why it was not. */
export interface Shown {
  readonly exhibit: Exhibit;
  readonly findings: Findings | { readonly missing: string };
}

export interface PageFile {
  readonly name: string;
  readonly text: string;
}

/** The files of a paper's page: its text, and an SVG file per plot. */
export function pageOf(paper: Paper, shown: readonly Shown[], machine: Machine, date: string): PageFile[] {
  const { processor, cores, node, gpu } = machine;
  const files: PageFile[] = [];
  const parts = [
    `# ${paper.title}`,
    `${paper.source}. ${paper.about}`,
    `Measured on ${gpu === undefined ? '' : `${gpu}, `}${processor}, ${cores} cores, Node ${node}; ${date}. ` +
      `Made by \`npx nearfield papers ${paper.name}\`. Times are in milliseconds, medians of many runs in the least disturbed of five turns, from call to answer in JavaScript unless a column says otherwise.${gpu !== undefined && isSoftware(gpu) ? softwareWords : ''}`,
  ];
  for (const { exhibit, findings } of shown) {
    parts.push(`## ${exhibit.name}: ${exhibit.title}`, exhibit.about);
    if ('missing' in findings) {
      parts.push(`Not measured here: ${findings.missing}.`);
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
