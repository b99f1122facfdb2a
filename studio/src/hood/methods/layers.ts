// Steps of lines through two bodies: the collision map, test by test, by the order of the layers along each line.

import { CollisionCase, type LayersSteps } from 'nearfield';
import { bodyColours, hex, meetingColour, paint, quietColour } from '../colours.ts';
import { sheetLines, sheetOf } from '../lines.ts';
import type { FlatPicture, LinesData, MakeStep, StepView, ViewData } from '../types.ts';

/** The kinds of pixels in a step: a colour, a text, and which pixels have it. The first kind that matches counts. */
interface Kind {
  readonly colour: string;
  readonly text: string;
  has(pixel: number): boolean;
}

const { neither, a, b, c, d, e, f, onlyA, onlyB, meets } = CollisionCase;

const names: readonly string[] = [
  ...['neither', 'a: AABB, apart', 'b: ABAB, meet', 'c: BAAB, meet', 'd: ABBA, meet', 'e: BABA, meet'],
  ...['f: BBAA, apart', 'only A', 'only B', 'meet', 'apart', 'left out'],
];

/** A collision map, drawn by the GPU or the CPU. */
interface LinesMap {
  readonly view: ViewData;
  readonly cases: Uint8Array;
  readonly columns: number;
  readonly rows: number;
  /** Pixels per case. */
  readonly counts: Uint32Array;
  readonly meeting: number;
  orderAt(column: number, row: number): string | undefined;
}

type Passed = Pick<LayersSteps, 'passes' | 'meets'> & {
  readonly maps: readonly LinesMap[];
  readonly stats: Pick<LayersSteps['stats'], 'order' | 'general' | 'mostLayers' | 'rays'>;
};

/** The steps of lines that the CPU drew. */
export function cpuLayersViews({ map }: LinesData): MakeStep[] {
  const stats = { order: 'ab', general: 0, mostLayers: 0, rays: 0 } as const;
  if (map === undefined) return layersViews({ maps: [], passes: [], stats, meets: false });
  const { view, cases, farSide, nearSide, orders } = map;
  const { columns, rows } = view;
  const counts = new Uint32Array(CollisionCase.leftOut + 1);
  for (const value of cases) counts[value]++;
  const meeting = [b, c, d, e, meets].reduce<number>((sum, value) => sum + counts[value], 0);
  const orderAt = (column: number, row: number) => orders[row * columns + column];
  const general = nearSide.reduce((sum, bit) => sum + bit, 0);
  const mostLayers = orders.reduce((most, order) => Math.max(most, order.length), 0);
  return layersViews({
    maps: [{ view, cases, columns, rows, counts, meeting, orderAt }],
    passes: [{ farSide, nearSide }],
    stats: { ...stats, general, mostLayers },
    meets: meeting > 0,
  });
}

export function layersViews({ maps, passes, stats, meets: isMeeting }: Passed): MakeStep[] {
  const [map] = maps;
  if (map === undefined) {
    return [
      () => ({ sentence: 'The boxes of the bodies do not meet, so the bodies cannot meet.', facts: [] }),
    ];
  }
  const [{ farSide, nearSide }] = passes;
  const pixels = map.columns * map.rows;
  const overlapped =
    pixels - [neither, onlyA, onlyB].reduce<number>((sum, value) => sum + map.counts[value], 0);
  const countOf = (mask: Uint8Array) => mask.reduce((sum, bit) => sum + bit, 0);
  const [afterFar, afterNear] = [countOf(farSide), countOf(nearSide)];
  // The body that is drawn first, and the body that is counted against it.
  const [drawn, counted] = stats.order === 'ab' ? ['A', 'B'] : ['B', 'A'];
  const { one, both, apart, meeting, open, letters } = kindsOf(map);
  const mask: MakeStep = () => ({
    ...stepOf(map, [both('#f0c808', 'still open', nearSide), both('#d5d9de', 'decided by counting')]),
    sentence:
      'The lines that counting leaves open. They are drawn again with a list of all their layers. If there are only a few, they are cast exactly instead.',
    facts: [
      ['still open', afterNear],
      ['of lines through both', overlapped],
    ],
  });
  const ordered: MakeStep = () => ({
    ...stepOf(map, [
      apart('sorted: apart', nearSide),
      meeting(meetingColour, 'sorted: meet', nearSide),
      apart('apart, by counting', undefined, '#d5d9de'),
      meeting('#e59a92', 'meet, by counting'),
    ]),
    sentence:
      'These layers are sorted along the line. The bodies meet if the line enters one before it leaves the other.',
    facts: [
      ['sorted', stats.general],
      ['most layers on a line', stats.mostLayers],
      ['lines cast exactly', stats.rays],
    ],
  });
  return [
    () => ({
      ...stepOf(map, [...one, both('#8a4fb0', 'both')]),
      sentence:
        'One line per pixel passes through the box where the bodies’ boxes overlap, across its largest side. If a line passes through only one body or none, the two cannot meet there.',
      facts: [
        ['pixels', `${map.columns} × ${map.rows}`],
        ['pass both', overlapped],
      ],
    }),
    () => ({
      ...stepOf(map, [
        open(farSide, 'equal numbers enter and leave: still open'),
        apart('none: apart'),
        meeting(meetingColour, 'more enter than leave: meet'),
      ]),
      sentence: `Test 2: how many layers of ${counted} lie in front of the far side of ${drawn}? None: apart. One, which enters ${counted}: they meet. Two: ${counted} may lie inside ${drawn}, cross its front, or lie wholly in front of it.`,
      facts: [
        ['decided', overlapped - afterFar],
        ['still open', afterFar],
      ],
    }),
    () => ({
      ...stepOf(map, [
        open(nearSide, 'still open'),
        ...letters(farSide),
        apart('apart', farSide),
        meeting(meetingColour, 'meet', farSide),
        both('#d5d9de', 'known before'),
      ]),
      sentence: `Test 3, for the lines that test 2 left open: how many layers of ${counted} also lie in front of the near side of ${drawn}? All: apart. Fewer: they meet, if the line passes ${drawn} once.`,
      facts: [
        ['decided', afterFar - afterNear],
        ['still open', afterNear],
      ],
    }),
    ...(afterNear > 0 ? [mask, ordered] : []),
    () => ({
      ...stepOf(map, [...one, apart('both, apart'), meeting(meetingColour, 'the bodies meet')]),
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

/** The kinds of pixels of a map; with a mask, only of pixels in the mask. */
function kindsOf(map: LinesMap) {
  const { cases } = map;
  const isOf =
    (...wanted: readonly number[]) =>
    (pixel: number) =>
      wanted.includes(cases[pixel]);
  const passesBoth = (pixel: number) => !isOf(neither, onlyA, onlyB)(pixel);
  const isMeeting = (pixel: number) => isOf(b, c, d, e, meets)(pixel);
  const within = (mask: Uint8Array | undefined, holds: (pixel: number) => boolean) => (pixel: number) =>
    (mask === undefined || mask[pixel] === 1) && holds(pixel);
  const letterKinds = [
    { colour: '#7d8791', text: 'f BBAA: apart', value: f },
    { colour: '#7d8791', text: 'a AABB: apart', value: a },
    { colour: '#a8325e', text: 'd ABBA: meet', value: d },
    { colour: '#c2185b', text: 'e BABA: meet', value: e },
    { colour: '#d43a3a', text: 'b ABAB: meet', value: b },
    { colour: '#e8743b', text: 'c BAAB: meet', value: c },
  ];
  return {
    one: [
      { colour: bodyColours[0], text: 'only A', has: isOf(onlyA) },
      { colour: bodyColours[1], text: 'only B', has: isOf(onlyB) },
    ],
    both: (colour: string, text: string, mask?: Uint8Array): Kind => ({
      ...{ colour, text, has: within(mask, passesBoth) },
    }),
    apart: (text: string, mask?: Uint8Array, colour: string = quietColour): Kind => ({
      ...{ colour, text, has: within(mask, pixel => passesBoth(pixel) && !isMeeting(pixel)) },
    }),
    meeting: (colour: string, text: string, mask?: Uint8Array): Kind => ({
      ...{ colour, text, has: within(mask, isMeeting) },
    }),
    open: (mask: Uint8Array, text: string): Kind => ({
      ...{ colour: '#f0c808', text, has: within(mask, passesBoth) },
    }),
    letters: (mask: Uint8Array): Kind[] =>
      letterKinds.map(({ colour, text, value }) => ({ colour, text, has: within(mask, isOf(value)) })),
  };
}

function stepOf(map: LinesMap, kinds: readonly Kind[]): Pick<StepView, 'picture' | 'sheet' | 'frame'> {
  const sheet = sheetOf(map.view);
  return { picture: pictureOf(map, kinds), sheet, frame: sheetLines(sheet) };
}

function pictureOf(map: LinesMap, kinds: readonly Kind[]): FlatPicture {
  const { columns, rows, cases } = map;
  const colours = new Uint8ClampedArray(4 * columns * rows);
  const used = new Set<Kind>();
  for (let pixel = 0; pixel < cases.length; pixel++) {
    const kind = kinds.find(one => one.has(pixel));
    if (kind === undefined) continue;
    used.add(kind);
    paint(colours, pixel, hex(kind.colour));
  }
  return {
    columns,
    rows,
    colours,
    mirrored: true,
    label: 'One pixel per line, seen along the lines',
    legend: kinds.filter(kind => used.has(kind)).map(({ colour, text }) => ({ colour, text })),
    at(column, row) {
      const order = map.orderAt(column, row);
      return `line ${column}, ${row}: ${names[cases[row * columns + column]]}${order ? ` (${order})` : ''}`;
    },
  };
}
