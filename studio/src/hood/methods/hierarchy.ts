// Steps of the trees and their front: the boxes that meet, level by level, drawn on the bodies and as a matrix of all
// pairs of nodes.

import type { FrontLevel, HierarchySteps } from 'nearfield';
import { hex, meetingColour, paint, quietColour } from '../colours.ts';
import { boxLines } from '../lines.ts';
import type { FlatPicture, MakeStep, StepView, Two } from '../types.ts';

const count = (value: number): string => value.toLocaleString('en');

export function hierarchyViews(steps: HierarchySteps, two: Two): MakeStep[] {
  const { levels, triangles, candidates, trianglePairs } = steps;
  const views = levels.map(
    (_, i): MakeStep =>
      () =>
        levelView(steps, i, two),
  );
  const all = triangles[0].length * triangles[1].length;
  views.push(() => ({
    sentence: `${count(candidates)} of ${count(all)} pairs of triangles are in leaves that meet. They are tested exactly, and ${count(trianglePairs.length / 2)} meet.`,
    facts: [
      ['all pairs of triangles', all],
      ['compared', candidates],
      ['meet', trianglePairs.length / 2],
      ['pairs of boxes tested', levels.reduce((sum, { tested }) => sum + tested, 0)],
    ],
    lit: [trianglePairs.filter((_, i) => i % 2 === 0), trianglePairs.filter((_, i) => i % 2 === 1)],
    ...(levels.length > 0 && { picture: matrixOf(levels.length - 1, levels) }),
  }));
  return views;
}

function levelView({ levels }: HierarchySteps, at: number, two: Two): StepView {
  const { a, b, front, tested } = levels[at];
  const nodes = [new Set<number>(), new Set<number>()] as const;
  for (const [i, node] of front.entries()) nodes[i % 2].add(node);
  return {
    sentence: sentenceOf(levels, at),
    facts: [
      ['boxes of A, of B', `${count(a.count)}, ${count(b.count)}`],
      ['all pairs', a.count * b.count],
      ['compared', tested],
      ['meet', front.length / 2],
    ],
    boxes: [boxLines(a.boxes, nodes[0], two[0].pose), boxLines(b.boxes, nodes[1], two[1].pose)],
    picture: matrixOf(at, levels),
  };
}

function sentenceOf(levels: readonly FrontLevel[], at: number): string {
  const { a, b, front, tested } = levels[at];
  const meeting = front.length / 2;
  if (at === 0) {
    return meeting > 0
      ? 'Each body is one box; the box of B rotates with B. The two boxes meet, so both are opened.'
      : 'Each body is one box. The boxes do not meet, so nothing inside them can.';
  }
  if (meeting === 0) return 'No two of these boxes meet, so nothing inside them can. The search ends here.';
  const above = levels[at - 1];
  const alone =
    a === above.a
      ? 'Only B is opened, because its tree is deeper. '
      : b === above.b
        ? 'Only A is opened, because its tree is deeper. '
        : '';
  const compared = `${alone}${count(tested)} pairs of boxes were tested; `;
  if (at === levels.length - 1) {
    return `${compared}${count(meeting)} meet. These are leaves with four triangles each.`;
  }
  return `${compared}the ${count(meeting)} that meet are drawn and opened next. The others are culled with everything inside them.`;
}

/** Squares are at least this large, so that they can be seen. */
const finest = 160;
const colours = { compared: hex(quietColour), meet: hex(meetingColour) };

/** All pairs of nodes of a level: nodes of A by column, nodes of B by row. */
function matrixOf(at: number, levels: readonly FrontLevel[]): FlatPicture {
  const { a, b, front } = levels[at];
  const [columns, rows] = [Math.min(a.count, finest), Math.min(b.count, finest)];
  const [met, compared] = [new Uint32Array(columns * rows), new Uint8Array(columns * rows)];
  const square = (nodeA: number, nodeB: number) =>
    Math.floor((nodeB * rows) / b.count) * columns + Math.floor((nodeA * columns) / a.count);
  for (let i = 0; i < front.length; i += 2) met[square(front[i], front[i + 1])]++;
  const above = levels[at - 1];
  if (above === undefined) compared[0] = 1;
  else {
    const children = (node: number, isOpened: boolean, most: number) =>
      isOpened ? [0, 1, 2, 3].map(i => 4 * node + i).filter(child => child < most) : [node];
    for (let i = 0; i < above.front.length; i += 2) {
      for (const nodeA of children(above.front[i], a !== above.a, a.count)) {
        for (const nodeB of children(above.front[i + 1], b !== above.b, b.count))
          compared[square(nodeA, nodeB)] = 1;
      }
    }
  }
  const squares = new Uint8ClampedArray(4 * columns * rows);
  for (let i = 0; i < met.length; i++) {
    if (met[i] > 0) paint(squares, i, colours.meet);
    else if (compared[i]) paint(squares, i, colours.compared, 150);
  }
  const range = (place: number, places: number, most: number) => {
    const first = Math.ceil((place * most) / places);
    const last = Math.ceil(((place + 1) * most) / places) - 1;
    return first === last ? `${first}` : `${first} to ${last}`;
  };
  return {
    columns,
    rows,
    colours: squares,
    label: 'All pairs of boxes of this level: A from left to right, B from bottom to top',
    legend: [
      { colour: meetingColour, text: 'boxes meet' },
      { colour: quietColour, text: 'compared, apart' },
      { colour: 'transparent', text: 'never compared' },
    ],
    at(column, row) {
      const i = row * columns + column;
      const what = met[i] > 0 ? `${met[i]} meet` : compared[i] ? 'compared, apart' : 'never compared';
      return `A ${range(column, columns, a.count)}, B ${range(row, rows, b.count)}: ${what}`;
    },
  };
}
