// The point nearest to the origin that lies in a few half-spaces n·x ≥ c. It lies on none of their planes, on one, on
// two or at a corner of three. All choices are tried, in order; with sixteen planes that takes microseconds.

export interface HalfSpace {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly c: number;
}

/** Undefined if the half-spaces have no point in common, as far as doubles tell. */
export function nearestInHalfSpaces(spaces: readonly HalfSpace[]): [number, number, number] | undefined {
  let size = 0;
  for (const { c } of spaces) size = Math.max(size, Math.abs(c));
  const slack = 1e-9 * size;
  const holds = (x: number, y: number, z: number): boolean =>
    spaces.every(s => s.x * x + s.y * y + s.z * z >= s.c - slack);
  if (holds(0, 0, 0)) return [0, 0, 0];
  let best: [number, number, number] | undefined;
  let least = Infinity;
  const consider = (x: number, y: number, z: number): void => {
    const squared = x * x + y * y + z * z;
    if (!(squared < least) || !holds(x, y, z)) return;
    least = squared;
    best = [x, y, z];
  };
  for (const s of spaces) consider(s.x * s.c, s.y * s.c, s.z * s.c);
  for (let i = 0; i < spaces.length; i++) {
    for (let j = i + 1; j < spaces.length; j++) {
      const [s, t] = [spaces[i], spaces[j]];
      // x = α·s + β·t with s·x and t·x as given.
      const cosine = s.x * t.x + s.y * t.y + s.z * t.z;
      const sine = 1 - cosine * cosine;
      if (!(sine > 1e-10)) continue;
      const alpha = (s.c - cosine * t.c) / sine;
      const beta = (t.c - cosine * s.c) / sine;
      consider(alpha * s.x + beta * t.x, alpha * s.y + beta * t.y, alpha * s.z + beta * t.z);
      for (let k = j + 1; k < spaces.length; k++) {
        const u = spaces[k];
        const [px, py, pz] = [t.y * u.z - t.z * u.y, t.z * u.x - t.x * u.z, t.x * u.y - t.y * u.x];
        const volume = s.x * px + s.y * py + s.z * pz;
        if (!(Math.abs(volume) > 1e-6)) continue;
        const [qx, qy, qz] = [u.y * s.z - u.z * s.y, u.z * s.x - u.x * s.z, u.x * s.y - u.y * s.x];
        const [rx, ry, rz] = [s.y * t.z - s.z * t.y, s.z * t.x - s.x * t.z, s.x * t.y - s.y * t.x];
        consider(
          (s.c * px + t.c * qx + u.c * rx) / volume,
          (s.c * py + t.c * qy + u.c * ry) / volume,
          (s.c * pz + t.c * qz + u.c * rz) / volume,
        );
      }
    }
  }
  return best;
}
