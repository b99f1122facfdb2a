// Lines through two bodies, and what the order of their layers says: the collision map, test by test.

import { CollisionCase, type CollisionMap, type LayersSteps } from 'nearfield';
import { bodyColours, hex, meetingColour, paint, quietColour } from '../colours.ts';
import { sheetLines, sheetOf } from '../lines.ts';
import type { FlatPicture, MakeStep, StepView } from '../types.ts';

/** What pixels are told apart by in a step: a colour, words, and the cases that have it. */
interface Kind {
  readonly colour: string;
  readonly text: string;
  readonly cases: readonly number[];
}

const { neither, a, b, c, d, e, f, onlyA, onlyB, meets, clear, leftOut } = CollisionCase;
const one: Kind[] = [
  { colour: bodyColours[0], text: 'only A', cases: [onlyA] },
  { colour: bodyColours[1], text: 'only B', cases: [onlyB] },
];
const open: Kind = { colour: '#f0c808', text: 'still open', cases: [] };
const many = [meets, clear, leftOut];

const kindsOf: Readonly<Record<'passed' | 'far' | 'near' | 'ordered' | 'found', readonly Kind[]>> = {
  passed: [...one, { colour: '#8a4fb0', text: 'both', cases: [a, b, c, d, e, f, ...many] }],
  far: [
    { colour: quietColour, text: 'AABB: apart', cases: [a] },
    { colour: meetingColour, text: 'one layer of B before A’s far side: meet', cases: [b, c] },
    { ...open, text: 'two or more: still open', cases: [d, e, f, ...many] },
  ],
  near: [
    { colour: quietColour, text: 'a AABB, f BBAA: apart', cases: [a, f] },
    { colour: '#d43a3a', text: 'b ABAB', cases: [b] },
    { colour: '#e8743b', text: 'c BAAB', cases: [c] },
    { colour: '#a8325e', text: 'd ABBA', cases: [d] },
    { colour: '#c2185b', text: 'e BABA', cases: [e] },
    { ...open, text: 'a body passed more than once', cases: many },
  ],
  ordered: [
    { colour: quietColour, text: 'apart', cases: [a, f, clear] },
    { colour: '#e59a92', text: 'meet, known before', cases: [b, c, d, e] },
    { colour: meetingColour, text: 'meet, by counting or by all layers in order', cases: [meets] },
    { ...open, text: 'left out', cases: [leftOut] },
  ],
  found: [
    ...one,
    { colour: quietColour, text: 'both, apart', cases: [a, f, clear, leftOut] },
    { colour: meetingColour, text: 'the bodies meet', cases: [b, c, d, e, meets] },
  ],
};

const names: readonly string[] = [
  ...['neither', 'a: AABB, apart', 'b: ABAB, meet', 'c: BAAB, meet', 'd: ABBA, meet', 'e: BABA, meet'],
  ...['f: BBAA, apart', 'only A', 'only B', 'meet', 'apart', 'left out'],
];

export function layersViews({ maps, stats, meets: isMeeting }: LayersSteps): MakeStep[] {
  const [map] = maps;
  if (map === undefined) {
    return [() => ({ sentence: 'The bodies’ boxes do not meet: there is nothing to look at.', facts: [] })];
  }
  const pixels = map.columns * map.rows;
  const count = (...cases: readonly number[]) => cases.reduce((sum, value) => sum + map.counts[value], 0);
  const overlapped = pixels - count(neither, onlyA, onlyB);
  return [
    () => ({
      ...stepOf(map, 'passed'),
      sentence:
        'Lines go through what the bodies’ boxes have in common, across its largest wall, one a pixel. Where a line passes only one body, or none, the two cannot meet.',
      facts: [
        ['pixels', `${map.columns} × ${map.rows}`],
        ['pass both', overlapped],
      ],
    }),
    () => ({
      ...stepOf(map, 'far'),
      sentence:
        'Test 2: how many layers of B lie before A’s far side? None: apart. One: they meet. Two: B may lie in A, across its front, or wholly before it.',
      facts: [
        ['decided', count(a, b, c)],
        ['still open', overlapped - count(a, b, c)],
      ],
    }),
    () => ({
      ...stepOf(map, 'near'),
      sentence:
        'Test 3: how many of them lie before A’s near side as well? That tells all six orders of two and two layers.',
      facts: [
        ['decided', count(a, b, c, d, e, f)],
        ['a body passed more than once', count(...many)],
      ],
    }),
    () => ({
      ...stepOf(map, 'ordered'),
      sentence:
        'Where a body is passed more than once, layers are counted if the other is passed once, or else all of them are put in order along the line.',
      facts: [
        ['put in order', stats.general],
        ['most layers on a line', stats.mostLayers],
        ['lines cast exactly', stats.rays],
      ],
    }),
    () => ({
      ...stepOf(map, 'found'),
      sentence: isMeeting
        ? `The bodies meet along ${map.meeting.toLocaleString('en')} of ${pixels.toLocaleString('en')} lines.`
        : 'The bodies meet along no line.',
      facts: [
        ['lines that show it', map.meeting],
        ['side of a pixel', map.view.pixel.toPrecision(3)],
        ['views', maps.length],
      ],
    }),
  ];
}

function stepOf(
  map: CollisionMap,
  kind: keyof typeof kindsOf,
): Pick<StepView, 'picture' | 'sheet' | 'frame'> {
  const sheet = sheetOf(map.view);
  return { picture: pictureOf(map, kindsOf[kind]), sheet, frame: sheetLines(sheet) };
}

function pictureOf(map: CollisionMap, kinds: readonly Kind[]): FlatPicture {
  const { columns, rows, cases } = map;
  const colours = new Uint8ClampedArray(4 * columns * rows);
  const kindOf = Array.from({ length: leftOut + 1 }, (_, value) =>
    kinds.find(kind => kind.cases.includes(value)),
  );
  cases.forEach((value, i) => {
    const kind = kindOf[value];
    if (kind) paint(colours, i, hex(kind.colour));
  });
  return {
    columns,
    rows,
    colours,
    mirrored: true,
    label: 'A pixel a line, as seen along the lines',
    legend: kinds
      .filter(({ cases: own }) => own.some(value => map.counts[value] > 0))
      .map(({ colour, text }) => ({ colour, text })),
    at(column, row) {
      const order = map.orderAt(column, row);
      return `line ${column}, ${row}: ${names[cases[row * columns + column]]}${order ? ` (${order})` : ''}`;
    },
  };
}
