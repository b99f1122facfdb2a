// The clash matrix of the rules' sets for a terminal. Columns have the names of the sets; if that is too wide, their
// numbers; if that is too wide as well, every cell is a line.

import type { AssemblyAnswer, MatrixCell } from '@nearfield/clashes';
import { type Column, inColumns, shortened, wrapped } from '../columns.ts';
import { count, plural } from '../sentences.ts';
import { printable } from '../terminal.ts';

const widestName = 30;
/** Where no terminal sets a limit. */
const widestMatrix = 160;
/** Cells that are listed if there is no room for a matrix. */
const mostCells = 50;

/** Nothing without rules: a table of files against files says little that the rows do not. */
export function* matrixTable({ matrix, sets }: AssemblyAnswer, columns: number): Generator<string> {
  if (matrix === undefined || sets === undefined) return;
  const width = Math.min(columns, widestMatrix);
  const cells = matrix.cells.filter(cell => cell.checked || foundIn(cell) > 0);
  const used = matrix.sets.flatMap((_, i) => (cells.some(({ a, b }) => a === i || b === i) ? [i] : []));
  if (used.length === 0) return;
  const names = matrix.sets.map(name => shortened(printable(name), widestName));
  const byPlace = new Map(cells.map(cell => [`${cell.a} ${cell.b}`, cell]));
  const grid = (heads: readonly string[], rowNames: readonly string[]) =>
    inColumns(
      [{ head: '' }, ...heads.map((head): Column => ({ head, isNumber: true }))],
      used.map((a, row) => [
        rowNames[row],
        ...used.map((b, column) => (column < row ? '' : cellText(byPlace.get(`${a} ${b}`)))),
      ]),
    ).lines;
  const fits = (lines: readonly string[]) => lines[1].trimEnd().length <= width;
  const named = used.map(i => names[i]);
  const byName = grid(named, named);
  const byNumber = grid(
    named.map((_, i) => `${i + 1}`),
    named.map((name, i) => `${i + 1} ${name}`),
  );
  yield `${wrapped('Sets against sets: pairs to fix, of pairs found; – is not checked.', columns)}\n\n`;
  if (fits(byName)) yield* byName;
  else if (fits(byNumber)) yield* byNumber;
  else yield* listed(cells, names, columns);
  yield '\n';
}

const fixIn = ({ counts }: MatrixCell): number => (counts.clash ?? 0) + (counts['too-close'] ?? 0);
const foundIn = ({ counts }: MatrixCell): number => Object.values(counts).reduce((sum, n) => sum + n, 0);

function cellText(cell: MatrixCell | undefined): string {
  if (cell === undefined) return '–';
  const [fix, found] = [fixIn(cell), foundIn(cell)];
  return found === fix ? count(fix) : `${count(fix)} of ${count(found)}`;
}

/** The cells with pairs, those with the most to fix first. */
function* listed(cells: readonly MatrixCell[], names: readonly string[], columns: number): Generator<string> {
  const found = cells.filter(cell => foundIn(cell) > 0).sort((p, q) => fixIn(q) - fixIn(p));
  for (const cell of found.slice(0, mostCells)) {
    yield `${wrapped(`${names[cell.a]} against ${names[cell.b]}: ${cellText(cell)}`, columns)}\n`;
  }
  if (found.length > mostCells) yield `… and ${plural(found.length - mostCells, 'more combination')}\n`;
  const none = cells.length - found.length;
  if (none > 0) yield `${plural(none, 'combination')} of sets without pairs\n`;
}
