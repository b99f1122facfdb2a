// Random rotations, for tests.

/** The nine entries, by columns, of a rotation drawn uniformly from all (Shoemake). */
export function randomRotation(random: () => number): number[] {
  const [u, v, w] = [random(), 2 * Math.PI * random(), 2 * Math.PI * random()];
  const [p, q] = [Math.sqrt(1 - u), Math.sqrt(u)];
  const [a, b, c, d] = [p * Math.sin(v), p * Math.cos(v), q * Math.sin(w), q * Math.cos(w)];
  return [
    1 - 2 * (b * b + c * c),
    2 * (a * b + c * d),
    2 * (a * c - b * d),
    2 * (a * b - c * d),
    1 - 2 * (a * a + c * c),
    2 * (b * c + a * d),
    2 * (a * c + b * d),
    2 * (b * c - a * d),
    1 - 2 * (a * a + b * b),
  ];
}
