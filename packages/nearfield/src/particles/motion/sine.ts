// Sine and cosine of turns (1 = 360°), the same on every machine: those of JavaScript engines differ in the last bit,
// and impacts would differ with them. The series see at most an eighth of a turn, and the reduction to it is exact. Off
// by at most 2^-52.

const wholeTurn = 2 * Math.PI;

/** Coefficients ±1/n! of x^n: those of sine are odd, from x³ on, those of cosine even, from x² on. */
const sines: number[] = [];
const cosines: number[] = [];
for (let n = 2, factorial = 2; n <= 18; n++, factorial *= n) {
  const signed = (n >> 1) % 2 === 1 ? -1 / factorial : 1 / factorial;
  if (n % 2 === 1) sines.push(signed);
  else cosines.push(signed);
}

/**
 * Results of `turnBy`: sine, cosine. They are in an array, since numbers in module variables are boxed anew whenever
 * they change.
 */
export const turned = new Float64Array(2);

/** Leaves the sine and the cosine of `turns` turns, less than 2^50, in `turned`. */
export function turnBy(turns: number): void {
  const quarter = Math.round(turns * 4);
  const x = (turns - quarter * 0.25) * wholeTurn;
  const square = x * x;
  let s = 0;
  let c = 0;
  for (let i = sines.length - 1; i >= 0; i--) s = (s + sines[i]) * square;
  for (let i = cosines.length - 1; i >= 0; i--) c = (c + cosines[i]) * square;
  s = x + x * s;
  c = 1 + c;
  const turn = quarter - 4 * Math.floor(quarter * 0.25);
  turned[0] = turn === 0 ? s : turn === 1 ? c : turn === 2 ? -s : -c;
  turned[1] = turn === 0 ? c : turn === 1 ? -s : turn === 2 ? -c : s;
}
