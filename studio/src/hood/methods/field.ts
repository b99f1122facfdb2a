// Steps of slices through two solids: which samples lie in which, the distance of each to either surface, and the
// common volume.

import { bodyColours, css, hex, meetingColour, paint, sides } from '../colours.ts';
import { boxLines } from '../lines.ts';
import type { FieldData, FlatPicture, MakeStep, Sheet, StepView } from '../types.ts';

/** The number of slices to show, whatever the total. */
const shown = 12;
const none = new Float64Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);

export function fieldViews(data: FieldData): MakeStep[] {
  const [, , slices] = data.grid.dimensions;
  const chosen = Array.from({ length: Math.min(shown, slices) }, (_, i) =>
    Math.floor(((i + 0.5) * slices) / Math.min(shown, slices)),
  );
  const middle = chosen[chosen.length >> 1];
  return [
    () => beginning(data),
    ...chosen.map(
      (k, i): MakeStep =>
        () =>
          sliceView(data, k, i === 0),
    ),
    () => distanceView(data, middle, 0),
    () => distanceView(data, middle, 1),
    () => ending(data),
  ];
}

function frameOf({ grid: { origin, cell, dimensions } }: FieldData): Float32Array {
  const half = dimensions.map(samples => (samples * cell) / 2);
  return boxLines(Float64Array.of(...origin.map((low, axis) => low + half[axis]), ...half), [0], none);
}

function beginning(data: FieldData): StepView {
  const { dimensions, cell } = data.grid;
  const samples = dimensions[0] * dimensions[1] * dimensions[2];
  return {
    sentence:
      'The bodies can meet only where their boxes overlap. That box is sampled slice by slice, at the middle of every cell.',
    facts: [
      ['samples', samples],
      ['along x, y, z', dimensions.join(' × ')],
      ['side of a cell', cell.toPrecision(3)],
    ],
    frame: frameOf(data),
  };
}

function sheetOf({ grid: { origin, cell, dimensions } }: FieldData, k: number): Sheet {
  return {
    corner: [origin[0], origin[1], origin[2] + (k + 0.5) * cell],
    right: [dimensions[0] * cell, 0, 0],
    up: [0, dimensions[1] * cell, 0],
  };
}

const ink = hex('#1b1f24');
const inks = { a: hex(bodyColours[0]), b: hex(bodyColours[1]), both: hex(meetingColour) };

function sliceView(data: FieldData, k: number, isFirst: boolean): StepView {
  const { grid, distances } = data;
  const [nx, ny, nz] = grid.dimensions;
  const colours = new Uint8ClampedArray(4 * nx * ny);
  const counts = [0, 0, 0];
  for (let i = 0; i < nx * ny; i++) {
    const [inA, inB] = distances.map(distance => distance[nx * ny * k + i] <= 0);
    if (inA) counts[0]++;
    if (inB) counts[1]++;
    if (inA && inB) counts[2]++;
    if (inA || inB) paint(colours, i, inA && inB ? inks.both : inA ? inks.a : inks.b);
  }
  const how = isFirst
    ? 'Along a line from below, a sample is inside a body if the line has entered the surface more often than it has left it. '
    : '';
  const what =
    counts[2] > 0
      ? `${counts[2]} samples of this slice lie in both.`
      : 'No sample of this slice lies in both.';
  return {
    sentence: how + what,
    facts: [
      ['slice', `${k + 1} of ${nz}`],
      ['in A', counts[0]],
      ['in B', counts[1]],
      ['in both', counts[2]],
    ],
    frame: frameOf(data),
    sheet: sheetOf(data, k),
    picture: {
      columns: nx,
      rows: ny,
      colours,
      label: 'A slice across z: x from left to right, y from below',
      legend: [
        { colour: bodyColours[0], text: 'in A' },
        { colour: bodyColours[1], text: 'in B' },
        { colour: meetingColour, text: 'in both' },
      ],
      at: sampleWords(data, k),
    },
  };
}

function sampleWords({ grid, distances }: FieldData, k: number): FlatPicture['at'] {
  const [nx, ny] = grid.dimensions;
  return (column, row) => {
    const place = [column, row, k].map((i, axis) => (grid.origin[axis] + (i + 0.5) * grid.cell).toFixed(2));
    const [a, b] = distances.map(distance => distance[nx * ny * k + row * nx + column].toFixed(3));
    return `(${place.join(', ')}): ${a} from A, ${b} from B`;
  };
}

function distanceView(data: FieldData, k: number, side: 0 | 1): StepView {
  const { grid, distances } = data;
  const [nx, ny] = grid.dimensions;
  const values = distances[side].subarray(nx * ny * k, nx * ny * (k + 1));
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  const colours = new Uint8ClampedArray(4 * nx * ny);
  for (let i = 0; i < values.length; i++) {
    const right = i % nx === nx - 1 ? i : i + 1;
    const above = i + nx < values.length ? i + nx : i;
    const isSurface = values[i] <= 0 !== values[right] <= 0 || values[i] <= 0 !== values[above] <= 0;
    paint(colours, i, isSurface ? ink : sides(values[i] / largest));
  }
  const name = 'AB'[side];
  return {
    sentence: `The distance of each sample to the surface of ${name}, negative inside, measured to the nearest triangle.`,
    facts: [
      ['slice', `${k + 1} of ${grid.dimensions[2]}`],
      ['deepest inside', (-values.reduce((least, value) => Math.min(least, value), 0)).toPrecision(3)],
      ['farthest outside', values.reduce((most, value) => Math.max(most, value), 0).toPrecision(3)],
    ],
    frame: frameOf(data),
    sheet: sheetOf(data, k),
    picture: {
      columns: nx,
      rows: ny,
      colours,
      label: `Distances to ${name} in a slice across z: x from left to right, y from below`,
      legend: [
        { colour: css(sides(-0.7)), text: `inside ${name}` },
        { colour: css(ink), text: 'its surface' },
        { colour: css(sides(0.7)), text: 'outside' },
      ],
      at: sampleWords(data, k),
    },
  };
}

/** If there are more samples than this, only some are drawn. */
const most = 600;

function ending(data: FieldData): StepView {
  const { points, ways, volume, deepest } = data;
  const isMeeting = points.length > 0;
  const every = Math.ceil(points.length / 3 / most);
  const drawn = (_: number, i: number) => Math.floor(i / 3) % every === 0;
  return {
    sentence: isMeeting
      ? 'The samples in both bodies. Each arrow is the shortest way out: to the nearest point of either surface.'
      : 'No sample lies in both bodies. If they overlap, the common volume is too thin for a ball whose radius is half the diagonal of a cell.',
    facts: [
      ['samples in both', points.length / 3],
      ['drawn', every > 1 ? `one in ${every}` : 'all'],
      ['common volume', volume.toPrecision(3)],
      ['deepest sample', deepest.toPrecision(3)],
    ],
    frame: frameOf(data),
    points: points.filter(drawn),
    ways: ways.filter(drawn),
    pointSize: 0.3 * data.grid.cell,
  };
}
