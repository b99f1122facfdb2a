// Names come from files, and files can come from anyone. A name may contain invisible characters that change what a
// reader sees: control characters move a terminal's cursor, bidirectional ones reverse the order of letters (Boucher
// and Anderson 2021, "Trojan Source"), and zero-width ones make two names look the same. They are written as escapes
// in every output, as JSON writes them: \u200b, and a pair such as \udb40\udc41 for a character beyond 16 bits.
// Emoji stay as they are: in a sequence such as woman + joiner + wrench, the joiner and the variation selector change
// the picture. Anywhere else both are escaped. Languages that write a joiner or a soft hyphen within words show it as
// an escape too.

/** Control and format characters, lone surrogates, line and paragraph separators, and other invisible characters. */
const hidden = '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]';
/** An emoji, coloured or not, with a skin tone or not, and others joined to it; or a keycap digit. */
const picture = '\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?';
const emoji = `${picture}(?:\\u200d${picture})*|[0-9#*]\\ufe0f\\u20e3`;
const hiddenOrEmoji = new RegExp(`(${emoji})|${hidden}`, 'gu');

function escaped(text: string): string {
  return Array.from({ length: text.length }, (_, i) => text.charCodeAt(i))
    .map(unit => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}

/** Most texts have neither, which takes a tenth of the time to see. */
const isPlain = (text: string): boolean => /^[ -~\n]*$/.test(text);

/** Text with these characters as escapes: \u202e. */
export const visible = (text: string): string =>
  isPlain(text) && !text.includes('\n')
    ? text
    : text.replace(hiddenOrEmoji, (found, sequence) => sequence ?? escaped(found));

/**
 * Whether the text needs no escapes in JSON. Most texts need none, and this test takes a fraction of the time of
 * escaping.
 */
const isSimple = (text: string): boolean => /^[ !#-[\]-~]*$/.test(text);

/** A text in JSON. */
export const quotedJson = (text: string): string => (isSimple(text) ? `"${text}"` : JSON.stringify(text));

/** A text in JSON with these characters as escapes. */
export const stringJson = (text: string): string => (isSimple(text) ? `"${text}"` : jsonText(text));

/**
 * JSON with these characters as escapes, which parses to the same value. Outside of strings, line ends are the only
 * such characters in JSON.
 */
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  if (isPlain(text)) return text;
  return text.replace(hiddenOrEmoji, (found, sequence) =>
    found === '\n' ? found : (sequence ?? escaped(found)),
  );
}
