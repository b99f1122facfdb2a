// How does ISO 10303-21 write letters beyond ASCII? Two quotes for one, two backslashes for one, `\X\E4` and `\S\d` for
// one letter of Latin-1, `\X2\00E4\X0\` and `\X4\0001F600\X0\` for several of Unicode. Newer files have plain UTF-8.

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes what stands between the quotes, given with one character per byte. */
export function decodeText(written: string): string {
  let text = written.replaceAll("''", "'");
  if (/[\x80-\xff]/.test(text)) {
    try {
      text = utf8.decode(Uint8Array.from(text, letter => letter.charCodeAt(0)));
    } catch {
      // Neither ASCII nor UTF-8: taken as Latin-1, as old programs write it.
    }
  }
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\X2\\((?:[0-9A-Fa-f]{4})*)\\X0\\|\\X4\\((?:[0-9A-Fa-f]{8})*)\\X0\\|\\X\\([0-9A-Fa-f]{2})|\\S\\(.)|\\P[A-I]\\|\\\\/g,
    (all, two?: string, four?: string, one?: string, shifted?: string) => {
      if (two !== undefined) return lettersOf(two, 4);
      if (four !== undefined) return lettersOf(four, 8);
      if (one !== undefined) return lettersOf(one, 2);
      if (shifted !== undefined) return String.fromCharCode(shifted.charCodeAt(0) + 128);
      return all === '\\\\' ? '\\' : '';
    },
  );
}

function lettersOf(digits: string, digitsEach: number): string {
  let text = '';
  for (let i = 0; i < digits.length; i += digitsEach) {
    const code = Number.parseInt(digits.slice(i, i + digitsEach), 16);
    // Pairs of surrogates are written as two letters.
    text +=
      code < 0x10000 ? String.fromCharCode(code) : code < 0x110000 ? String.fromCodePoint(code) : '\ufffd';
  }
  return text;
}
