// Cloth of 92,000 triangles that falls over a ball turning to and fro, and is wound into folds: it deforms in every
// step, lies on itself and passes through itself. Its motion is that of a coarser sheet of particles; the mesh is a
// smooth surface through them (Catmull and Rom 1974).

import { type Mesh, mesh, type Nearfield, shapes } from 'nearfield';
import { cosine } from '../elementary.ts';
import { poseOf, turnAbout } from '../rigid/vector.ts';
import { type Found, find, type Moving, type Part } from '../sample.ts';
import { type Ball, Sheet } from './sheet.ts';

export interface FoldingClothOptions {
  /** Approximate triangles of the cloth: 2·n² are made. */
  readonly triangles?: number;
  readonly seed?: number;
}

const usualStep = 1 / 60;
const ball = { center: [0, 0, 0.62], radius: 0.6 } as const;
/** It turns to and fro by this many radians. */
const [swing, swingPeriod] = [4.5, 7];
const [clothSize, clothHeight] = [3.8, 1.42];
const mostCells = 72;

const angleAt = (time: number): number => (swing / 2) * (1 - cosine((2 * Math.PI * time) / swingPeriod));

export function createFoldingCloth(nf: Nearfield, options: FoldingClothOptions = {}): Moving {
  const { triangles = 92_000, seed = 1 } = options;
  const fine = Math.max(2, Math.round(Math.sqrt(triangles / 2)));
  const noise = shapes.createNoise(seed, 2);
  // Off centre, and not quite flat, so that no two sides fold in the same way.
  const sheet = new Sheet(
    Math.min(mostCells, fine),
    clothSize,
    [0.1, -0.06, clothHeight],
    (x, y) => 0.03 * noise(1.3 * x, 1.3 * y, 0.5),
  );
  const surface = new SmoothSurface(sheet.side, fine);
  const scene = nf.scene();
  const cloth = scene.add(surface.mesh(sheet.positions), { name: 'cloth' });
  const frequency = Math.max(2, Math.round(fine / 9));
  const sphere = scene.add(shapes.icosphere({ radius: ball.radius, frequency }), { name: 'ball' });
  let [steps, time] = [0, 0];
  const turnBall = (): void => {
    sphere.pose = poseOf(turnAbout([0, 0, 1], angleAt(time)), ball.center);
  };
  turnBall();
  const advance = (dt = usualStep): void => {
    const moving: Ball = { ...ball, spin: (angleAt(time + dt) - angleAt(time)) / dt };
    sheet.advance(dt, moving);
    cloth.deform(surface.positions(sheet.positions));
    time += dt;
    steps++;
    turnBall();
  };
  return {
    name: 'folding-cloth',
    scene,
    bodies: [cloth, sphere],
    advance,
    async step(dt?: number): Promise<Found> {
      advance(dt);
      return find(scene, { step: steps, time }, [cloth]);
    },
    parts: (): Part[] => [
      { name: cloth.name, mesh: surface.mesh(sheet.positions), pose: cloth.pose },
      { name: sphere.name, mesh: sphere.mesh, pose: sphere.pose },
    ],
    close: () => scene.close(),
  };
}

/**
 * A surface through the points of a square grid, first along rows, then across them; four points influence a place.
 */
class SmoothSurface {
  readonly #side: number;
  readonly #fineSide: number;
  readonly #first: Int32Array;
  readonly #weights: Float64Array;
  readonly #rows: Float64Array;
  readonly #indices: Uint32Array;

  constructor(side: number, cells: number) {
    this.#side = side;
    this.#fineSide = cells + 1;
    this.#first = new Int32Array(this.#fineSide);
    this.#weights = new Float64Array(4 * this.#fineSide);
    for (let i = 0; i <= cells; i++) {
      const at = (i / cells) * (side - 1);
      const whole = Math.min(side - 2, Math.floor(at));
      const t = at - whole;
      this.#first[i] = whole - 1;
      const cubic = [
        (-t + 2 * t * t - t * t * t) / 2,
        (2 - 5 * t * t + 3 * t * t * t) / 2,
        (t + 4 * t * t - 3 * t * t * t) / 2,
        (-t * t + t * t * t) / 2,
      ];
      this.#weights.set(cubic, 4 * i);
    }
    this.#rows = new Float64Array(3 * this.#fineSide * side);
    this.#indices = gridIndices(cells);
  }

  mesh(points: Float64Array): Mesh {
    return mesh(this.positions(points), this.#indices);
  }

  positions(points: Float64Array): Float32Array {
    const [side, fineSide] = [this.#side, this.#fineSide];
    const out = new Float32Array(3 * fineSide * fineSide);
    for (let j = 0; j < side; j++) {
      this.#interpolate(points, 3 * j * side, 3, this.#rows, 3 * j * fineSide, 3);
    }
    for (let i = 0; i < fineSide; i++) {
      this.#interpolate(this.#rows, 3 * i, 3 * fineSide, out, 3 * i, 3 * fineSide);
    }
    return out;
  }

  /** Refines one line of points. Beyond an end, the end point is repeated. */
  #interpolate(
    from: Float64Array,
    start: number,
    stride: number,
    to: Float32Array | Float64Array,
    toStart: number,
    toStride: number,
  ): void {
    for (let i = 0; i < this.#fineSide; i++) {
      for (let axis = 0; axis < 3; axis++) {
        let sum = 0;
        for (let k = 0; k < 4; k++) {
          const at = Math.max(0, Math.min(this.#side - 1, this.#first[i] + k));
          sum += this.#weights[4 * i + k] * from[start + stride * at + axis];
        }
        to[toStart + toStride * i + axis] = sum;
      }
    }
  }
}

function gridIndices(cells: number): Uint32Array {
  const indices = new Uint32Array(6 * cells * cells);
  for (let j = 0; j < cells; j++) {
    for (let i = 0; i < cells; i++) {
      const a = j * (cells + 1) + i;
      const [b, c, d] = [a + 1, a + cells + 2, a + cells + 1];
      indices.set([a, b, c, a, c, d], 6 * (j * cells + i));
    }
  }
  return indices;
}
