// The direction from a point to a feature of a triangle that is known to be nearest, in double.
//
// Let r lead from the point to a corner of the feature. To an edge e the direction is e × (r × e), to a face its normal
// n = e × f or −n. A component p·q − s·t of a cross product, each factor off by one rounding, is off by less than
// 4·2^-53·(|pq| + |st|). If the sum M of all those magnitudes is at most 2^20 times the product's length, the direction
// is off by less than 2^-30. The sign of n·r says on which side of a face the point lies. n is off by 2^-51 of its
// magnitudes, so that sign is certain if the magnitudes in n·r sum to at most 2^40 times its value.

const most = 2 ** 20;
const mostOfHeight = 2 ** 40;

/**
 * Writes a vector of any length to `out`; false if double precision cannot tell. Features are numbered as in a field.
 */
export function directionToFeature(
  point: Float64Array,
  corners: Float64Array,
  feature: number,
  out: Float64Array,
): boolean {
  if (feature >= 4) {
    for (let k = 0; k < 3; k++) out[k] = corners[3 * (feature - 4) + k] - point[k];
    return true;
  }
  const from = feature >= 1 ? 3 * (feature - 1) : 0;
  const to = (from + 3) % 9;
  for (let k = 0; k < 3; k++) {
    r[k] = corners[from + k] - point[k];
    e[k] = corners[to + k] - corners[from + k];
    f[k] = corners[((to + 3) % 9) + k] - corners[from + k];
  }
  if (feature >= 1) {
    if (!crossed(r, e, n, most)) return false;
    return crossed(e, n, out, most);
  }
  if (!crossed(e, f, n, most)) return false;
  let [height, magnitude] = [0, 0];
  for (let k = 0; k < 3; k++) {
    height += n[k] * r[k];
    magnitude += magnitudes[k] * Math.abs(r[k]);
  }
  if (!(magnitude <= mostOfHeight * Math.abs(height) && height !== 0)) return false;
  for (let k = 0; k < 3; k++) out[k] = height > 0 ? n[k] : -n[k];
  return true;
}

const r = new Float64Array(3);
const e = new Float64Array(3);
const f = new Float64Array(3);
const n = new Float64Array(3);
const magnitudes = new Float64Array(3);

/** a × b. Returns false if too much cancels relative to the magnitudes, or squares do not fit in doubles. */
function crossed(a: Float64Array, b: Float64Array, out: Float64Array, share: number): boolean {
  let [sum, length] = [0, 0];
  for (let k = 0; k < 3; k++) {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    const [p, q] = [a[i] * b[j], a[j] * b[i]];
    magnitudes[k] = Math.abs(p) + Math.abs(q);
    out[k] = p - q;
    sum += magnitudes[k];
    length = Math.max(length, Math.abs(out[k]));
  }
  return sum <= share * length && length > 1e-140 && length < 1e140;
}
