// Sine, cosine, arctangent and exponential to any number of digits, by their simplest series in integers: the
// reference for the library's own functions in double precision. A number is a whole count of units of 2^-bits.

/** A finite double, exactly, if it is a multiple of 2^-bits. */
export function fixed(x: number, bits: number): bigint {
  let [value, exponent] = [x, 0];
  for (; !Number.isInteger(value) && exponent < bits; exponent++) value *= 2;
  if (!Number.isInteger(value)) throw new Error(`${x} is not a multiple of 2^-${bits}`);
  return BigInt(value) << BigInt(bits - exponent);
}

/** |found − exact| relative to |exact|. */
export function relativeError(found: number, exact: bigint, bits: number): number {
  const off = fixed(found, bits) - exact;
  const ratio = (off << 128n) / exact;
  return Math.abs(Number(ratio)) * 2 ** -128;
}

/** π = 2·Σ k!/(1·3·5···(2k + 1)), Euler's transform of Leibniz's series: one bit per term. */
export function exactPi(bits: number): bigint {
  const known = pis.get(bits);
  if (known !== undefined) return known;
  const guard = 32n;
  let term = 2n << (BigInt(bits) + guard);
  let sum = 0n;
  for (let k = 1n; term > 0n; k++) {
    sum += term;
    term = (term * k) / (2n * k + 1n);
  }
  pis.set(bits, sum >> guard);
  return sum >> guard;
}
const pis = new Map<number, bigint>();

/** Off by a few hundred units, for angles below 2^1024. */
export function exactSine(angle: number, bits: number): bigint {
  return sineOf(reduced(angle, bits), bits);
}

/** The sine of the angle plus a quarter turn. */
export function exactCosine(angle: number, bits: number): bigint {
  return sineOf(reduced(angle, bits) + exactPi(bits) / 2n, bits);
}

/** The angle minus whole turns, from −π to π. */
function reduced(angle: number, bits: number): bigint {
  const more = 1100;
  const turn = 2n * exactPi(bits + more);
  const whole = fixed(angle, bits + more);
  const left = ((whole % turn) + turn) % turn;
  return (2n * left > turn ? left - turn : left) >> BigInt(more);
}

function sineOf(x: bigint, bits: number): bigint {
  const shift = BigInt(bits);
  const squared = (x * x) >> shift;
  let [term, sum] = [x, 0n];
  for (let k = 1n; term !== 0n && term !== -1n; k += 2n) {
    sum += term;
    term = -((term * squared) >> shift) / ((k + 1n) * (k + 2n));
  }
  return sum;
}

/** Euler's series arctan(y/x) = Σ 2·4···2n/(3·5···(2n + 1))·xy/(x² + y²)·(y²/(x² + y²))^n, of y at most x; both above 0. */
export function exactArctangent(y: number, x: number, bits: number): bigint {
  if (y > x) return exactPi(bits) / 2n - exactArctangent(x, y, bits);
  let scale = 0;
  while (!Number.isInteger(x * 2 ** scale) || !Number.isInteger(y * 2 ** scale)) scale++;
  const [p, q] = [fixed(y, scale), fixed(x, scale)];
  const [squared, all] = [p * p, p * p + q * q];
  let term = ((p * q) << BigInt(bits)) / all;
  let sum = 0n;
  for (let n = 1n; term > 0n; n++) {
    sum += term;
    term = (term * 2n * n * squared) / ((2n * n + 1n) * all);
  }
  return sum;
}

/** e^x by Taylor's series of x/2^16, squared sixteen times; x is a count of units itself. */
export function exactExponential(x: bigint, bits: number): bigint {
  const shift = BigInt(bits);
  const small = x >> 16n;
  let [term, sum] = [1n << shift, 0n];
  for (let k = 1n; term !== 0n && term !== -1n; k++) {
    sum += term;
    term = ((term * small) >> shift) / k;
  }
  for (let i = 0; i < 16; i++) sum = (sum * sum) >> shift;
  return sum;
}
