import { describe, expect, it } from 'vitest';
import { beyond, colourOf, onlyA, onlyB } from './colours.ts';
import { drawText, glyphHeight, textWidth } from './font.ts';
import { drawPicture, type Picture } from './picture.ts';

const nothing = Number.NaN;

/** Three columns and two rows, upper row last. */
const map = {
  columns: 3,
  rows: 2,
  distance: Float32Array.of(-1, 0, 2, nothing, nothing, nothing),
  coverage: Uint8Array.of(3, 3, 3, 1, 2, 0),
  statistics: { least: -1, quantiles: [-1, -1, 2, 2] as const },
};

const colourAt = ({ width, data }: Picture, x: number, y: number) => [
  ...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4),
];

describe('pictures', () => {
  it('show the view along the direction: up above, right on the left', () => {
    const picture = drawPicture(map, { legend: false, background: [1, 2, 3] });
    expect([picture.width, picture.height, picture.data.length]).toEqual([3, 2, 24]);
    expect(colourAt(picture, 2, 1)).toEqual([...colourOf(-1, [-1, 2]), 255]);
    expect(colourAt(picture, 1, 1)).toEqual([...colourOf(0, [-1, 2]), 255]);
    expect(colourAt(picture, 0, 1)).toEqual([...colourOf(2, [-1, 2]), 255]);
    expect(colourAt(picture, 2, 0)).toEqual([...onlyA, 255]);
    expect(colourAt(picture, 1, 0)).toEqual([...onlyB, 255]);
    expect(colourAt(picture, 0, 0)).toEqual([1, 2, 3, 255]);
  });

  it('go from red over yellow to green and blue', () => {
    const [deep, shallow, touching, far] = [-1, -1e-6, 0, 2].map(x => colourOf(x, [-1, 2]));
    expect(deep[0]).toBeGreaterThan(3 * Math.max(deep[1], deep[2]));
    expect(Math.min(shallow[0], shallow[1])).toBeGreaterThan(2 * shallow[2]);
    expect(touching[1]).toBeGreaterThan(2 * Math.max(touching[0], touching[2]));
    expect(far[2]).toBeGreaterThan(3 * Math.max(far[0], far[1]));
    expect(colourOf(-5, [-1, 2])).toEqual(deep);
    expect(colourOf(50, [-1, 2])).toEqual(far);
  });

  it('can be enlarged and coloured over a given range', () => {
    const picture = drawPicture(map, { legend: false, scale: 4, range: [-2, 8] });
    expect([picture.width, picture.height]).toEqual([12, 8]);
    for (const [x, y] of [
      [0, 4],
      [3, 7],
    ])
      expect(colourAt(picture, x, y)).toEqual([...colourOf(2, [-2, 8]), 255]);
    const hidden = { ...map, distance: Float32Array.from(map.distance, x => (x > 1 ? nothing : x)) };
    expect(colourAt(drawPicture(hidden, { legend: false }), 0, 1)).toEqual([...beyond, 255]);
  });

  it('name the colour of omitted pixels if there are any', () => {
    const hidden = { ...map, distance: Float32Array.from(map.distance, x => (x > 1 ? nothing : x)) };
    const colours = (picture: Picture) =>
      Array.from({ length: picture.height }, (_, y) => colourAt(picture, 3 + 12, y).join());
    expect(colours(drawPicture(hidden, {}))).toContain([...beyond, 255].join());
    expect(colours(drawPicture(map, {}))).not.toContain([...beyond, 255].join());
  });

  it('finish for any range, even if steps far from 0 are lost to rounding', () => {
    const picture = drawPicture(map, { range: [1e17, 1e17 + 16] });
    expect(picture.height).toBeGreaterThan(100);
  });

  it('have a scale at the right with every colour and its numbers', () => {
    const picture = drawPicture(map, {});
    expect(picture.width).toBeGreaterThan(60);
    expect(picture.height).toBeGreaterThanOrEqual(100);
    const column = Array.from({ length: picture.height }, (_, y) => colourAt(picture, 3 + 12, y).join());
    for (const value of [-1, 2]) expect(column).toContain([...colourOf(value, [-1, 2]), 255].join());
    // Ink of numbers: right of the bar.
    let dots = 0;
    for (let y = 0; y < picture.height; y++) {
      for (let x = 3 + 10 + 14; x < picture.width; x++) if (colourAt(picture, x, y)[0] === 40) dots++;
    }
    expect(dots).toBeGreaterThan(100);
    const alone = {
      ...map,
      statistics: { least: nothing, quantiles: [nothing, nothing, nothing, nothing] as const },
    };
    expect(drawPicture(alone, {}).width).toBeGreaterThan(3);
  });

  it('write characters as dots', () => {
    const dots = new Set<string>();
    drawText('1-', (x, y) => dots.add(`${x} ${y}`));
    expect(dots.has('2 0')).toBe(true);
    expect([...dots].filter(dot => dot.endsWith(' 3') && Number(dot.split(' ')[0]) >= 6)).toHaveLength(5);
    expect([textWidth('1-'), textWidth(''), glyphHeight]).toEqual([11, 0, 7]);
    for (const character of '0123456789-+.eonlyabeyond') {
      let count = 0;
      drawText(character, () => count++);
      expect(count, character).toBeGreaterThan(0);
    }
  });
});
