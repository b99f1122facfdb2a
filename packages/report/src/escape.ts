// Names come from files, and files from anybody. A name may hold characters that nobody sees and that change what is
// seen: control characters move a terminal's cursor, and bidirectional ones turn the order of letters around, so that one
// name passes for another (Boucher and Anderson 2021, "Trojan Source"). They are written as escapes wherever names go.

/** Control characters, ends of lines and paragraphs, and marks, embeddings, overrides and isolates of direction. */
const hidden = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Text with such characters as escapes: \u202e. */
export const visible = (text: string): string => text.replace(hidden, escaped);

/**
 * JSON with such characters as escapes, which parses to the same value. Outside of strings the only such character that JSON
 * has is the line end.
 */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent).replace(hidden, character =>
    character === '\n' ? character : escaped(character),
  );
