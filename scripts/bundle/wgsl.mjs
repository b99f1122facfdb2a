// WGSL as it is published: without comments, without spaces that no machine reads, and with short names.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
const capitals = letters.map(letter => letter.toUpperCase());
const digits = Array.from('0123456789');
const namesOf = (firsts, lasts) => ['', ...lasts].flatMap(last => firsts.map(first => first + last));
/** a to z, then a0 to z9: none is a word of WGSL. */
const localNames = namesOf(letters, digits);
/** A to Z, then A0 to Zz: none is a word of WGSL or the name of a local. */
const moduleNames = namesOf(capitals, [...digits, ...capitals, ...letters]);

const isWord = token => /^[A-Za-z_]/.test(token);

const folder = fileURLToPath(new URL('../../packages/nearfield/src', import.meta.url));

/** The short names of what the library's kernels declare, found when the first is asked for. */
let short;

/**
 * The text of a kernel as it is published. Kernels are joined from several files, so what one of them declares gets the same short name
 * in all. A wrong name would keep a kernel from compiling, and the tests run on the shortened text.
 */
export function shortenKernel(text) {
  short ??= shortNames();
  const tokens = withShortLocals(tokensOf(text));
  return joined(tokens.map((token, i) => (tokens[i - 1] === '@' ? token : (short.get(token) ?? token))));
}

/**
 * Words, numbers, runs of operators, and other characters. WGSL has no strings: what looks like a comment is one. A run stays as it is
 * written, since it may be one operator or several.
 */
const tokensOf = text =>
  text
    .replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' ')
    .match(/[A-Za-z_]\w*|\d(?:[\w.]|(?<=[\d.]e|0x[\da-f.]+p)[-+])*|[-+*/%&|^=!<>~]+|[^\s\w]/gi) ?? [];

/** With spaces only where two tokens would become one. */
function joined(tokens) {
  const touch = (a, b) => /^(?:\w\w|[-+*/%&|^=!<>~]{2})$/.test(a.at(-1) + b[0]);
  return tokens
    .map((token, i) => (i > 0 && touch(tokens[i - 1], token) ? ` ${token}` : token))
    .join('')
    .replace(/,([)}])/g, '$1');
}

/** With short names for the parameters and variables of functions. */
function withShortLocals(tokens) {
  const shortened = [...tokens];
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i] !== 'fn') continue;
    const begin = tokens.indexOf('(', i);
    const body = tokens.indexOf('{', begin);
    let end = body;
    for (let open = 1; open > 0; ) open += { '{': 1, '}': -1 }[tokens[++end]] ?? 0;
    const declared = new Set();
    for (let k = begin; k < end; k++) {
      if (k < body && isWord(tokens[k]) && tokens[k + 1] === ':') declared.add(tokens[k]);
      if (['let', 'var', 'const'].includes(tokens[k])) declared.add(tokens[k + 1]);
    }
    const others = new Set(tokens.slice(begin, end).filter(token => isWord(token) && !declared.has(token)));
    const names = localNames.filter(name => !others.has(name));
    const short = new Map(Array.from(declared, (name, place) => [name, names[place]]));
    for (let k = begin; k < end; k++) {
      if (short.has(tokens[k]) && tokens[k - 1] !== '.') shortened[k] = short.get(tokens[k]);
    }
    i = end;
  }
  return shortened;
}

/**
 * Short names for what kernels declare outside functions, members of structures included. Names that TypeScript may use stay: every
 * word that occurs in the library's TypeScript, and the names of bindings, overrides and entry points.
 */
function shortNames() {
  const files = readdirSync(folder, { recursive: true });
  const read = ending =>
    files.filter(name => name.endsWith(ending)).map(name => readFileSync(join(folder, name), 'utf8'));
  const kernels = read('.wgsl').map(text => withShortLocals(tokensOf(text)));
  const staying = new Set(read('.ts').flatMap(text => text.match(/[A-Za-z_]\w*/g) ?? []));
  const declared = new Set();
  const callable = new Set();
  const counts = new Map();
  for (const tokens of kernels) {
    let inStruct = false;
    tokens.forEach((token, i) => {
      const next = tokens[i + 1];
      if (isWord(token)) counts.set(token, (counts.get(token) ?? 0) + 1);
      if (token === 'struct' || token === '}') inStruct = token === 'struct';
      if (token === 'fn' || token === 'struct' || token === 'alias') callable.add(next);
      if (token === 'const') declared.add(next);
      if (inStruct && next === ':') declared.add(token);
      if (token === 'override') staying.add(next);
      if (token === 'var' && next === '<') {
        const isBound = ['storage', 'uniform'].includes(tokens[i + 2]);
        (isBound ? staying : declared).add(tokens[tokens.indexOf('>', i) + 1]);
      }
      if (token === '@' && ['compute', 'vertex', 'fragment'].includes(next)) {
        staying.add(tokens[tokens.indexOf('fn', i) + 1]);
      }
    });
  }
  // What is called and declared nowhere is a function of WGSL itself.
  for (const tokens of kernels) {
    tokens.forEach((token, i) => {
      if (isWord(token) && tokens[i + 1] === '(' && !callable.has(token)) staying.add(token);
    });
  }
  const free = moduleNames.filter(name => !staying.has(name) && !counts.has(name));
  const names = [...declared, ...callable].filter(name => !staying.has(name));
  names.sort((a, b) => counts.get(b) - counts.get(a) || (a < b ? -1 : 1));
  return new Map(names.map((name, place) => [name, free[place]]));
}
