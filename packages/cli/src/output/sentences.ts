// How numbers and names are written where people read them; the JSON has every digit.

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

/** What each body is called; with its file, where bodies of several files have one name. */
export function labelsOf(
  bodies: readonly { readonly name: string; readonly file?: string | undefined }[],
): string[] {
  const files = new Map<string, Set<string | undefined>>();
  for (const { name, file } of bodies) files.set(name, (files.get(name) ?? new Set()).add(file));
  return bodies.map(({ name, file }) =>
    file !== undefined && files.get(name)!.size > 1 ? `${name} (${file})` : name,
  );
}
