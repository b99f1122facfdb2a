// Words for error messages about arguments. Nothing here throws or imports an error class, so every entry point can
// bundle a copy.

/** Describes any value in a few words, including symbols and objects without a prototype. */
export function inWords(given: unknown): string {
  if (typeof given === 'string') return JSON.stringify(given.length > 40 ? `${given.slice(0, 39)}…` : given);
  if (typeof given === 'bigint') return `${given}n`;
  if (typeof given === 'function') return 'a function';
  if (typeof given !== 'object' || given === null) return String(given);
  const name: unknown = given.constructor?.name;
  return typeof name === 'string' && name !== '' && name !== 'Object' ? name : 'an object';
}

/** As `inWords`, but strings get single quotes, as in lists of known words. */
export const quoted = (given: unknown): string => (typeof given === 'string' ? `'${given}'` : inWords(given));

export const isObject = (given: unknown): given is object => typeof given === 'object' && given !== null;

/** Whether a value can be an options object. Arrays cannot. */
export const isOptions = (given: unknown): given is Readonly<Record<string, unknown>> =>
  isObject(given) && !Array.isArray(given) && !ArrayBuffer.isView(given);

/**
 * The known name that `given` was probably meant to be: it differs in upper or lower case, in one letter added, missing
 * or wrong, or in two neighbouring letters swapped. Names under four letters are too similar to each other for that.
 */
export function meantName(given: string, known: readonly string[]): string | undefined {
  return given.length < 4
    ? undefined
    : known.find(name => name.length > 3 && areNear(name.toLowerCase(), given.toLowerCase()));
}

function areNear(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [inA, inB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (Math.max(inA.length, inB.length) <= 1) return true;
  return inA.length === 2 && inA === `${inB[1]}${inB[0]}`;
}
