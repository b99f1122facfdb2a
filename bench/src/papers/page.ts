// The page of one paper: Markdown with its tables, and an SVG file per plot.

import { isSoftware } from '../culling/culling.ts';
import type { ClockRange, Machine } from '../machine.ts';
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
    ...introduction(paper),
    `Measured on ${gpu === undefined ? '' : `${gpu}, `}${clock === undefined ? '' : clockWords(clock)}${processor}, ${cores} cores, Node ${node}; ${date}. ` +
      `Made by \`npx nearfield papers ${paper.name}\`. Times are in milliseconds, medians of many runs in the least disturbed of five turns, from call to answer in JavaScript unless a column says otherwise.${gpu !== undefined && isSoftware(gpu) ? softwareWords : ''}`,
  ];
  for (const { exhibit, findings } of shown) {
    const head = headOf(exhibit);
    const kept = before.get(head);
    if ('missing' in findings && findings.error === undefined && kept !== undefined) {
      parts.push(isSameText(kept, exhibit) ? kept : withMark(kept));
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

function clockWords({ least, highest, samples }: ClockRange): string {
  const range =
    least === highest
      ? `at ${least.toLocaleString('en')}`
      : `from ${least.toLocaleString('en')} to ${highest.toLocaleString('en')}`;
  return `its clock ${range} MHz in ${samples.toLocaleString('en')} samples, `;
}

const notMeasured = 'Not measured here:';
const keptFrom = 'From an earlier run, on';
const earlierForm =
  'This section is of an earlier form of the experiment: its text and its columns are as they were then.';

const headOf = ({ name, title }: Exhibit): string => `## ${name}: ${title}`;

/** Whether a section describes the experiment as the exhibit does now. */
const isSameText = (section: string, exhibit: Exhibit): boolean =>
  section.startsWith(`${headOf(exhibit)}\n\n${exhibit.about}\n`);

/** The section with a sentence that says that it is of an earlier form; a remark on its run stays last. */
function withMark(section: string): string {
  if (section.includes(`\n${earlierForm}`)) return section;
  const at = section.indexOf(`\n\n${keptFrom}`);
  const end = at < 0 ? section.length : at;
  return `${section.slice(0, end)}\n\n${earlierForm}${section.slice(end)}`;
}

/**
 * An earlier page as it has to stand beside the present code: with the paper's present introduction and a section per
 * exhibit. Figures stay. A section says that it is of an earlier form if its text is not the exhibit's, or if a head of a
 * column is not one that the code makes, which `isKnownHead` tells. What was never measured says so.
 */
export function broughtUpToDate(paper: Paper, page: string, isKnownHead: (head: string) => boolean): string {
  const [start, ...sections] = page.split(/^(?=## )/m).map(text => text.trimEnd());
  const known = new Map(sections.map(section => [section.slice(0, section.indexOf('\n')), section]));
  const measured = start.slice(start.indexOf('\nMeasured on ') + 1);
  const parts = paper.exhibits.map(exhibit => {
    const section = known.get(headOf(exhibit));
    if (section === undefined || section.includes(`\n${notMeasured}`)) {
      const why =
        section?.slice(section.indexOf(`\n${notMeasured}`) + 1) ?? `${notMeasured} the page is older.`;
      return `${headOf(exhibit)}\n\n${exhibit.about}\n\n${why}`;
    }
    const plain = section.replace(`\n\n${earlierForm}`, '');
    const isCurrent = isSameText(plain, exhibit) && columnHeads(plain).every(isKnownHead);
    return isCurrent ? plain : withMark(plain);
  });
  return `${[...introduction(paper), measured, ...parts].join('\n\n')}\n`;
}

const introduction = ({ title, source, about }: Paper): string[] => [`# ${title}`, `${source}. ${about}`];

/** The heads of all columns of a section's tables. */
const columnHeads = (section: string): string[] =>
  [...section.matchAll(/^\| (.*) \|\n\| ---/gm)].flatMap(([, heads]) =>
    heads.split(' | ').map(head => head.replace(/\\\|/g, '|').trim()),
  );

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
