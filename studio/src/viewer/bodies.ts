// The bodies in the view: what is drawn of them, where, and which of them lies under the pointer. Positions are single
// precision relative to a common origin, so that an assembly in map coordinates does not tremble.

import { Box3, ClippingGroup, Color, Matrix4, type Plane, type Raycaster, Vector3 } from 'three/webgpu';
import type { BodyData, BodyId } from '../engine/types.ts';
import type { DocumentBody, Section } from '../state/document.ts';
import { Batch, type Look } from './batch.ts';
import { type Hit, type Pickable, pick } from './pick.ts';
import { planesOf } from './section.ts';

/** Facts of a body besides its pose. */
export interface BodyFacts {
  readonly triangles: number;
  readonly closed: boolean;
  /** Whether it has an inside. */
  readonly solid: boolean;
}

/** How bodies are shown besides their own colour. */
export interface Emphasis {
  /** The bodies in focus; undefined for all. */
  readonly only?: readonly BodyId[] | undefined;
  /** Bodies in focus that are of glass. */
  readonly glass?: readonly BodyId[] | undefined;
  /** What becomes of bodies that are not in focus. */
  readonly rest?: 'ghost' | 'hidden' | undefined;
  /** Every body of glass, so that what lies within is seen. */
  readonly isXray?: boolean | undefined;
  /** Bodies that are not drawn, although they are visible in the document. */
  readonly hidden?: readonly BodyId[] | undefined;
  /** The selected body. */
  readonly lit?: BodyId | undefined;
  /** Colours in place of the bodies' own. */
  readonly colours?: ReadonlyMap<BodyId, string> | undefined;
}

interface Known extends Pickable {
  readonly facts: BodyFacts;
  readonly edges: Float32Array;
  /** The bounds where the body was read. */
  readonly local: readonly number[];
  readonly box: Float64Array;
  /** What was drawn last, to change only what differs. */
  body?: DocumentBody | undefined;
  colour?: string | undefined;
  look: Look;
  isLit: boolean;
  /** The last call that showed it. */
  turn: number;
}

export class Bodies {
  /** Everything that a section cuts. */
  readonly group = new ClippingGroup();
  readonly #batch = new Batch();
  readonly #invalidate: () => void;
  readonly #known = new Map<BodyId, Known>();
  #shown: readonly Known[] = [];
  #turn = 0;
  #origin: readonly number[] = [0, 0, 0];
  #planes: readonly Plane[] = [];
  #apart = 0;

  constructor(invalidate: () => void) {
    this.#invalidate = invalidate;
    this.group.add(this.#batch.before, this.#batch.after);
    this.group.enabled = false;
  }

  /** Subtracted from positions before they are drawn. */
  get origin(): readonly number[] {
    return this.#origin;
  }

  /** Takes bodies that were read. */
  add(data: readonly BodyData[]): void {
    for (const { id, drawn, indices, closed, solid } of data) {
      this.#known.set(id, {
        ...{
          id,
          corners: drawn.corners,
          edges: drawn.edges,
          local: drawn.box,
          matrix: new Matrix4(),
          box: new Float64Array(6),
        },
        facts: { triangles: indices.length / 3, closed, solid },
        ...{ look: 'hidden', isLit: false, turn: 0 },
      });
    }
    this.#batch.add(data);
  }

  forget(ids: Iterable<BodyId>): void {
    const gone = new Set(ids);
    this.#batch.forget(gone);
    for (const id of gone) this.#known.delete(id);
    this.#shown = this.#shown.filter(({ id }) => !gone.has(id));
  }

  get known(): Iterable<BodyId> {
    return this.#known.keys();
  }

  /** Draws exactly these bodies. Only what differs from before is changed. */
  show(bodies: readonly DocumentBody[], emphasis: Emphasis = {}): void {
    const { only, glass, rest = 'ghost', isXray = false, lit, colours, hidden = [] } = emphasis;
    if (this.#shown.length === 0 && bodies.length > 0) this.#origin = originOf(bodies);
    const before = this.#shown;
    const shown: Known[] = [];
    const [focus, clear] = [only && new Set(only), glass && new Set(glass)];
    this.#turn++;
    for (const body of bodies) {
      const { id, pose, visible } = body;
      const last = before[shown.length];
      const known = last?.id === id ? last : this.#known.get(id);
      if (known === undefined) continue;
      shown.push(known);
      known.turn = this.#turn;
      if (known.body?.pose !== pose) this.#set(known, pose);
      const colour = colours?.get(id) ?? body.colour;
      if (known.colour !== colour) this.#batch.setColour(id, new Color(colour));
      known.colour = colour;
      known.body = body;
      const own: Look = isXray || clear?.has(id) ? 'glass' : 'solid';
      const look =
        !visible || hidden.includes(id) ? 'hidden' : focus === undefined || focus.has(id) ? own : rest;
      const isLit = id === lit;
      if (known.look === look && known.isLit === isLit) continue;
      known.look = look;
      known.isLit = isLit;
      this.#batch.setLook(id, look, isLit);
    }
    for (const known of before) {
      if (known.turn === this.#turn || !this.#known.has(known.id)) continue;
      this.#batch.setLook(known.id, 'hidden');
      known.look = 'hidden';
      known.body = undefined;
    }
    this.#shown = shown;
    const apart = this.#apart;
    this.explode(0);
    this.explode(apart);
    this.#invalidate();
  }

  /** Moves bodies away from their common middle: 0 leaves them in place, 1 doubles their distances from it. */
  explode(apart: number): void {
    if (apart === this.#apart) return;
    // From where they are, not from where they were drawn.
    this.#apart = 0;
    for (const known of this.#shown) this.#set(known, known.body!.pose);
    const middle = this.box().getCenter(new Vector3()).toArray();
    this.#apart = apart;
    if (apart > 0) {
      for (const known of this.#shown) this.#set(known, known.body!.pose, middle);
    }
    this.#invalidate();
  }

  /** Three corners per triangle, where the body was read. */
  corners(id: BodyId): Float32Array | undefined {
    return this.#known.get(id)?.corners;
  }

  /** Both ends per edge where the surface is not smooth, where the body was read. */
  edges(id: BodyId): Float32Array {
    return this.#known.get(id)?.edges ?? new Float32Array(0);
  }

  /** From where the body was read to drawn coordinates. */
  matrix(id: BodyId): Matrix4 | undefined {
    return this.#known.get(id)?.matrix;
  }

  factsOf(id: BodyId): BodyFacts | undefined {
    return this.#known.get(id)?.facts;
  }

  lookOf(id: BodyId): Look {
    return this.#known.get(id)?.look ?? 'hidden';
  }

  /** The bounds of all visible bodies, or of some, in drawn coordinates. */
  box(ids?: Iterable<BodyId>): Box3 {
    const all = new Box3();
    const { min, max } = all;
    const chosen = ids && [...ids].flatMap(id => this.#known.get(id) ?? []);
    for (const { box, body } of chosen ?? this.#shown) {
      if (body === undefined || !(body.visible || ids)) continue;
      if (box[0] < min.x) min.x = box[0];
      if (box[1] < min.y) min.y = box[1];
      if (box[2] < min.z) min.z = box[2];
      if (box[3] > max.x) max.x = box[3];
      if (box[4] > max.y) max.y = box[4];
      if (box[5] > max.z) max.z = box[5];
    }
    return all;
  }

  /** The first point of a body that is neither hidden nor a ghost. */
  hit({ ray }: Raycaster): Hit | undefined {
    const solid = this.#shown.filter(({ look }) => look === 'solid' || look === 'glass');
    return pick(ray, solid, this.#planes);
  }

  /** Cuts everything away on one side of a plane, or outside a box. */
  cut(section: Section | undefined): void {
    this.#planes = section === undefined ? [] : planesOf(section, this.box());
    this.group.enabled = this.#planes.length > 0;
    this.#batch.isCut = this.group.enabled;
    this.group.clippingPlanes = [...this.#planes];
    this.#invalidate();
  }

  get planes(): readonly Plane[] {
    return this.#planes;
  }

  #set(known: Known, pose: ArrayLike<number>, middle?: readonly number[]): void {
    const matrix = Array.from(pose);
    for (let axis = 0; axis < 3; axis++) matrix[12 + axis] -= this.#origin[axis];
    known.matrix.fromArray(matrix);
    placeBox(known);
    if (middle) {
      for (let axis = 0; axis < 3; axis++) {
        const away = this.#apart * ((known.box[axis] + known.box[3 + axis]) / 2 - middle[axis]);
        known.matrix.elements[12 + axis] += away;
        known.box[axis] += away;
        known.box[3 + axis] += away;
      }
    }
    this.#batch.setPose(known.id, known.matrix.elements);
  }
}

/** The bounds of the eight corners of the local bounds. */
function placeBox({ local, matrix: { elements: m }, box }: Known): void {
  // A body without triangles has no bounds.
  if (local[0] > local[3]) {
    box.set(local);
    return;
  }
  for (let axis = 0; axis < 3; axis++) {
    let [low, high] = [m[12 + axis], m[12 + axis]];
    for (let k = 0; k < 3; k++) {
      const [p, q] = [m[4 * k + axis] * local[k], m[4 * k + axis] * local[3 + k]];
      low += Math.min(p, q);
      high += Math.max(p, q);
    }
    box[axis] = low;
    box[3 + axis] = high;
  }
}

/** The middle of the bodies, in whole numbers, if it is far away; otherwise zero. */
function originOf(bodies: readonly DocumentBody[]): number[] {
  return [12, 13, 14].map(entry => {
    const middle = bodies.reduce((sum, { pose }) => sum + pose[entry], 0) / bodies.length;
    return Math.abs(middle) > 1e4 ? Math.round(middle) : 0;
  });
}

/** A pose as a three.js matrix. */
export function matrixOf(pose: ArrayLike<number>): Matrix4 {
  return new Matrix4().fromArray(Array.from(pose));
}
