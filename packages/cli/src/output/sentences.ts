// How numbers are written where people read them; the JSON has every digit.

/** As many digits as a person reads. */
const digits = 9;

export const rounded = (value: number): string => String(Number(value.toPrecision(digits)));

/** A point or a direction. */
export const at = (point: Float64Array): string => `(${[...point].map(rounded).join(', ')})`;

/** Never less than the value, so that an upper bound stays one. */
export function roundedUp(value: number): string {
  const near = Number(value.toPrecision(digits));
  return near >= value ? String(near) : rounded(near + lastDigit(value));
}

/** Never more than the value, so that a lower bound stays one. */
export function roundedDown(value: number): string {
  const near = Number(value.toPrecision(digits));
  return near <= value ? String(near) : rounded(near - lastDigit(value));
}

/** What one more in the last digit that is kept adds. */
const lastDigit = (value: number): number =>
  Number(`1e${Number(value.toExponential().split('e')[1]) - (digits - 1)}`);
