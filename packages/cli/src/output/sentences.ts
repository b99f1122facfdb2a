// How numbers are printed for people. The JSON has every digit.

/** Rounded to a readable number of digits. */
const digits = 9;

export const rounded = (value: number): string => String(Number(value.toPrecision(digits)));

/** A point or a direction. */
export const at = (point: Float64Array): string => `(${[...point].map(rounded).join(', ')})`;

/** Rounded up, so that an upper bound stays one. */
export function roundedUp(value: number): string {
  const near = Number(value.toPrecision(digits));
  return near >= value ? String(near) : rounded(near + lastDigit(value));
}

/** Rounded down, so that a lower bound stays one. */
export function roundedDown(value: number): string {
  const near = Number(value.toPrecision(digits));
  return near <= value ? String(near) : rounded(near - lastDigit(value));
}

/** The value of one unit in the last digit that is kept. */
const lastDigit = (value: number): number =>
  Number(`1e${Number(value.toExponential().split('e')[1]) - (digits - 1)}`);

/** 12,345 */
export const count = (value: number): string => value.toLocaleString('en-US');

/** "1 pair", "2 pairs" */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;
