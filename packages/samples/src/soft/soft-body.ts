// A body with a motion of its own that gives way: every vertex hangs by a damped spring on the place the motion has for it,
// and is held by its neighbours along the edges, so that a push bends the surface and does not crease it.

import { type Body, type Mesh, mesh, type Scene } from 'nearfield';

export interface SoftOptions {
  name: string;
  mesh: Mesh;
  /** Writes where the motion has each vertex at a time, three numbers each. */
  motion: (time: number, out: Float64Array) => void;
  mass: number;
}

/** How fast a vertex swings about its place, in radians a second, and by which share of the critical it is damped. */
const swing = 25;
const dampingRatio = 0.6;
/** How strongly it is held by its neighbours, next to its own spring. */
const holding = 6;

export class SoftBody {
  readonly body: Body;
  readonly #motion: SoftOptions['motion'];
  readonly #mass: number;
  /** Where the motion has the vertices, and how far they are from there; how fast that changes, and the forces on them. */
  readonly #places: Float64Array;
  readonly #offsets: Float64Array;
  readonly #speeds: Float64Array;
  readonly #forces: Float64Array;
  readonly #positions: Float64Array;
  /** The two vertices of every edge; how many edges each vertex has. */
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
   * Goes on to a time. Damping is implicit, springs are semi-implicit: stable while the step is below two over the fastest
   * swing, which is swing·√(1 + 2·holding), some ninety radians a second.
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

  /** Of motion beside the given one, and in the springs. */
  get energy(): number {
    const [offsets, speeds] = [this.#offsets, this.#speeds];
    let sum = 0;
    for (let i = 0; i < offsets.length; i++) {
      const stretched = swing * offsets[i];
      sum += speeds[i] * speeds[i] + stretched * stretched;
    }
    return (this.#mass * sum) / 2;
  }

  /** Each vertex is drawn to the mean of its neighbours' offsets. */
  #addHolding(): void {
    const [edges, offsets, forces, counts] = [this.#edges, this.#offsets, this.#forces, this.#edgeCounts];
    const strength = this.#mass * swing * swing * holding;
    for (let e = 0; e < edges.length; e += 2) {
      const [a, b] = [edges[e], edges[e + 1]];
      // Equal and opposite, so that nothing is pushed from nowhere.
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
