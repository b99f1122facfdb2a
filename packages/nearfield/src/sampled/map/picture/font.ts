// A few characters of 5 × 7 dots, for the numbers beside a picture. It needs no canvas and no fonts, and is the same
// everywhere.

const glyphs: Readonly<Record<string, string>> = {
  '0': '.###. #...# #..## #.#.# ##..# #...# .###.',
  '1': '..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###.',
  '2': '.###. #...# ....# ..##. .#... #.... #####',
  '3': '.###. #...# ....# ..##. ....# #...# .###.',
  '4': '...#. ..##. .#.#. #..#. ##### ...#. ...#.',
  '5': '##### #.... ####. ....# ....# #...# .###.',
  '6': '..##. .#... #.... ####. #...# #...# .###.',
  '7': '##### ....# ...#. ..#.. .#... .#... .#...',
  '8': '.###. #...# #...# .###. #...# #...# .###.',
  '9': '.###. #...# #...# .#### ....# ...#. .##..',
  '-': '..... ..... ..... ##### ..... ..... .....',
  '+': '..... ..#.. ..#.. ##### ..#.. ..#.. .....',
  '.': '..... ..... ..... ..... ..... .##.. .##..',
  e: '..... ..... .###. #...# ##### #.... .###.',
  a: '..... ..... .###. ....# .#### #...# .####',
  b: '#.... #.... ####. #...# #...# #...# ####.',
  d: '....# ....# .#### #...# #...# #...# .####',
  l: '.##.. ..#.. ..#.. ..#.. ..#.. ..#.. .###.',
  n: '..... ..... #.##. ##..# #...# #...# #...#',
  o: '..... ..... .###. #...# #...# #...# .###.',
  y: '..... ..... #...# #...# .#### ....# .###.',
};

export const glyphHeight = 7;
const glyphWidth = 5;
/** One dot between characters. */
const advance = glyphWidth + 1;

export const textWidth = (text: string): number => Math.max(0, advance * text.length - 1);

/** Calls `dot` for each dot of a text, counted from its left and its top. Unknown characters stay blank. */
export function drawText(text: string, dot: (x: number, y: number) => void): void {
  [...text].forEach((character, i) => {
    const lines = glyphs[character]?.split(' ') ?? [];
    lines.forEach((line, y) => {
      for (let x = 0; x < glyphWidth; x++) if (line[x] === '#') dot(i * advance + x, y);
    });
  });
}
