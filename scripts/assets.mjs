// How kernels travel in the bundles: WGSL as text without comments and spaces that no machine reads, WebAssembly as text that gzip
// compresses as well as the bytes themselves.
import { readFileSync } from 'node:fs';

/**
 * WGSL without what no machine reads: comments, indentation, spaces around operators, and names of parameters and local variables longer
 * than a letter or two. It has no strings: what looks like a comment is one. Lines stay lines, for messages of compilers.
 */
export function shortenKernel(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');
  const lines = code.split('\n').map(line => line.trim());
  return shortenLocals(lines.filter(line => line !== '').join('\n'))
    .replace(/ ?([,;{}()[\]:@]) ?/g, '$1')
    .replace(/(?<=[\w)\]]) ([-+*/%=&|^]|[-+*/%=!&|^]=|&&|\|\|) (?=[\w(])/g, '$1')
    .replace(/\n?([{}])\n?/g, '$1')
    .replace(/,\n/g, ',');
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
/** a to z, then a0 to z9: none is a word of WGSL. */
const shortNames = ['', ...'0123456789'].flatMap(digit => Array.from(letters, letter => letter + digit));

const isName = token => /^[A-Za-z_]/.test(token);

/**
 * Short names for what functions declare. All other names stay: those of the module and of others, of members and of bindings. Should a
 * function use a name of the module and declare it too, the kernel would not compile; the tests run on what this makes.
 */
function shortenLocals(code) {
  const tokens = code.match(/\d[\w.]*|[A-Za-z_]\w*|\s+|[\s\S]/g);
  const next = i => (/^\s/.test(tokens[i + 1]) ? i + 2 : i + 1);
  const shortened = [...tokens];
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i] !== 'fn') continue;
    const begin = tokens.indexOf('(', i);
    const body = tokens.indexOf('{', begin);
    let end = body;
    for (let open = 1; open > 0; ) open += { '{': 1, '}': -1 }[tokens[++end]] ?? 0;
    const declared = new Set();
    for (let k = begin; k < body; k++)
      if (isName(tokens[k]) && tokens[next(k)] === ':') declared.add(tokens[k]);
    for (let k = body; k < end; k++) {
      if (['let', 'var', 'const'].includes(tokens[k])) declared.add(tokens[next(k)]);
    }
    const others = new Set(tokens.slice(begin, end).filter(token => isName(token) && !declared.has(token)));
    const names = shortNames.filter(name => !others.has(name));
    const short = new Map(Array.from(declared, (name, place) => [name, names[place]]));
    for (let k = begin; k < end; k++) {
      if (short.has(tokens[k]) && tokens[k - 1] !== '.') shortened[k] = short.get(tokens[k]);
    }
    i = end;
  }
  return shortened.join('');
}
/** Characters that stand for themselves in a JavaScript string, whatever quotes it has. The first two open a pair. */
const characters = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).filter(
  character => !'"\'`\\$'.includes(character),
);
const pairs = 2;
const singles = characters.length - pairs;

/**
 * The bytes that are most frequent in some files. In base64 a byte's digits depend on its place, so that gzip finds few repetitions: it
 * leaves 67 KB of 124 KB of kernels. With one character per frequent byte and two per other byte it leaves 47 KB, as much as of the bytes
 * themselves.
 */
function frequentBytes(files) {
  const counts = new Uint32Array(256);
  for (const bytes of files) for (const byte of bytes) counts[byte]++;
  const bytes = Array.from(counts.keys()).sort((a, b) => counts[b] - counts[a] || a - b);
  return bytes.slice(0, singles);
}

/** All bytes in the order of their codes: the frequent ones first. */
const allBytes = frequent => [...new Set([...frequent, ...Array(256).keys()])];

/** The text of some bytes. */
function encode(bytes, frequent) {
  const codes = [];
  allBytes(frequent).forEach((byte, place) => {
    const rest = place - singles;
    codes[byte] =
      rest < 0
        ? characters[pairs + place]
        : characters[Math.floor(rest / characters.length)] + characters[rest % characters.length];
  });
  return Array.from(bytes, byte => codes[byte]).join('');
}

/** The source of a module whose `decode` turns such text into bytes again. */
const decoder = frequent => `
const characters = ${JSON.stringify(characters.join(''))};
const order = [...new Set([...${JSON.stringify(frequent)}, ...Array(256).keys()])];
const places = [];
for (let i = 0; i < characters.length; i++) places[characters.charCodeAt(i)] = i;
export function decode(text) {
  const bytes = [];
  for (let i = 0; i < text.length; i++) {
    const place = places[text.charCodeAt(i)];
    bytes.push(order[place < ${pairs} ? ${singles} + place * ${characters.length} + places[text.charCodeAt(++i)] : place - ${pairs}]);
  }
  return Uint8Array.from(bytes);
}
`;

/** An esbuild plugin for `.wgsl` and `.wasm`. @param {readonly string[]} kernels the paths of all `.wasm` files */
export function assets(kernels) {
  const frequent = () => frequentBytes(kernels.map(path => readFileSync(path)));
  return {
    name: 'kernels',
    setup(builder) {
      builder.onLoad({ filter: /\.wgsl$/ }, ({ path }) => ({
        contents: shortenKernel(readFileSync(path, 'utf8')),
        loader: 'text',
      }));
      builder.onResolve({ filter: /^kernel-decoder$/ }, ({ path }) => ({ path, namespace: 'decoder' }));
      builder.onLoad({ filter: /.*/, namespace: 'decoder' }, () => ({
        contents: decoder(frequent()),
        loader: 'js',
      }));
      builder.onLoad({ filter: /\.wasm$/ }, ({ path }) => ({
        contents: `import { decode } from 'kernel-decoder';
export default /* @__PURE__ */ decode(${JSON.stringify(encode(readFileSync(path), frequent()))});`,
        loader: 'js',
      }));
    },
  };
}
