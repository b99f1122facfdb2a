// A body with a prescribed motion that gives way: a damped spring ties every vertex to its place in the motion, and
// edges tie it to its neighbours, so that a push bends the surface without creasing it.

import { type Body, type Mesh, mesh, type Scene } from 'nearfield';

export interface SoftOptions {
  name: string;
  mesh: Mesh;
  /** Writes the prescribed position of each vertex at a time, three numbers per vertex. */
  motion: (time: number, out: Float64Array) => void;
  mass: number;
}

/**
 * The frequency of a vertex about its place, in radians per second, and its damping as a share of the critical one.
 */
const swing = 25;
const dampingRatio = 0.6;
/** The strength of the ties to its neighbours, relative to its own spring. */
const holding = 6;

export class SoftBody {
  readonly body: Body;
  readonly #motion: SoftOptions['motion'];
  readonly #mass: number;
  /** The prescribed positions, the offsets from there, their velocities, and the forces. */
  readonly #places: Float64Array;
  readonly #offsets: Float64Array;
  readonly #speeds: Float64Array;
  readonly #forces: Float64Array;
  readonly #positions: Float64Array;
  /** The two vertices of every edge; the number of edges per vertex. */
  readonly #edges: Uint32Array;
  readonly #edgeCounts: Float64Array;

  constructor(scene: Scene, { name, mesh: rest, motion, mass }: SoftOptions) {
    const { length } = rest.positions;
    this.#motion = motion;
    this.#mass = mass / rest.vertexCount;
    this.#places = new Float64Array(length);
    this.#offsets = new Float64Array(length);
    this.#speeds = new Float64Array(length);
    this.#forces = new Float64Array(length);
    this.#positions = new Float64Array(length);
    this.#edges = rest.edges.vertices;
    this.#edgeCounts = new Float64Array(rest.vertexCount);
    for (const vertex of this.#edges) this.#edgeCounts[vertex]++;
    this.body = scene.add(rest, { name });
    this.#place(0);
  }

  /** Its mesh as it now stands. */
  get mesh(): Mesh {
    return mesh(this.#positions.slice(), this.body.mesh.indices);
  }

  /** Adds a force to the corners of a triangle, a third each, until the next step. */
  push(triangle: number, x: number, y: number, z: number): void {
    const { indices } = this.body.mesh;
    for (let i = 3 * triangle; i < 3 * triangle + 3; i++) {
      this.#forces[3 * indices[i]] += x / 3;
      this.#forces[3 * indices[i] + 1] += y / 3;
      this.#forces[3 * indices[i] + 2] += z / 3;
    }
  }

  /**
   * Advances to a time. Damping is implicit, springs are semi-implicit: stable while the step is below two divided by
   * the highest frequency, swing·√(1 + 2·holding), some ninety radians per second.
   */
  advance(time: number, dt: number): void {
    const [offsets, speeds, forces] = [this.#offsets, this.#speeds, this.#forces];
    this.#addHolding();
    const kept = 1 / (1 + 2 * dampingRatio * swing * dt);
    for (let i = 0; i < offsets.length; i++) {
      speeds[i] = (speeds[i] + dt * (forces[i] / this.#mass - swing * swing * offsets[i])) * kept;
      offsets[i] += dt * speeds[i];
    }
    forces.fill(0);
    this.#place(time);
  }

  /** Energy of the motion beside the prescribed one, and of the springs. */
  get energy(): number {
    const [offsets, speeds] = [this.#offsets, this.#speeds];
    let sum = 0;
    for (let i = 0; i < offsets.length; i++) {
      const stretched = swing * offsets[i];
      sum += speeds[i] * speeds[i] + stretched * stretched;
    }
    return (this.#mass * sum) / 2;
  }

  /** Each vertex is pulled to the mean of its neighbours' offsets. */
  #addHolding(): void {
    const [edges, offsets, forces, counts] = [this.#edges, this.#offsets, this.#forces, this.#edgeCounts];
    const strength = this.#mass * swing * swing * holding;
    for (let e = 0; e < edges.length; e += 2) {
      const [a, b] = [edges[e], edges[e + 1]];
      // Equal and opposite, so that momentum is conserved.
      const share = strength / Math.max(counts[a], counts[b]);
      for (let axis = 0; axis < 3; axis++) {
        const force = share * (offsets[3 * b + axis] - offsets[3 * a + axis]);
        forces[3 * a + axis] += force;
        forces[3 * b + axis] -= force;
      }
    }
  }

  #place(time: number): void {
    this.#motion(time, this.#places);
    for (let i = 0; i < this.#positions.length; i++) this.#positions[i] = this.#places[i] + this.#offsets[i];
    this.body.deform(this.#positions);
  }
}
