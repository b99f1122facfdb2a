// Colours of A, of B and of their intersection, and colour scales.

import { palette } from '../state/document.ts';

export type Rgb = readonly [number, number, number];

export const hex = (colour: string): Rgb => [
  Number.parseInt(colour.slice(1, 3), 16),
  Number.parseInt(colour.slice(3, 5), 16),
  Number.parseInt(colour.slice(5, 7), 16),
];

/** Colours of surfaces, of lines over them, and of both together. */
export const bodyColours = [palette[0], palette[1]] as const;
export const lineColours = ['#2f6fc4', '#b87a10'] as const;
export const meetingColour = '#d43a3a';
/** Colours of highlighted triangles of A and of B. */
export const litColours = [meetingColour, '#8f1d1d'] as const;
export const quietColour = '#9aa4af';

/** Fills a square. */
export function paint(colours: Uint8ClampedArray, at: number, [red, green, blue]: Rgb, opacity = 255): void {
  colours[4 * at] = red;
  colours[4 * at + 1] = green;
  colours[4 * at + 2] = blue;
  colours[4 * at + 3] = opacity;
}

export const mix = (from: Rgb, to: Rgb, share: number): Rgb => [
  from[0] + share * (to[0] - from[0]),
  from[1] + share * (to[1] - from[1]),
  from[2] + share * (to[2] - from[2]),
];

/** Interpolates between colours by a share from 0 to 1. */
export function scaleOf(colours: readonly string[]): (share: number) => Rgb {
  const stops = colours.map(hex);
  return share => {
    const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
    const before = Math.min(Math.floor(at), stops.length - 2);
    return mix(stops[before], stops[before + 1], at - before);
  };
}

/** From black over violet and orange to pale yellow, with increasing lightness. */
export const heat = scaleOf(['#1b1035', '#5b1f6e', '#a8325e', '#e3603c', '#f8b13f', '#fcf3b0']);
const fromInside = scaleOf(['#7d120d', '#d9705f', '#f5f1e8', '#6c9fd0', '#123f73']);
/** −1 … 1: red inside, pale on the surface, blue outside. */
export const sides = (value: number): Rgb => fromInside((value + 1) / 2);

export const css = ([red, green, blue]: Rgb): string =>
  `rgb(${Math.round(red)} ${Math.round(green)} ${Math.round(blue)})`;
