// Sums over triangles of a closed surface: volume, area and their moments, each with a bound of its error.
//
// By the divergence theorem, the volume that a closed surface encloses is the sum of the tetrahedra from the origin over its
// triangles: v = a·((b − a)×(c − a))/6, at the middle (a + b + c)/4. It holds for every closed chain of triangles, flat pieces
// or not, so a piece of the surface may be given as a fan over the lines around it, with triangles of either sign.
//
// The bound has two parts. Let ε = 2^-53, u = b − a, v = c − a.
//
// Rounding of terms. Differences, products and sums of a tetrahedron round at most eight times in a row, and magnitudes that
// cancel are at most |a||u||v|/3: a term is off by less than 2^-48·|a||u||v|. Sums are compensated (Neumaier 1974): they are off
// by less than 2ε of the result plus n²ε² of the magnitudes, which is below 2^-48 of them for all n below 2^26.
//
// Moved corners. Let every corner be off by up to δ from its true place, the same for every triangle that has it. Then the chain
// stays closed while its corners move straight from the true places to the computed ones. The volume changes by what the
// triangles sweep: each at most δ times its greatest area on the way, which is at most |u×v|/2 + δ(|u| + |v|) + 2δ². Areas change
// by no more than δ(|u| + |v|) + 2δ² each.

import type { Vector } from '../math/vector.ts';

/** A sum of doubles with the roundings of its additions. */
class Sum {
  #sum = 0;
  #rest = 0;

  add(term: number): void {
    const sum = this.#sum + term;
    // The larger one keeps its digits, the smaller one loses some: the difference says which.
    if (Math.abs(this.#sum) >= Math.abs(term)) this.#rest += this.#sum - sum + term;
    else this.#rest += term - sum + this.#sum;
    this.#sum = sum;
  }

  get value(): number {
    return this.#sum + this.#rest;
  }
}

const sums = (count: number): Sum[] => Array.from({ length: count }, () => new Sum());

export class SurfaceSums {
  readonly #volume = new Sum();
  /** ∫ x dV. */
  readonly #ofVolume = sums(3);
  readonly #area = new Sum();
  /** ∫ x dA. */
  readonly #ofArea = sums(3);
  /** The sums of |a||u||v|, |u||v|, |u×v|/2 and |u| + |v|, and how many triangles there are. */
  #cubes = 0;
  #squares = 0;
  #spans = 0;
  #lengths = 0;
  #count = 0;
  /** The current piece: its area as a vector, and ∫ x dA of each component of the vector. */
  readonly #vector = new Float64Array(3);
  readonly #moments = new Float64Array(9);

  /** Adds the triangle with corners at p[a…], p[b…] and p[c…] to the current piece. */
  addTriangle(p: Float64Array, a: number, b: number, c: number): void {
    const ax = p[a];
    const ay = p[a + 1];
    const az = p[a + 2];
    const ux = p[b] - ax;
    const uy = p[b + 1] - ay;
    const uz = p[b + 2] - az;
    const vx = p[c] - ax;
    const vy = p[c + 1] - ay;
    const vz = p[c + 2] - az;
    const x = uy * vz - uz * vy;
    const y = uz * vx - ux * vz;
    const z = ux * vy - uy * vx;
    const volume = (ax * x + ay * y + az * z) / 6;
    // Sums of corners: three for the area, four (with the origin) for the volume.
    const sx = ax + p[b] + p[c];
    const sy = ay + p[b + 1] + p[c + 1];
    const sz = az + p[b + 2] + p[c + 2];
    this.#volume.add(volume);
    this.#ofVolume[0].add((volume * sx) / 4);
    this.#ofVolume[1].add((volume * sy) / 4);
    this.#ofVolume[2].add((volume * sz) / 4);
    const vector = this.#vector;
    vector[0] += x / 2;
    vector[1] += y / 2;
    vector[2] += z / 2;
    const moments = this.#moments;
    moments[0] += (x * sx) / 6;
    moments[1] += (x * sy) / 6;
    moments[2] += (x * sz) / 6;
    moments[3] += (y * sx) / 6;
    moments[4] += (y * sy) / 6;
    moments[5] += (y * sz) / 6;
    moments[6] += (z * sx) / 6;
    moments[7] += (z * sy) / 6;
    moments[8] += (z * sz) / 6;
    const u = Math.sqrt(ux * ux + uy * uy + uz * uz);
    const v = Math.sqrt(vx * vx + vy * vy + vz * vz);
    this.#cubes += Math.sqrt(ax * ax + ay * ay + az * az) * u * v;
    this.#squares += u * v;
    this.#spans += Math.sqrt(x * x + y * y + z * z) / 2;
    this.#lengths += u + v;
    this.#count++;
  }

  /**
   * Ends a flat piece. Its triangles lie in one plane and may have either sign, so that its area is the length of the sum of
   * their areas as vectors. That is the same for every fan over its lines.
   */
  endPiece(): void {
    const [vector, moments] = [this.#vector, this.#moments];
    const area = Math.sqrt(vector[0] ** 2 + vector[1] ** 2 + vector[2] ** 2);
    this.#area.add(area);
    if (area > 0) {
      for (let axis = 0; axis < 3; axis++) {
        const along =
          vector[0] * moments[axis] + vector[1] * moments[3 + axis] + vector[2] * moments[6 + axis];
        this.#ofArea[axis].add(along / area);
      }
    }
    vector.fill(0);
    moments.fill(0);
  }

  get volume(): number {
    return this.#volume.value;
  }
  get area(): number {
    return this.#area.value;
  }

  /** A bound of the volume's error if every corner is off by up to δ. */
  volumeError(delta: number): number {
    const swept = this.#spans + 2 ** -48 * this.#squares + this.#wider(delta);
    return up(delta * swept + 2 ** -48 * this.#cubes);
  }

  /** A bound of the area's error if every corner is off by up to δ. */
  areaError(delta: number): number {
    return up(this.#wider(delta) + 2 ** -48 * this.#squares);
  }

  #wider(delta: number): number {
    return delta * this.#lengths + 2 * delta * delta * this.#count;
  }

  /** The middle of the volume, or of the area; undefined without any. */
  get middleOfVolume(): Vector | undefined {
    return middle(this.#ofVolume, this.volume);
  }
  get middleOfArea(): Vector | undefined {
    return middle(this.#ofArea, this.area);
  }
}

/** More than a few roundings of a sum of positive numbers. */
const up = (bound: number): number => bound * (1 + 2 ** -20);

function middle(moments: readonly Sum[], of: number): Vector | undefined {
  const point: Vector = [moments[0].value / of, moments[1].value / of, moments[2].value / of];
  return point.every(Number.isFinite) ? point : undefined;
}
