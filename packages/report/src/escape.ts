// Names come from files, and files from anybody. A name may hold characters that nobody sees and that change what is
// seen: control characters move a terminal's cursor, and bidirectional ones turn the order of letters around, so that one
// name passes for another (Boucher and Anderson 2021, "Trojan Source"). They are written as escapes wherever names go.

/** Control characters, ends of lines and paragraphs, and marks, embeddings, overrides and isolates of direction. */
const hidden = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Text in which such characters can be seen: \u202e. */
export const visible = (text: string): string => text.replace(hidden, escaped);

/**
 * JSON that can be looked at: whoever parses it gets the value itself. Outside of strings JSON has no such character but
 * line ends and blanks.
 */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent).replace(hidden, character =>
    character === '\n' ? character : escaped(character),
  );
