// Draws a scene: bodies that share a mesh as instances, deforming bodies one by one, and the answer on top.

import { mesh } from 'nearfield';
import { geometryFromMesh } from 'nearfield/three';
import {
  Box3,
  type BufferAttribute,
  type BufferGeometry,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  FrontSide,
  Group,
  InstancedMesh,
  type Material,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  SRGBColorSpace,
  Vector3,
} from 'three/webgpu';
import type { BodyId } from '../../engine/types.ts';
import { palette } from '../../state/document.ts';
import type { Viewer } from '../../viewer/viewer.ts';
import { markColours as colours } from '../list.ts';
import type { Found, Frame, SceneInfo, SceneMesh, Settings } from '../types.ts';
import { ProjectedMap } from './projected.ts';
import { sceneryOf } from './scenery.ts';

/** The opacity of bodies that are see-through. */
const clear = 0.62;

export class DrawnScene {
  readonly #viewer: Viewer;
  readonly #info: SceneInfo;
  /** The map between the first body and the second. */
  #projected: ProjectedMap | undefined;
  readonly #group = new Group();
  readonly #meshes: SceneMesh[] = [];
  readonly #geometries: BufferGeometry[] = [];
  /** The mesh of a body, and its index in the frame. */
  readonly #meshOf = new Map<BodyId, number>();
  /** The meshes of bodies that were removed. */
  readonly #gone = new Map<BodyId, number>();
  readonly #poses = new Map<BodyId, Float64Array>();
  readonly #colours = new Map<BodyId, Color>();
  /** For deforming bodies. */
  readonly #own = new Map<BodyId, { drawn: Mesh<BufferGeometry, Material>; positions: Float32Array }>();
  #crowds: InstancedMesh[] = [];
  /** What is not asked about, and the place of the body that it moves with. */
  readonly #scenery: { readonly drawn: Mesh; readonly follows: number | undefined }[];
  #stale = true;
  /** The bounds of the scene at its start. */
  #size = 1;

  constructor(viewer: Viewer, info: SceneInfo, settings: Settings) {
    this.#viewer = viewer;
    this.#info = info;
    viewer.scene.add(this.#group);
    this.#scenery = sceneryOf(info.name, settings).map(({ geometry, colour, follows }) => {
      const drawn = new Mesh(geometry, new MeshStandardMaterial({ color: colour, roughness: 0.7 }));
      drawn.matrixAutoUpdate = false;
      this.#group.add(drawn);
      return { drawn, follows };
    });
  }

  apply({ meshes, added, removed, bodies, poses, deformed }: Frame): void {
    for (const made of meshes) {
      this.#meshes.push(made);
      this.#geometries.push(geometryFromMesh(mesh(made.positions, made.indices)));
    }
    for (const { id, mesh, colour } of added) {
      this.#meshOf.set(id, mesh);
      const own =
        colour &&
        new Color().setRGB(...(colour.map(part => part / 255) as [number, number, number]), SRGBColorSpace);
      this.#colours.set(id, own ?? ownColours[id % ownColours.length]);
    }
    for (const id of removed) this.#remove(id);
    if (added.length > 0 || removed.length > 0) this.#stale = true;
    for (const [i, id] of bodies.entries()) this.#poses.set(id, poses.subarray(16 * i, 16 * i + 16));
    for (const { id, positions } of deformed) this.#deform(id, positions);
  }

  /** Goes back to an earlier step: shows bodies that were removed since, and hides those that were added since. */
  restore({ bodies, poses, deformed }: Pick<Frame, 'bodies' | 'poses' | 'deformed'>): void {
    const there = new Set(bodies);
    for (const id of [...this.#meshOf.keys()]) if (!there.has(id)) this.#remove(id);
    for (const id of bodies) {
      if (this.#meshOf.has(id)) continue;
      this.#meshOf.set(id, this.#gone.get(id)!);
      this.#stale = true;
    }
    this.apply({ meshes: [], added: [], removed: [], bodies, poses, deformed });
  }

  #remove(id: BodyId): void {
    const number = this.#meshOf.get(id);
    if (number !== undefined) this.#gone.set(id, number);
    this.#meshOf.delete(id);
    this.#poses.delete(id);
    this.#own.get(id)?.drawn.removeFromParent();
    this.#own.delete(id);
    this.#stale = true;
  }

  /** Shows the answer: highlighted bodies, triangles, points, ways out. */
  show({ meeting, triangles, missed, points, ways, stones, struck, map }: Found): void {
    if (map?.kind === 'distances') {
      if (this.#projected === undefined) this.#stale = true;
      this.#projected ??= new ProjectedMap();
      this.#projected.show(map);
    }
    this.#place(new Set(meeting));
    const { marks } = this.#viewer;
    marks.clear();
    if (triangles) marks.triangles(this.#cornersOf(triangles), { colour: colours.lit });
    if (missed) marks.triangles(this.#cornersOf(missed), { colour: colours.missed, through: true });
    if (points && points.length > 0) {
      marks.points(points, { colour: colours.point, size: 0.006 * this.#size });
      if (ways) marks.arrows(points, ways, { colour: colours.way });
    }
    if (stones) marks.points(stones, { colour: colours.stone, size: 0.006 * this.#size, through: false });
    if (struck) marks.points(struck, { colour: colours.struck, size: 0.005 * this.#size, through: false });
    this.#viewer.invalidate();
  }

  fit(): void {
    const box = new Box3().expandByObject(this.#group);
    this.#size = box.getSize(new Vector3()).length();
    const { seenFrom } = this.#info;
    const toward = seenFrom && { toward: new Vector3(...seenFrom).normalize() };
    this.#viewer.camera.flyTo(box, { atOnce: true, ...toward });
  }

  close(): void {
    this.#group.removeFromParent();
    for (const geometry of this.#geometries) geometry.dispose();
    for (const { drawn } of this.#own.values()) drawn.geometry.dispose();
    for (const { drawn } of this.#scenery) drawn.geometry.dispose();
    for (const crowd of this.#crowds) crowd.dispose();
    this.#projected?.close();
    this.#viewer.marks.clear();
  }

  #deform(id: BodyId, positions: Float32Array): void {
    const number = this.#meshOf.get(id)!;
    let own = this.#own.get(id);
    if (own === undefined) {
      const drawn = new Mesh(this.#geometries[number].clone(), this.#materialOf(this.#colours.get(id)!, id));
      drawn.matrixAutoUpdate = false;
      own = { drawn, positions };
      this.#own.set(id, own);
      this.#group.add(drawn);
      this.#stale = true;
    }
    own.positions = positions;
    const attribute = own.drawn.geometry.getAttribute('position') as BufferAttribute;
    const { indices } = this.#meshes[number];
    for (let i = 0; i < indices.length; i++) {
      const at = 3 * indices[i];
      attribute.setXYZ(i, positions[at], positions[at + 1], positions[at + 2]);
    }
    attribute.needsUpdate = true;
    smooth(own.drawn.geometry.getAttribute('normal') as BufferAttribute, positions, indices);
  }

  #place(meeting: ReadonlySet<BodyId>): void {
    if (this.#stale) this.#remake();
    const matrix = new Matrix4();
    for (const [id, { drawn }] of this.#own) {
      drawn.matrix.fromArray(this.#poses.get(id)!);
      drawn.matrixWorldNeedsUpdate = true;
    }
    const ids = [...this.#meshOf.keys()].sort((p, q) => p - q);
    for (const { drawn, follows } of this.#scenery) {
      if (follows === undefined || ids[follows] === undefined) continue;
      drawn.matrix.fromArray(this.#poses.get(ids[follows])!);
      drawn.matrixWorldNeedsUpdate = true;
    }
    for (const crowd of this.#crowds) {
      const ids = crowd.userData['ids'] as BodyId[];
      const lights = crowd.count > 20;
      for (const [i, id] of ids.entries()) {
        crowd.setMatrixAt(i, matrix.fromArray(this.#poses.get(id)!));
        // If there are many small bodies, whole bodies are highlighted; if there are few, only where they meet.
        if (ids.length > 1)
          crowd.setColorAt(i, lights && meeting.has(id) ? litColour : this.#colours.get(id)!);
      }
      crowd.instanceMatrix.needsUpdate = true;
      if (crowd.instanceColor) crowd.instanceColor.needsUpdate = true;
    }
  }

  /** One instanced mesh per mesh, for bodies that do not deform. */
  #remake(): void {
    this.#stale = false;
    for (const crowd of this.#crowds) {
      crowd.removeFromParent();
      crowd.dispose();
    }
    const byMesh = new Map<number, BodyId[]>();
    for (const [id, number] of this.#meshOf) {
      if (!this.#own.has(id)) byMesh.set(number, [...(byMesh.get(number) ?? []), id]);
    }
    this.#crowds = [...byMesh].map(([number, ids]) => {
      const material = this.#materialOf(ids.length > 1 ? white : this.#colours.get(ids[0])!, ids[0]);
      const crowd = new InstancedMesh(this.#geometries[number], material, ids.length);
      crowd.instanceMatrix.setUsage(DynamicDrawUsage);
      crowd.frustumCulled = false;
      crowd.userData['ids'] = ids;
      this.#group.add(crowd);
      return crowd;
    });
  }

  /** For one body, or for many with colours of their own. */
  #materialOf(color: Color, id: BodyId): Material {
    const isFirst = id === Math.min(...this.#meshOf.keys());
    if (this.#projected) return this.#projected.material(color, isFirst);
    const isClear = this.#info.clear === 'all' || (this.#info.clear === 'first' && isFirst);
    return new MeshStandardMaterial({
      ...{ color, roughness: 0.66, metalness: 0.04, side: isClear ? FrontSide : DoubleSide },
      ...(isClear && { transparent: true, opacity: clear, depthWrite: false }),
    });
  }

  /** Corners of (body, triangle), in the world. */
  #cornersOf(list: Uint32Array): Float32Array {
    const out = new Float32Array((9 * list.length) / 2);
    let to = 0;
    for (let i = 0; i < list.length; i += 2) {
      const [id, triangle] = [list[i], list[i + 1]];
      const made = this.#meshes[this.#meshOf.get(id)!];
      const positions = this.#own.get(id)?.positions ?? made.positions;
      const m = this.#poses.get(id)!;
      for (let corner = 3 * triangle; corner < 3 * triangle + 3; corner++) {
        const at = 3 * made.indices[corner];
        const [x, y, z] = [positions[at], positions[at + 1], positions[at + 2]];
        for (let axis = 0; axis < 3; axis++)
          out[to++] = m[axis] * x + m[4 + axis] * y + m[8 + axis] * z + m[12 + axis];
      }
    }
    return out;
  }
}

/** Normals of a deformed body: at each vertex the mean of its triangles', by their areas. */
function smooth(out: BufferAttribute, positions: Float32Array, indices: Uint32Array): void {
  const sums = new Float32Array(positions.length);
  const [p, q, r] = [new Vector3(), new Vector3(), new Vector3()];
  for (let i = 0; i < indices.length; i += 3) {
    p.fromArray(positions, 3 * indices[i]);
    q.fromArray(positions, 3 * indices[i + 1]).sub(p);
    r.fromArray(positions, 3 * indices[i + 2]).sub(p);
    q.cross(r);
    for (let corner = 0; corner < 3; corner++) {
      const at = 3 * indices[i + corner];
      sums[at] += q.x;
      sums[at + 1] += q.y;
      sums[at + 2] += q.z;
    }
  }
  for (let i = 0; i < indices.length; i++) {
    p.fromArray(sums, 3 * indices[i]).normalize();
    out.setXYZ(i, p.x, p.y, p.z);
  }
  out.needsUpdate = true;
}

const litColour = new Color(colours.lit);
const white = new Color('#ffffff');
const ownColours = palette.map(colour => new Color(colour));
