// Draws any number of bodies in a few calls. The triangles of many bodies lie in one geometry, and each corner has the
// slot of its body. A texture has the pose, colour and look of every slot; moving a body changes that texture alone.
// A pass draws the bodies of one look and collapses all others to a point.

import {
  attribute,
  cross,
  Fn,
  float,
  int,
  ivec2,
  normalGeometry,
  normalLocal,
  positionGeometry,
  screenCoordinate,
  select,
  texture,
  textureLoad,
  varying,
  vec3,
  vec4,
} from 'three/tsl';
import {
  BackSide,
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  DoubleSide,
  FloatType,
  FrontSide,
  Group,
  LineBasicNodeMaterial,
  LineSegments,
  type Material,
  Mesh,
  MeshBasicNodeMaterial,
  MeshLambertNodeMaterial,
  NearestFilter,
  type Object3D,
  RGBAFormat,
  type TextureNode,
} from 'three/webgpu';
import type { BodyId, DrawnData } from '../engine/types.ts';

/** How a body is drawn. Bodies of glass show what lies in them; ghosts are all but invisible. */
export type Look = 'hidden' | 'solid' | 'glass' | 'ghost';
const looks: readonly Look[] = ['hidden', 'solid', 'glass', 'ghost'];

/** A selected body is lighter. In the table, this is added to the look. */
const litBit = 4;
/** A body that bounds a solid. Where a section opens it, its inside is drawn as if it were filled. */
const solidBit = 8;
/** The width of the hatching on cut solids, in pixels. */
const hatching = 7;

/** Texels per body: three rows of its pose, then its colour and look. */
const texels = 4;
const bodiesPerRow = 256;
/** Corners of a geometry, at most, unless one body has more. */
const mostCorners = 3_000_000;

type Drawn = Pick<DrawnData, 'corners' | 'normals' | 'edges'>;

interface Chunk {
  readonly members: readonly { readonly id: BodyId; readonly slot: number; readonly drawn: Drawn }[];
  readonly objects: readonly Object3D[];
  dispose(): void;
}

export class Batch {
  /** Drawn before marks, and after them. */
  readonly before = new Group();
  readonly after = new Group();
  readonly #slots = new Map<BodyId, number>();
  #free: number[] = [];
  #chunks: Chunk[] = [];
  #texture = tableOf(1);
  readonly #table = texture(this.#texture) as unknown as TextureNode<'vec4'>;
  #isCut = false;
  readonly #solids = new Set<BodyId>();
  readonly #passes = passesOf(this.#table);
  /** Bodies per look, so that a pass without bodies is skipped. */
  readonly #counts = new Map<Look, number>(looks.map(look => [look, 0]));

  constructor() {
    // Ghosts write their depth, which would hide marks behind them.
    this.after.renderOrder = 2;
  }

  /** Whether a section cuts the bodies. */
  set isCut(isCut: boolean) {
    this.#isCut = isCut;
    this.#showPasses();
  }

  add(bodies: readonly { readonly id: BodyId; readonly drawn: Drawn; readonly solid: boolean }[]): void {
    for (const { id, solid } of bodies) if (solid) this.#solids.add(id);
    const members = bodies.map(({ id, drawn }) => ({ id, drawn, slot: this.#take(id) }));
    this.#grow();
    let from = 0;
    let corners = 0;
    for (const [i, { drawn }] of members.entries()) {
      if (corners > 0 && corners + drawn.corners.length / 3 > mostCorners) {
        this.#append(members.slice(from, i));
        from = i;
        corners = 0;
      }
      corners += drawn.corners.length / 3;
    }
    if (from < members.length) this.#append(members.slice(from));
  }

  /** Frees the memory of bodies. What is left of their geometries is copied to smaller ones. */
  forget(ids: ReadonlySet<BodyId>): void {
    const kept: Chunk[] = [];
    const left: Chunk['members'][number][] = [];
    for (const chunk of this.#chunks) {
      if (!chunk.members.some(({ id }) => ids.has(id))) kept.push(chunk);
      else {
        chunk.dispose();
        left.push(...chunk.members.filter(({ id }) => !ids.has(id)));
      }
    }
    this.#chunks = kept;
    for (const id of ids) {
      const slot = this.#slots.get(id);
      if (slot === undefined) continue;
      this.setLook(id, 'hidden');
      this.#slots.delete(id);
      this.#solids.delete(id);
      this.#free.push(slot);
    }
    if (left.length > 0) this.#append(left);
  }

  /** Column-major, in drawn coordinates. */
  setPose(id: BodyId, pose: ArrayLike<number>): void {
    const at = this.#at(id);
    const { data } = this.#texture.image;
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 4; column++) data[at + 4 * row + column] = pose[4 * column + row];
    }
    this.#texture.needsUpdate = true;
  }

  setColour(id: BodyId, { r, g, b }: { readonly r: number; readonly g: number; readonly b: number }): void {
    this.#texture.image.data.set([r, g, b], this.#at(id) + 12);
    this.#texture.needsUpdate = true;
  }

  setLook(id: BodyId, look: Look, isLit = false): void {
    const at = this.#at(id) + 15;
    const { data } = this.#texture.image;
    const before = looks[data[at] & (litBit - 1)];
    data[at] = looks.indexOf(look) + (isLit ? litBit : 0) + (this.#solids.has(id) ? solidBit : 0);
    this.#texture.needsUpdate = true;
    if (before === look) return;
    this.#counts.set(before, this.#counts.get(before)! - 1);
    this.#counts.set(look, this.#counts.get(look)! + 1);
    this.#showPasses();
  }

  #at(id: BodyId): number {
    return 4 * texels * this.#slots.get(id)!;
  }

  #take(id: BodyId): number {
    const slot = this.#free.pop() ?? this.#slots.size;
    this.#slots.set(id, slot);
    this.#counts.set('hidden', this.#counts.get('hidden')! + 1);
    return slot;
  }

  /** A table with room for every slot, with the contents of the one before. */
  #grow(): void {
    const wanted = this.#slots.size + this.#free.length;
    const { data, height } = this.#texture.image;
    if (wanted <= height * bodiesPerRow) return;
    const next = tableOf(Math.max(2 * height, Math.ceil(wanted / bodiesPerRow)));
    next.image.data.set(data);
    this.#texture.dispose();
    this.#texture = next;
    this.#table.value = next;
  }

  #append(members: Chunk['members']): void {
    const faces = facesOf(members);
    const edges = edgesOf(members);
    const objects = this.#passes.map(({ look, kind, material, isAfter, order, isCap = false }) => {
      const made = kind === 'faces' ? new Mesh(faces, material) : new LineSegments(edges, material);
      made.frustumCulled = false;
      made.matrixAutoUpdate = false;
      made.renderOrder = order;
      Object.assign(made.userData, { look, isCap });
      (isAfter ? this.after : this.before).add(made);
      return made;
    });
    const dispose = () => {
      for (const object of objects) object.removeFromParent();
      faces.dispose();
      edges.dispose();
    };
    this.#chunks.push({ members, objects, dispose });
    this.#showPasses();
  }

  #showPasses(): void {
    for (const { objects } of this.#chunks) {
      for (const object of objects) {
        const { look, isCap } = object.userData as { look: Look; isCap: boolean };
        object.visible = this.#counts.get(look)! > 0 && (this.#isCut || !isCap);
      }
    }
  }
}

function tableOf(rows: number): DataTexture & { image: { data: Float32Array; height: number } } {
  const width = texels * bodiesPerRow;
  const table = new DataTexture(new Float32Array(4 * width * rows), width, rows, RGBAFormat, FloatType);
  table.minFilter = NearestFilter;
  table.magFilter = NearestFilter;
  table.needsUpdate = true;
  return table as never;
}

function facesOf(members: Chunk['members']): BufferGeometry {
  const count = members.reduce((sum, { drawn }) => sum + drawn.corners.length / 3, 0);
  const corners = new Float32Array(3 * count);
  const normals = new Int8Array(4 * count);
  const slots = new Float32Array(count);
  let at = 0;
  for (const { drawn, slot } of members) {
    corners.set(drawn.corners, 3 * at);
    normals.set(drawn.normals, 4 * at);
    slots.fill(slot, at, at + drawn.corners.length / 3);
    at += drawn.corners.length / 3;
  }
  return new BufferGeometry()
    .setAttribute('position', new BufferAttribute(corners, 3))
    .setAttribute('normal', new BufferAttribute(normals, 4, true))
    .setAttribute('slot', new BufferAttribute(slots, 1));
}

function edgesOf(members: Chunk['members']): BufferGeometry {
  const count = members.reduce((sum, { drawn }) => sum + drawn.edges.length / 3, 0);
  const ends = new Float32Array(3 * count);
  const slots = new Float32Array(count);
  let at = 0;
  for (const { drawn, slot } of members) {
    ends.set(drawn.edges, 3 * at);
    slots.fill(slot, at, at + drawn.edges.length / 3);
    at += drawn.edges.length / 3;
  }
  return new BufferGeometry()
    .setAttribute('position', new BufferAttribute(ends, 3))
    .setAttribute('slot', new BufferAttribute(slots, 1));
}

interface PassStyle {
  readonly look: Look;
  readonly kind: 'faces' | 'edges';
  readonly material: Material;
  readonly isAfter: boolean;
  readonly order: number;
  /** Drawn only if a section cuts the bodies. */
  readonly isCap?: boolean;
}

function passesOf(table: TextureNode<'vec4'>): PassStyle[] {
  const slot = int(attribute<'float'>('slot', 'float'));
  const texel = (k: number) =>
    textureLoad(table, ivec2(slot.mod(int(bodiesPerRow)).mul(texels).add(k), slot.div(int(bodiesPerRow))));
  /** Places the corners of bodies with one look; others become triangles without area. */
  const placed = (look: Look, hasNormals: boolean, needs = 0) =>
    Fn(() => {
      const [x, y, z] = [texel(0).toVar(), texel(1).toVar(), texel(2).toVar()];
      const corner = vec4(positionGeometry, 1);
      if (hasNormals) {
        // The cofactors of the pose keep normals at right angles to what the pose shears or stretches.
        const n = normalGeometry;
        const turned = vec3(
          cross(y.xyz, z.xyz).dot(n),
          cross(z.xyz, x.xyz).dot(n),
          cross(x.xyz, y.xyz).dot(n),
        );
        normalLocal.assign(turned.normalize());
      }
      const own = int(texel(3).w).bitAnd(int(needs + litBit - 1));
      const world = vec3(x.dot(corner), y.dot(corner), z.dot(corner));
      return select(own.equal(int(needs + looks.indexOf(look))), world, vec3(0));
    })();
  const colour = varying(texel(3).xyz);
  const flag = (bit: number) =>
    varying(select(int(texel(3).w).bitAnd(int(bit)).greaterThan(int(0)), float(1), float(0)));
  const isLit = flag(litBit);
  const stripe = screenCoordinate.x.add(screenCoordinate.y).mod(hatching).lessThan(1.5);
  const shine = vec3(0.01, 0.05, 0.13).mul(isLit);
  // Surfaces lie a little behind their edges and the marks on them.
  const behind = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };

  const solid = new MeshLambertNodeMaterial({ side: DoubleSide, ...behind });
  solid.colorNode = vec4(colour, 1);
  solid.emissiveNode = shine;
  solid.positionNode = placed('solid', true);

  // Behind the opening of a cut solid, its inside fills the same pixels as a cap in the plane of the section would. It lies
  // before what touches the solid there.
  const cap = new MeshBasicNodeMaterial({
    ...{ side: BackSide, polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -8 },
  });
  cap.colorNode = vec4(colour.mul(select(stripe, float(0.45), float(0.82))), 1);
  cap.positionNode = placed('solid', false, solidBit);

  const glass = new MeshLambertNodeMaterial({
    ...{ side: FrontSide, transparent: true, depthWrite: false, ...behind },
  });
  glass.colorNode = vec4(colour, 0.38);
  glass.emissiveNode = shine;
  glass.positionNode = placed('glass', true);

  // One layer of ghosts: their depth first, then the nearest of them. Otherwise a hundred of them would hide all.
  const depth = new MeshBasicNodeMaterial({
    ...{ side: DoubleSide, transparent: true, colorWrite: false, ...behind },
  });
  depth.positionNode = placed('ghost', false);
  const ghost = new MeshLambertNodeMaterial({ side: DoubleSide, transparent: true, depthWrite: false });
  ghost.colorNode = vec4(colour, 0.13);
  ghost.positionNode = placed('ghost', true);

  const lines = (look: Look, opacity: number) => {
    const material = new LineBasicNodeMaterial({ transparent: true, depthWrite: false });
    material.colorNode = vec4(0.004, 0.008, 0.012, opacity);
    material.positionNode = placed(look, false);
    return material;
  };
  return [
    { look: 'solid', kind: 'faces', material: solid, isAfter: false, order: 0 },
    { look: 'solid', kind: 'faces', material: cap, isAfter: false, order: 0, isCap: true },
    { look: 'glass', kind: 'faces', material: glass, isAfter: false, order: 1 },
    { look: 'solid', kind: 'edges', material: lines('solid', 0.5), isAfter: false, order: 2 },
    { look: 'glass', kind: 'edges', material: lines('glass', 0.3), isAfter: false, order: 2 },
    { look: 'ghost', kind: 'faces', material: depth, isAfter: true, order: 0 },
    { look: 'ghost', kind: 'faces', material: ghost, isAfter: true, order: 1 },
    { look: 'ghost', kind: 'edges', material: lines('ghost', 0.13), isAfter: true, order: 2 },
  ];
}
