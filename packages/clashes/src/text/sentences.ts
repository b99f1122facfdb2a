// How lengths and pairs read for people. The JSON has every digit.

import type { AssemblyAnswer, AssemblyPair, Bracket } from '../assembly/types.ts';

/** Digits of a length that people compare, not compute with. */
const digits = 3;

/** Bounds of a length as one text, outwards rounded, so that they stay bounds: "0.0500 to 0.0512". */
export function bracketInWords({ lower, upper }: Bracket): string {
  if (upper === 0) return '0';
  const [from, to] = [shortened(lower, Math.floor), shortened(upper, Math.ceil)];
  if (from === to) return to;
  return lower === 0 ? `up to ${to}` : `${from} to ${to}`;
}

/** Bounds of a length with as many digits as people read, rounded outwards. */
export const outwards = ({ lower, upper }: Bracket): Bracket => ({
  lower: Number(shortened(lower, Math.floor)),
  upper: Number(shortened(upper, Math.ceil)),
});

/** A length to three digits. */
export const lengthInWords = (value: number): string => shortened(value, Math.round);

/** A length to three digits, rounded down: what is nearer than a clearance never reads as if it were not. */
export const lengthBelow = (value: number): string => shortened(value, Math.floor);

/** A length to three digits, rounded up, as the upper bound of a depth is. */
export const lengthAbove = (value: number): string => shortened(value, Math.ceil);

function shortened(value: number, round: (value: number) => number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const exponent = Math.floor(Math.log10(Math.abs(value))) - digits + 1;
  // A power of ten with a negative exponent is no double; dividing by the opposite power is exact enough to round back.
  const scaled = exponent < 0 ? value * 10 ** -exponent : value / 10 ** exponent;
  const whole = round(Number(scaled.toPrecision(12)));
  const near = exponent < 0 ? whole / 10 ** -exponent : whole * 10 ** exponent;
  return String(Number(near.toPrecision(digits)));
}

/** Numbers in ascending order as ranges, "3–7, 9"; only the first few ranges. */
export function spans(frames: readonly number[], most = 4): string {
  const ranges: [number, number][] = [];
  for (const frame of frames) {
    const last = ranges[ranges.length - 1];
    if (last?.[1] === frame - 1) last[1] = frame;
    else ranges.push([frame, frame]);
  }
  const shown = ranges.slice(0, most).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  const more = ranges.length > most ? `, … (${frames.length.toLocaleString('en-US')} in all)` : '';
  return shown.join(', ') + more;
}

/** What there is to say about a pair, in one line without a full stop. */
export function pairInWords(pair: AssemblyPair, { unitName }: Pick<AssemblyAnswer, 'unitName'>): string {
  const { relation, depth, distance, point, pointA, undecided, triangleCount } = pair;
  const unit = unitName === undefined ? '' : ` ${unitName}`;
  const facts: string[] = [];
  if (relation === 'separate') {
    facts.push(distance === undefined ? 'separate' : `${lengthInWords(distance)}${unit} apart`);
  } else facts.push(relation);
  if (depth !== undefined && depth.upper > 0) facts.push(`${bracketInWords(depth)}${unit} deep`);
  if (pair.withinRounding) facts.push("wedged, within the files' rounding");
  if (undecided) facts.push('deeper or not than the tolerance: undecided');
  if (triangleCount > 0) facts.push(`${triangleCount.toLocaleString('en-US')} triangle pairs`);
  const place = point ?? pointA;
  if (place !== undefined)
    facts.push(`at (${[...place].map(value => Number(value.toPrecision(7))).join(', ')})`);
  return facts.join(', ');
}
