// SHA-256 (FIPS 180-4), synchronous. Identities and content hashes need it in the browser as well as in Node: WebCrypto's
// is asynchronous, which costs more than the hash itself for many small texts, and Node's is not in browsers. A shorter
// hash would do against accidents, but models come from strangers: nobody must be able to make a different mesh with the
// same hash, because it would pass for unchanged.

/** A function with the same results, such as Node's, which is about eight times as fast on large meshes. */
export type Digest = (bytes: Uint8Array) => Uint8Array;

/** The fractions of the cube roots of the first 64 primes. */
const constants = new Int32Array(64);
/** The fractions of the square roots of the first 8 primes. */
const initial = new Int32Array(8);
for (let prime = 2, count = 0; count < 64; prime++) {
  if (!isPrime(prime)) continue;
  if (count < 8) initial[count] = fractionBits(Math.sqrt(prime));
  constants[count++] = fractionBits(Math.cbrt(prime));
}

function isPrime(value: number): boolean {
  for (let factor = 2; factor * factor <= value; factor++) if (value % factor === 0) return false;
  return true;
}

/** The first 32 bits after the point. A double has 52 bits, of which at most 5 are before the point. */
function fractionBits(value: number): number {
  return ((value % 1) * 2 ** 32) | 0;
}

/** Memory that every call uses again: most inputs are short, and there are many. */
const state = new Int32Array(8);
const end = new Uint8Array(128);
const endView = new DataView(end.buffer);

/** Writes the SHA-256 of some bytes, 32 bytes, to `digest`. */
export function sha256(bytes: Uint8Array, digest: Uint8Array = new Uint8Array(32)): Uint8Array {
  state.set(initial);
  const whole = bytes.length & ~63;
  for (let at = 0; at < whole; at += 64) mix(bytes, at);
  // The rest, one bit, zeros, and the number of bits as 64-bit number fill the last one or two blocks.
  const rest = bytes.length - whole;
  const length = rest < 56 ? 64 : 128;
  for (let i = 0; i < rest; i++) end[i] = bytes[whole + i];
  end.fill(0, rest, length);
  end[rest] = 0x80;
  endView.setUint32(length - 8, Math.floor(bytes.length / 2 ** 29));
  endView.setUint32(length - 4, bytes.length << 3);
  for (let at = 0; at < length; at += 64) mix(end, at);
  for (let i = 0; i < 32; i++) digest[i] = state[i >> 2] >>> (24 - 8 * (i & 3));
  return digest;
}

const words = new Int32Array(64);

function mix(bytes: Uint8Array, at: number): void {
  for (let i = 0, p = at; i < 16; i++, p += 4) {
    words[i] = (bytes[p] << 24) | (bytes[p + 1] << 16) | (bytes[p + 2] << 8) | bytes[p + 3];
  }
  for (let i = 16; i < 64; i++) {
    const p = words[i - 15];
    const q = words[i - 2];
    const s0 = ((p >>> 7) | (p << 25)) ^ ((p >>> 18) | (p << 14)) ^ (p >>> 3);
    const s1 = ((q >>> 17) | (q << 15)) ^ ((q >>> 19) | (q << 13)) ^ (q >>> 10);
    words[i] = (words[i - 16] + s0 + words[i - 7] + s1) | 0;
  }
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const choice = g ^ (e & (f ^ g));
    const first = (h + s1 + choice + constants[i] + words[i]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const majority = (a & b) | (c & (a | b));
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + s0 + majority) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

const encoder = new TextEncoder();

/** The bytes of a text, as UTF-8. */
export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** Memory for the bytes of a text, which are at most three per unit. */
const textBytes = new Uint8Array(1024);

/** The 32 bytes of the SHA-256 of a text, written to `digest`. */
export function sha256OfText(text: string, digest?: Uint8Array): Uint8Array {
  if (3 * text.length > textBytes.length) return sha256(bytesOf(text), digest);
  const { written } = encoder.encodeInto(text, textBytes);
  return sha256(textBytes.subarray(0, written), digest);
}

/** The codes of the two hexadecimal digits of each byte. */
const hexCodes = Uint8Array.from({ length: 512 }, (_, i) =>
  '0123456789abcdef'.charCodeAt(i % 2 === 0 ? i >> 5 : (i >> 1) & 15),
);

/** The first digits of a digest, in hexadecimal: an even number of them. */
export function hexOf(digest: Uint8Array, digits: number): string {
  const codes = hexCodes;
  if (digits === 12) {
    // An identity per clash, and there may be millions: written out it takes a quarter of the time.
    const p = 2 * digest[0];
    const q = 2 * digest[1];
    const r = 2 * digest[2];
    const s = 2 * digest[3];
    const t = 2 * digest[4];
    const u = 2 * digest[5];
    return String.fromCharCode(
      codes[p],
      codes[p + 1],
      codes[q],
      codes[q + 1],
      codes[r],
      codes[r + 1],
      codes[s],
      codes[s + 1],
      codes[t],
      codes[t + 1],
      codes[u],
      codes[u + 1],
    );
  }
  const all = new Array<number>(digits);
  for (let i = 0; i < digits; i++) all[i] = codes[2 * digest[i >> 1] + (i & 1)];
  return String.fromCharCode.apply(null, all);
}

/** The hash of a text: 12 hexadecimal digits. */
export const shortHash = (text: string): string => hexOf(sha256OfText(text), 12);
