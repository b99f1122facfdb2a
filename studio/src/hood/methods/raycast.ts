// Steps of rays cast at edges: the nearest edge per pixel, how many faces were entered and left in front of it, and
// which edges lie in the other body.

import type { RaycastSteps } from 'nearfield';
import { bodyColours, css, heat, hex, meetingColour, paint, quietColour, type Rgb } from '../colours.ts';
import { sheetLines, sheetOf } from '../lines.ts';
import type { EdgesPicture, FlatPicture, MakeStep, StepView, ViewData } from '../types.ts';

export function raycastViews({ pictures, meets }: RaycastSteps): MakeStep[] {
  return edgesViews(pictures[0], meets);
}

/** `picture`: drawn by the GPU or the CPU; undefined if the boxes of the bodies do not meet. */
export function edgesViews(picture: EdgesPicture | undefined, meets: boolean): MakeStep[] {
  if (picture === undefined) {
    return [
      () => ({ sentence: 'The boxes of the bodies do not meet, so the bodies cannot meet.', facts: [] }),
    ];
  }
  const { view, body, all, others, offset } = picture;
  const count = (holds: (pixel: number) => boolean) =>
    body.reduce((sum, owner, pixel) => sum + (owner > 0 && holds(pixel) ? 1 : 0), 0);
  const edges = count(() => true);
  return [
    () => ({
      ...stepOf(picture, ownerPicture(picture)),
      sentence:
        'All edges of both bodies are drawn, moved outward a little. Each pixel keeps the nearest edge: its body and its depth.',
      facts: [
        ['pixels', `${view.columns} × ${view.rows}`],
        ['with an edge', edges],
        ['moved outward by', offset.toPrecision(3)],
      ],
    }),
    () => ({
      ...stepOf(picture, depthPicture(picture)),
      sentence:
        'The depths of these edges. The depth buffer is kept from here on; the faces are compared with it.',
      facts: [['with an edge', edges]],
    }),
    () => ({
      ...stepOf(picture, countPicture(picture, all)),
      sentence:
        'Now all faces are drawn. The stencil counts the faces in front of the edge: plus one for a face that is entered, minus one for a face that is left.',
      facts: [
        ['in some body', count(pixel => all[pixel] > 0)],
        ['in none', count(pixel => all[pixel] === 0)],
      ],
    }),
    () => ({
      ...stepOf(picture, countPicture(picture, others)),
      sentence:
        'The faces of the edge’s own body are subtracted again, because an edge may seem to lie in its own body. If the count is still above zero, the edge lies in the other body.',
      facts: [
        ['in the other body', count(pixel => others[pixel] > 0)],
        ['only in their own', count(pixel => all[pixel] > 0 && others[pixel] === 0)],
      ],
    }),
    () => ending(picture, meets),
  ];
}

function stepOf({ view }: EdgesPicture, picture: FlatPicture): Pick<StepView, 'picture' | 'sheet' | 'frame'> {
  const sheet = sheetOf(view);
  return { picture, sheet, frame: sheetLines(sheet) };
}

/** One colour per pixel with an edge. */
function painted(
  picture: EdgesPicture,
  colourOf: (pixel: number) => Rgb,
  legend: FlatPicture['legend'],
): FlatPicture {
  const { view, body, depth, all, others } = picture;
  const { columns, rows } = view;
  const colours = new Uint8ClampedArray(4 * columns * rows);
  body.forEach((owner, pixel) => {
    if (owner > 0) paint(colours, pixel, colourOf(pixel));
  });
  return {
    columns,
    rows,
    colours,
    legend,
    mirrored: true,
    label: 'Pixels with an edge, seen along the view direction',
    at(column, row) {
      const pixel = row * columns + column;
      if (body[pixel] === 0) return `pixel ${column}, ${row}: no edge`;
      const owner = ' AB'[body[pixel]];
      return `pixel ${column}, ${row}: an edge of ${owner}, depth ${depth[pixel].toFixed(3)}, count ${all[pixel]}, of the other body ${others[pixel]}`;
    },
  };
}

function ownerPicture(picture: EdgesPicture): FlatPicture {
  return painted(picture, pixel => hex(bodyColours[picture.body[pixel] - 1]), [
    { colour: bodyColours[0], text: 'nearest edge is of A' },
    { colour: bodyColours[1], text: 'nearest edge is of B' },
  ]);
}

function depthPicture(picture: EdgesPicture): FlatPicture {
  const { depth, body } = picture;
  let [near, far] = [Infinity, -Infinity];
  depth.forEach((value, pixel) => {
    if (body[pixel] === 0) return;
    near = Math.min(near, value);
    far = Math.max(far, value);
  });
  const share = (value: number) => 1 - (value - near) / (far - near || 1);
  return painted(picture, pixel => heat(share(depth[pixel])), [
    { colour: css(heat(1)), text: `near, ${near.toFixed(2)}` },
    { colour: css(heat(0.5)), text: ((near + far) / 2).toFixed(2) },
    { colour: css(heat(0)), text: `far, ${far.toFixed(2)}` },
  ]);
}

const countColours = [quietColour, meetingColour, '#7d120d'] as const;
const openColour = '#8a4fb0';

function countPicture(picture: EdgesPicture, counts: Int8Array): FlatPicture {
  const colourOf = (value: number) => (value < 0 ? openColour : countColours[Math.min(value, 2)]);
  const used = new Set<string>();
  picture.body.forEach((owner, pixel) => {
    if (owner > 0) used.add(colourOf(counts[pixel]));
  });
  return painted(
    picture,
    pixel => hex(colourOf(counts[pixel])),
    [
      { colour: countColours[0], text: '0: outside' },
      { colour: countColours[1], text: '1: inside one' },
      { colour: countColours[2], text: '2 and more' },
      { colour: openColour, text: 'below 0: a mesh is open' },
    ].filter(({ colour }) => used.has(colour)),
  );
}

/** The world position of a place in the picture. */
function placeOf(
  { origin, right, up, direction, pixel }: ViewData,
  column: number,
  row: number,
  depth: number,
): number[] {
  return origin.map(
    (from, axis) => from + pixel * (right[axis] * column + up[axis] * row) + direction[axis] * depth,
  );
}

function ending(picture: EdgesPicture, meets: boolean): StepView {
  const { view, body, depth, others } = picture;
  const points: number[] = [];
  body.forEach((owner, pixel) => {
    if (owner === 0 || others[pixel] <= 0) return;
    const [column, row] = [pixel % view.columns, Math.floor(pixel / view.columns)];
    points.push(...placeOf(view, column + 0.5, row + 0.5, depth[pixel]));
  });
  return {
    sentence: meets
      ? 'Points of edges that lie in the other body: the two meet. This way examines only the nearest edge per pixel; the edges behind it are found with lists of all faces.'
      : 'No visible edge lies in the other body. An edge behind nearer ones may.',
    facts: [['points of edges in the other body', points.length / 3]],
    frame: sheetLines(sheetOf(view)),
    points: Float32Array.from(points),
    pointSize: 0.8 * view.pixel,
    picture: painted(
      picture,
      pixel => (others[pixel] > 0 ? hex(meetingColour) : hex(bodyColours[body[pixel] - 1])),
      [
        { colour: bodyColours[0], text: 'edge of A' },
        { colour: bodyColours[1], text: 'edge of B' },
        { colour: meetingColour, text: 'in the other body' },
      ],
    ),
  };
}
