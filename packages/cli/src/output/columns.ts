// Text in columns for terminals: East Asian characters and pictures are two columns wide.

import columnsOf from 'string-width';

export interface Column {
  readonly head: string;
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean;
}

/** The heads, a rule below them, and one line per row. */
export function inColumns(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const widths = columns.map(({ head }, i) =>
    rows.reduce((widest, row) => Math.max(widest, columnsOf(row[i])), columnsOf(head)),
  );
  const line = (cells: readonly string[]) =>
    `${cells.map((cell, i) => padded(cell, widths[i], columns[i].isNumber ?? false)).join('  ')}\n`;
  return [
    line(columns.map(({ head }) => head)),
    line(widths.map(width => '─'.repeat(width))),
    ...rows.map(line),
  ];
}

/** Text that fits into so many columns; a longer one ends in an ellipsis. */
export function shortened(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let kept = '';
  let left = columns - 1;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    left -= columnsOf(segment);
    if (left < 0) break;
    kept += segment;
  }
  return `${kept}…`;
}

function padded(text: string, columns: number, isNumber: boolean): string {
  const space = ' '.repeat(columns - columnsOf(text));
  return isNumber ? space + text : text + space;
}
