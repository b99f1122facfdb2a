// Lines through two bodies, and what the order of their layers says: the collision map, test by test.

import { CollisionCase, type CollisionMap, type LayersSteps } from 'nearfield';
import { bodyColours, hex, meetingColour, paint, quietColour } from '../colours.ts';
import { sheetLines, sheetOf } from '../lines.ts';
import type { FlatPicture, MakeStep, StepView } from '../types.ts';

/** What pixels are told apart by in a step: a colour, words, and which pixels have it; the first that does. */
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

export function layersViews({ maps, passes, stats, meets: isMeeting }: LayersSteps): MakeStep[] {
  const [map] = maps;
  if (map === undefined) {
    return [() => ({ sentence: 'The bodies’ boxes do not meet: there is nothing to look at.', facts: [] })];
  }
  const [{ farSide, nearSide }] = passes;
  const pixels = map.columns * map.rows;
  const overlapped =
    pixels - [neither, onlyA, onlyB].reduce<number>((sum, value) => sum + map.counts[value], 0);
  const countOf = (mask: Uint8Array) => mask.reduce((sum, bit) => sum + bit, 0);
  const [afterFar, afterNear] = [countOf(farSide), countOf(nearSide)];
  // Who was drawn first, and who was counted against it.
  const [drawn, counted] = stats.order === 'ab' ? ['A', 'B'] : ['B', 'A'];
  const { one, both, apart, meeting, open, letters } = kindsOf(map);
  const mask: MakeStep = () => ({
    ...stepOf(map, [both('#f0c808', 'still open', nearSide), both('#d5d9de', 'decided by counting')]),
    sentence:
      'What counting leaves open. These lines are drawn again with all their layers in lists; where they are few, they are cast exactly instead.',
    facts: [
      ['still open', afterNear],
      ['of lines that pass both', overlapped],
    ],
  });
  const ordered: MakeStep = () => ({
    ...stepOf(map, [
      apart('in order: apart', nearSide),
      meeting(meetingColour, 'in order: meet', nearSide),
      apart('apart, by counting', undefined, '#d5d9de'),
      meeting('#e59a92', 'meet, by counting'),
    ]),
    sentence:
      'Those are put in order along the line: where one body is entered before the other is left, they meet.',
    facts: [
      ['put in order', stats.general],
      ['most layers on a line', stats.mostLayers],
      ['lines cast exactly', stats.rays],
    ],
  });
  return [
    () => ({
      ...stepOf(map, [...one, both('#8a4fb0', 'both')]),
      sentence:
        'Lines go through what the bodies’ boxes have in common, across its largest wall, one a pixel. Where a line passes only one body, or none, the two cannot meet.',
      facts: [
        ['pixels', `${map.columns} × ${map.rows}`],
        ['pass both', overlapped],
      ],
    }),
    () => ({
      ...stepOf(map, [
        open(farSide, 'as many enter as leave: still open'),
        apart('none: apart'),
        meeting(meetingColour, 'more enter than leave: meet'),
      ]),
      sentence: `Test 2: which layers of ${counted} lie before ${drawn}’s far side? None: apart. One that is entered and not left: they meet. Two: ${counted} may lie in ${drawn}, across its front, or wholly before it.`,
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
      sentence: `Test 3, of what test 2 left open: which layers of ${counted} lie before ${drawn}’s near side as well? All: apart. Fewer: they meet, if ${drawn} is passed once.`,
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

/** Kinds of a map's pixels; with a mask, of those in it alone. */
function kindsOf(map: CollisionMap) {
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

function stepOf(map: CollisionMap, kinds: readonly Kind[]): Pick<StepView, 'picture' | 'sheet' | 'frame'> {
  const sheet = sheetOf(map.view);
  return { picture: pictureOf(map, kinds), sheet, frame: sheetLines(sheet) };
}

function pictureOf(map: CollisionMap, kinds: readonly Kind[]): FlatPicture {
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
    label: 'A pixel a line, as seen along the lines',
    legend: kinds.filter(kind => used.has(kind)).map(({ colour, text }) => ({ colour, text })),
    at(column, row) {
      const order = map.orderAt(column, row);
      return `line ${column}, ${row}: ${names[cases[row * columns + column]]}${order ? ` (${order})` : ''}`;
    },
  };
}
