// Does a name match a pattern? `*` stands for any characters, also none, and `?` for exactly one. Upper and lower case
// are the same, and so are composed and decomposed letters. Nothing else is special, so that any name is a pattern for
// itself. No regular expression is involved: the time is at most the product of both lengths, and patterns are short.

/** Longer patterns are refused. */
export const longestPattern = 512;

/** Text as it is compared: in lower case and composed. */
export const folded = (text: string): string => text.normalize('NFC').toLowerCase();

export type Matcher = (text: string) => boolean;

/** A function that says whether a text, which it folds, matches any of the patterns. */
export function matcherOf(patterns: readonly string[]): Matcher {
  const exact = new Set<string>();
  const others: Matcher[] = [];
  for (const pattern of patterns.map(folded)) {
    if (/[*?]/.test(pattern)) others.push(wildcardMatcher(pattern));
    else exact.add(pattern);
  }
  return text => {
    const plain = folded(text);
    return exact.has(plain) || others.some(matches => matches(plain));
  };
}

/**
 * The pieces between stars have to occur in their order without overlap. It suffices to take the leftmost place of
 * each after the one before: any later place leaves less room for the rest.
 */
function wildcardMatcher(pattern: string): Matcher {
  const [first, ...rest] = pattern.split('*').map(piece => [...piece]);
  if (rest.length === 0) return text => isAt(first, [...text], 0) && [...text].length === first.length;
  const last = rest.pop()!;
  const between = rest.filter(piece => piece.length > 0);
  return text => {
    // Characters, not code units: `?` stands for one emoji too.
    const letters = [...text];
    const end = letters.length - last.length;
    if (end < first.length || !isAt(first, letters, 0) || !isAt(last, letters, end)) return false;
    let at = first.length;
    for (const piece of between) {
      while (at + piece.length <= end && !isAt(piece, letters, at)) at++;
      if (at + piece.length > end) return false;
      at += piece.length;
    }
    return true;
  };
}

function isAt(piece: readonly string[], letters: readonly string[], at: number): boolean {
  if (at + piece.length > letters.length) return false;
  for (let i = 0; i < piece.length; i++) {
    if (piece[i] !== '?' && piece[i] !== letters[at + i]) return false;
  }
  return true;
}
