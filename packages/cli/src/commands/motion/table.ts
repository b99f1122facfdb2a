// First contacts and nearest approaches for people.

import type { Contact } from '@nearfield/clashes';
import { inColumns } from '../../output/columns.ts';
import { plural, rounded, roundedDown, roundedUp } from '../../output/sentences.ts';
import { printable } from '../../output/terminal.ts';
import { isTooClose, type ShownMotion } from './json.ts';

export function* motionTable(shown: ShownMotion, width?: number): Generator<string> {
  const { contacts, approaches, labels, clearance, frameCount, unitName } = shown;
  const between = `between ${plural(frameCount, 'frame')}`;
  const name = (index: number) => printable(labels[index]);
  const inUnit = (length: string) => (unitName === undefined ? length : `${length} ${unitName}`);
  if (contacts.length === 0) yield `No two bodies meet at any time ${between}.\n`;
  else {
    yield `${plural(contacts.length, 'pair')} ${contacts.length === 1 ? 'meets or may meet' : 'meet or may meet'} ${between}:\n\n`;
    const rows = contacts.map(contact => [
      name(contact.a),
      name(contact.b),
      whenOf(contact),
      contact.state,
      contact.relation ?? (contact.gap === undefined ? '' : `gap ≤ ${inUnit(roundedUp(contact.gap))}`),
    ]);
    const heads = ['body', 'body', 'first contact', 'state', 'relation'].map((head, i) => ({
      head,
      isName: i < 2,
    }));
    yield* inColumns(heads, rows, width).lines;
  }
  const near = approaches?.filter(approach => clearance === undefined || isTooClose(approach, clearance));
  if (near === undefined) return;
  const what = clearance === undefined ? 'Nearest approaches' : `Closer than ${inUnit(rounded(clearance))}`;
  if (near.length === 0) {
    yield clearance === undefined ? '' : `\nNo two bodies come closer than ${inUnit(rounded(clearance))}.\n`;
    return;
  }
  yield `\n${what}:\n\n`;
  const columns = [
    { head: 'body', isName: true },
    { head: 'body', isName: true },
    { head: unitName === undefined ? 'least distance' : `least distance (${unitName})` },
    { head: 'at frame' },
  ];
  yield* inColumns(
    columns,
    near.map(({ a, b, distance: { lower, upper }, time: { frame, at } }) => [
      name(a),
      name(b),
      upper === 0 ? '0: they meet' : `${roundedDown(lower)} to ${roundedUp(upper)}`,
      rounded(frame + at),
    ]),
    width,
  ).lines;
}

/** "frame 3.25", or an interval where nine digits show one. */
function whenOf({ time: { frame, from, to }, state }: Contact): string {
  if (state === 'initial') return `frame ${frame}`;
  const [first, last] = [(frame + from).toFixed(9), (frame + to).toFixed(9)];
  return first === last ? `frame ${Number(first)}` : `frame ${Number(first)} to ${Number(last)}`;
}
