// Words for messages about arguments. Nothing here throws or knows an error, so that any entry point may carry a copy.

/** What was given, in a few words. It has words for every value, symbols and objects without a prototype included. */
export function inWords(given: unknown): string {
  if (typeof given === 'string') return JSON.stringify(given.length > 40 ? `${given.slice(0, 39)}…` : given);
  if (typeof given === 'bigint') return `${given}n`;
  if (typeof given === 'function') return 'a function';
  if (typeof given !== 'object' || given === null) return String(given);
  const name: unknown = given.constructor?.name;
  return typeof name === 'string' && name !== '' && name !== 'Object' ? name : 'an object';
}

/** The same, but strings in single quotes, as lists of known words have them. */
export const quoted = (given: unknown): string => (typeof given === 'string' ? `'${given}'` : inWords(given));

export const isObject = (given: unknown): given is object => typeof given === 'object' && given !== null;

/** Whether something can be an object of options: lists cannot. */
export const isOptions = (given: unknown): given is Readonly<Record<string, unknown>> =>
  isObject(given) && !Array.isArray(given) && !ArrayBuffer.isView(given);

/**
 * The known name that a name was probably meant to be: in other cases of letters, with a letter more, less or another, or with two
 * neighbours exchanged. Short names are too near to each other for that.
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
