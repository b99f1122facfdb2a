// Maps as pictures: how far apart two bodies are, in colours as in Myszkowski, Okunev and Kunii's figure 6, and how
// often a surface was hit.

import { css, heat, paint, type Rgb, scaleOf } from '../../hood/colours.ts';
import type { FlatPicture } from '../../hood/types.ts';
import type { DistanceData, ImpactData, SceneMap } from '../types.ts';

export const pictureOf = (map: SceneMap): FlatPicture =>
  map.kind === 'distances' ? distancePicture(map) : impactPicture(map);

/**
 * One scale from the deepest overlap to contact, and one from contact to the farthest distance; the step between is
 * visible.
 */
const overlap = scaleOf(['#8c0014', '#e11e14', '#fa8214', '#ffe13c']);
const gap = scaleOf(['#46be3c', '#1eaaa0', '#286edc', '#1e1e8c']);
const [onlyFirst, onlySecond, beyond]: readonly Rgb[] = [
  [150, 150, 150],
  [240, 170, 190],
  [214, 221, 232],
];

/** Overlaps deeper than this fraction of the farthest distance have the same colour. */
const deepestShare = 1 / 3;

/** Negative distances are overlaps. */
export const distanceColour = (distance: number, farthest: number): Rgb =>
  distance < 0 ? overlap(1 + distance / (deepestShare * farthest)) : gap(distance / farthest);

/** Only measured squares; the rest is transparent. */
export function measuredColours({ values, farthest }: DistanceData): Uint8ClampedArray<ArrayBuffer> {
  const colours = new Uint8ClampedArray(4 * values.length);
  values.forEach((value, i) => {
    if (!Number.isNaN(value)) paint(colours, i, distanceColour(value, farthest));
  });
  return colours;
}

function distancePicture(map: DistanceData): FlatPicture {
  const { columns, rows, values, coverage, farthest } = map;
  const colours = measuredColours(map);
  values.forEach((value, i) => {
    if (Number.isNaN(value) && coverage[i] > 0)
      paint(colours, i, [onlyFirst, onlySecond, beyond][coverage[i] - 1]);
  });
  const size = Math.hypot(...map.right) / columns;
  const millimetres = (value: number) => `${Number(value.toPrecision(2))} mm`;
  const deepest = deepestShare * farthest;
  const at = (value: number) => css(distanceColour(value, farthest));
  return {
    columns,
    rows,
    colours,
    mirrored: true,
    label: `Distances from the upper jaw down to the lower one, seen from above; ${millimetres(size)} per pixel`,
    legend: [
      { colour: at(-deepest), text: `overlap of ${millimetres(deepest)} or more` },
      { colour: at(-deepest / 2), text: millimetres(deepest / 2) },
      { colour: at(-1e-9), text: 'overlap begins' },
      { colour: at(0), text: 'touching' },
      { colour: at(farthest / 3), text: `${millimetres(farthest / 3)} apart` },
      { colour: at((2 * farthest) / 3), text: millimetres((2 * farthest) / 3) },
      { colour: at(farthest), text: millimetres(farthest) },
      { colour: css(beyond), text: 'farther' },
      { colour: css(onlyFirst), text: 'only the upper jaw' },
      { colour: css(onlySecond), text: 'only the lower jaw' },
    ],
    at(column, row) {
      const i = row * columns + column;
      const words = [
        'no jaw',
        'only the upper jaw',
        'only the lower jaw',
        `more than ${millimetres(farthest)}`,
      ];
      const value = values[i];
      if (Number.isNaN(value)) return `pixel ${column}, ${row}: ${words[coverage[i]]}`;
      const said = value < 0 ? `${millimetres(-value)} deep in each other` : `${millimetres(value)} apart`;
      return `pixel ${column}, ${row}: ${said}`;
    },
  };
}

function impactPicture({ columns, rows, values, name }: ImpactData): FlatPicture {
  const most = values.reduce((a, b) => Math.max(a, b), 0);
  const colours = new Uint8ClampedArray(4 * values.length);
  // Neither the darkest nor the lightest colour: both themes have backgrounds like them.
  const colour = (count: number) => heat(0.25 + (0.65 * count) / most);
  let total = 0;
  values.forEach((count, i) => {
    if (count > 0) paint(colours, i, colour(count));
    total += count;
  });
  const steps = [...new Set([1, Math.ceil(most / 2), most])].filter(count => count > 0);
  return {
    columns,
    rows,
    colours,
    label: `Impact map, ${name}: ${total.toLocaleString('en')} impacts`,
    legend: steps.map(count => ({
      colour: css(colour(count)),
      text: count === 1 ? '1 impact' : `${count}`,
    })),
    at: (column, row) => `${name}, ${column}, ${row}: ${values[row * columns + column]} impacts`,
  };
}
