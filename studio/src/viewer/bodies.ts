// Draws the bodies. Positions are single precision relative to a common origin, so that an assembly in map
// coordinates does not tremble.

import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  ClippingGroup,
  DoubleSide,
  Group,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  Plane,
  type Raycaster,
  Sphere,
  Vector3,
} from 'three/webgpu';
import type { BodyData, BodyId, DrawnData } from '../engine/types.ts';
import type { DocumentBody, Section } from '../state/document.ts';

/** The look of bodies that are not in focus, and of the selected one. */
const faded = 0.18;
const selected = '#123a66';

/** Facts of a body besides its pose. */
export interface BodyFacts {
  readonly triangles: number;
  readonly closed: boolean;
  /** Whether it has an inside. */
  readonly solid: boolean;
}

export class Bodies {
  /** Everything that a section plane cuts. */
  readonly group = new ClippingGroup();
  readonly #inner = new Group();
  readonly #invalidate: () => void;
  readonly #drawn = new Map<BodyId, Mesh<BufferGeometry, MeshStandardMaterial>>();
  readonly #facts = new Map<BodyId, BodyFacts>();
  readonly #plane = new Plane();
  #origin: readonly number[] = [0, 0, 0];

  constructor(invalidate: () => void) {
    this.#invalidate = invalidate;
    this.group.add(this.#inner);
    this.group.enabled = false;
    this.group.clippingPlanes = [this.#plane];
  }

  /** Subtracted from positions before they are drawn. */
  get origin(): readonly number[] {
    return this.#origin;
  }

  /** Creates the geometry of bodies that were read. */
  add(data: readonly BodyData[]): void {
    for (const { id, drawn: made, indices, closed, solid } of data) {
      this.#facts.set(id, { triangles: indices.length / 3, closed, solid });
      const geometry = geometryOf(made);
      const material = new MeshStandardMaterial({ roughness: 0.62, metalness: 0.05, side: DoubleSide });
      const drawn = new Mesh(geometry, material);
      drawn.userData['id'] = id;
      drawn.matrixAutoUpdate = false;
      this.#drawn.set(id, drawn);
    }
  }

  forget(ids: Iterable<BodyId>): void {
    for (const id of ids) {
      const drawn = this.#drawn.get(id);
      if (drawn === undefined) continue;
      drawn.removeFromParent();
      drawn.geometry.dispose();
      drawn.material.dispose();
      this.#drawn.delete(id);
      this.#facts.delete(id);
    }
  }

  get known(): Iterable<BodyId> {
    return this.#drawn.keys();
  }

  /** Draws exactly these bodies. With `only`, the others are faded; one of them may be selected. */
  show(bodies: readonly DocumentBody[], only?: readonly BodyId[], lit?: BodyId): void {
    if (this.#inner.children.length === 0 && bodies.length > 0) this.#origin = originOf(bodies);
    const shown = new Set(bodies.map(({ id }) => id));
    for (const [id, drawn] of this.#drawn) if (!shown.has(id)) drawn.removeFromParent();
    for (const { id, pose, colour, visible } of bodies) {
      const drawn = this.#drawn.get(id);
      if (drawn === undefined) continue;
      if (drawn.parent !== this.#inner) this.#inner.add(drawn);
      this.place(id, pose);
      drawn.visible = visible;
      const { material } = drawn;
      material.color.set(colour);
      material.emissive.set(id === lit ? selected : 0);
      const isFaded = only !== undefined && !only.includes(id);
      if (material.transparent !== isFaded) material.needsUpdate = true;
      material.transparent = isFaded;
      material.opacity = isFaded ? faded : 1;
      material.depthWrite = !isFaded;
    }
    this.#invalidate();
  }

  place(id: BodyId, pose: ArrayLike<number>): void {
    const drawn = this.#drawn.get(id);
    if (drawn === undefined) return;
    const matrix = Array.from(pose);
    for (let axis = 0; axis < 3; axis++) matrix[12 + axis] -= this.#origin[axis];
    drawn.matrix.fromArray(matrix);
    drawn.matrixWorldNeedsUpdate = true;
    this.#invalidate();
  }

  factsOf(id: BodyId): BodyFacts | undefined {
    return this.#facts.get(id);
  }

  object(id: BodyId): Mesh | undefined {
    return this.#drawn.get(id);
  }

  /** The bounds of all visible bodies, in drawn coordinates. */
  box(ids?: Iterable<BodyId>): Box3 {
    const box = new Box3();
    for (const id of ids ?? this.#drawn.keys()) {
      const drawn = this.#drawn.get(id);
      if (drawn?.parent && (drawn.visible || ids)) box.expandByObject(drawn);
    }
    return box;
  }

  hit(caster: Raycaster): BodyId | undefined {
    const solid = this.#inner.children.filter(
      child => child.visible && !(child as Mesh<never, MeshStandardMaterial>).material.transparent,
    );
    const side = (point: Vector3) => !this.group.enabled || this.#plane.distanceToPoint(point) >= 0;
    const [nearest] = caster.intersectObjects(solid, false).filter(({ point }) => side(point));
    return nearest?.object.userData['id'] as BodyId | undefined;
  }

  /** Cuts everything away on one side of a plane. */
  cut(section: Section | undefined): void {
    this.group.enabled = section !== undefined;
    if (section !== undefined) {
      const box = this.box();
      const { axis, at, flipped } = section;
      const [low, high] = [box.min.getComponent(axis), box.max.getComponent(axis)];
      const normal = new Vector3().setComponent(axis, flipped ? 1 : -1);
      const place = low + at * (high - low);
      this.#plane.set(normal, flipped ? -place : place);
    }
    this.#invalidate();
  }
}

/** No step here takes time in proportion to the size of the mesh. */
function geometryOf({ corners, normals, box }: DrawnData): BufferGeometry {
  const geometry = new BufferGeometry()
    .setAttribute('position', new BufferAttribute(corners, 3))
    .setAttribute('normal', new BufferAttribute(normals, 3));
  geometry.boundingBox = new Box3(new Vector3(...box.slice(0, 3)), new Vector3(...box.slice(3)));
  geometry.boundingSphere = geometry.boundingBox.getBoundingSphere(new Sphere());
  return geometry;
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
