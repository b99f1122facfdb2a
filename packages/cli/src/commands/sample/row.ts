// A row of the table that a moving sample prints: the number of the step, and one value per column, aligned to the right.

export const row = (values: readonly string[]): string =>
  `${values.map((value, i) => value.padStart(i === 0 ? 6 : 13)).join('')}\n`;
