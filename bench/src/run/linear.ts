// Does the cost of a question grow in proportion to its size? Fits a straight line through the times by least
// squares: the cost at size 0, the cost per unit of size, and how much of the variation the line explains (R², the
// coefficient of determination).

export interface Line {
  /** The fixed cost, in the unit of the times. */
  readonly fixed: number;
  /** The cost of one more. */
  readonly slope: number;
  /** 1 if all points lie on the line, 0 if the line explains no more than their mean. */
  readonly rSquared: number;
}

/** At least two different sizes. */
export function fitLine(points: readonly { readonly size: number; readonly time: number }[]): Line {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [size, time] = [mean(points.map(point => point.size)), mean(points.map(point => point.time))];
  let [spread, covariation, variation] = [0, 0, 0];
  for (const point of points) {
    const [dx, dy] = [point.size - size, point.time - time];
    spread += dx * dx;
    covariation += dx * dy;
    variation += dy * dy;
  }
  if (!(spread > 0)) throw new Error('a line needs two sizes');
  const slope = covariation / spread;
  const fixed = time - slope * size;
  let left = 0;
  for (const point of points) left += (point.time - fixed - slope * point.size) ** 2;
  return { fixed, slope, rSquared: variation === 0 ? 1 : 1 - left / variation };
}
