// How kernels travel in the bundles: WGSL as short text (wgsl.mjs), WebAssembly as text that gzip compresses as well as the bytes
// themselves.
import { readFileSync } from 'node:fs';
import { shortenKernel } from './wgsl.mjs';

/** Characters that stand for themselves in a JavaScript string, whatever quotes it has. The first two open a pair. */
const characters = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).filter(
  character => !'"\'`\\$'.includes(character),
);
const pairs = 2;
const singles = characters.length - pairs;

/**
 * Which bytes are most frequent in some files, as 64 hexadecimal digits of four bytes each. In base64 a byte's digits depend on its place,
 * so that gzip finds few repetitions: it leaves 68 KB of 121 KB of kernels. With one character per frequent byte and two per other byte
 * it leaves 49 KB, as much as of the bytes themselves.
 */
function frequentBytes(files) {
  const counts = new Uint32Array(256);
  for (const bytes of files) for (const byte of bytes) counts[byte]++;
  const bytes = Array.from(counts.keys()).sort((a, b) => counts[b] - counts[a] || a - b);
  const digits = new Uint8Array(64);
  for (const byte of bytes.slice(0, singles)) digits[byte >> 2] |= 1 << (byte & 3);
  return Array.from(digits, digit => digit.toString(16)).join('');
}

/** All bytes in the order of their codes: the frequent ones first. The decoder has the same. */
function inOrder(frequent) {
  const rank = byte => (parseInt(frequent[byte >> 2], 16) >> (byte & 3)) & 1;
  return [...Array(256).keys()].sort((a, b) => rank(b) - rank(a));
}

/** The text of some bytes. */
function encode(bytes, frequent) {
  const codes = [];
  inOrder(frequent).forEach((byte, place) => {
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
${inOrder}
const order = inOrder("${frequent}");
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
