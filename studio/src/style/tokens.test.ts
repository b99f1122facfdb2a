import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
/** The colours of one theme: light or dark. */
const tokensOf = (light: 'light' | 'dark'): Record<string, string> =>
  Object.fromEntries(
    [...css.matchAll(new RegExp(`--([\\w-]+):.*var\\(--if-${light}, (#[0-9a-f]{6})\\)`, 'g'))].map(
      ([, name, value]) => [name, value],
    ),
  );

/** Relative luminance and contrast, as WCAG 2.2 defines them. */
function luminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map(at => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(p: string, q: string): number {
  const [low, high] = [luminance(p), luminance(q)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

describe('contrast', () => {
  const themes = { light: tokensOf('light'), dark: tokensOf('dark') };

  for (const [name, token] of Object.entries(themes)) {
    it(`is at least 4.5 for text and 3 for borders, ${name}`, () => {
      const texts = ['text', 'dim', 'accent', 'crossing', 'within', 'coincident', 'touching', 'separate'];
      for (const text of texts) {
        for (const ground of ['panel', 'page', 'hover']) {
          expect(contrast(token[text], token[ground]), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
        }
      }
      expect(contrast(token['on-accent'], token['accent'])).toBeGreaterThanOrEqual(4.5);
      for (const ground of ['panel', 'page']) {
        expect(contrast(token['border'], token[ground]), `border on ${ground}`).toBeGreaterThanOrEqual(3);
      }
    });
  }

  it('both themes have the same colours, each defined once', () => {
    expect(Object.keys(themes.dark)).toEqual(Object.keys(themes.light));
    for (const name of Object.keys(themes.light)) {
      expect([...css.matchAll(new RegExp(`--${name}:`, 'g'))].length, name).toBe(1);
    }
  });

  it('is correct for black on white and for one colour on itself', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 10);
    expect(contrast('#336699', '#336699')).toBe(1);
  });
});
