// Draws two transparent bodies and the view of a step: boxes, a picture in its place, triangles, points.

import { mesh } from 'nearfield';
import { geometryFromMesh } from 'nearfield/three';
import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  DoubleSide,
  FrontSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  NearestFilter,
  SRGBColorSpace,
} from 'three/webgpu';
import type { Viewer } from '../viewer/viewer.ts';
import { bodyColours, lineColours, litColours, meetingColour } from './colours.ts';
import type { FlatPicture, Shape, Sheet, StepView, Two } from './types.ts';

/** The opacity of surfaces. */
const clear = 0.38;

export class DrawnPair {
  readonly #viewer: Viewer;
  readonly #two: Two;
  readonly #group = new Group();
  readonly #bodies: Mesh<BufferGeometry, MeshStandardMaterial>[];
  /** One material for all steps: with a new one per step, the same program would be compiled again. */
  readonly #sheet: Mesh<BufferGeometry, MeshBasicMaterial>;

  constructor(viewer: Viewer, two: Two) {
    this.#viewer = viewer;
    this.#two = two;
    this.#bodies = two.map(({ positions, indices, pose }, i) => {
      const material = new MeshStandardMaterial({
        color: bodyColours[i],
        roughness: 0.7,
        metalness: 0.02,
        transparent: true,
        depthWrite: false,
        opacity: clear,
        side: FrontSide,
      });
      const drawn = new Mesh(geometryFromMesh(mesh(positions, indices)), material);
      drawn.matrixAutoUpdate = false;
      drawn.matrix.fromArray(Array.from(pose));
      drawn.matrixWorldNeedsUpdate = true;
      return drawn;
    });
    // Created after the bodies, so that it is drawn after a body at the same place, whose colour does not cover it.
    this.#sheet = new Mesh(
      new BufferGeometry(),
      new MeshBasicMaterial({ transparent: true, alphaTest: 0.05, side: DoubleSide, forceSinglePass: true }),
    );
    this.#sheet.visible = false;
    this.#group.add(...this.#bodies, this.#sheet);
    viewer.scene.add(this.#group);
  }

  fit(): void {
    this.#group.updateMatrixWorld(true);
    const box = new Box3();
    for (const body of this.#bodies) box.expandByObject(body);
    this.#viewer.camera.flyTo(box, { atOnce: true });
  }

  show({ boxes, frame, lit, points, ways, pointSize, picture, sheet }: StepView): void {
    const { marks } = this.#viewer;
    marks.clear();
    this.#removeSheet();
    for (const [i, ends] of boxes?.entries() ?? []) marks.lines(ends, { colour: lineColours[i] });
    if (frame) marks.lines(frame, { colour: lineColours[0] });
    for (const [i, triangles] of lit?.entries() ?? []) {
      const corners = cornersOf(this.#two[i], new Set(Array.from(triangles)));
      marks.triangles(corners, { colour: litColours[i], through: true });
    }
    if (points && points.length > 0) {
      marks.points(points, { colour: meetingColour, ...(pointSize && { size: pointSize }) });
      if (ways) marks.arrows(points, ways, { colour: lineColours[0] });
    }
    if (picture && sheet) this.#putSheet(picture, sheet);
    this.#viewer.invalidate();
  }

  close(): void {
    this.#removeSheet();
    this.#sheet.material.dispose();
    this.#group.removeFromParent();
    for (const { geometry, material } of this.#bodies) {
      geometry.dispose();
      material.dispose();
    }
    this.#viewer.marks.clear();
    this.#viewer.invalidate();
  }

  #putSheet({ columns, rows, colours }: FlatPicture, { corner, right, up }: Sheet): void {
    const map = new DataTexture(new Uint8Array(colours), columns, rows);
    map.colorSpace = SRGBColorSpace;
    map.magFilter = NearestFilter;
    map.needsUpdate = true;
    const at = (u: number, v: number) => corner.map((value, axis) => value + u * right[axis] + v * up[axis]);
    const geometry = new BufferGeometry();
    const places = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)].flat();
    geometry.setAttribute('position', new BufferAttribute(Float32Array.from(places), 3));
    geometry.setAttribute('uv', new BufferAttribute(Float32Array.of(0, 0, 1, 0, 1, 1, 0, 1), 2));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.#sheet.geometry = geometry;
    this.#sheet.material.map = map;
    this.#sheet.visible = true;
  }

  #removeSheet(): void {
    this.#sheet.visible = false;
    this.#sheet.geometry.dispose();
    this.#sheet.material.map?.dispose();
  }
}

/** Corners of some triangles, in the world. */
function cornersOf({ positions, indices, pose: m }: Shape, triangles: ReadonlySet<number>): Float32Array {
  const out = new Float32Array(9 * triangles.size);
  let to = 0;
  for (const triangle of triangles) {
    for (let corner = 3 * triangle; corner < 3 * triangle + 3; corner++) {
      const at = 3 * indices[corner];
      const [x, y, z] = [positions[at], positions[at + 1], positions[at + 2]];
      for (let row = 0; row < 3; row++)
        out[to++] = m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row];
    }
  }
  return out;
}
