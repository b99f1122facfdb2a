// Which known word did someone mean? The one with the fewest single-letter changes, if they are few enough.

/**
 * The known word nearest to a mistyped one, or undefined if none is near: one change in three letters, two in six. Words of
 * one or two letters are near only in another case, which never counts. `most` allows fewer changes.
 */
export function nearestWord(
  word: string,
  known: Iterable<string>,
  most = Number.POSITIVE_INFINITY,
): string | undefined {
  // Nobody mistypes a word this long into another, and the effort grows with the square of the length.
  if (word.length > 100) return undefined;
  let nearest: string | undefined;
  let least = Math.min(Math.floor(word.length / 3), most) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const changes = changesBetween(word.toLowerCase(), candidate.toLowerCase());
    if (changes < least) [nearest, least] = [candidate, changes];
  }
  return nearest;
}

/** The least number of letters to insert, delete, replace or swap with their neighbours (Damerau-Levenshtein). */
function changesBetween(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = rows[i - 1][j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwapped ? rows[i - 2][j - 2] + 1 : replaced;
      row.push(Math.min(replaced, swapped, rows[i - 1][j] + 1, row[j - 1] + 1));
    }
    rows.push(row);
  }
  return rows[from.length][to.length];
}

/** `; did you mean "walls"?`, or nothing. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const nearest = nearestWord(word, known);
  return nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
}
