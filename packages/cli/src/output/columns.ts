// Text in columns for terminals: East Asian characters and pictures are two columns wide. No line is wider than the
// terminal, as long as that has room for the columns that always stay.

import columnsOf from 'string-width';

export interface Column {
  readonly head: string;
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean;
  /** Names may be shortened. */
  readonly isName?: boolean;
  /** The column is left out if lines are too wide; the one with the largest number first. Without it, the column stays. */
  readonly leaveOut?: number;
}

export interface Lines {
  /** The heads, a rule below them, and one line per row. */
  readonly lines: readonly string[];
  /** The heads of columns for which there was no room. */
  readonly leftOut: readonly string[];
}

/** Names are shortened to this before a column is left out, and further only if none can be. */
const [comfortable, shortest] = [20, 8];
const gap = 2;

export function inColumns(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
): Lines {
  const natural = columns.map(({ head }, i) =>
    rows.reduce((widest, row) => Math.max(widest, columnsOf(row[i])), columnsOf(head)),
  );
  let kept = columns.map((_, i) => i);
  const totalOf = (names: number) =>
    kept.reduce(
      (sum, i) => sum + (columns[i].isName ? Math.min(natural[i], names) : natural[i]),
      gap * (kept.length - 1),
    );
  while (totalOf(comfortable) > width) {
    const last = kept.reduce((p, q) => ((columns[q].leaveOut ?? 0) > (columns[p].leaveOut ?? 0) ? q : p));
    if (columns[last].leaveOut === undefined) break;
    kept = kept.filter(i => i !== last);
  }
  // The longest names for which there is room.
  let names = Math.max(shortest, ...kept.map(i => natural[i]));
  while (names > shortest && totalOf(names) > width) names--;
  const widths = natural.map((wide, i) => (columns[i].isName ? Math.min(wide, names) : wide));
  const line = (cells: readonly string[]) =>
    `${kept.map(i => padded(shortened(cells[i], widths[i]), widths[i], columns[i].isNumber ?? false)).join(' '.repeat(gap))}`.trimEnd();
  const all = [columns.map(({ head }) => head), widths.map(wide => '─'.repeat(wide)), ...rows];
  return {
    lines: all.map(cells => `${line(cells)}\n`),
    leftOut: columns.flatMap(({ head }, i) => (kept.includes(i) ? [] : [head])),
  };
}

/** Text that fits into so many columns. A longer one loses its middle: numbers at the end tell parts from one another. */
export function shortened(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  const letters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  const end = beginning(letters.toReversed(), Math.floor((columns - 1) / 3)).reverse();
  const start = beginning(letters, columns - 1 - columnsOf(end.join('')));
  return `${start.join('')}…${end.join('')}`;
}

/** The first letters that fit into so many columns. */
function beginning(letters: readonly string[], columns: number): string[] {
  let left = columns;
  const count = letters.findIndex(letter => (left -= columnsOf(letter)) < 0);
  return letters.slice(0, count);
}

/** Text in lines that fit, broken between words. A word that does not fit stays whole. */
export function wrapped(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1];
    if (line === '') lines[lines.length - 1] = word;
    else if (columnsOf(line) + 1 + columnsOf(word) <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`  ${word}`);
  }
  return lines.join('\n');
}

function padded(text: string, columns: number, isNumber: boolean): string {
  const space = ' '.repeat(columns - columnsOf(text));
  return isNumber ? space + text : text + space;
}
