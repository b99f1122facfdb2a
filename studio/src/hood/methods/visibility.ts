// Steps of views along the axes: the nearest surface of each view, and the triangles that it cannot show to be clear of
// the other body. First a coarse view of everything, then a finer view of what is left. The trees test whatever no view
// shows to be clear.

import type { SeenLook, SeenView, VisibilitySteps } from 'nearfield';
import { bodyColours, hex, meetingColour, mix, paint } from '../colours.ts';
import { boxLines } from '../lines.ts';
import type { FlatPicture, MakeStep, Sheet, StepView, Two } from '../types.ts';

const here = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

export function visibilityViews(steps: VisibilitySteps, two: Two): MakeStep[] {
  const { glance, close, trianglePairs } = steps;
  if (close.views.length === 0) {
    return [
      () => ({ sentence: 'The boxes of the bodies do not meet, so the bodies cannot meet.', facts: [] }),
    ];
  }
  const all = two.map(({ indices }) => indices.length / 3);
  const frame = frameOf(steps);
  const pixels = ({ resolution }: SeenLook) => `${resolution} × ${resolution}`;
  const viewsOf = (look: SeenLook, words: string) =>
    look.views.map(
      (_, at): MakeStep =>
        () =>
          viewStep(steps, look, at, words),
    );
  const left = ({ kept }: SeenLook, of: number) => [
    ['looked at', of] as const,
    ['left of A', kept[0].length] as const,
    ['left of B', kept[1].length] as const,
  ];
  const leftBy = ({ kept }: SeenLook) => kept[0].length + kept[1].length;
  return [
    () => ({
      sentence:
        'The box where the bodies’ boxes overlap is viewed along x, y and z, from both ends: first coarsely, then more finely. A triangle that lies wholly in front of the other body in some view cannot meet it.',
      facts: [
        ['triangles of A, of B', all.map(count => count.toLocaleString('en')).join(', ')],
        ['views per pass', glance.views.length],
        ['pixels of the coarse pass', pixels(glance)],
        ['pixels of the fine pass', pixels(close)],
      ],
      frame,
    }),
    ...viewsOf(glance, 'A glance'),
    () => ({
      sentence: `The coarse pass leaves ${leftBy(glance).toLocaleString('en')} of ${(all[0] + all[1]).toLocaleString('en')} triangles, which are highlighted. Only these go to the fine pass, with sixteen times the pixels.`,
      facts: left(glance, all[0] + all[1]),
      frame,
      lit: glance.kept,
    }),
    ...viewsOf(close, 'A closer look'),
    () => ({
      sentence: `A second round over the remaining triangles shows more of them to be clear, and leaves ${leftBy(close).toLocaleString('en')}. The trees test these; the others certainly meet nothing.`,
      facts: left(close, leftBy(glance)),
      frame,
      lit: close.kept,
    }),
    () => ({
      sentence: `${(trianglePairs.length / 2).toLocaleString('en')} of the remaining ${(close.kept[0].length * close.kept[1].length).toLocaleString('en')} pairs of triangles meet. No pair is ever lost.`,
      facts: [
        ['all pairs of triangles', all[0] * all[1]],
        ['left after the views', close.kept[0].length * close.kept[1].length],
        ['meet', trianglePairs.length / 2],
      ],
      lit: [trianglePairs.filter((_, i) => i % 2 === 0), trianglePairs.filter((_, i) => i % 2 === 1)],
    }),
  ];
}

function frameOf({ window }: VisibilitySteps): Float32Array {
  const half = [0, 1, 2].map(axis => (window[axis + 3] - window[axis]) / 2);
  return boxLines(Float64Array.of(...half.map((value, axis) => window[axis] + value), ...half), [0], here);
}

const names = ['x', 'y', 'z'] as const;

function viewStep(
  steps: VisibilitySteps,
  { views, resolution }: SeenLook,
  at: number,
  words: string,
): StepView {
  const { axis, from } = views[at];
  const left = [0, 1].map(side => {
    const [first, ...others] = views.slice(0, at + 1).map(({ overlapping }) => overlapping[side]);
    const sets = others.map(list => new Set(list));
    return first.filter(triangle => sets.every(set => set.has(triangle)));
  });
  const how =
    at === 0
      ? 'each pixel keeps the nearest depth and its body, and the nearest depth of the other body. This view leaves the highlighted triangles: in some pixel they are not wholly in front of the other body.'
      : 'together with the views before it, this one leaves the highlighted triangles.';
  return {
    sentence: `${words} along ${names[axis]}, from its ${from === 1 ? 'low' : 'high'} end: ${how}`,
    facts: [
      ['pixels', `${resolution} × ${resolution}`],
      ['left of A', left[0].length],
      ['left of B', left[1].length],
    ],
    frame: frameOf(steps),
    lit: [left[0], left[1]],
    picture: pictureOf(views[at], resolution),
    sheet: sheetOf(steps, views[at]),
  };
}

/** The side of the box that faces the viewer. */
function sheetOf({ window }: VisibilitySteps, { axis, from }: SeenView): Sheet {
  const [column, row] = [(axis + 1) % 3, (axis + 2) % 3];
  const corner = [window[0], window[1], window[2]];
  if (from === -1) corner[axis] = window[axis + 3];
  const along = (side: number) =>
    [0, 1, 2].map(other => (other === side ? window[other + 3] - window[other] : 0));
  return { corner, right: along(column), up: along(row) };
}

const inks = [hex(bodyColours[0]), hex(bodyColours[1])] as const;
const [both, dark] = [hex(meetingColour), hex('#14171b')];

/** Nearer pixels are brighter. They are redder if the other body is visible behind them. */
function pictureOf({ axis, nearest, second, owner }: SeenView, resolution: number): FlatPicture {
  const colours = new Uint8ClampedArray(4 * resolution * resolution);
  owner.forEach((body, i) => {
    if (body === 0) return;
    const own = mix(inks[body - 1], dark, 0.6 * nearest[i]);
    paint(colours, i, Number.isFinite(second[i]) ? mix(own, both, 0.45) : own);
  });
  const [column, row] = [names[(axis + 1) % 3], names[(axis + 2) % 3]];
  const share = (depth: number) => (Number.isFinite(depth) ? depth.toFixed(3) : 'none');
  return {
    columns: resolution,
    rows: resolution,
    colours,
    label: `${column} from left to right, ${row} from bottom to top; nearer is brighter`,
    legend: [
      { colour: bodyColours[0], text: 'A nearest' },
      { colour: bodyColours[1], text: 'B nearest' },
      { colour: meetingColour, text: 'redder: the other body is there too' },
    ],
    at(columnAt, rowAt) {
      const i = rowAt * resolution + columnAt;
      if (owner[i] === 0) return `pixel ${columnAt}, ${rowAt}: nothing`;
      return `pixel ${columnAt}, ${rowAt}: ${' AB'[owner[i]]} at ${share(nearest[i])} of the way, the other at ${share(second[i])}`;
    },
  };
}
